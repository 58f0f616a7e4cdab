"""Reading pictures with answers, and making training samples of them."""
import glob
import json
import os

import cv2
import numpy as np

from photographs import pictures

UNCLEAR = "casino_crops", "ir_fisheye"  # sets of mere crops, and with dice that carry no label


class Table:
    """One picture with its answers: tops (n,4,2) in pixels, faces, colors, the grid's corners or None."""

    group = ""  # the set of a photograph

    def __init__(self, path):
        truth = json.load(open(path))
        self.name = os.path.basename(path)[:-5]
        self.image = cv2.imread(os.path.join(os.path.dirname(path), truth["image"]))
        dice = [d for d in truth["dice"] if np.abs(d["top_px"]).max() < 4 * truth["width"]]
        self.tops = np.array([d["top_px"] for d in dice], np.float32).reshape(-1, 4, 2)
        self.faces = np.array([0 if d["face"] is None else d["face"] for d in dice], np.int64)
        self.colors = [d["color"] for d in dice]
        self.whole = np.array([d["in_frame"] for d in dice], bool)
        board = truth.get("board")
        self.corners = np.array(board["corners_px"], np.float32) if board else None
        self.hand = "hand" in truth.get("tags", [])
        # under a hand nobody knows what can be seen: such dice neither count for nor against
        self.seen = self.whole & (not self.hand)
        self.ignore = np.zeros((0, 4), np.float32)  # boxes x0 y0 x1 y1 of which nothing is known
        self.tier, self.kind = truth["tier"], truth["kind"]
        self.camera = camera = truth.get("camera")
        self.sides = [side for d in dice for side in upright(d["top_px"], truth["width"], truth["height"], camera)] if camera else []
        self.relayable = not self.hand and (bool(self.sides) or not dice)  # where all that stands on it is known
        # dice in an arena's holes: the plate hides their sides
        self.holed = np.array([self.kind == "arena" and d.get("row") is not None for d in dice], bool)


def upright(top, width, height, camera):
    """Outlines (4,2) of a die's upright faces that look at the camera, whether seen or hidden by other dice; none
    where the top's outline does not lie flat as the camera's tilt would have it."""
    focal = max(width, height) / 2 / np.tan(np.radians(camera["fov_deg"]) / 2)
    k = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    flat = np.array([[-0.5, 0.5, 0], [0.5, 0.5, 0], [0.5, -0.5, 0], [-0.5, -0.5, 0]])
    tilt = np.radians(camera["tilt_deg"])
    up = np.array([0, -np.sin(tilt), -np.cos(tilt)])  # what is up on the table, x right, y down, z away from the camera
    poses = []
    for turn, at in zip(*cv2.solvePnPGeneric(flat, np.float64(top), k, None, flags=cv2.SOLVEPNP_IPPE_SQUARE)[1:3]):
        m = cv2.Rodrigues(turn)[0]
        normal = m[:, 2] * (1 if m[2, 2] < 0 else -1)
        poses.append((normal @ up, normal, (m @ flat.T + at).T))
    like, normal, head = max(poses, key=lambda p: p[0])
    if like < 0.97:
        return []
    foot, out = head - normal, []
    for i, j in ((0, 1), (1, 2), (2, 3), (3, 0)):
        edge = (head[i] + head[j]) / 2
        outward, seen_from = edge - head.mean(0), normal / 2 - edge
        if outward @ seen_from > 0.08 * np.linalg.norm(outward) * np.linalg.norm(seen_from):
            q = np.array([head[i], head[j], foot[j], foot[i]]) @ k.T
            out.append((q[:, :2] / q[:, 2:]).astype(np.float32))
    return out


class Photograph:
    """A photograph with boxes; the outlines of some of its dice are known from a find network (propose.py)."""

    def __init__(self, folder, truth, quads):
        self.name, self.group, self.tier = os.path.splitext(truth["image"])[0], truth["group"], ""
        self.image = cv2.imread(os.path.join(folder, truth["image"]))
        self.tops = np.array([q for q, _ in quads], np.float32).reshape(-1, 4, 2)
        self.faces = np.array([f for _, f in quads], np.int64)
        self.seen = self.whole = np.ones(len(self.tops), bool)
        self.boxes = boxes = np.array([d["box"] for d in truth["dice"]], np.float32).reshape(-1, 4)
        centers = self.tops.mean(1)
        known = [bool(((centers > b[:2] - 3) & (centers < b[2:] + 3)).all(1).any()) if len(centers) else False for b in boxes]
        self.ignore = boxes[~np.array(known, bool)] if len(boxes) else boxes
        self.corners, self.camera, self.hand, self.relayable = None, None, False, False
        self.sides = [b[[[0, 1], [2, 1], [2, 3], [0, 3]]] for b in self.ignore]  # where dice are that nothing else is known of


