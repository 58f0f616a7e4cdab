"""Draws symbols of all sorts, and the tops of dice that bear them, squared up: what the owned network learns to tell apart.

A symbol is two planes: where there is ink, and its tone. Shapes are made up at random; signs and numerals come from Debian's
fonts (fonts-ancient-scripts, fonts-font-awesome, fonts-dejavu, fonts-urw-base35). Every fifth sign, all of fonts-entypo and fonts-liberation, and
two families of shapes train nothing: they measure.
"""
import glob
import hashlib

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from synth import PIPS, any_color, luma, noise, pip_color

PLANE = 64   # pixels a side of a symbol
TOP = 48     # pixels a side of a drawn top
MARGIN = 1.15  # of its sides that a drawing covers
CROP = 40    # pixels a side of what the network sees
FONTS = "/usr/share/fonts/"
KEPT_FAMILIES = {"gear", "leaf"}


def kept(key):
    """Whether a sign is one that measures."""
    return hashlib.sha1(str(key).encode()).digest()[0] % 5 == 0


def glyph(font, char, rng):
    """A sign as a plane of ink, as large as the plane's inner nine tenths; None where the font has none."""
    box = font.getbbox(char)
    if box is None or box[2] - box[0] < 8 or box[3] - box[1] < 8:
        return None
    w, h = box[2] - box[0], box[3] - box[1]
    img = Image.new("L", (w, h), 0)
    ImageDraw.Draw(img).text((-box[0], -box[1]), char, fill=255, font=font)
    a = np.asarray(img)
    share = (a > 127).mean()
    if share < 0.06 or share > 0.97:
        return None
    k = 0.9 * PLANE / max(w, h)
    a = cv2.resize(a, (max(1, int(w * k)), max(1, int(h * k))), interpolation=cv2.INTER_AREA)
    out = np.zeros((PLANE, PLANE), np.uint8)
    y, x = (PLANE - a.shape[0]) // 2, (PLANE - a.shape[1]) // 2
    out[y:y + a.shape[0], x:x + a.shape[1]] = a
    return out


def outline(points):
    return [np.int32(np.round(points * 16))]


def fill(plane, points, value=255):
    cv2.fillPoly(plane, outline(points), value, cv2.LINE_AA, 4)


def around(n, radius, turn=0.0):
    a = turn + np.arange(n) * 2 * np.pi / n
    r = np.resize(radius, n)
    return np.stack([PLANE / 2 + r * np.cos(a), PLANE / 2 + r * np.sin(a)], 1)


