"""Trains the stand network: whether a top that the find network proposes stands on a die, by what lies around it.

    python3 train_stand.py --find find.pt --tables DIR --minutes 9 --out stand.onnx [--patterned patterned.onnx] [--start stand.onnx]

Tops are cropped wide (MARGIN sides): a die shows its sides, its edges and its shadow there; a printed square and a
die's side do not; what all sides look like is known from the answers, and print is drawn over places without dice
(prints.py). Of pictures with hands only what the find network proposes there is learned from. So is what the patterned
network proposes where tables are laid with a pattern (grounds.py).
"""
import argparse
import copy
import os
import pickle
import time

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

import find_data
import lay
import prints
from face_data import squared
from face_net import conv
from find_decode import maps, prepare, tops
from find_net import load_net, shipped, unfold
from grounds import relaid
from tables import held_out, load, load_photographs, recolor
from train_find import follow

MARGIN = 3.2            # sides of the top that a crop covers
GROUNDS = 6             # places of a picture that print is drawn over
RELAID = 2              # patterns that every table is laid with
MOST = 24               # proposals of a picture that are no tops: some patterns have hundreds
REAL = 0.45             # share of what is proposed in photographs


class StandNet(nn.Module):
    crop, patch = 56, 80  # pixels a side: of what it sees, and of what is stored to draw that from

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2), conv(32, 40), conv(40, 56, 2), conv(56, 56), conv(56, 64, 2),
                                 nn.Flatten(), nn.Dropout(0.3), nn.Linear(64 * 16, 1))

    def forward(self, x):
        return self.net(x)


def laid(tables, rng, times=RELAID):
    """Tables with a pattern wherever neither dice nor a board stand."""
    for t in tables:
        h, w = t.image.shape[:2]
        for _ in range(times if t.relayable else 0):
            other = copy.copy(t)
            mask = find_data.standing(t, np.eye(3), max(h, w), rng)[:h, :w]
            other.image = relaid(t.image, mask, np.sqrt(2) * find_data.usual(t), rng)
            yield other


def proposals(net, tables, rng, looks, size, spread=0.3):
    """What the find network proposes in each picture: patches, whether each stands, scores. What is much larger or smaller
    than the top that it lies on is none. Where a die is known to be of which nothing else is known, nothing is learned."""
    out = ([], [], [])
    for t in tables:
        centers, none = t.tops.mean(1) if len(t.tops) else np.zeros((0, 2)), 0
        sides = [np.sqrt(abs(cv2.contourArea(q))) + 1 for q in t.tops] or [1.0]
        for k in range(looks):
            small, scale = prepare(t.image, 640 if k == 0 else 640 * np.exp(rng.uniform(-spread, spread)))
            for score, c, quad in tops(maps(net, small), 0.08):
                quad, c = quad / scale, c / scale
                if ((c > t.ignore[:, :2]) & (c < t.ignore[:, 2:])).all(1).any():
                    continue
                side = np.sqrt(abs(cv2.contourArea(np.float32(quad)))) + 1
                near = np.linalg.norm(centers - c, axis=1) if len(centers) else np.array([1e9])
                i = near.argmin()
                unlike = abs(np.log(side / sides[i]))
                if near[i] < 0.2 * side and unlike < 0.35 and t.whole[i]:
                    stands = 1
                elif (near[i] > 0.45 * side or unlike > 0.6) and none < MOST * looks:
                    stands, none = 0, none + 1
                else:
                    continue
                for part, v in zip(out, (squared(t.image, quad, MARGIN, size), stands, float(score))):
                    part.append(v)
    return out


def upright(tables, size):
    """What the dice's sides show, wherever no top is: patches that do not stand."""
    out = []
    for t in tables:
        centers = t.tops.mean(1)
        for quad in t.sides:
            side = np.sqrt(abs(cv2.contourArea(quad))) + 1
            c = quad.mean(0)
            inside = (c > 0).all() and (c < t.image.shape[1::-1]).all()
            if inside and side > 8 and np.linalg.norm(centers - c, axis=1).min() > 0.45 * side:
                out.append(squared(t.image, quad, MARGIN, size))
    return out


def standing(tables, size):
    """Dice that stand where all of them can be seen, and their silhouettes."""
    return [p for t in tables if t.camera for p in lay.pairs(t, t.tops[t.whole & ~t.holed], MARGIN, size)]


def straight(patch, crop):
    return cv2.resize(patch, (crop, crop), interpolation=cv2.INTER_AREA)


