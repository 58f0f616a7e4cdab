"""Squares with rounded corners, as printed dice have them."""
import numpy as np

TURN = np.linspace(0, 2 * np.pi, 48, endpoint=False)


def rounded(x, y, q, radius):
    """The outline, as OpenCV draws it, of a square around (x, y), q wide, its corners rounded by radius."""
    c, s = np.cos(TURN), np.sin(TURN)
    return [np.int32(np.stack([x + (q / 2 - radius) * np.sign(c) + radius * c, y + (q / 2 - radius) * np.sign(s) + radius * s], 1))]
