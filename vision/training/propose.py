"""What the find network proposes, as more crops for the face network: tops with the outlines it really
tells, and what it takes for a top though it is none. Photographs with boxes give crops of real dice.

    python3 propose.py --find find.pt --tables DIR --photos DIR --face face.onnx --out more.pkl --quads quads.json --seen seen.json
"""
import argparse
import json
import os
import pickle

import cv2
import numpy as np
import torch

from face_data import squared
from face_net import CROP, MARGIN
from find_decode import maps, prepare, tops
from find_net import load_net
from photographs import pictures
from tables import held_out, load

BEST = 34.0   # network pixels that a die's box is wide at best
LEAST = 0.12  # how plain an outline must be, and how well it shows the face that is known, to be learned from


def from_tables(net, folder, rng):
    dice, none = ([], [], [], []), ([], [], [], [])
    for t in load(folder, lambda n: not held_out(n)):
        small, k = prepare(t.image, 640 * np.exp(rng.uniform(-0.3, 0.3)))
        centers = t.tops.mean(1) if len(t.tops) else np.zeros((0, 2))
        for score, c, quad in tops(maps(net, small), 0.08):
            quad, c = quad / k, c / k
            side = np.sqrt(abs(cv2.contourArea(np.float32(quad)))) + 1
            near = np.linalg.norm(centers - c, axis=1) if len(centers) else np.array([1e9])
            i = near.argmin()
            if near[i] < 0.12 * side and not t.hand and t.whole[i]:
                group, f = dice, t.faces[i]
            elif near[i] > 0.45 * side:
                group, f = none, 7
            else:
                continue
            group[0].append(squared(t.image, quad)); group[1].append(f); group[2].append(-1); group[3].append(None)
    return dice, none


def levels(truth):
    """Long sides, network pixels, at which a photograph is looked at: the usual one, and those that give its dice the
    size that the network knows best."""
    long = max(truth["width"], truth["height"])
    sides = [max(d["box"][2] - d["box"][0], d["box"][3] - d["box"][1]) for d in truth["dice"]]
    steps = {round(2 * np.log2(long * BEST / s / 640)) for s in sides} | {0}
    return [640 * 2 ** (n / 2) for n in sorted(steps) if 40 <= 640 * 2 ** (n / 2) <= 1300]


def likely(face, image, quad, want):
    """How likely the face network finds it that a top shows this."""
    face.setInput(cv2.dnn.blobFromImage(squared(image, quad, MARGIN, CROP), 1 / 255, swapRB=True))
    y = face.forward("faces")[0]
    y = np.exp(y - y.max())
    return float(y[want] / y.sum())


def numerals(truth, die):
    """Whether a die has numerals for pips, or marks that nobody can read: the face network need not know them."""
    return "marks" in die or "marks" in truth


def from_photographs(nets, face, folder):
    """Outlines of boxed dice, and crops that lie in no box. A box holds sides of its die, too: of what is proposed there that
    counts which shows the face that is known."""
    quads, none = {}, ([], [], [], [])
    for truth in pictures(folder):
        image = cv2.imread(os.path.join(folder, truth["image"]))
        found = []
        for long in levels(truth):
            small, k = prepare(image, long)
            found += [(score, c / k, quad / k, long) for net in nets for score, c, quad in tops(maps(net, small), 0.15)]
        for d in truth["dice"]:
            x0, y0, x1, y1 = d["box"]
            whole = (x1 - x0) * (y1 - y0)
            best = (LEAST, None)
            for score, c, quad, _ in found:
                size = abs(cv2.contourArea(np.float32(quad)))
                if x0 - 3 < c[0] < x1 + 3 and y0 - 3 < c[1] < y1 + 3 and 0.15 * whole < size < 1.2 * whole:
                    told = 1.0 if numerals(truth, d) else likely(face, image, quad, d["face"])
                    best = max(best, (score * (0.1 + told), quad.tolist()), key=lambda b: b[0])
            if best[1] and not d.get("doubtful"):
                quads.setdefault(truth["image"], []).append([best[1], -1 if d.get("marks") else d["face"]])
        for score, c, quad, long in found:
            if long == 640 and not any(b["box"][0] - 25 < c[0] < b["box"][2] + 25 and b["box"][1] - 25 < c[1] < b["box"][3] + 25 for b in truth["dice"]):
                none[0].append(squared(image, quad)); none[1].append(7); none[2].append(-1); none[3].append(None)
    return quads, none


def seen_under_hands(net, folder):
    """Which dice of the pictures with hands the network sees where the answer says that they are."""
    out = {}
    for t in load(folder, lambda n: not held_out(n)):
        if not t.hand:
            continue
        small, k = prepare(t.image, 640)
        found = tops(maps(net, small), 0.45)
        near = lambda p: any(np.linalg.norm(c / k - p.mean(0)) < 0.12 * np.sqrt(abs(cv2.contourArea(p))) for _, c, _ in found)
        out[t.name] = [bool(w and near(p)) for p, w in zip(t.tops, t.whole)]
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--find", required=True, nargs="+", help="one network, or several whose best outlines are taken")
    ap.add_argument("--face", default="", help="the face network, for photographs")
    ap.add_argument("--tables", required=True)
    ap.add_argument("--photos", default="")
    ap.add_argument("--out", required=True)
    ap.add_argument("--quads", required=True)
    ap.add_argument("--seen", required=True)
    a = ap.parse_args()
    torch.set_num_threads(1)
    nets = [load_net(f) for f in a.find]
    net = nets[0]
    quads, none = from_photographs(nets, cv2.dnn.readNetFromONNX(a.face), a.photos) if a.photos else ({}, ([], [], [], []))
    json.dump(quads, open(a.quads, "w"))
    json.dump(seen_under_hands(net, a.tables), open(a.seen, "w"))
    dice, more = from_tables(net, a.tables, np.random.default_rng(1))
    for x, y in zip(none, more):
        x.extend(y)
    print("photographs", sum(len(v) for v in quads.values()), "proposed dice", len(dice[0]), "no dice", len(none[0]))
    pickle.dump(dice, open(a.out.replace(".pkl", "-dice.pkl"), "wb"), protocol=4)
    pickle.dump(none, open(a.out.replace(".pkl", "-none.pkl"), "wb"), protocol=4)


if __name__ == "__main__":
    main()
