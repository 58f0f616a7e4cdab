"""Trains the color network on whole pictures' dice: the mean of four trainings, some more careful than others.

    python3 train_color.py --tables DIR --looks face.onnx --minutes 20 --out FOLDER     (writes color.onnx)

The looks and tints of every picture's dice are taken under many lights beforehand, so that a step costs next to nothing.
"""
import argparse
import os
import time

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import tints
from face_data import light, moved, squared, straight
from face_net import COLORS, DIE, LIGHT, LOOK, TINT, ColorNet, MeanColor
from tables import held_out, load, recolor
from train_looks import FULL, kit_of

OUTLINES = 4            # of every picture, as a find network might tell them
CARE = (0, 1, 0, 0.5)  # of the trainings, whose answers' mean is shipped
LIGHTS = ((0.08, 0.06, 0.02, 0.25), (0.1, 0.12, 0.03, 0.4), (0.22, 0.35, 0.045, 0.5))  # how far hue, gamma, dyes and exposure go
SHARES = (0.25, 0.6, 0.15)


class Rows:
    """A picture's dice: rows for the network, but for the kit; colors; the game's kit."""

    def __init__(self, looks, tint, lit, colors, kit):
        n = len(colors)
        self.dice = np.concatenate([looks, tint, np.tile(lit, (n, 1))], 1).astype(np.float32)
        self.colors, self.kit = colors, kit

    def batch(self, some, kit):
        return np.concatenate([self.dice[some], np.tile(kit, (len(some), 1))], 1), self.colors[some]


def another_light(rng, n):
    """Gain (BGR) and gamma for the picture, and each die's own gain: no two dice are dyed alike. Mostly little: a light that
    differs by more than lights do makes the network doubt what is plain."""
    hue, gamma, dye, exposure = LIGHTS[rng.choice(len(LIGHTS), p=SHARES)]
    much = hue if rng.random() < 0.6 else 0.4 * hue
    gain = (1 + rng.uniform(-much, much, 3)) * np.exp(rng.uniform(-exposure, exposure))
    own = np.exp(rng.normal(0, dye, (n, 3))) if rng.random() < 0.7 else np.ones((n, 3))
    return gain, np.exp(rng.uniform(-gamma, gamma)), own


class Looks:
    """The face network, asked how crops look."""

    def __init__(self, path):
        self.net = cv2.dnn.readNetFromONNX(path)

    def __call__(self, crops):
        self.net.setInput(cv2.dnn.blobFromImages(list(crops), 1 / 255, swapRB=True))
        return self.net.forward(["look"])[0].copy()


def lights(picture, crops):
    """The twelve numbers of light in the network's order, of a picture's six (BGR) and the crops."""
    return np.concatenate([picture, light(crops[0], crops)[6:]]).reshape(4, 3)[:, ::-1].reshape(-1)


def rows_of(table, looks, draws, rng):
    """The picture's dice in draws lights; draws 0: once, as they are."""
    patches = [squared(table.image, q) for q, w in zip(table.tops, table.whole) if w]
    colors = np.array([COLORS.index(c) for c, w in zip(table.colors, table.whole) if w])
    kit, n = kit_of(table.name), len(colors)
    picture = light(cv2.resize(table.image, (160, 120), interpolation=cv2.INTER_AREA), [straight(p) for p in patches])[:6]
    if draws == 0:
        crops = np.stack([straight(p) for p in patches])
        return [Rows(looks(crops), tints.tint(tints.raw(table)), lights(picture, crops), colors, kit)]
    raws = [tints.raw(table, rng) for _ in range(OUTLINES)]
    out = []
    for i in range(draws):
        gain, power, own = another_light(rng, n) if rng.random() < 0.85 else (np.ones(3), 1.0, np.ones((n, 3)))
        crops = np.stack([recolor(moved(p, rng), rng, 0.0, (gain * o, power), odd=False) for p, o in zip(patches, own)])
        seen = np.clip(picture.reshape(2, 3) * gain, 0, 1) ** power + rng.normal(0, 0.02, (2, 3))
        tint = tints.tint(tints.cast(raws[i % OUTLINES], (gain * own)[:, ::-1], power))
        out.append(Rows(looks(crops), tint, lights(seen.reshape(-1), crops), colors, kit))
    return out