def family(name, rng):
    """A made-up shape: ink and tone."""
    ink, tone = np.zeros((PLANE, PLANE), np.uint8), np.zeros((PLANE, PLANE), np.uint8)
    r, c = 0.44 * PLANE, PLANE / 2
    k = int(rng.integers(3, 11))
    if name == "star":
        fill(ink, around(2 * k, [r, r * rng.uniform(0.3, 0.8)], rng.uniform(0, 6)))
    elif name == "polygon":
        fill(ink, around(k, r, rng.uniform(0, 6)))
    elif name == "gear":
        fill(ink, around(4 * k, [r, r, r * 0.75, r * 0.75], rng.uniform(0, 6)))
        cv2.circle(ink, (int(c), int(c)), int(r * rng.uniform(0.2, 0.45)), 0, -1, cv2.LINE_AA)
    elif name == "flower":
        t = np.linspace(0, 2 * np.pi, 96, endpoint=False)
        q = r * (0.65 + 0.35 * np.cos(k * t)) if rng.random() < 0.5 else r * (0.3 + 0.7 * np.abs(np.cos(k * t / 2)))
        fill(ink, around(96, q, rng.uniform(0, 6)))
    elif name == "leaf":
        t = np.linspace(0, np.pi, 40)
        w = rng.uniform(0.3, 0.8) * np.sin(t) * (1 + rng.uniform(-0.5, 0.5) * np.cos(t))
        side = np.stack([c + r * w, c - r * np.cos(t)], 1)
        fill(ink, np.concatenate([side, np.stack([2 * c - side[::-1, 0], side[::-1, 1]], 1)]))
        cv2.line(ink, (int(c), int(c - r)), (int(c), int(c + r)), 0, 2, cv2.LINE_AA)
    elif name == "blob":
        t = np.linspace(0, 2 * np.pi, 96, endpoint=False)
        q = sum(rng.normal(0, 0.3 / n) * np.cos(n * t + rng.uniform(0, 6)) for n in range(1, 6))
        fill(ink, around(96, r * np.clip(0.7 + q, 0.15, 1.05)))
    elif name == "crescent":
        cv2.circle(ink, (int(c), int(c)), int(r), 255, -1, cv2.LINE_AA)
        a = rng.uniform(0, 6)
        d = r * rng.uniform(0.3, 0.7)
        cv2.circle(ink, (int(c + d * np.cos(a)), int(c + d * np.sin(a))), int(r * rng.uniform(0.6, 0.95)), 0, -1, cv2.LINE_AA)
    elif name == "bars":
        n, a = int(rng.integers(1, 5)), rng.uniform(0, np.pi)
        for i in range(n):
            off = (i - (n - 1) / 2) * 2 * r / max(n, 2)
            d, s = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
            half, wide = r * rng.uniform(0.5, 1), r * rng.uniform(0.1, 0.28)
            m = np.array([c, c]) + s * off
            fill(ink, np.stack([m + d * half + s * wide, m + d * half - s * wide, m - d * half - s * wide, m - d * half + s * wide]))
    elif name == "rings":
        for i in range(int(rng.integers(1, 4))):
            cv2.circle(ink, (int(c), int(c)), int(r * (1 - i * 0.36)), 255, int(rng.integers(2, 6)), cv2.LINE_AA)
    elif name == "strokes":
        p = rng.uniform(0.12, 0.88, (int(rng.integers(3, 7)), 2)) * PLANE
        cv2.polylines(ink, [np.int32(p)], bool(rng.random() < 0.3), 255, int(rng.integers(3, 9)), cv2.LINE_AA)
    elif name == "cells":
        n = int(rng.integers(3, 5))
        m = (rng.random((n, n)) < 0.5).astype(np.uint8) * 255
        ink[:] = cv2.copyMakeBorder(cv2.resize(m, (int(2 * r), int(2 * r)), interpolation=cv2.INTER_NEAREST), int(c - r), PLANE - int(c - r) - int(2 * r), int(c - r), PLANE - int(c - r) - int(2 * r), cv2.BORDER_CONSTANT)
    elif name == "wedges":
        n = int(rng.integers(3, 9))
        for i in range(n):
            if rng.random() < 0.6:
                cv2.ellipse(ink, (int(c), int(c)), (int(r), int(r)), 0, 360 * i / n, 360 * (i + 0.8) / n, 255, -1, cv2.LINE_AA)
    return ink, tone


FAMILIES = ["star", "polygon", "gear", "flower", "leaf", "blob", "crescent", "bars", "rings", "strokes", "cells", "wedges"]


def shape(rng, names):
    """One shape, two of them side by side or over each other, some with holes, some in outline, some in two tones."""
    names = [n for n in FAMILIES if n in names]
    first = names[rng.integers(len(names))]
    ink, tone = family(first, rng)
    key = first
    if rng.random() < 0.45:
        second = names[rng.integers(len(names))]
        more, _ = family(second, rng)
        k = rng.uniform(0.3, 0.7)
        h = np.float32([[k, 0, PLANE * (1 - k) / 2 + rng.normal(0, 6)], [0, k, PLANE * (1 - k) / 2 + rng.normal(0, 6)]])
        more = cv2.warpAffine(more, h, (PLANE, PLANE), flags=cv2.INTER_AREA)
        how = rng.random()
        if how < 0.35:
            ink = cv2.subtract(ink, more)
        elif how < 0.7:
            tone = more
        else:
            ink = cv2.max(ink, more)
        key += second
    if rng.random() < 0.2:
        ink = cv2.morphologyEx(ink, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8), iterations=1)
    return ink, tone, key + str(rng.integers(1 << 30))


