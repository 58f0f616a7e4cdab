"""Scenes for drawn.cu: tables with dice of all makes and sizes, near and far, and much that is no die.

A scene is 64 numbers, each of its things 48; both are laid out as drawn.cu reads them. World: x, y on the table, z up,
a usual die is 1 wide.
"""
import colorsys
import os
import subprocess

import cv2
import numpy as np

from grounds import pattern
from prints import PIPS, ink, on
from symbols import FAMILIES, PLANE, shape
from tokens import FINE, fonts, written, word

SCENE, OBJECT, TEXTURE, PRINT, MOST = 64, 48, 512, 96, 40
DIE, DISC, BOX, OCTAHEDRON, ICOSAHEDRON, DODECAHEDRON, HOUSE, ROD, BALL, PAWN = range(10)
RIM = 56  # pixels of a board's texture around its grid
NUMBERS, WRITERS = 240, 48  # the first print of numbers, and how many makers write them
SYMBOLS, PAINTERS = NUMBERS + 6 * WRITERS, 64  # and of symbols
SYMBOL = 8                  # what a die shows that bears a symbol
SIGNS = [*range(0x2190, 0x2200), *range(0x2600, 0x2680), *range(0x2686, 0x2700), *range(0x2701, 0x2768)]  # dice are not among them
LETTERS = [*"0123456789ABCDEFGKMRSTXZ?+&", "10", "11", "12", "20", "6.", "9."]
# named colors as dice makers dye them: hue in degrees, saturation, value, each from to
DYES = {"white": ((0, 360), (0, 0.06), (0.8, 0.97)), "ivory": ((38, 55), (0.1, 0.3), (0.8, 0.95)), "black": ((0, 360), (0, 0.3), (0.02, 0.12)), "red": ((350, 366), (0.75, 1), (0.45, 0.9)),
        "dark red": ((348, 365), (0.7, 1), (0.2, 0.45)), "orange": ((14, 32), (0.8, 1), (0.8, 1)), "yellow": ((44, 58), (0.7, 1), (0.8, 1)), "green": ((100, 165), (0.5, 1), (0.25, 0.75)),
        "blue": ((200, 240), (0.6, 1), (0.25, 0.9)), "purple": ((262, 300), (0.4, 0.9), (0.25, 0.8)), "pink": ((315, 350), (0.3, 0.75), (0.75, 1)), "wood": ((24, 40), (0.35, 0.65), (0.45, 0.85)),
        "gray": ((0, 360), (0, 0.1), (0.25, 0.65)), "teal": ((168, 195), (0.5, 1), (0.3, 0.8)), "gold": ((40, 50), (0.5, 0.8), (0.5, 0.8))}


def linear(rgb):
    return np.clip(np.asarray(rgb, np.float64), 0, 1) ** 2.2


def dye(rng, name=None):
    h, s, v = DYES[name or rng.choice(list(DYES))]
    return np.array(colorsys.hsv_to_rgb(rng.uniform(*h) / 360 % 1, rng.uniform(*s), rng.uniform(*v)))


def lum(c):
    return float(np.dot(c, (0.3, 0.59, 0.11)))


# ---- what is drawn on tables and things ----

def board(rng):
    """A board of 5 x 5 squares (BGR): plain or patterned tiles, lines or gaps, a print in some."""
    n, k = TEXTURE, (TEXTURE - 2 * RIM) / 5
    img = pattern((n, n), n / 12, rng) if rng.random() < 0.4 else np.full((n, n, 3), ink(rng), np.float32)
    tones = [ink(rng) for _ in range(rng.integers(1, 6))]
    gap, line = rng.uniform(0, 0.07) * k if rng.random() < 0.6 else 0, int(rng.integers(1, 6)) if rng.random() < 0.75 else 0
    shade = on(tones[0], rng)
    print_ = pattern((n, n), n / 16, rng) if rng.random() < 0.2 else None
    for r in range(5):
        for c in range(5):
            x0, y0, x1, y1 = (int(round(v)) for v in (RIM + c * k + gap, RIM + r * k + gap, RIM + (c + 1) * k - gap, RIM + (r + 1) * k - gap))
            tone = tones[int(rng.integers(len(tones)))] if len(tones) > 2 else tones[(r + c) % len(tones)]
            img[y0:y1, x0:x1] = tone if print_ is None else 0.5 * tone + 0.5 * print_[y0:y1, x0:x1]
            if line:
                cv2.rectangle(img, (x0, y0), (x1, y1), shade.tolist(), line, cv2.LINE_AA)
            if rng.random() < 0.15:
                w = written(str(rng.choice(LETTERS)), fonts()[rng.integers(len(fonts()))], 60)[..., None] / 255 * rng.uniform(0.4, 1)
                s = int(k * 0.6)
                w = cv2.resize(w, (s, s))[..., None]
                y, x = int((y0 + y1) / 2 - s / 2), int((x0 + x1) / 2 - s / 2)
                img[y:y + s, x:x + s] = img[y:y + s, x:x + s] * (1 - w) + shade * w
    return img


