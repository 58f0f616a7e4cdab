"""Trains a second color network on the looks that the first one brought about, and joins both into their mean.

    python3 train_head.py --tables DIR --looks FOLDER --minutes 7 --out FOLDER     (FOLDER of train_color.py; writes color.onnx)

The looks of every picture's dice are taken under many lights beforehand, so that a step costs next to nothing. The first
network, trained with its looks, is careful where colors are rare; the second tells better. Their mean is neither's guess alone.
"""
import argparse
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import train_face
from face_data import light, moved
from face_net import COLORS, DIE, LOOK, ColorNet, load_face
from tables import apply_cast, held_out, load, random_cast, recolor
from train_color import FULL, described, dice_of, only


class Head(nn.Module):
    """The layers of ColorNet, wider. Looks come in by their usual spread: the export folds that into the first layer."""

    def __init__(self, mean, spread):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(DIE, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, len(COLORS)))
        pad = DIE - 3 * LOOK
        self.register_buffer("mean", torch.cat([mean.repeat(3), torch.zeros(pad)]))
        self.register_buffer("spread", torch.cat([spread.repeat(3), torch.ones(pad)]))

    def forward(self, die):
        return self.net((die - self.mean) / self.spread)


@torch.no_grad()
def looks_under_lights(face, dice, draws, rng):
    """Every picture draws times over: its dice's looks, light, kit and colors, each time in another light."""
    out = []
    for _ in range(draws):
        for patches, colors, lit, kit in dice:
            cast = random_cast(rng, 0.22) if rng.random() < 0.8 else (np.ones(3), 1.0)
            crops = [recolor(moved(p, rng), rng, 0.0, cast, odd=False) for p in patches]
            seen = light(crops[0], crops)
            seen[:6] = apply_cast(lit[:6].reshape(2, 3), cast).reshape(-1) + rng.normal(0, 0.02, 6)
            x = torch.from_numpy(np.stack(crops)[..., ::-1].transpose(0, 3, 1, 2).copy()).float() / 255
            seen = torch.from_numpy(seen.reshape(4, 3)[:, ::-1].reshape(-1).astype(np.float32))
            out.append((face.look(face.stem(x)), seen, torch.from_numpy(kit), torch.from_numpy(colors)))
    return out


def batch(rows, rng, size=32):
    """Some dice of some pictures; now and then all of one color, as most people's sets are."""
    looks, lights, kits, colors = [], [], [], []
    for _ in range(size):
        look, lit, kit, c = rows[rng.integers(len(rows))]
        some = torch.from_numpy(rng.permutation(len(c)))
        plain = rng.random() < 0.2
        if plain:
            some = some[c[some] == c[some[0]]]
        elif rng.random() < 0.5:
            some = some[: int(rng.integers(1, len(c) + 1))]
        looks.append(look[some]), lights.append(lit), colors.append(c[some])
        kits.append(kit if rng.random() < 0.7 and not plain else torch.from_numpy(FULL))
    return looks, lights, kits, colors


@torch.no_grad()
def measure(face, nets, dice):
    """Shares of dice told right, and told wrong though sure, by the mean of the networks' answers."""
    right = wrong = n = 0
    for patches, colors, lit, kit in dice:
        x, l = train_face.batch(patches, [lit] * len(patches))
        kits = torch.from_numpy(kit)[None]
        rows = described(face(x)[1], [len(x)], l[:1], kits)
        y = only(torch.stack([net(rows) for net in nets]).mean(0), kits, [len(x)]).softmax(1)
        ok = y.argmax(1).numpy() == colors
        right, wrong, n = right + ok.sum(), wrong + (~ok & (y.max(1)[0].numpy() > 0.97)).sum(), n + len(ok)
    return right / n, wrong / n


def joined(nets):
    """One network with the mean of several ones' answers: their layers side by side. A net is its three linear layers."""
    widths = [(a.out_features, b.out_features) for a, b, _ in nets]
    one, two = (sum(w[k] for w in widths) for k in (0, 1))
    out = nn.Sequential(nn.Linear(DIE, one), nn.ReLU(), nn.Linear(one, two), nn.ReLU(), nn.Linear(two, len(COLORS)))
    with torch.no_grad():
        out[2].weight.zero_(), out[4].bias.zero_()
        i = j = 0
        for (a, b, c), (w, v) in zip(nets, widths):
            out[0].weight[i:i + w], out[0].bias[i:i + w] = a.weight, a.bias
            out[2].weight[j:j + v, i:i + w], out[2].bias[j:j + v] = b.weight, b.bias
            out[4].weight[:, j:j + v] = c.weight / len(nets)
            out[4].bias += c.bias / len(nets)
            i, j = i + w, j + v
    return out.eval()


def folded(head):
    """The head's linear layers, with its spreads folded into the first."""
    a, b, c = (m for m in head.net if isinstance(m, nn.Linear))
    with torch.no_grad():
        a.bias -= a.weight @ (head.mean / head.spread)
        a.weight /= head.spread
    return a, b, c


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tables", required=True, nargs="+")
    ap.add_argument("--looks", required=True)
    ap.add_argument("--draws", type=int, default=24)
    ap.add_argument("--minutes", type=float, default=7)
    ap.add_argument("--out", required=True)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(a.seed)
    tables = [t for d in a.tables for t in load(d)]
    dice, held = (dice_of([t for t in tables if held_out(t.name) == h]) for h in (False, True))
    del tables
    face, first = load_face(os.path.join(a.looks, "face.pt")), ColorNet()
    first.load_state_dict(torch.load(os.path.join(a.looks, "color.pt")))
    face.eval(), first.eval()
    rows = looks_under_lights(face, dice, a.draws, rng)
    print(len(dice), "pictures,", len(rows), "draws", flush=True)
    every = torch.cat([r[0] for r in rows[::37]])
    head = Head(every.mean(0), every.std(0) + 1e-3)
    opt = torch.optim.AdamW(head.parameters(), lr=2e-3, weight_decay=1e-3)
    begin, shown = time.time(), -1
    while True:
        done = (time.time() - begin) / (60 * a.minutes)
        if int(done * 5) != shown:
            shown = int(done * 5)
            head.eval()
            alone, both = measure(face, [head], held), measure(face, [first, head], held)
            print(f"{done * 100:.0f}% right, sure and wrong: second {alone[0]:.4f} {alone[1]:.4f}, both {both[0]:.4f} {both[1]:.4f}", flush=True)
            head.train()
        if done >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = 2e-3 * (0.5 * (1 + np.cos(np.pi * done)) * 0.99 + 0.01)
        looks, lights, kits, colors = batch(rows, rng)
        sizes = [len(x) for x in looks]
        loss = F.cross_entropy(only(head(described(torch.cat(looks), sizes, lights, kits)), kits, sizes), torch.cat(colors))
        opt.zero_grad()
        loss.backward()
        opt.step()
    head.eval()
    both = joined([[m for m in first.net if isinstance(m, nn.Linear)], folded(head)])
    torch.onnx.export(both, torch.rand(2, DIE), os.path.join(a.out, "color.onnx"), opset_version=11, input_names=["dice"], output_names=["colors"],
                      dynamic_axes={"dice": {0: "n"}, "colors": {0: "n"}})


if __name__ == "__main__":
    main()
