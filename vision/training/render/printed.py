"""Draws tables to train with: print that looks like dice lies about, and every table is seen under four lamps.

    blender -b -t 1 -P printed.py -- SCENE.py --out DIR --game any --tier normal --look train --seed 60000 --res 800x600

SCENE.py is the renderer that drew the pictures with answers which the networks were first trained with; it takes all the
other arguments. What is printed (rows of faces as rulebooks have them, cards with photographs of dice, squares with pips on
boards) is no die, and the answers do not name it. PHOTOS=DIR: a folder of pictures with answers, cut up for the cards.
"""
import glob
import json
import math
import os
import sys

import cv2
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lamps import draw, plain, scene
from rounded import rounded

PIXELS = 5          # of a print, a millimeter
DIE = 16 * PIXELS   # a usual die's side on it
EVENLY = 0.4        # dice are dyed as unevenly as the renderer has it, times this: an orange one is not yellow


def square(img, x, y, q, radius, ink, thick=-1):
    """A square with rounded corners, filled or, thick pixels wide, its line."""
    points = rounded(x + q / 2, y + q / 2, q, radius)
    if thick < 0:
        cv2.fillPoly(img, points, ink, cv2.LINE_AA)
    else:
        cv2.polylines(img, points, True, ink, thick, cv2.LINE_AA)


def face(img, x, y, q, value, rng, body, pip):
    """A flat picture of a die's face, q pixels wide; nothing where it does not fit."""
    h, w = img.shape[:2]
    if x < 0 or y < 0 or x + q >= w or y + q >= h:
        return
    radius = q * rng.uniform(0, 0.3)
    if rng.random() < 0.25:  # with a drawn shadow
        dark = img.copy()
        square(dark, x + q * rng.uniform(-0.12, 0.12), y + q * rng.uniform(0.03, 0.12), q, radius, (20, 20, 25))
        img[:] = cv2.addWeighted(img, 0.5, cv2.GaussianBlur(dark, (0, 0), max(1, q * 0.05)), 0.5, 0)
    if rng.random() < 0.85:
        square(img, x, y, q, radius, body)
        if rng.random() < 0.4:
            square(img, x, y, q, radius, pip, max(1, int(q * rng.uniform(0.02, 0.06))))
    else:
        square(img, x, y, q, radius, pip, max(1, int(q * rng.uniform(0.02, 0.08))))
    spread, r = rng.uniform(0.42, 0.56) * q, max(1, int(q * rng.uniform(0.06, 0.12)))
    for a, b in scene.PIPS[value]:
        cv2.circle(img, (int(x + q / 2 + a * spread), int(y + q / 2 + b * spread)), r, pip, -1, cv2.LINE_AA)


def dye(rng):
    """Colors of a printed face and its pips, the table's own dice's more often than not."""
    body = rng.choice(list(scene.palette.values())) if rng.random() < 0.6 else scene.any_colour(rng)
    return body, scene.any_pip(body, rng)


def photograph(rng, w, h):
    """A piece of another table's picture, dice and all."""
    folder = os.environ["PHOTOS"]
    for path in rng.sample(sorted(glob.glob(os.path.join(folder, "*.json"))), 10):
        truth = json.load(open(path))
        dice = [d for d in truth["dice"] if d["in_frame"]]
        if not dice:
            continue
        top = np.array(rng.choice(dice)["top_px"])
        side = np.sqrt(abs(cv2.contourArea(np.float32(top)))) * rng.uniform(1.6, 5)
        cx, cy = top.mean(0) + np.array([rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3)]) * side
        x, y = int(max(0, cx - side / 2)), int(max(0, cy - side * h / w / 2))
        cut = cv2.imread(os.path.join(folder, truth["image"]))[y:int(y + side * h / w), x:int(x + side), ::-1]
        if min(cut.shape[:2]) > 20:
            return cv2.resize(cut, (w, h), interpolation=cv2.INTER_CUBIC)
    return np.full((h, w, 3), 200, np.uint8)


def sheet(rng, w, h):
    """A printed card: the renderer's own, a photograph, or rows of faces."""
    how = rng.random()
    if how < 0.3:
        return plain["print_sheet"](rng, w, h)
    if how < 0.45 and "PHOTOS" in os.environ:
        return photograph(rng, w, h)
    paper = scene.any_colour(rng) if rng.random() < 0.5 else scene.hsv(rng.uniform(20, 60), rng.uniform(0, 0.15), rng.uniform(0.8, 1))
    img, same, q = np.full((h, w, 3), paper, np.uint8), dye(rng), int(DIE * rng.uniform(0.55, 1.5))
    gap = int(q * rng.uniform(1.1, 2))
    for y in range(int(q * 0.2), h - q, gap):
        for x in range(int(q * 0.2), w - q, gap):
            if rng.random() < 0.75:
                face(img, x, y, q, rng.randint(1, 6), rng, *(same if rng.random() < 0.6 else dye(rng)))
    if rng.random() < 0.4:
        words = "".join(rng.choice("abcdefghiklmnoprstuw ") for _ in range(rng.randint(4, 14)))
        cv2.putText(img, words, (5, h - 6), cv2.FONT_HERSHEY_SIMPLEX, rng.uniform(0.4, 1.2), same[1], 2, cv2.LINE_AA)
    return img


def board(rng, n, s, o, px):
    """The renderer's board; on some, squares show faces."""
    img, name = plain["train_board"](rng, n, s, o, px)
    if rng.random() < 0.25:
        much, same = rng.uniform(0.2, 1), dye(rng)
        for r in range(n):
            for c in range(n):
                if rng.random() < much:
                    q = int(px * rng.uniform(0.4, 0.8))
                    face(img, o + c * px + (px - q) // 2, o + r * px + (px - q) // 2, q, rng.randint(1, 6), rng, *same)
    return img, name


def clutter(rng, span, dice, size):
    """The renderer's clutter, and cards and pages clear of the dice and of a board."""
    plain["clutter"](rng, span, dice, size)
    for _ in range(rng.choice([1, 2, 3, 5])):
        w, h = size * rng.uniform(1.3, 6), size * rng.uniform(1.3, 6)
        wide = math.hypot(w, h) / 2
        for _ in range(40):
            r, turn = span * math.sqrt(rng.uniform(0.01, 0.7)), rng.uniform(0, 2 * math.pi)
            x, y = r * math.cos(turn), r * math.sin(turn)
            on_board = any(d["row"] is not None for d in dice) and max(abs(x), abs(y)) < span * 0.65 + wide
            if not on_board and all(math.hypot(x - d["x"], y - d["y"]) > wide + size for d in dice):
                break
        else:
            continue
        img, z = sheet(rng, max(40, int(w * PIXELS)), max(40, int(h * PIXELS))), 0.4 + rng.uniform(0, 0.6)
        scene.plane("printed", w, h, z, scene.textured_material("printed", img, rng.uniform(0.3, 0.9)))
        card = scene.bpy.context.object
        card.location, card.rotation_euler = (x, y, z), (0, 0, rng.uniform(0, 2 * math.pi))


def wide_palette(rng):
    scene.palette = plain["wide_palette"](rng)
    return scene.palette


def place_die(rng, tag, i, size, color, value, x, y, z, yaw, palette, look, jitter, style):
    return plain["place_die"](rng, tag, i, size, color, value, x, y, z, yaw, palette, look, jitter * EVENLY, style)


scene.GAMES["any"]["supply"].update(orange=6, yellow=6, red=5, pink=1)  # what is confused most
draw(3, wide_palette=wide_palette, place_die=place_die, clutter=clutter, print_sheet=sheet, train_board=board)
