"""Holds two sets of models against each other on pictures that neither was trained on.

    python3 compare.py OLD_FOLDER NEW_FOLDER --tables DIR      (each with find.onnx, patterned.onnx,
                                                              stand.onnx, face.onnx,
                                                              color.onnx and surround.onnx)

The last line says whether the new set may replace the old one: no figure may be clearly worse.
"""
import argparse
import os
import sys

import cv2
import numpy as np
import torch

from face_data import light, squared
from face_net import COLORS, CROP, MARGIN
from find_data import sample
from find_decode import maps, prepare, tops
from find_net import load_net
from tables import held_out, lattice, load
from train_looks import kit_of
import photographs
import tints
import train_find
import train_stand
import train_surround

FAINT = 0.3    # score of the find network from which on other networks are asked
SLACK = 0.003  # figures move so much from one training to the next


def measure(folder, tables, photos=""):
    find = cv2.dnn.readNetFromONNX(os.path.join(folder, "find.onnx"))
    face = cv2.dnn.readNetFromONNX(os.path.join(folder, "face.onnx"))
    color = cv2.dnn.readNetFromONNX(os.path.join(folder, "color.onnx"))
    stand = cv2.dnn.readNetFromONNX(os.path.join(folder, "stand.onnx"))
    dice = found = invented = faces = colors = peaks = points = asked = mistaken = 0
    off = []
    for t in tables:
        small, k = prepare(t.image, 640)
        find.setInput(cv2.dnn.blobFromImage(small, 1 / 255, swapRB=True))
        m = find.forward()[0]
        props = [p for p in tops(m, 0.3)]
        used = set()
        crops, want, told = [], [], []
        for quad, f, c, whole, nth in zip(t.tops, t.faces, t.colors, t.whole, np.cumsum(t.whole) - 1):
            if not whole or t.hand:
                continue
            dice += 1
            side = np.sqrt(abs(cv2.contourArea(quad)))
            near = sorted((np.linalg.norm(p[1] / k - quad.mean(0)) / side, i) for i, p in enumerate(props))
            if near and near[0][0] < 0.3:
                found += 1
                off.append(near[0][0])
                used.add(near[0][1])
                crops.append(squared(t.image, props[near[0][1]][2] / k, MARGIN, CROP))
                want.append((f, COLORS.index(c)))
                told.append(nth)
        if not t.hand:
            centers = [q.mean(0) for q in t.tops]
            wrong, n = stand_errors(stand, t, m, k, centers)
            mistaken, asked = mistaken + wrong, asked + n
            for i, p in enumerate(props):
                side = np.sqrt(abs(cv2.contourArea(np.float32(p[2])))) / k
                if i not in used and all(np.linalg.norm(p[1] / k - c) > side for c in centers):
                    invented += 1
        if crops:
            face.setInput(cv2.dnn.blobFromImages(crops, 1 / 255, swapRB=True))
            yf, look = face.forward(["faces", "look"])
            lit = light(cv2.resize(t.image, (160, 120), interpolation=cv2.INTER_AREA), crops).reshape(4, 3)[:, ::-1].reshape(1, -1)
            kit = kit_of(t.name)[None]
            n = len(crops)
            color.setInput(np.concatenate([look, tints.tint(tints.raw(t))[told], lit.repeat(n, 0), kit.repeat(n, 0)], 1).astype(np.float32))
            yc = color.forward() + (kit - 1) * 1e4
            faces += sum(int(a.argmax() == w[0]) for a, w in zip(yf, want))
            colors += sum(int(a.argmax() == w[1]) for a, w in zip(yc, want))
        if t.corners is not None and not t.hand:
            heat = 1 / (1 + np.exp(-m[8]))
            for x, y in lattice(t.corners) * k / 4 - 0.5:
                xi, yi = int(round(x)), int(round(y))
                if 1 <= xi < heat.shape[1] - 1 and 1 <= yi < heat.shape[0] - 1:
                    points += 1
                    peaks += heat[yi - 1:yi + 2, xi - 1:xi + 2].max() > 0.3
    return {"tops found": found / dice, "faces": faces / dice, "colors": colors / dice, "lattice points": peaks / max(points, 1),
            "invented a picture": invented / len(tables), "mistaken to stand or not": mistaken / max(asked, 1),
            "center off, sides": float(np.mean(off)),
            "heats astray, patterned": astray(os.path.join(folder, "patterned.onnx"), tables),
            "colors by what lies about": colors_about(os.path.join(folder, "surround.onnx"), tables),
            **(on_photographs(os.path.join(folder, "find.onnx"), photos) if photos else {})}