def load_photographs(folder, quads_file):
    """The photographs to learn from that show what lies about the dice, too."""
    quads = json.load(open(quads_file))
    return [Photograph(folder, t, quads.get(t["image"], [])) for t in pictures(folder) if t["group"] not in UNCLEAR]


def load(folder, keep=lambda name: True):
    return [Table(p) for p in sorted(glob.glob(os.path.join(folder, "*.json"))) if keep(os.path.basename(p)[:-5])]


def held_out(name):
    """One picture in twelve is kept from training, to choose between models by."""
    return int(name.rsplit("-", 1)[1]) % 12 == 5


def lattice(corners):
    """The 36 lattice points of the grid whose outer corners are given."""
    h = cv2.getPerspectiveTransform(np.float32([[0, 0], [5, 0], [5, 5], [0, 5]]), corners)
    g = np.float32([[c, r] for r in range(6) for c in range(6)])[None]
    return cv2.perspectiveTransform(g, h)[0]


def random_cast(rng, amount=0.15):
    """Another light and exposure: a gain for each channel and a gamma."""
    return (1 + rng.uniform(-amount, amount, 3)) * np.exp(rng.uniform(-0.5, 0.45)), np.exp(rng.uniform(-0.35, 0.35))


def apply_cast(values, cast):
    """BGR values in 0..1 under another light."""
    return (np.clip(values * cast[0], 0, 1) ** cast[1]).astype(np.float32)


def recolor(img, rng, hue=0.3, cast=None, odd=True, coarse=0.0):
    """Other light, other cameras: gain, gamma, cast, hue, noise, blur, JPEG; odd: now and then gray or a negative,
    where the shape alone matters; coarse: how often by fewer pixels."""
    img = img.astype(np.float32) / 255
    if rng.random() < hue:
        hsv = cv2.cvtColor(img, cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0] + rng.uniform(0, 360)) % 360
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.5, 1.4), 0, 1)
        img = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    if odd and rng.random() < 0.04:
        img = np.repeat(img.mean(2, keepdims=True), 3, 2)
    if odd and rng.random() < 0.04:
        img = 1 - img
    if cast is None and rng.random() < 0.8:
        cast = random_cast(rng)
    if cast is not None:
        img = apply_cast(img, cast)
    if rng.random() < 0.25:  # a soft shadow or a lamp
        h, w = img.shape[:2]
        small = cv2.resize(rng.normal(0, 0.35, (3, 3)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
        img = np.clip(img * np.exp(small)[..., None], 0, 1)
    if rng.random() < coarse:  # a cheap camera far away
        h, w = img.shape[:2]
        k = rng.uniform(0.35, 0.8)
        img = cv2.resize(cv2.resize(img, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), (w, h), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.35:
        img = cv2.GaussianBlur(img, (0, 0), rng.uniform(0.3, 1.4))
    if rng.random() < 0.12:  # over-sharpened, as phones do
        img = np.clip(img + rng.uniform(0.5, 1.8) * (img - cv2.GaussianBlur(img, (0, 0), 1.2)), 0, 1)
    if rng.random() < 0.5:
        img = np.clip(img + rng.normal(0, rng.uniform(0.003, 0.045), img.shape).astype(np.float32), 0, 1)
    img = (img * 255).astype(np.uint8)
    if rng.random() < 0.3:
        img = cv2.imdecode(cv2.imencode(".jpg", img, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(35, 90))])[1], 1)
    return img


def symmetric(tops):
    """Outlines (n,4,2) as log s, Re/Im of (d1^2+d2^2)/s^2 and of d1^2 d2^2/s^4: shape (n,5)."""
    p = tops[..., 0] + 1j * tops[..., 1]
    d1, d2 = (p[:, 0] - p[:, 2]) / 2, (p[:, 1] - p[:, 3]) / 2
    s2 = np.maximum((np.abs(d1) ** 2 + np.abs(d2) ** 2) / 2, 1e-3)
    a, b = (d1**2 + d2**2) / s2, d1**2 * d2**2 / s2**2
    return np.stack([0.5 * np.log(s2), a.real, a.imag, b.real, b.imag], 1).astype(np.float32)
