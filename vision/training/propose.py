"""What the find network proposes, as more crops for the face network: tops with the outlines it really
tells, and what it takes for a top though it is none. Photographs with boxes give crops of real dice.

    python3 propose.py --find find.pt --tables DIR --photos DIR --out more.pkl --quads quads.json --seen seen.json
"""
import argparse
import json
import os
import pickle

import cv2
import numpy as np
import torch

from face_data import squared
from find_decode import maps, prepare, tops
from find_net import load_net
from tables import held_out, load


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


def from_photographs(net, folder):
    """Outlines of boxed dice, and crops that lie in no box."""
    quads, none = {}, ([], [], [], [])
    taken = set()  # the best outline of a box only: sides are proposed too, more weakly
    for line in open(os.path.join(folder, "index.jsonl")):
        truth = json.loads(line)
        image = cv2.imread(os.path.join(folder, truth["image"]))
        small, k = prepare(image, 640)
        for score, c, quad in tops(maps(net, small), 0.15):
            quad, c = quad / k, c / k
            inside = [d for d in truth["dice"] if d["box"][0] - 3 < c[0] < d["box"][2] + 3 and d["box"][1] - 3 < c[1] < d["box"][3] + 3]
            if not inside:
                near = [d for d in truth["dice"] if d["box"][0] - 25 < c[0] < d["box"][2] + 25 and d["box"][1] - 25 < c[1] < d["box"][3] + 25]
                if not near:
                    none[0].append(squared(image, quad)); none[1].append(7); none[2].append(-1); none[3].append(None)
            elif len(inside) == 1 and score > 0.3 and not inside[0].get("doubtful") and (truth["image"], *inside[0]["box"]) not in taken:
                taken.add((truth["image"], *inside[0]["box"]))
                quads.setdefault(truth["image"], []).append([quad.tolist(), inside[0]["face"]])
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
    ap.add_argument("--find", required=True)
    ap.add_argument("--tables", required=True)
    ap.add_argument("--photos", default="")
    ap.add_argument("--out", required=True)
    ap.add_argument("--quads", required=True)
    ap.add_argument("--seen", required=True)
    a = ap.parse_args()
    torch.set_num_threads(1)
    net = load_net(a.find)
    quads, none = from_photographs(net, a.photos) if a.photos else ({}, ([], [], [], []))
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