def texture(i, rng):
    """A table top (RGB): a third are boards, the rest patterns, plain ones among them."""
    if i % 3 == 0:
        img = board(rng)
    elif rng.random() < 0.35:
        img = np.full((TEXTURE, TEXTURE, 3), ink(rng), np.float32)
        img += cv2.resize(rng.normal(0, rng.uniform(1, 10), (TEXTURE, TEXTURE, 3)).astype(np.float32), None, fx=1, fy=1)
    else:
        img = pattern((TEXTURE, TEXTURE), rng.uniform(15, 90), rng)
    if rng.random() < 0.5:
        img = cv2.GaussianBlur(img, (0, 0), rng.uniform(0.4, 2))
    return np.clip(img[..., ::-1], 0, 255).astype(np.uint8)


def mark(i, rng):
    """A print (RGB): ink (red part) for tokens, coins, buttons and odd dice; or, from two thirds on, a picture of its own."""
    img = np.zeros((PRINT, PRINT, 3), np.uint8)
    if i >= SYMBOLS:
        img[..., 0] = symbol(rng)
    elif i >= NUMBERS:  # one to six of a maker who writes numbers
        of = np.random.default_rng([13, (i - NUMBERS) // 6])
        font, size, dots = fonts()[of.integers(len(fonts()))], int(of.choice([40, 52, 66])), of.random() < 0.25
        img[..., 0] = written(str((i - NUMBERS) % 6 + 1) + ("." if dots and (i - NUMBERS) % 6 == 5 else ""), font, size)
        if of.random() < 0.08:
            cv2.circle(img, (48, 48), 44, (255, 0, 0), 2, cv2.LINE_AA)
    elif i < 128:
        m = written(str(rng.choice(LETTERS)), fonts()[rng.integers(len(fonts()))], int(rng.choice([44, 56, 72]))).copy()
        if i % 4 == 3:
            m = (word(rng)[..., 0] * 255).astype(np.uint8)
            cv2.circle(m, (48, 48), int(rng.uniform(34, 46)), 255, int(rng.integers(1, 4)), cv2.LINE_AA)
        img[..., 0] = m
    elif i < 160:  # buttons, rings, wheels
        m = np.zeros((PRINT, PRINT), np.uint8)
        cv2.circle(m, (48, 48), int(rng.uniform(20, 46)), 255, int(rng.integers(1, 9)), cv2.LINE_AA)
        n, r, a = int(rng.integers(1, 7)), rng.uniform(8, 30), rng.uniform(0, 6)
        for k in range(n):
            cv2.circle(m, (int(48 + r * np.cos(a + 6.283 * k / n)), int(48 + r * np.sin(a + 6.283 * k / n))), int(rng.uniform(3, 9)), 255, -1, cv2.LINE_AA)
        img[..., 0] = m
    elif i < 200:  # cards and pictures of any kind
        img[:] = np.clip(pattern((PRINT, PRINT), rng.uniform(10, 60), rng), 0, 255)[..., ::-1]
        if rng.random() < 0.6:
            cv2.putText(img, str(rng.choice(LETTERS)), (int(rng.integers(5, 50)), int(rng.integers(40, 90))), int(rng.integers(0, 4)), rng.uniform(0.8, 2.5), [int(v) for v in ink(rng)], int(rng.integers(1, 5)), cv2.LINE_AA)
    elif i % 2:
        img[:] = domino(rng)
    else:
        img[:] = printed_face(rng)
    return img


def symbol(rng):
    """Ink that is no number and nothing like pips or a blast."""
    if rng.random() < 0.3:
        return written(chr(int(rng.choice(SIGNS))), fonts()[rng.integers(len(fonts()))], int(rng.choice([52, 66])))
    return cv2.resize(shape(rng, set(FAMILIES) - {"star", "polygon"})[0], (PRINT, PRINT), interpolation=cv2.INTER_AREA)


def pips_on(img, x, y, side, value, dot, pip):
    for a, b in PIPS[value] if value else ():
        cv2.circle(img, (int(x + (int(a) - 1) * side * 0.27), int(y + (int(b) - 1) * side * 0.27)), int(dot), [int(v) for v in pip], -1, cv2.LINE_AA)


def printed_face(rng):
    img, body = np.zeros((PRINT, PRINT, 3), np.uint8), ink(rng)
    img[:] = body
    pips_on(img, PRINT / 2, PRINT / 2, rng.uniform(40, 90), int(rng.integers(1, 7)), rng.uniform(4, 8), on(body, rng))
    return img


def domino(rng):
    """Two halves with none to six pips, one above the other: half as wide as they are long, in the middle of the print."""
    img = np.zeros((PRINT, PRINT, 3), np.uint8)
    body = ink(rng) if rng.random() < 0.5 else dye(rng, str(rng.choice(["ivory", "white", "black", "wood"])))[::-1] * 255
    pip, dot, side = on(body, rng), rng.uniform(3, 5.5), PRINT / 2 * rng.uniform(0.85, 1)
    img[:] = body
    for y in (PRINT / 4, 3 * PRINT / 4):
        pips_on(img, PRINT / 2, y, side, int(rng.integers(0, 7)), dot, pip)
    reach = int(PRINT / 4 * rng.uniform(0.6, 1))
    cv2.line(img, (PRINT // 2 - reach, PRINT // 2), (PRINT // 2 + reach, PRINT // 2), [int(v) for v in pip], int(rng.integers(1, 3)), cv2.LINE_AA)
    if rng.random() < 0.3:
        cv2.circle(img, (PRINT // 2, PRINT // 2), 4, [int(v) for v in dye(rng, "gold")[::-1] * 255], -1, cv2.LINE_AA)
    return img


# ---- things ----

def turned(yaw, flat=np.eye(3)):
    """Rows that take the world's directions to a thing's: first laid down by flat, then turned."""
    c, s = np.cos(yaw), np.sin(yaw)
    return flat @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def any_turn(rng):
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else q[[1, 0, 2]]


def standing_on(direction, rng):
    """A turn that brings a direction of a thing down."""
    z = -np.asarray(direction, float) / np.linalg.norm(direction)
    x = np.cross(z, rng.normal(size=3))
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], 1) @ turned(rng.uniform(0, 6.28))


def thing(kind, at, rows, half, rng, radius=None):
    o = np.zeros(OBJECT, np.float32)
    o[0], o[1:4], o[4:13], o[13:16] = kind, at, np.asarray(rows).ravel(), half
    o[39] = radius or np.linalg.norm(half) * 1.02
    o[18:21] = linear(dye(rng))
    o[21:24] = linear(dye(rng))
    o[26] = rng.integers(1 << 20)
    o[34], o[35], o[40] = rng.choice([0, 0.3, 0.8]), rng.uniform(8, 60), -1
    return o


def values(rng):
    """What the six sides +x -x +y -y +z -z show: opposite ones make seven, either way round."""
    a = rng.permutation(3)
    v = np.array([[k + 1, 6 - k] if rng.random() < 0.5 else [6 - k, k + 1] for k in a])
    return v.ravel()


def make(rng):
    """How a maker makes dice: what all of one set have in common, and how their dyes go."""
    m = dict(round=rng.choice([0.03, 0.08, 0.14, 0.2, 0.28]) * rng.uniform(0.7, 1.3), ball=0.0, pip=rng.uniform(0.13, 0.24), spread=rng.uniform(0.42, 0.58), one=1.0, depth=rng.choice([0, 0.4, 0.9]) * rng.uniform(0.5, 1.2),
             gloss=rng.choice([0.0, 0.3, 1.0, 1.6]), shine=np.exp(rng.uniform(np.log(8), np.log(150))), pattern=0, scale=rng.uniform(1, 5), clear=0.0, shape=0, wear=0.0, frame=0.0)
    if rng.random() < 0.4:
        m["ball"] = rng.uniform(1.36, 1.6)  # times half the width: corners cut by a ball
    if rng.random() < 0.3:
        m["one"] = rng.uniform(1.2, 1.9)
    u = rng.random()
    m["pattern"] = 1 if u < 0.14 else 2 if u < 0.2 else 3 if u < 0.28 else 4 if u < 0.36 else 5 if u < 0.38 else 0
    if rng.random() < 0.16 and not m["pattern"]:
        m["clear"] = rng.uniform(0.3, 0.9)
    u = rng.random()
    m["shape"] = 1 if u < 0.05 else 2 if u < 0.08 else 3 if u < 0.12 else 4 if u < 0.2 else 0
    m["writer"] = NUMBERS + 6 * int(rng.integers(WRITERS))
    m["symbols"] = rng.random() < 0.08
    if m["symbols"]:
        m["shape"], m["writer"] = 4, SYMBOLS + 6 * int(rng.integers(PAINTERS))
    if rng.random() < 0.12:
        m["wear"] = rng.uniform(0.2, 0.7)
    if rng.random() < 0.05:
        m["frame"] = 1.0
    u = rng.random()
    m["dyes"] = [str(rng.choice(list(DYES)))] if u < 0.4 else [str(v) for v in rng.choice(list(DYES), int(rng.integers(2, 8)))]
    if u < 0.15:
        m["dyes"] = ["white" if rng.random() < 0.7 else "ivory"]
    m["pips"] = str(rng.choice(["plain", "plain", "plain", "any", "faint"]))
    return m


def die(m, at, wide, yaw, rng):
    """A die of a make, lying flat, and what its upper face shows."""
    flat = [np.eye(3)[[0, 1, 2]], np.diag([1., -1, -1]), np.array([[0, 0, 1.], [0, 1, 0], [-1, 0, 0]]), np.array([[0, 0, -1.], [0, 1, 0], [1, 0, 0]]), np.array([[1., 0, 0], [0, 0, 1], [0, -1, 0]]), np.array([[1., 0, 0], [0, 0, -1], [0, 1, 0]])]
    rows = turned(yaw, flat[rng.integers(6)] @ turned(rng.integers(4) * np.pi / 2))
    o = thing(DIE, (*at, wide / 2), rows, (wide / 2,) * 3, rng)
    body = dye(rng, m["dyes"][rng.integers(len(m["dyes"]))])
    if m["pips"] == "plain":
        pip = dye(rng, "white") if lum(body) < 0.55 and rng.random() < 0.93 or lum(body) < 0.25 else dye(rng, "black")
    else:
        for _ in range(30):
            pip = dye(rng)
            if (0.12 if m["pips"] == "faint" else 0.3) < abs(lum(pip) - lum(body)):
                break
    o[16] = m["round"] * wide / 2
    o[17] = m["ball"] * wide / 2
    o[18:21], o[21:24], o[27:30] = linear(body), linear(np.clip(body * rng.uniform(0.3, 1.6) + rng.uniform(-0.1, 0.1, 3), 0, 1) if rng.random() < 0.7 else dye(rng)), linear(pip)
    o[24], o[25], o[30], o[31], o[32], o[33], o[34], o[35], o[36] = m["pattern"], m["scale"] / wide, m["pip"], m["spread"], m["depth"], m["one"], m["gloss"], m["shine"], m["clear"]
    v = values(rng)
    o[37] = sum(int(k) * 7**i for i, k in enumerate(v))
    o[38], o[41], o[42], o[43], o[45] = rng.integers(64), m["shape"], m["wear"], m["frame"], m["writer"]
    up = rows @ (0, 0, 1)
    axis = int(np.abs(up).argmax())
    return o, SYMBOL if m["symbols"] else int(v[2 * axis + (up[axis] < 0)])


def clutter(at, wide, rng):
    """Something that is no die, about as large as one."""
    u, s, yaw = rng.random(), wide * np.exp(rng.uniform(-0.4, 0.7)), rng.uniform(0, 6.28)
    if u < 0.34:  # a token, a coin, a button
        tall = s * rng.choice([0.04, 0.08, 0.2])
        o = thing(DISC, (*at, tall / 2), turned(yaw), (s / 2, s / 2, tall / 2), rng)
        o[16] = tall * rng.uniform(0.05, 0.4)
        o[40] = rng.integers(160)
        o[27:30] = linear(on(o[18:21] ** (1 / 2.2) * 255, rng) / 255)
        if rng.random() < 0.2:
            o[18:21], o[34], o[35] = linear(dye(rng, "gold" if rng.random() < 0.6 else "gray")), 1.5, 30
            o[27:30] = o[18:21] * rng.uniform(0.3, 1.5)
    elif u < 0.4:  # a domino
        half, tall = s * rng.uniform(0.4, 0.6), s * rng.choice([0.08, 0.15, 0.25])
        o = thing(BOX, (*at, tall), turned(yaw), (half, 2 * half, tall), rng)
        o[16], o[40], o[44] = tall * rng.uniform(0.1, 0.9), 161 + 2 * rng.integers(20, 40), 1
        o[18:21] = linear(dye(rng, str(rng.choice(["ivory", "white", "black", "wood"]))))
    elif u < 0.5:  # a card, a tile, a box
        a, b, tall = s * rng.uniform(0.5, 1.6), s * rng.uniform(0.5, 1.6), s * rng.choice([0.02, 0.1, 0.3])
        if rng.random() < 0.4:
            a, b, tall = s * 0.5, s * 0.5, s * rng.uniform(0.02, 0.3)
        o = thing(BOX, (*at, tall / 2), turned(yaw), (a, b, tall / 2), rng)
        o[16], o[40], o[44] = 0.3 * tall, rng.integers(160, 240), 1
    elif u < 0.7:  # dice of other shapes
        kind = int(rng.choice([OCTAHEDRON, ICOSAHEDRON, DODECAHEDRON]))
        direction = {OCTAHEDRON: (1, 1, 1), ICOSAHEDRON: (1, 1, 1), DODECAHEDRON: (0, 0.52573, 0.85065)}[kind]
        h = s * {OCTAHEDRON: 0.45, ICOSAHEDRON: 0.6, DODECAHEDRON: 0.58}[kind]
        o = thing(kind, (*at, h), standing_on(direction, rng), (h, h, h), rng, h * {OCTAHEDRON: 1.75, ICOSAHEDRON: 1.27, DODECAHEDRON: 1.27}[kind])
        o[40] = rng.integers(100)
        o[27:30] = linear(on(o[18:21] ** (1 / 2.2) * 255, rng) / 255)
        o[24], o[25], o[34] = rng.choice([0, 0, 1, 4]), 2 / s, rng.choice([0.3, 1.2])
    elif u < 0.8:
        h = np.array([0.5, 0.7, 0.45]) * s * rng.uniform(0.6, 1.2, 3)
        o = thing(HOUSE, (*at, h[2]), turned(yaw), h, rng, 1.6 * np.linalg.norm(h))
    elif u < 0.87:
        o = thing(BALL, (*at, s * 0.4), any_turn(rng), s * 0.4 * rng.uniform(0.6, 1, 3), rng)
    elif u < 0.93:
        o = thing(PAWN, (*at, s * 0.8), turned(yaw), (s * 0.5, s * 0.5, s * 0.8), rng, s * 1.1)
    else:  # a cube with nothing on it, a die with a picture
        o = thing(BOX, (*at, s / 2), turned(yaw), (s / 2,) * 3, rng)
        o[16] = 0.1 * s
        if rng.random() < 0.5:
            o[40], o[27:30] = rng.integers(128, 160), linear(on(o[18:21] ** (1 / 2.2) * 255, rng) / 255)
    return o


def long_things(reach, wide, rng):
    """Pens, fingers, the wall of a tray."""
    out = []
    if rng.random() < 0.15:
        thick, long = wide * rng.uniform(0.15, 0.4), wide * rng.uniform(2, 6)
        a = rng.uniform(0, 6.28)
        out.append(thing(ROD, (*rng.uniform(-reach, reach, 2), thick), turned(a), (long, thick, thick), rng, long + thick))
    if rng.random() < 0.18:  # a hand: fingers and the arm, skin
        skin = linear(np.array([(235, 190, 150), (205, 150, 110), (165, 105, 70), (105, 65, 45), (70, 50, 35)][rng.integers(5)]) / 255 * rng.uniform(0.7, 1.1))
        at, a = rng.uniform(-reach, reach, 2), rng.uniform(0, 6.28)
        w = wide * rng.uniform(0.8, 1.4)
        for k in range(int(rng.integers(2, 6))):
            b = a + (k - 2) * rng.uniform(0.15, 0.3)
            p = at + w * 2.2 * np.array([np.cos(b), np.sin(b)])
            out.append(thing(ROD, (*p, w * rng.uniform(0.6, 1.6)), turned(b), (w * 1.8, w * 0.5, 0), rng, w * 2.4))
        p = at + w * 7 * np.array([np.cos(a), np.sin(a)])
        out.append(thing(ROD, (*p, w * 2), turned(a), (w * 4, w * 1.7, 0), rng, w * 5.8))
        for o in out[-7:]:
            if o[0] == ROD and len(out) > 1:
                o[18:21], o[34], o[35] = skin, 0.2, 8
    if rng.random() < 0.15:
        tall = wide * rng.uniform(0.8, 3)
        a, far = rng.uniform(0, 6.28), reach * rng.uniform(0.6, 1)
        paint = linear(dye(rng))
        for k in range(4 if rng.random() < 0.5 else 1):
            b = a + k * np.pi / 2
            p = far * np.array([np.cos(b), np.sin(b)])
            o = thing(BOX, (*p, tall / 2), turned(b), (wide * 0.15, far + wide * 0.15, tall / 2), rng)
            o[18:21], o[24], o[25] = paint, rng.choice([0, 3]), 0.5
            out.append(o)
    return out


# ---- a scene ----

def camera(n, wide, rng):
    """Numbers 0 to 15 of a scene, and how a world's point comes to its pixel."""
    tilt = abs(rng.normal(0, 0.12)) if rng.random() < 0.3 else rng.uniform(0.1, 1.2)
    side = np.exp(rng.uniform(np.log(8.5), np.log(110)))  # pixels of a usual die
    focal = n * np.exp(rng.uniform(np.log(0.9), np.log(3)))
    away = focal / side
    a = rng.uniform(0, 6.28)
    eye = away * np.array([np.sin(tilt) * np.cos(a), np.sin(tilt) * np.sin(a), np.cos(tilt)])
    fwd = -eye / np.linalg.norm(eye)
    right = np.cross(fwd, (0, 0, 1)) if tilt > 1e-3 else np.array([1.0, 0, 0])
    right /= np.linalg.norm(right)
    down = np.cross(fwd, right)
    roll = rng.normal(0, 0.15) if rng.random() < 0.6 else rng.uniform(0, 6.28)
    c, s = np.cos(roll), np.sin(roll)
    right, down = c * right + s * down, c * down - s * right
    sc = np.zeros(SCENE, np.float32)
    sc[:3], sc[3:6], sc[6:9], sc[9:12], sc[12] = eye, right, down, fwd, focal
    sc[13:15] = rng.normal(0, 0.1 * n, 2) * (rng.random() < 0.4)
    sc[15] = rng.uniform(-0.08, 0.12) if rng.random() < 0.4 else 0
    return sc, side


def project(sc, n, points):
    """Pixels of world points (m,3)."""
    d = np.asarray(points, np.float64) - sc[:3]
    z = d @ sc[9:12]
    q = np.stack([d @ sc[3:6], d @ sc[6:9]], 1) / np.maximum(z, 1e-3)[:, None]
    p = q.copy()
    for _ in range(4):
        p = q / (1 + sc[15] * (p * p).sum(1, keepdims=True))
    return p * sc[12] + n / 2 + sc[13:15]


def table_point(sc, n, px):
    """The point of the table under a pixel, or None."""
    p = (np.asarray(px) - n / 2 - sc[13:15]) / sc[12]
    p = p * (1 + sc[15] * (p @ p))
    d = sc[3:6] * p[0] + sc[6:9] * p[1] + sc[9:12]
    return (sc[:3] - d * sc[2] / d[2])[:2] if d[2] < -0.05 else None


def light(sc, rng):
    tilt, a = rng.uniform(0.1, 1.15), rng.uniform(0, 6.28)
    key = np.array([np.sin(tilt) * np.cos(a), np.sin(tilt) * np.sin(a), np.cos(tilt)])
    share = rng.beta(1.5, 1.5)
    warm = np.exp(rng.normal(0, 0.18) * np.array([1, 0.1, -1.1]))
    cold = np.exp(rng.normal(0, 0.12) * np.array([-1, 0.0, 1.1]))
    sc[16:19], sc[19] = key, np.exp(rng.uniform(np.log(0.01), np.log(0.7)))
    sc[20:23], sc[23:26] = 1.5 * share * warm, (1.15 - share) * cold
    sc[26:29] = sc[23:26] * rng.uniform(0.2, 0.8)
    w = np.array([rng.normal(), rng.normal(), rng.uniform(0.2, 1.5)])
    sc[29:32], sc[32], sc[33], sc[34] = w / np.linalg.norm(w), rng.uniform(0.1, 0.8), rng.uniform(0.1, 0.8), rng.uniform(0, 4)


def lay_ground(sc, i, other, wide, rng):
    """Puts texture i on the table, about a board the other one; the world's corners of its grid, where it is a board."""
    grid = i % 3 == 0
    k = 80 / (wide * rng.uniform(1.15, 2.1)) if grid else 512 / (wide * np.exp(rng.uniform(np.log(4), np.log(40))))
    a = rng.uniform(0, 6.28)
    m = k * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    at = np.array([256.0, 256]) + (rng.normal(0, 60, 2) if grid else rng.uniform(-200, 200, 2))
    sc[35], sc[36:42] = i, (*m[0], at[0], *m[1], at[1])
    sc[62] = other if grid else i
    sc[42] = rng.choice([0, 0, 0.4])
    mixing = np.eye(3)
    if rng.random() < 0.7:
        mixing = mixing[rng.permutation(3)] if rng.random() < 0.5 else mixing
        dull = rng.uniform(0, 0.9)
        mixing = (1 - dull) * mixing + dull / 3
        mixing = mixing * np.exp(rng.uniform(-0.9, 0.2)) * np.exp(rng.normal(0, 0.25, (3, 1)))
    sc[50:59] = mixing.ravel()
    sc[59:62] = rng.uniform(0, 0.25) if rng.random() < 0.3 else 0
    if not grid:
        return None
    b = TEXTURE - RIM
    corners = np.array([[RIM, RIM], [b, RIM], [b, b], [RIM, b]], float)
    return (corners - at) @ np.linalg.inv(m).T


def scene(n, textures, rng):
    """Numbers (64), things (MOST, 48), outlines of the dice's upper faces (k,4,2) in pixels, faces, the grid's corners or None, and
    outlines (m,4,2) that are no die's top, though they may look like one: dice's upright faces, what boxes show, halves of dominoes."""
    sc, side = camera(n, 1.0, rng)
    light(sc, rng)
    grid = lay_ground(sc, int(rng.integers(textures)), 3 * int(rng.integers(textures // 3)) + 1, 1.0, rng)
    things, dice, faces, places = [], [], [], []
    one, m = rng.random() < 0.6, make(rng)
    unlike = rng.random() < 0.25
    count = int(rng.choice([0, 1, 2, 3, 5, 8, 12, 18, 24], p=[.06, .12, .14, .12, .16, .16, .12, .08, .04]))
    walls = rng.random() < 0.3  # dice that touch
    yaw0 = rng.uniform(0, 6.28)
    squares = grid is not None and rng.random() < 0.6
    for _ in range(count):
        if not one:
            m = make(rng)
        wide = np.exp(rng.uniform(-0.5, 0.6)) if unlike else rng.normal(1, 0.02)
        for _ in range(6):
            yaw = rng.uniform(0, 6.28)
            if walls and dice and rng.random() < 0.7:
                j = int(rng.integers(len(dice)))
                o, away, k = dice[j], 0, int(rng.integers(4))
                yaw = yaw0 = places[j][3]
                a = yaw + k * np.pi / 2
                away = (places[j][2] + wide) / 2 * rng.uniform(1.0, 1.08)
                at = np.array(o[1:3]) + away * np.array([np.cos(a), np.sin(a)]) + rng.normal(0, 0.1, 2) * wide
                yaw += rng.normal(0, 0.03)
            elif squares and rng.random() < 0.8:
                u, v = (rng.integers(5, size=2) + 0.5 + rng.normal(0, 0.12, 2)) / 5
                at = grid[0] + u * (grid[1] - grid[0]) + v * (grid[3] - grid[0])
                if rng.random() < 0.5:
                    e = grid[1] - grid[0]
                    yaw = np.arctan2(e[1], e[0]) + rng.normal(0, 0.15)
            else:
                at = table_point(sc, n, rng.uniform(0.02, 0.98, 2) * n)
            if at is None or np.linalg.norm(at) > 3 * n / side:
                continue
            if all(np.hypot(at[0] - p[0], at[1] - p[1]) > (0.485 if walls else 0.62) * (p[2] + wide) for p in places):
                break
        else:
            continue
        o, face = die(m, at, wide, yaw, rng)
        dice.append(o); faces.append(face); places.append((*at, wide, yaw))
    for o in long_things(0.5 * n / side, 1.0, rng):
        things.append(o)
    if rng.random() < 0.6:
        alike = clutter((0, 0), 1.0, rng) if rng.random() < 0.4 else None
        for _ in range(int(rng.integers(1, 11))):
            at = table_point(sc, n, rng.uniform(0, 1, 2) * n)
            if at is None or np.linalg.norm(at) > 3 * n / side:
                continue
            o = clutter(at, 1.0, rng) if alike is None else alike.copy()
            o[1:3] = at
            if all(np.hypot(at[0] - p[0], at[1] - p[1]) > 0.55 * p[2] + o[39] for p in places):
                things.append(o)
                places.append((*at, 2 * o[39], 0))
    all_ = (dice + things)[:MOST]
    objects = np.zeros((MOST, OBJECT), np.float32)
    if all_:
        objects[:len(all_)] = all_
    sc[43], sc[44] = len(all_), rng.integers(1 << 20)
    quads, decoys = np.zeros((len(dice), 4, 2), np.float32), []
    for k, (x, y, wide, yaw) in enumerate(places[:len(dice)]):
        c, s = np.cos(yaw) * wide / 2, np.sin(yaw) * wide / 2
        top = np.array([(x - c + s, y - s - c, wide), (x + c + s, y + s - c, wide), (x + c - s, y + s + c, wide), (x - c - s, y - s + c, wide)])
        quads[k] = clockwise(project(sc, n, top))
        decoys += upright(sc, n, top)
    for o in things:
        if o[0] == BOX:
            decoys += box_faces(sc, n, o)
    corners = None if grid is None else clockwise(project(sc, n, np.c_[grid, np.zeros(4)])).astype(np.float32)
    return sc, objects, quads, np.array(faces, np.int64), corners, np.array(decoys, np.float32).reshape(-1, 4, 2)


def box_faces(sc, n, o):
    """What a box shows that lies flat: its top, of a long one both halves of it, and its sides."""
    rows, (a, b, tall) = o[4:13].reshape(3, 3), o[13:16]
    top = np.array([[-a, -b, tall], [a, -b, tall], [a, b, tall], [-a, b, tall]]) @ rows + o[1:4]
    if abs(top[:, 2].max() - top[:, 2].min()) > 1e-3:
        return []
    parts = [top]
    if b > 1.6 * a:
        m, k = (top[0] + top[3]) / 2, (top[1] + top[2]) / 2
        parts = [np.array([top[0], top[1], k, m]), np.array([m, k, top[2], top[3]])]
    return [clockwise(project(sc, n, p)) for p in parts] + upright(sc, n, top)


def upright(sc, n, top):
    """Outlines of the upright faces that look at the camera, of a die whose upper corners are given in the world's order."""
    foot, out = top * (1, 1, 0), []
    for i in range(4):
        j = (i + 1) % 4
        outward = (top[i] + top[j]) / 2 - top.mean(0)
        if outward @ (sc[:3] - (top[i] + top[j]) / 2) > 0:
            out.append(clockwise(project(sc, n, [top[i], top[j], foot[j], foot[i]])))
    return out


def clockwise(q):
    """Outlines run clockwise on the screen, as in all answers."""
    d1, d2 = q[2] - q[0], q[3] - q[1]
    return q if d1[0] * d2[1] - d1[1] * d2[0] > 0 else q[::-1]


def library(folder=os.path.dirname(os.path.abspath(__file__))):
    """The renderer for the processor; built where it is not yet."""
    import ctypes
    so = os.path.join(folder, "libdrawn.so")
    if not os.path.exists(so):
        subprocess.run(["g++", "-x", "c++", "-O3", "-ffast-math", "-march=native", "-shared", "-fPIC", os.path.join(folder, "drawn.cu"), "-o", so], check=True)
    return ctypes.CDLL(so)
