"""Draws tables to learn colors from: on grounds of any pattern, with soft dyes or strong ones, dyed evenly or not, few colors
or many, and every table under three lamps.

    blender -b -t 1 -P dyed.py -- SCENE.py --out DIR --game any --tier normal --look train --seed 60000 --res 640x480 --spp 6

SCENE.py is the renderer as for printed.py.
"""
import os
import sys

import cv2
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lamps import draw, plain, scene
import grounds

GROUND, ACROSS = 2400, 900          # pixels and millimeters of a drawn table top
EVENLY = (0.2, 0.4, 0.4, 0.7, 1)    # how unevenly dice are dyed, of what the renderer has
SOFT = {  # hue, saturation, value
    "orange": ((14, 33), (0.45, 0.9), (0.65, 1)), "yellow": ((43, 60), (0.35, 0.9), (0.6, 1)), "red": ((-8, 8), (0.5, 0.85), (0.35, 0.9)),
    "green": ((75, 165), (0.2, 0.7), (0.3, 0.9)), "blue": ((195, 240), (0.25, 0.7), (0.35, 0.95)), "purple": ((262, 300), (0.2, 0.6), (0.25, 0.8)),
    "black": ((0, 360), (0, 0.25), (0.08, 0.25)),
}
STRONG = {  # darker and farther from the middle than the renderer's own
    "red": ((-12, 8), (0.65, 1), (0.24, 0.95)), "green": ((66, 165), (0.35, 1), (0.2, 0.85)), "blue": ((196, 244), (0.45, 1), (0.16, 0.95)),
    "purple": ((258, 304), (0.3, 0.95), (0.14, 0.72)),
}
OFTEN = dict(orange=4, yellow=4, red=3, white=2, purple=4, black=3, green=4, blue=3, pink=0.5)  # what is confused more than what is not


def train_table(rng, mat):
    """The renderer's table, or one laid with a pattern."""
    plain["train_table"](rng, mat)
    if rng.random() < 0.25:
        return mat
    nodes, links = mat.node_tree.nodes, mat.node_tree.links
    ours = np.random.default_rng(rng.randrange(1 << 30))
    top = grounds.pattern((GROUND, GROUND), 16 * GROUND / ACROSS, ours)
    top = np.clip(cv2.GaussianBlur(top, (0, 0), ours.uniform(0.5, 1.5)), 2, 250)
    at, laid = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    links.new(at.outputs["Object"], laid.inputs["Vector"])
    laid.inputs["Rotation"].default_value = (0, 0, rng.uniform(0, 6.28))
    laid.inputs["Scale"].default_value = (4000 / ACROSS, 4000 / ACROSS, 1)
    node = scene.image_node(nodes, "ground", top.astype(np.float32)[..., ::-1] / 255, "sRGB")
    node.extension = "REPEAT"
    links.new(laid.outputs["Vector"], node.inputs["Vector"])
    links.new(node.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return mat


def wide_palette(rng):
    """A maker's colors; and which of them this table's dice have: often few, and often such as are confused."""
    palette = plain["wide_palette"](rng)
    soft = rng.random() < 0.5
    for name, (h, s, v) in (SOFT if soft else STRONG).items():
        if not soft or rng.random() < 0.8:
            palette[name] = scene.hsv(rng.uniform(*h), rng.uniform(*s), rng.uniform(*v))
    few = sorted(OFTEN, key=lambda c: -rng.random() ** (1 / OFTEN[c]))[:rng.choice([2, 3, 3, 4, 5, 6, 8])]
    scene.GAMES["any"]["supply"] = {c: 16 for c in few}
    scene.evenly = rng.choice(EVENLY)
    return palette


def place_die(rng, tag, i, size, color, value, x, y, z, yaw, palette, look, jitter, style):
    return plain["place_die"](rng, tag, i, size, color, value, x, y, z, yaw, palette, look, jitter * scene.evenly, style)


draw(2, train_table=train_table, wide_palette=wide_palette, place_die=place_die)
