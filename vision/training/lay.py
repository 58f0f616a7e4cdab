"""Other grounds under dice, and darker dice: what stands at the edge of a card or a mat shows what print shows too."""
import cv2
import numpy as np

from face_data import squared
from prints import ink

SOLID = 40  # of 255: a pixel with less of dice in it is ground


def silhouettes(table):
    """Where a picture shows dice, their sides too: 0 to 255."""
    mask = np.zeros(table.image.shape[:2], np.uint8)
    for q in [*table.tops, *table.sides]:
        cv2.fillPoly(mask, [np.int32(np.round(q * 16))], 255, cv2.LINE_AA, 4)
    return cv2.dilate(mask, np.ones((3, 3), np.uint8))


def pairs(table, outlines, margin, size):
    """The surroundings of outlines, and the silhouettes in them."""
    mask = silhouettes(table)
    return [(squared(table.image, q, margin, size), squared(mask, q, margin, size)) for q in outlines]


def edge(n, rng):
    """Where another ground lies, 0 to 1: on one side of a line near the middle, or in a rectangle."""
    angle, (w, h) = rng.uniform(0, 360), rng.uniform(0.12, 1.6, 2) * n
    c = n / 2 + rng.uniform(-1, 1, 2) * rng.uniform(0, 0.34) * n
    if rng.random() < 0.6:
        w = h = 2.8 * n
        c = c + np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]) * 1.4 * n
    fine = np.zeros((4 * n, 4 * n), np.uint8)
    cv2.fillPoly(fine, [np.int32(cv2.boxPoints(((4 * c[0], 4 * c[1]), (4 * w, 4 * h), angle)))], 255, cv2.LINE_AA)
    return cv2.resize(fine, (n, n), interpolation=cv2.INTER_AREA)[..., None] / 255


def laid(patch, mask, rng):
    """The patch with another ground under a part of it, in the shadows that lie there."""
    x, ground = patch.astype(np.float32), mask < SOLID
    if ground.mean() < 0.05:
        return patch
    for _ in range(1 + int(rng.random() < 0.3)):
        usual = np.median(x[ground], 0) + 4
        shade = np.clip(x / usual, 0, 1.7).mean(2, keepdims=True)
        new = ink(rng) * rng.uniform(0.25, 1) * shade * np.clip(usual.mean() / 140, 0.5, 1.3)
        there = edge(len(patch), rng) * (1 - mask[..., None] / 255)
        x = x * (1 - there) + new * there
    return np.clip(x, 0, 255).astype(np.uint8)


def smoky(patch, mask, rng):
    """The patch with its dice dark and of little contrast."""
    x, m, n = patch.astype(np.float32), mask[..., None] / 255, len(patch)
    middle = np.median(x[3 * n // 8:5 * n // 8, 3 * n // 8:5 * n // 8].reshape(-1, 3), 0)
    dark = rng.uniform(15, 75) + rng.normal(0, 6, 3) + (x - middle) * rng.uniform(0.2, 0.7)
    return np.clip(x * (1 - m) + m * dark, 0, 255).astype(np.uint8)


def otherwise(pair, rng):
    """A pair's patch on another ground, smoky, or as it is."""
    patch, mask = pair
    if rng.random() < 0.35:
        patch = smoky(patch, mask, rng)
    return laid(patch, mask, rng) if rng.random() < 0.8 else patch