def on_photographs(path, folder):
    """Of the photographs to choose by: the shares of their dice that a find network sees by even odds, or where other
    networks may yet decide, and how many tops off all dice it sees there a picture."""
    net, dice, plain, seen, off, pictures = load_net(path), 0, 0, 0, 0, 0
    for truth in photographs.pictures(folder, "choose"):
        small, k = prepare(cv2.imread(os.path.join(folder, truth["image"])), 640)
        found = [(score, c / k) for score, c, _ in tops(maps(net, small), FAINT)]
        boxes = np.float32([d["box"] for d in truth["dice"]]).reshape(-1, 4) + [-3, -3, 3, 3]
        inside = [((c > boxes[:, :2]) & (c < boxes[:, 2:])).all(1) for _, c in found]
        best = np.max([score * i for (score, _), i in zip(found, inside)], 0) if found else np.zeros(len(boxes))
        dice, plain, seen = dice + len(boxes), plain + int((best > 0.5).sum()), seen + int((best > 0).sum())
        off, pictures = off + sum(not i.any() for i in inside), pictures + 1
    return {"photographs, found": plain / dice, "photographs, seen": seen / dice, "photographs, off dice": off / pictures}


@torch.no_grad()
def astray(path, tables):
    """How far off a find network's heats are on tables laid on other grounds: the mean focal loss of three views of each."""
    net, rng = load_net(path), np.random.default_rng(1)
    losses = []
    for t in tables:
        for _ in range(3 if t.relayable else 0):
            x, heat, weight, *_ = sample(t, 384, rng, 1.0)
            losses.append(train_find.focal(net(x[None])[:, 0], heat[None], weight[None]).item())
    return float(np.mean(losses))


def colors_about(path, tables):
    """The share of dice whose color a surround network tells by itself."""
    net, rng = cv2.dnn.readNetFromONNX(path), np.random.default_rng(1)

    def ask(crops, own):
        net.setInput(crops.numpy(), "crops")
        net.setInput(own.numpy(), "dice")
        return torch.from_numpy(net.forward("colors").copy())

    return train_surround.measure(ask, [train_surround.Dice(t, rng) for t in tables if train_surround.teaches(t)])[0]


def stand_errors(stand, t, m, k, centers):
    """How many of a picture's proposals find and stand network together take for what they are not, and of how many."""
    crops, truth, odds = [], [], []
    for score, c, quad in tops(m, 0.12):
        side = np.sqrt(abs(cv2.contourArea(np.float32(quad)))) / k
        near = min((np.linalg.norm(c / k - q) for q in centers), default=np.inf)
        if near < 0.2 * side or near > 0.45 * side:
            crops.append(train_stand.straight(squared(t.image, quad / k, train_stand.MARGIN, train_stand.StandNet.patch), train_stand.StandNet.crop))
            truth.append(near < 0.2 * side), odds.append(2.5 * np.log(score / (1 - score)))
    if not crops:
        return 0, 0
    stand.setInput(cv2.dnn.blobFromImages(crops, 1 / 255, swapRB=True))
    return int(((stand.forward()[:, 0] + odds > 0) != np.array(truth)).sum()), len(crops)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tables", required=True, nargs="+")
    ap.add_argument("--photos", default="", help="a folder of sets of photographs")
    ap.add_argument("old")
    ap.add_argument("new")
    a = ap.parse_args()
    tables = [t for d in a.tables for t in load(d, held_out)]
    old, new = measure(a.old, tables, a.photos), measure(a.new, tables, a.photos)
    worse = []
    print(f"{len(tables)} pictures held out\n{'':26}{'old':>9}{'new':>9}")
    for k in old:
        print(f"{k:26}{old[k]:9.4f}{new[k]:9.4f}")
        small_is_good = k in ("invented a picture", "mistaken to stand or not", "center off, sides", "heats astray, patterned", "photographs, off dice")
        if (new[k] > old[k] * 1.1 + 0.02) if small_is_good else (new[k] < old[k] - SLACK):
            worse.append(k)
    print("the new models are " + ("worse in " + ", ".join(worse) if worse else "no worse: they may replace the old ones"))
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