def sample(rows, rng, care, mean, spread):
    """Some dice of some picture; now and then all of one color, as most people's sets are, or of another game's kit.
    The more care (0 to 1), the less exactly is told how dice look, and now and then looks or tints not at all."""
    r = rows[rng.integers(len(rows))]
    some = rng.permutation(len(r.colors))
    plain = rng.random() < 0.15
    if plain:
        some = some[r.colors[some] == r.colors[some[0]]]
    elif rng.random() < 0.3:
        some = some[: int(rng.integers(1, len(some) + 1))]
    kit = r.kit if rng.random() < 0.6 and not plain else FULL
    if not plain and rng.random() < 0.2:
        kit = np.zeros(len(COLORS), np.float32)
        kit[r.colors[some]] = 1
        kit[rng.integers(0, len(COLORS), 2)] = 1
    x, c = r.batch(some, kit)
    if rng.random() < 0.15:  # from straight above
        x[:, LOOK + 4:LOOK + tints.EDGES] = 0
    if care:
        own = slice(0, LOOK + TINT)
        x[:, own] += rng.normal(0, 0.25 * care, (len(c), LOOK + TINT)) * spread
        x[:, LOOK + TINT:DIE - len(COLORS)] += rng.normal(0, 0.03, LIGHT)
        blind = rng.random()
        if blind < 0.1 * care:
            x[:, :LOOK] = mean[:LOOK]
        elif blind < 0.2 * care:
            x[:, LOOK:LOOK + TINT] = mean[LOOK:]
    return x, c


def padded(samples):
    n = max(len(c) for _, c in samples)
    x, there, colors = np.zeros((len(samples), n, DIE), np.float32), np.zeros((len(samples), n), bool), np.full((len(samples), n), -100)
    for i, (rows, c) in enumerate(samples):
        x[i, :len(c)], there[i, :len(c)], colors[i, :len(c)] = rows, True, c
    return torch.from_numpy(x), torch.from_numpy(there), torch.from_numpy(colors)


def only(logits, rows):
    """Colors that the game does not have are out of the question."""
    return logits + (rows[..., -len(COLORS):] - 1) * 1e4


@torch.no_grad()
def measure(net, held):
    """Shares of dice told right, and told wrong though sure."""
    right = wrong = n = 0
    for r in held:
        x, c = r.batch(np.arange(len(r.colors)), r.kit)
        x = torch.from_numpy(x)
        p = only(net(x), x).softmax(-1).numpy()
        ok = p.argmax(1) == c
        right, wrong, n = right + int(ok.sum()), wrong + (~ok & (p.max(1) > 0.97)).sum(), n + len(c)
    return right / n, wrong / n


def train(rows, held, minutes, care, seed):
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    every = torch.from_numpy(np.concatenate([r.dice[:, :LOOK + TINT] for r in rows[::7]]))
    mean, spread = every.mean(0), every.std(0) + 1e-3
    net = ColorNet(mean, spread, drop=0.1 + 0.1 * care)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.01 + 0.04 * care)
    begin, shown = time.time(), 0
    while True:
        done = (time.time() - begin) / (60 * minutes)
        if int(done * 5) != shown:
            shown = int(done * 5)
            net.eval()
            print(f"{done * 100:.0f}%% right %.4f sure and wrong %.4f" % measure(net, held), flush=True)
            net.train()
        if done >= 1:
            return net.eval()
        for g in opt.param_groups:
            g["lr"] = 2e-3 * (0.5 * (1 + np.cos(np.pi * done)) + 0.005)
        x, there, colors = padded([sample(rows, rng, care, mean.numpy(), spread.numpy()) for _ in range(32)])
        loss = F.cross_entropy(only(net(x, there), x).flatten(0, 1), colors.flatten())
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()


def export(net, path):
    torch.onnx.export(net, torch.rand(3, DIE), path, opset_version=11, input_names=["dice"], output_names=["colors"],
                      dynamic_axes={"dice": {0: "n"}, "colors": {0: "n"}})


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tables", required=True, nargs="+")
    ap.add_argument("--looks", required=True)
    ap.add_argument("--draws", type=int, default=24)
    ap.add_argument("--minutes", type=float, default=20)
    ap.add_argument("--out", required=True)
    ap.add_argument("--seed", type=int, default=11)
    a = ap.parse_args()
    torch.set_num_threads(1)
    rng, looks = np.random.default_rng(a.seed), Looks(a.looks)
    rows, held = [], []
    for t in (t for d in a.tables for t in load(d)):
        if t.hand or not t.whole.any():
            continue
        if held_out(t.name):
            held += rows_of(t, looks, 0, rng)
        else:
            rows += rows_of(t, looks, a.draws, rng)
    print(len(rows), "pictures' dice,", len(held), "held out", flush=True)
    nets = [train(rows, held, a.minutes / len(CARE), care, a.seed + i) for i, care in enumerate(CARE)]
    mean = MeanColor(nets).eval()
    print("mean: right %.4f sure and wrong %.4f" % measure(mean, held))
    export(mean, os.path.join(a.out, "color.onnx"))


if __name__ == "__main__":
    main()
