"""Puts symbols on the dice of pictures with answers: tables with dice of one's own, to measure by (never to train).

    python3 paint_icons.py --tables DIR --out DIR [--sets 8] [--seed 1] [--width 0]

Each set has six symbols that trained nothing (symbols.py), made in one way, and is put on all pictures of one game and tier whose
names say so. In the second half of these some dice show one of three symbols that no first one shows. The answers get
"symbol": 0 to 5 as the face, or 6 to 8.
"""
import argparse
import glob
import json
import os
import re

import cv2
import numpy as np

import symbols
from synth import luma

N = 96        # pixels a side of a top that is painted
STRANGE = 0.2  # share of the later dice that show what was never shown


class Maker:
    """How the dice of a set are made."""

    def __init__(self, bank, rng):
        self.made = rng.choice(["printed", "engraved", "sticker"], p=[0.5, 0.3, 0.2])
        self.size, self.dark = rng.uniform(0.55, 0.85), rng.random() < 0.5
        self.faces, keys = [], set()
        while len(self.faces) < 9:
            ink, tone, key = bank[rng.integers(len(bank))]
            words = set(re.findall("gear|leaf", key)) or {key}  # made-up shapes of one family are too much alike for one set
            if not words & keys:
                keys |= words
                self.faces.append((self.plane(ink), self.plane(tone)))
        self.panel = cv2.resize(symbols.square(symbols.TOP, symbols.TOP * 0.9, rng.choice([0.1, 0.4, 1.0])), (N, N))
        self.tones = symbols.any_color(rng)

    def plane(self, p):
        k = self.size * N / symbols.PLANE
        h = np.float32([[k, 0, (N - k * symbols.PLANE) / 2], [0, k, (N - k * symbols.PLANE) / 2]])
        return cv2.warpAffine(p, h, (N, N), flags=cv2.INTER_AREA).astype(np.float32) / 255

    def ink(self, body):
        light = luma(body) > 110
        return np.array([25, 22, 20.0]) if light else np.array([225, 230, 232.0])


def plain(top):
    """A top without its pips, and its body's color."""
    rim = np.concatenate([top[4:9].reshape(-1, 3), top[-9:-4].reshape(-1, 3), top[:, 4:9].reshape(-1, 3), top[:, -9:-4].reshape(-1, 3)])
    body = np.median(rim, 0)
    off = np.abs(top.astype(np.float32) - body).max(2)
    mask = (off > max(24, 0.18 * body.max())).astype(np.uint8)
    mask[:8], mask[-8:], mask[:, :8], mask[:, -8:] = 0, 0, 0, 0
    mask = cv2.dilate(mask, np.ones((9, 9), np.uint8))
    return cv2.inpaint(top, mask, 5, cv2.INPAINT_TELEA), body


def paint(img, quad, maker, face, rng):
    quad = np.roll(np.float32(quad), int(rng.integers(4)), 0)
    side = np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1).mean()
    h = cv2.getPerspectiveTransform(np.float32([[0, 0], [N, 0], [N, N], [0, N]]), quad)
    top = cv2.warpPerspective(img, h, (N, N), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    clean, body = plain(top)
    shade = (clean.astype(np.float32) + 4) / (body + 4)
    out = clean.astype(np.float32)
    ink, tone = maker.faces[face]
    on = body
    if maker.made == "sticker":
        on = maker.ink(body) * 0.95 + 10
        out += maker.panel[..., None] * (on * shade - out)
    color = maker.ink(on)
    out += ink[..., None] * (color * shade - out)
    out += (ink * tone)[..., None] * ((0.5 * color + 0.5 * maker.tones) * shade - out)
    if maker.made == "engraved":
        dent, t = cv2.GaussianBlur(ink, (0, 0), 1.5), 0.8
        out *= (1 + 0.9 * (cv2.Sobel(dent, cv2.CV_32F, 1, 0) * np.cos(t) + cv2.Sobel(dent, cv2.CV_32F, 0, 1) * np.sin(t)))[..., None]
    out = np.clip(out, 0, 255)
    blur = max(0.6, 0.55 * N / side)  # what is larger here than in the picture must not shimmer there, and lenses are soft
    out = cv2.GaussianBlur(out, (0, 0), blur)
    x0, y0 = np.maximum(np.floor(quad.min(0)) - 2, 0).astype(int)
    x1, y1 = np.ceil(quad.max(0)).astype(int) + 2
    move = np.float32([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]]) @ h
    part = img[y0:y1, x0:x1]
    size = (part.shape[1], part.shape[0])
    new = cv2.warpPerspective(out, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    m = np.zeros((N, N), np.float32)
    m[6:-6, 6:-6] = 1
    m = cv2.warpPerspective(cv2.GaussianBlur(m, (0, 0), 2), move, size)[..., None]
    grain = cv2.GaussianBlur(rng.normal(0, 3.0, part.shape).astype(np.float32), (0, 0), 0.6)
    part[:] = np.clip(part * (1 - m) + (new + grain) * m, 0, 255).astype(np.uint8)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tables", required=True)
    ap.add_argument("--out", required=True)
    ap.add_argument("--sets", type=int, default=1, help="sets of symbols for each game and tier")
    ap.add_argument("--games", default="")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--shown", type=int, default=3, help="pictures of a set in which nothing strange is")
    ap.add_argument("--width", type=int, default=0, help="pixels across; 0: as they are")
    a = ap.parse_args()
    rng = np.random.default_rng(a.seed)
    bank = symbols.bank(True, rng, 300)
    groups = {}
    for f in sorted(glob.glob(os.path.join(a.tables, "*.json"))):
        k = re.match(r"(.*-(?:easy|normal|hard))-", os.path.basename(f))
        if k and (not a.games or k[1].rsplit("-", 1)[0] in a.games.split(",")):
            groups.setdefault(k[1], []).append(f)
    os.makedirs(a.out, exist_ok=True)
    for name, files in groups.items():
        for s in range(a.sets):
            maker = Maker(bank, rng)
            for n, f in enumerate(files):
                answer = json.load(open(f))
                img = cv2.imread(f[:-5] + ".jpg")
                for d in answer["dice"]:
                    d["symbol"] = 6 + int(rng.integers(3)) if n >= a.shown and rng.random() < STRANGE else (d["face"] or 1) - 1
                    if d["in_frame"]:
                        paint(img, d["top_px"], maker, d["symbol"], rng)
                if a.width:
                    k = a.width / img.shape[1]
                    img = cv2.resize(img, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
                    for d in answer["dice"]:
                        d["top_px"] = (np.array(d["top_px"]) * k).tolist()
                out = os.path.join(a.out, f"{name}-set{s}-{n:02d}")
                answer["made"], answer["width"], answer["height"] = str(maker.made), img.shape[1], img.shape[0]
                cv2.imwrite(out + ".jpg", img, [cv2.IMWRITE_JPEG_QUALITY, 92])
                json.dump(answer, open(out + ".json", "w"))


if __name__ == "__main__":
    main()
