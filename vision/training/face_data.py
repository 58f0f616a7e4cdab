"""Crops for the face network: dice of rendered tables and of photographs, drawn dice, and what is no die.

Every stored patch covers WIDE sides of a top, so that the outline can still be moved about when it is used.
"""
import glob
import json
import os

import cv2
import numpy as np
import torch
from torch.utils.data import Dataset

import synth
from face_net import COLORS, CROP, LIGHT, MARGIN
from tables import apply_cast, held_out, load, random_cast, recolor

WIDE, PATCH = 2.25, 90  # sides, pixels: 40 pixels a side


def squared(image, quad, wide=WIDE, size=PATCH):
    """The patch of image around quad, squared up."""
    e = size / 2 / wide
    c = size / 2
    dst = np.float32([[c - e, c - e], [c + e, c - e], [c + e, c + e], [c - e, c + e]])
    h = cv2.getPerspectiveTransform(np.float32(quad), dst)
    side = np.sqrt(abs(cv2.contourArea(np.float32(quad)))) + 1e-3
    if side > 60:  # no aliasing
        image = cv2.GaussianBlur(image, (0, 0), 0.4 * side / 40)
    return cv2.warpPerspective(image, h, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def light(picture, crops):
    """How a picture (BGR, any size) and the crops of its tops look: 12 numbers in 0..1, each triple in BGR:
    mean and 6-norm of the picture, mean and brightest 8-norm of the crops."""
    p = picture.reshape(-1, 3).astype(np.float32) / 255
    c = np.stack(crops).reshape(len(crops), -1, 3).astype(np.float32) / 255
    return np.concatenate([p.mean(0), (p**6).mean(0) ** (1 / 6), c.mean((0, 1)), ((c**8).mean(1) ** (1 / 8)).max(0)]).astype(np.float32)


def straight(patch):
    """A patch as the program will cut it: no jitter."""
    e, c = int(round(20 * MARGIN)), patch.shape[0] // 2
    return cv2.resize(patch[c - e:c + e, c - e:c + e], (CROP, CROP), interpolation=cv2.INTER_AREA)


def negatives(t, rng):
    """Quads of one picture that hold no die's top: bare squares and stickers, bits of dice, bits of table."""
    h, w = t.image.shape[:2]
    out = []
    centers = t.tops.mean(1) if len(t.tops) else np.zeros((0, 2))
    sides = np.linalg.norm(t.tops[:, 0] - t.tops[:, 2], axis=1) / 1.4 if len(t.tops) else np.array([0.04 * w])
    side = float(np.median(sides))

    def free(q, least):
        return not len(centers) or np.linalg.norm(centers - q.mean(0), axis=1).min() > least * side

    if t.corners is not None and not t.hand:
        hm = cv2.getPerspectiveTransform(np.float32([[0, 0], [5, 0], [5, 5], [0, 5]]), t.corners)
        for r in range(5):
            for c in range(5):
                g, e = np.array([c + 0.5, r + 0.5]) + rng.normal(0, 0.05, 2), rng.uniform(0.26, 0.45)
                q = cv2.perspectiveTransform(np.float32([[g + (-e, -e), g + (e, -e), g + (e, e), g + (-e, e)]]), hm)[0]
                if free(q, 0.95):
                    out.append(q)
    for i in range(len(t.tops)):
        a, f = rng.uniform(0, 6.28), rng.uniform(0.45, 1.1)
        q = t.tops[i] + np.array([np.cos(a), np.sin(a)]) * f * sides[i]
        others = np.delete(centers, i, 0)
        if not len(others) or np.linalg.norm(others - q.mean(0), axis=1).min() > 0.45 * side:
            out.append(q)
        if rng.random() < 0.3:
            k = rng.uniform(0.25, 0.55) if rng.random() < 0.5 else rng.uniform(1.7, 3)
            out.append((t.tops[i] - centers[i]) * k + centers[i])
    for _ in range(6):
        c, e, a = rng.uniform(0, 1, 2) * (w, h), side * np.exp(rng.uniform(-0.5, 0.5)) * 0.7, rng.uniform(0, 6.28)
        q = c + e * np.stack([np.cos(a + np.arange(4) * np.pi / 2), np.sin(a + np.arange(4) * np.pi / 2)], 1)
        if free(q, 1.0):
            out.append(q)
    return [np.float32(q) for q in out]


def from_tables(folder, keep, rng):
    """patches, faces, colors (-1 unknown), lights of every visible die and of negatives."""
    patches, faces, colors, lights = [], [], [], []
    for t in load(folder, keep):
        if not t.hand and t.whole.any():
            mine = [squared(t.image, quad) for quad, whole in zip(t.tops, t.whole) if whole]
            patches += mine
            faces += t.faces[t.whole].tolist()
            colors += [COLORS.index(c) for c, whole in zip(t.colors, t.whole) if whole]
            lights += [light(cv2.resize(t.image, (160, 120), interpolation=cv2.INTER_AREA), [straight(p) for p in mine])] * len(mine)
        for q in negatives(t, rng):
            patches.append(squared(t.image, q)); faces.append(7); colors.append(-1); lights.append(None)
    return patches, faces, colors, lights


def drawn(count, rng, patches):
    out, faces = [], []
    ground = [p for p in patches if rng.random() < 0.3]
    for _ in range(count):
        img, f, c = synth.draw(rng, ground)
        out.append(cv2.resize(img, (60, 60), interpolation=cv2.INTER_AREA)); faces.append(f)
    return out, faces, [-1] * count, [None] * count


def moved(p, rng):
    """A crop of a patch in an outline that is a little off, blurred as by distance or motion."""
    n = p.shape[0]
    e = 20.0  # half a side: all patches have 40 pixels a side
    e *= MARGIN * np.exp(rng.normal(0, 0.05))
    a = rng.integers(4) * np.pi / 2 + rng.normal(0, 0.06)
    q = e * np.sqrt(2) * np.stack([np.cos(a + np.pi / 4 + np.arange(4) * np.pi / 2), np.sin(a + np.pi / 4 + np.arange(4) * np.pi / 2)], 1)
    q = q + n / 2 + rng.normal(0, 1.3, (1, 2)) + rng.normal(0, 1.1, (4, 2))
    h = cv2.getPerspectiveTransform(np.float32(q), np.float32([[0, 0], [CROP, 0], [CROP, CROP], [0, CROP]]))
    if rng.random() < 0.5:  # a die that is far away
        k2 = rng.uniform(0.22, 0.9)
        p = cv2.resize(cv2.resize(p, None, fx=k2, fy=k2, interpolation=cv2.INTER_AREA), (n, n), interpolation=cv2.INTER_LINEAR)
    else:
        p = cv2.GaussianBlur(p, (0, 0), 0.6)
    x = cv2.warpPerspective(p, h, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.1:
        x = motion(x, rng)
    return x


class Crops(Dataset):
    """Patches in a moved outline, another light, another turn."""

    def __init__(self, groups, shares, epoch, seed):
        self.groups, self.epoch, self.seed = groups, epoch, seed
        self.shares = np.cumsum(np.array(shares) / sum(shares))

    def __len__(self):
        return self.epoch

    def __getitem__(self, k):
        rng = np.random.default_rng([self.seed, k])
        patches, faces, colors, lights = self.groups[int(np.searchsorted(self.shares, rng.random()))]
        i = rng.integers(len(patches))
        p, f, c, lit = patches[i], faces[i], colors[i], lights[i]
        x = moved(p, rng)
        turned = lit is None or rng.random() < 0.15
        cast = random_cast(rng) if turned or rng.random() < 0.7 else (np.ones(3), 1.0)
        x = recolor(x, rng, 0.5 if turned else 0.0, cast, odd=turned)
        if turned:
            c, lit = -1, np.zeros(LIGHT, np.float32)
        else:
            lit = apply_cast(lit.reshape(4, 3), cast).reshape(-1) + rng.normal(0, 0.02, LIGHT).astype(np.float32)
        if f != 7 and rng.random() < 0.06:  # something lies over it: cannot be read
            x, f, c = covered(x, rng), 7, -1
        x = torch.from_numpy(np.ascontiguousarray(x[..., ::-1].transpose(2, 0, 1))).float() / 255
        return x, lit.reshape(4, 3)[:, ::-1].reshape(-1).astype(np.float32).copy(), int(f), int(c)


def motion(x, rng):
    n = int(rng.integers(1, 4)) * 2 + 1
    k = np.zeros((n, n), np.float32)
    a = rng.uniform(0, np.pi)
    d = np.array([np.cos(a), np.sin(a)]) * n / 2
    cv2.line(k, tuple(int(v) for v in n / 2 - d), tuple(int(v) for v in n / 2 + d), 1)
    return cv2.filter2D(x, -1, k / max(k.sum(), 1))


def covered(x, rng):
    """A finger, a sleeve or another thing over at least a quarter of the top."""
    x = x.copy()
    a = rng.uniform(0, 6.28)
    d = np.array([np.cos(a), np.sin(a)])
    s = np.array([-d[1], d[0]])
    at = np.array([CROP / 2, CROP / 2]) + d * rng.uniform(-2, 7)
    c = synth.bgr(rng.uniform(5, 30), rng.uniform(0.2, 0.6), rng.uniform(0.25, 0.95)) if rng.random() < 0.6 else synth.any_color(rng)
    quad = np.int32([at + s * 40, at - s * 40, at - s * 40 + d * 60, at + s * 40 + d * 60])
    m = np.zeros(x.shape[:2], np.float32)
    cv2.fillConvexPoly(m, quad, 1)
    m = cv2.GaussianBlur(m, (0, 0), rng.uniform(0.5, 2.0))[..., None]
    shade = np.exp(synth.noise(rng, CROP, 3) * 0.15)[..., None]
    return np.clip(x * (1 - m) + c * shade * m, 0, 255).astype(np.uint8)


def photographs(folder, quads_file):
    """Crops of photographs whose outlines the find network has told (quads_file: image -> [[quad, face], ...])."""
    patches, faces = [], []
    for name, found in json.load(open(quads_file)).items():
        img = cv2.imread(os.path.join(folder, name))
        for quad, f in found:
            if f >= 0:
                patches.append(squared(img, quad)); faces.append(f)
    return patches, faces, [-1] * len(faces), [None] * len(faces)


def build(folders, seed, count):
    rng = np.random.default_rng(seed)
    out = dict(train=([], [], [], []), held=([], [], [], []))
    for name, keep in (("train", lambda n: not held_out(n)), ("held", held_out)):
        for d in folders:
            for a, b in zip(out[name], from_tables(d, keep, rng)):
                a.extend(b)
    out["drawn"] = drawn(count, rng, out["train"][0])
    return out