def worse(p, rng):
    """A patch as a poor camera sees it: out of focus or moving, coarse, noisy, pressed small."""
    n, x = p.shape[0], p.astype(np.float32)
    kind, fine = rng.random(), n / 80
    if kind < 0.42:
        x = cv2.GaussianBlur(x, (0, 0), fine * rng.uniform(0.6, 2.6))
    elif kind < 0.6:
        kernel, way = np.zeros((17, 17), np.float32), rng.uniform(0, np.pi)
        half = np.array([np.cos(way), np.sin(way)]) * fine * rng.uniform(1, 4)
        ends = (tuple(int(v) for v in np.round(8 + k * half)) for k in (-1, 1))
        cv2.line(kernel, *ends, 1.0, 1, cv2.LINE_AA)
        x = cv2.filter2D(x, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)
    k = rng.uniform(0.3, 1) / fine
    x = cv2.resize(x, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.6:
        x = x + rng.normal(0, rng.uniform(1, 9), x.shape)
    x = np.clip(x, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        x = cv2.imdecode(cv2.imencode(".jpg", x, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))])[1], cv2.IMREAD_COLOR)
    return cv2.resize(x, (n, n), interpolation=cv2.INTER_LINEAR)


def moved(p, rng, crop):
    """A crop in an outline that is a little off, turned, mirrored, blurred, in another light."""
    n, off = p.shape[0], 0.015 * p.shape[0]
    e, a = n / 2 * np.exp(rng.normal(0, 0.06)), rng.integers(4) * np.pi / 2 + rng.normal(0, 0.05)
    turn = a + np.pi / 4 + np.arange(4) * np.pi / 2
    q = e * np.sqrt(2) * np.stack([np.cos(turn), np.sin(turn)], 1) + n / 2 + rng.normal(0, off, (1, 2)) + rng.normal(0, off, (4, 2))
    if rng.random() < 0.4:
        k = rng.uniform(0.3, 0.9)
        p = cv2.resize(cv2.resize(p, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), (n, n))
    else:
        p = cv2.GaussianBlur(p, (0, 0), 0.5)
    h = cv2.getPerspectiveTransform(np.float32(q), np.float32([[0, 0], [crop, 0], [crop, crop], [0, crop]]))
    x = cv2.warpPerspective(p, h, (crop, crop), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return recolor(np.ascontiguousarray(x[:, ::-1] if rng.random() < 0.5 else x), rng, 0.3)


def tensor(crops):
    return torch.from_numpy(np.stack(crops)[..., ::-1].transpose(0, 3, 1, 2).copy()).float() / 255


class Halves(IterableDataset):
    """As many that stand as do not; of these, some are sides and some drawn print. Print is drawn about dice as well,
    and grounds under them (not under sides: one beside a top looks like a top whose side is seen, then). Where there are
    photographs, nine in twenty were proposed there, and more than one in five of the others are of their dice and grounds; and
    two in five of what was proposed are of tables with a pattern, where there are any."""

    def __init__(self, net, g, seed):
        self.crop, self.side, self.seed = net.crop, net.patch / MARGIN, seed
        self.by, self.laid, self.real = ([[p for p, s in zip(g[name][0], g[name][1]) if s == k] for k in (0, 1)] for name in ("train", "laid", "real"))
        self.dice, self.sides, self.grounds, self.photographed = g["dice"], g["sides"], g["grounds"], (g["real_dice"], g["real_grounds"])

    def pick(self, stands, rng):
        any_of = lambda those: those[rng.integers(len(those))]
        kind, (dice, grounds) = rng.random(), self.photographed
        real = bool(dice) and rng.random() < 0.22
        if self.real[stands] and rng.random() < REAL:
            return any_of(self.real[stands])
        if stands:
            if 0.22 < kind < 0.42 and self.dice:
                return lay.otherwise(any_of(self.dice), rng)
            patch = any_of(dice if real else self.proposed(1, rng))
            return prints.printed(patch, rng, self.side, middle=False) if kind < 0.22 else patch
        if kind < 0.3:
            return prints.printed(any_of(grounds if real else self.grounds), rng, self.side)
        return any_of(self.sides if kind > 0.77 and self.sides else self.proposed(0, rng))

    def proposed(self, stands, rng):
        return self.laid[stands] if self.laid[stands] and rng.random() < 0.4 else self.by[stands]

    def __iter__(self):
        worker = get_worker_info()
        rng = np.random.default_rng(self.seed + 1000 * (worker.id if worker else 0))
        cv2.setNumThreads(1)
        while True:
            stands = int(rng.random() < 0.5)
            patch = self.pick(stands, rng)
            if rng.random() < 0.3:
                patch = worse(patch, rng)
            if rng.random() < 0.15:
                patch = recolor(patch, rng, 0.8)
            yield tensor([moved(patch, rng, self.crop)])[0], float(stands)


@torch.no_grad()
def odds_of(net, patches):
    return torch.cat([net(x) for x in tensor([straight(p, net.crop) for p in patches]).split(128)])[:, 0].numpy()


def started(net, path):
    """The network that ships. Its norms are in its convolutions: its own are to stay as they are."""
    convs, values = shipped(path)
    unfold(net, convs, torch.zeros(1, 3, net.crop, net.crop))
    net.net[-1].load_state_dict({k: values[f"net.{len(net.net) - 1}.{k}"] for k in ("weight", "bias")})
    return net.eval()


def measure(net, g):
    """Errors of find network and stand network together, at even odds; sides and drawn print that are taken for tops; and
    of photographs' proposals, which are learned from, the share that is told wrong."""
    group, patterned, sides, printed, (real, what, _) = g["held"], g["held_laid"], g["held_sides"], g["printed"], (v[::20] for v in g["real"])
    training = net.training
    net.eval()
    odds, aside, flat = odds_of(net, group[0]), odds_of(net, sides), odds_of(net, printed)
    other = [int(((odds_of(net, patterned[0]) > 0) != k)[np.array(patterned[1]) == k].sum()) for k in (0, 1)] if patterned[0] else []
    off = float(((odds_of(net, real) > 0) != np.array(what)).mean()) if real else None
    net.train(training)
    score, stands = np.array(group[2]), np.array(group[1]) == 1
    find = np.log(score / (1 - score))
    return dict(all=len(stands), find=int(((find > 0) != stands).sum()), stand=int(((odds > 0) != stands).sum()), both=int(((2.5 * find + odds > 0) != stands).sum()),
                laid=len(patterned[0]), laid_raised_missed=other, sides=len(aside), standing=int((aside > 0).sum()), printed=len(flat), raised=int((flat > 0).sum()), real=off)


def gathered(a, size):
    """All that is learned from and measured by, patches of that size; kept in a file where one is named."""
    if a.patches and os.path.exists(a.patches):
        return pickle.load(open(a.patches, "rb"))
    rng, finds = np.random.default_rng(a.seed), [load_net(f) for f in [a.find, *([a.patterned] if a.patterned else [])]]
    tables = [t for d in a.tables for t in load(d)]
    train, held = ([t for t in tables if held_out(t.name) == h] for h in (False, True))
    g = dict(train=proposals(finds[0], train, rng, a.looks, size), held=proposals(finds[0], held, rng, 1, size), laid=([], [], []), held_laid=([], [], []))
    if a.patterned:
        g["laid"], g["held_laid"] = (proposals(finds[1], laid(some, rng), rng, 1, size) for some in (train, held))
    train, held = ([t for t in some if not t.hand] for some in (train, held))
    g["sides"], g["held_sides"], g["dice"] = upright(train, size), upright(held, size), standing(train, size)
    g["grounds"], grounds = ([p for t in some for p in prints.grounds(t, MARGIN, size, rng, GROUNDS)] for some in (train, held))
    g["printed"] = [prints.printed(p, rng, size / MARGIN) for p in grounds]
    real = load_photographs(a.photos, a.quads) if a.photos else []
    g["real_dice"] = [squared(t.image, q, MARGIN, size) for t in real for q in t.tops]
    g["real_grounds"] = [p for t in real for p in prints.grounds(t, MARGIN, size, rng, GROUNDS)]
    g["real"] = tuple(sum(parts, []) for parts in zip(*(proposals(f, real, rng, a.real_looks, size, 0.9) for f in finds)))
    if a.patches:
        pickle.dump(g, open(a.patches, "wb"), protocol=4)
    return g


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--find", required=True)
    ap.add_argument("--tables", required=True, nargs="+")
    ap.add_argument("--photos", default="", help="a folder of photographs with boxes; --quads: the outlines of their dice")
    ap.add_argument("--quads")
    ap.add_argument("--patterned", default="", help="the find network for tables of any pattern")
    ap.add_argument("--start", default="", help="an .onnx that ships, to go on from")
    ap.add_argument("--looks", type=int, default=4, help="at how many scales every table is looked at")
    ap.add_argument("--real-looks", type=int, default=3, help="and every photograph")
    ap.add_argument("--patches", default="", help="a file to keep what is learned from in")
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--minutes", type=float, default=9)
    ap.add_argument("--workers", type=int, default=1)
    ap.add_argument("--out", required=True)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    net = StandNet()
    if a.start:
        started(net, a.start)
    g = gathered(a, net.patch)
    print({k: len(v[0] if isinstance(v, tuple) else v) for k, v in g.items()}, flush=True)
    mean = copy.deepcopy(net)
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-3)
    begin, shown = time.time(), -1
    for step, (x, y) in enumerate(DataLoader(Halves(net, g, a.seed), batch_size=96, num_workers=a.workers, prefetch_factor=4)):
        done = (time.time() - begin) / (60 * a.minutes)
        if int(done * 6) != shown:
            shown = int(done * 6)
            print(f"step {step} {done * 100:.0f}% errors", measure(mean if a.start else net, g), flush=True)
        if done >= 1:
            break
        for group in opt.param_groups:
            group["lr"] = a.lr * min(1, (step + 1) / 50) * (0.5 * (1 + np.cos(np.pi * done)) * 0.99 + 0.01)
        odds = net(x)[:, 0]
        loss = F.binary_cross_entropy_with_logits(odds.float(), y.float() * 0.98 + 0.01)
        opt.zero_grad()
        loss.backward()
        opt.step()
        follow(mean, net, max(0.001, 1 / (step + 2)))
    net = (mean if a.start else net).eval()
    torch.onnx.export(net, torch.rand(2, 3, net.crop, net.crop), a.out, opset_version=11, input_names=["surroundings"], output_names=["stands"],
                      dynamic_axes={"surroundings": {0: "n"}, "stands": {0: "n"}})


if __name__ == "__main__":
    main()