def pips(rng):
    n = int(rng.integers(1, 7))
    ink = np.zeros((PLANE, PLANE), np.uint8)
    spread, radius = rng.uniform(0.5, 0.75) * PLANE / 2, rng.uniform(0.1, 0.2) * PLANE / 2
    for x, y in PIPS[n]:
        at = (int((PLANE / 2 + x * spread) * 16), int((PLANE / 2 + y * spread) * 16))
        cv2.circle(ink, at, int(radius * 16), 255, -1, cv2.LINE_AA, 4)
    return ink, np.zeros_like(ink), f"pips{n}"


def codes():
    """Signs of Symbola, by their numbers."""
    return [*range(0x2190, 0x2400), *range(0x2460, 0x24EA), *range(0x25A0, 0x2800), *range(0x2900, 0x2980), *range(0x2B00, 0x2B5A),
            *range(0x1F0A0, 0x1F0F6), *range(0x1F300, 0x1F650), *range(0x1F680, 0x1F6F0), *range(0x1F700, 0x1F774), *range(0x1F900, 0x1F9E0)]


def font_signs(path, numbers, want):
    """Signs of a font: (ink, tone, key) of those that measure or of those that do not."""
    font = ImageFont.truetype(path, 96)
    none = bytes(font.getmask("\uffff"))
    for n in numbers:
        if (want is None or kept(n) == want) and bytes(font.getmask(chr(n))) != none:
            ink = glyph(font, chr(n), None)
            if ink is not None:
                yield ink, np.zeros_like(ink), f"u{n}"


def numerals(paths):
    """Numerals and capitals. A 6 is a 9 the other way up, and so on: such have one key, and are never held against each other."""
    alike = {"9": "6", "M": "W", "Z": "N", "O": "0", "7": "L"}
    for path in paths:
        font = ImageFont.truetype(path, 96)
        for char in "123456789" + "ABCDEFGHJKMNPQRSTUVWXYZ?!&%$":
            ink = glyph(font, char, None)
            if ink is not None:
                yield ink, np.zeros_like(ink), "c" + alike.get(char, char)


def bank(measure, rng, shapes):
    """All symbols to learn from, or those that measure: a list of (ink, tone, key); symbols of one key may look alike."""
    out = []
    names = KEPT_FAMILIES if measure else set(FAMILIES) - KEPT_FAMILIES
    out += [shape(rng, names) for _ in range(shapes)]
    out += font_signs(FONTS + "truetype/ancient-scripts/Symbola_hint.ttf", codes(), measure)
    if measure:
        out += font_signs(FONTS + "truetype/fonts-entypo/entypo.ttf", [*range(0x2190, 0x2800), *range(0xE700, 0xE800), *range(0x1F300, 0x1F700)], None)
        out += numerals(sorted(glob.glob(FONTS + "truetype/liberation/LiberationS*-Regular.ttf")))
    else:
        out += font_signs(FONTS + "truetype/font-awesome/fontawesome-webfont.ttf", range(0xF000, 0xF2E1), None)
        out += numerals(sorted(glob.glob(FONTS + "truetype/dejavu/DejaVuS*.ttf") + glob.glob(FONTS + "opentype/urw-base35/*.otf"))[::2])
        out += [pips(rng) for _ in range(shapes // 20)]
    return [(i, t, k) for i, t, k in out if i is not None]


class Symbol:
    """A symbol as one maker puts it on a die: how large, which way, and how it is made."""

    def __init__(self, planes, rng):
        ink, tone, self.key = planes
        k, a = rng.uniform(0.5, 0.92) * TOP / PLANE, rng.integers(4) * 90 + (rng.uniform(0, 360) if rng.random() < 0.15 else 0)
        if str(self.key).startswith("pips"):
            k = TOP / PLANE
        n = int(TOP * MARGIN)
        h = cv2.getRotationMatrix2D((PLANE / 2, PLANE / 2), a, k)
        h[:, 2] += (n - PLANE) / 2
        flip = rng.random() < 0.3 and not str(self.key).startswith(("c", "pips"))
        planes = [p[:, ::-1] if flip else p for p in (ink, tone)]
        self.ink, self.tone = (cv2.warpAffine(cv2.GaussianBlur(p, (0, 0), 0.5), h, (n, n), flags=cv2.INTER_LINEAR).astype(np.float32) / 255 for p in planes)
        self.made = rng.choice(["printed", "engraved", "sticker", "cut"], p=[0.45, 0.3, 0.17, 0.08])
        self.panel = None
        if self.made == "sticker":
            self.panel = square(n, TOP * rng.uniform(0.8, 0.98), rng.choice([0.05, 0.3, 1.0]))
        self.scheme = Scheme(rng)


def square(n, side, rounding):
    """A square with rounded corners in the middle of a plane."""
    r, c = rounding * side / 2, n / 2
    t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    p = np.stack([c + (side / 2 - r) * np.sign(np.cos(t)) + r * np.cos(t), c + (side / 2 - r) * np.sign(np.sin(t)) + r * np.sin(t)], 1)
    m = np.zeros((n, n), np.uint8)
    fill(m, p)
    return m.astype(np.float32) / 255


class Scheme:
    """Colors of a die: its body, a sticker's panel, the ink and its second tone."""

    def __init__(self, rng):
        self.body = any_color(rng)
        self.panel = pip_color(self.body, rng)
        self.ink, self.tone = pip_color(self.body, rng), pip_color(self.body, rng)
        self.on_panel = pip_color(self.panel, rng)
        if rng.random() < 0.25:  # low contrast
            k = rng.uniform(0.25, 0.6)
            self.ink, self.on_panel = self.body + k * (self.ink - self.body), self.panel + k * (self.on_panel - self.panel)


def look(symbol, rng):
    """One top with the symbol as a camera sees it: squared up, CROP pixels a side, BGR 0..255."""
    n = int(TOP * MARGIN)
    s = symbol.scheme if rng.random() < 0.5 else Scheme(rng)
    img = np.empty((n, n, 3), np.float32)
    img[:] = s.body
    if rng.random() < 0.25:  # marbled or grained
        w = (0.5 + 0.5 * np.sin(noise(rng, n, int(rng.integers(3, 7))) * rng.uniform(1, 5)))[..., None] * rng.uniform(0.1, 0.35)
        img = img * (1 - w) + any_color(rng) * w
    ink = s.ink
    if symbol.panel is not None:
        img += symbol.panel[..., None] * (s.panel - img)
        ink = s.on_panel
    a = symbol.ink
    dx, dy = rng.normal(0, 0.7, 2)
    if rng.random() < 0.2:  # worn
        a = a * np.clip(noise(rng, n, 9) * 0.6 + rng.uniform(0.7, 1.4), 0, 1)
    ink_share = 0.15 if symbol.made == "cut" else 1.0
    img += (ink_share * a)[..., None] * (ink - img)
    img += (ink_share * a * symbol.tone)[..., None] * (s.tone - img)
    if symbol.made in ("engraved", "cut"):
        dent = cv2.GaussianBlur(symbol.ink, (0, 0), 0.9)
        t = rng.uniform(0, 6.28)
        img *= (1 + rng.uniform(0.3, 1.4) * (cv2.Sobel(dent, cv2.CV_32F, 1, 0) * np.cos(t) + cv2.Sobel(dent, cv2.CV_32F, 0, 1) * np.sin(t)))[..., None]
    return seen(img, s.body, rng)


def seen(img, body, rng):
    """A drawn top on its die, in the light and through the lens."""
    n = img.shape[0]
    top = square(n, TOP * rng.uniform(0.97, 1.02), rng.uniform(0.02, 0.35))[..., None]
    sides = np.empty_like(img)
    sides[:] = any_color(rng)  # the table
    for k in range(4):
        if rng.random() < 0.4:
            shade = body * rng.uniform(0.3, 1.1)
            if k == 0: sides[:, :n // 2] = shade
            elif k == 1: sides[:, n // 2:] = shade
            elif k == 2: sides[:n // 2] = shade
            else: sides[n // 2:] = shade
    img = top * img + (1 - top) * sides
    yy, xx = np.mgrid[0:n, 0:n].astype(np.float32) / n - 0.5
    t = rng.uniform(0, 6.28)
    light = np.exp(rng.uniform(-0.9, 0.35) + rng.normal(0, 0.25) * (xx * np.cos(t) + yy * np.sin(t)))
    if rng.random() < 0.15:  # a shadow's edge
        light *= np.where(xx * np.cos(t) + yy * np.sin(t) > rng.uniform(-0.4, 0.4), rng.uniform(0.5, 0.85), 1)
    img = img * light[..., None] * np.exp(rng.normal(0, 0.12, 3))
    if rng.random() < 0.25:  # glare
        gx, gy, w = rng.uniform(-0.5, 0.5, 2).tolist() + [rng.uniform(0.1, 0.35)]
        img += (rng.uniform(40, 220) * np.exp(-((xx - gx) ** 2 + (yy - gy) ** 2) / (2 * w * w)))[..., None]
    img = np.clip(img, 0, 255)
    # The outline that was found is a little off, and the die far away or out of focus.
    e, h = CROP / MARGIN / 2, CROP / 2
    src = TOP / 2 * np.float32([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.exp(rng.normal(0, 0.035)) + n / 2
    src = src + rng.normal(0, 0.9, (1, 2)) + rng.normal(0, 0.9, (4, 2))
    a = rng.normal(0, 0.04)
    src = (src - n / 2) @ np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) + n / 2
    dst = np.float32([[h - e, h - e], [h + e, h - e], [h + e, h + e], [h - e, h + e]])
    if rng.random() < 0.6:
        k = rng.uniform(0.3, 0.9)
        small = cv2.resize(img, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        if rng.random() < 0.7:
            small = np.clip(small + rng.normal(0, rng.uniform(1, 7), small.shape), 0, 255)
        img = cv2.resize(small, (n, n), interpolation=cv2.INTER_LINEAR)
    else:
        img = img + rng.normal(0, rng.uniform(0.5, 5), img.shape)
    img = np.clip(img, 0, 255).astype(np.uint8)
    if rng.random() < 0.12:
        m = int(rng.integers(1, 4)) * 2 + 1
        kernel = np.zeros((m, m), np.float32)
        t = rng.uniform(0, np.pi)
        d = np.array([np.cos(t), np.sin(t)]) * m / 2
        cv2.line(kernel, tuple(int(v) for v in m / 2 - d), tuple(int(v) for v in m / 2 + d), 1)
        img = cv2.filter2D(img, -1, kernel / max(kernel.sum(), 1))
    img = cv2.warpPerspective(img, cv2.getPerspectiveTransform(np.float32(src), dst), (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.5:
        img = cv2.imdecode(cv2.imencode(".jpg", img, [1, int(rng.integers(55, 95))])[1], 1)
    return img


# What the network sees of a crop: how far each place is from the body's color, and how much brighter it is, by how far
# the symbol's own places are. So it hardly matters which colors die and ink have, and how bright the light is.
RIM = 3, 6       # pixels from the border where the body is
INNER = 6        # pixels from the border within which the symbol is
FARTHEST = 0.97  # the share of places there that are no farther
LEAST = 0.06     # a plain top's noise is not blown up
MOST = 2.0
LUMA = np.float32([0.3, 0.6, 0.1])


def rim_mask():
    m = np.zeros((CROP, CROP), bool)
    m[RIM[0]:-RIM[0], RIM[0]:-RIM[0]] = True
    m[RIM[1]:-RIM[1], RIM[1]:-RIM[1]] = False
    return m


RIM_MASK = rim_mask()


def planes(crop):
    """The network's input of a crop, RGB 0..1, CROP×CROP×3."""
    body = np.median(crop[RIM_MASK], axis=0)
    dev = crop - body
    far = np.sqrt((dev * dev).sum(2))
    inner = np.sort(far[INNER:-INNER, INNER:-INNER].ravel())
    scale = max(inner[int(FARTHEST * (inner.size - 1))], LEAST)
    return np.stack([np.minimum(far / scale, MOST), np.clip(dev @ LUMA / scale, -MOST, MOST)]).astype(np.float32)
