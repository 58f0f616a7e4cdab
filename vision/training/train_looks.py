"""Trains the looks that colors are told from, together with a network that tells them, on whole pictures' dice.

    python3 train_looks.py --tables DIR --face face.pt --minutes 12 --out FOLDER     (writes face.onnx, face.pt)
"""
import argparse
import os
import time

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, IterableDataset

import train_face
from face_data import light, moved, squared, straight
from face_net import COLORS, LIGHT, LOOK, PooledColor, load_face
from tables import apply_cast, held_out, load, random_cast, recolor

KITS = {
    "dessert-dice": ["red", "yellow", "green", "purple", "black"], "dice-box": ["red", "yellow", "blue", "white", "black"],
    "dicecreams": ["green", "blue", "yellow", "black", "orange"], "dice-flick": ["blue", "yellow", "green", "white", "pink"],
}
FULL = np.ones(len(COLORS), np.float32)


def kit_of(name):
    kit = KITS.get(name.rsplit("-", 3)[0])
    return FULL if kit is None else np.array([c in kit for c in COLORS], np.float32)


def dice_of(tables):
    """Each picture's patches, colors, light and kit."""
    out = []
    for t in tables:
        if t.hand or not t.whole.any():
            continue
        patches = [squared(t.image, q) for q, w in zip(t.tops, t.whole) if w]
        colors = np.array([COLORS.index(c) for c, w in zip(t.colors, t.whole) if w])
        lit = light(cv2.resize(t.image, (160, 120), interpolation=cv2.INTER_AREA), [straight(p) for p in patches])
        out.append((patches, colors, lit, kit_of(t.name)))
    return out


class Pictures(IterableDataset):
    """Some of a picture's dice in another light, the same for all of them."""

    def __init__(self, dice, seed):
        self.dice, self.seed = dice, seed

    def __iter__(self):
        rng = np.random.default_rng(self.seed)
        cv2.setNumThreads(1)
        while True:
            patches, colors, lit, kit = self.dice[rng.integers(len(self.dice))]
            some = rng.permutation(len(patches))
            plain = rng.random() < 0.2  # a set of dice of one color, as most people have
            if plain:
                some = some[colors[some] == colors[some[0]]]
            elif rng.random() < 0.5:
                some = some[: int(rng.integers(1, len(patches) + 1))]
            cast = random_cast(rng, 0.22) if rng.random() < 0.8 else (np.ones(3), 1.0)
            crops = [recolor(moved(patches[i], rng), rng, 0.0, cast, odd=False) for i in some]
            x = np.stack(crops)[..., ::-1].transpose(0, 3, 1, 2)
            seen = light(crops[0], crops)  # of the crops as they are now; of the picture as it would be
            seen[:6] = apply_cast(lit[:6].reshape(2, 3), cast).reshape(-1) + rng.normal(0, 0.02, 6)
            yield (torch.from_numpy(x.copy()).float() / 255, torch.from_numpy(seen.reshape(4, 3)[:, ::-1].reshape(-1).astype(np.float32).copy()),
                   torch.from_numpy(kit if rng.random() < 0.7 and not plain else FULL), torch.from_numpy(colors[some]))


def described(looks, sizes, lights, kits):
    """One row a die, from the looks of several pictures' dice."""
    rows = []
    for look, lit, kit in zip(looks.split(sizes), lights, kits):
        n = len(look)
        rows.append(torch.cat([look, look.mean(0).expand(n, LOOK), look.max(0)[0].expand(n, LOOK), lit.expand(n, LIGHT), kit.expand(n, len(COLORS))], 1))
    return torch.cat(rows)


def only(logits, kits, sizes):
    """Colors that the game does not have are out of the question."""
    return logits + torch.cat([(k.expand(n, len(COLORS)) - 1) * 1e4 for k, n in zip(kits, sizes)])


@torch.no_grad()
def measure(face, color, dice):
    face.eval(), color.eval()
    right = n = sure_wrong = 0
    for patches, colors, lit, kit in dice:
        x, l = train_face.batch(patches, [lit] * len(patches))
        kits = torch.from_numpy(kit)[None]
        y = only(color(described(face(x)[1], [len(x)], l[:1], kits)), kits, [len(x)]).softmax(1)
        ok = y.argmax(1).numpy() == colors
        right, n, sure_wrong = right + ok.sum(), n + len(ok), sure_wrong + (~ok & (y.max(1)[0].numpy() > 0.98)).sum()
    return right / n, sure_wrong / n


def export(face, color, folder):
    train_face.export(face, os.path.join(folder, "face.onnx"))
    torch.save(face.state_dict(), os.path.join(folder, "face.pt"))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tables", required=True, nargs="+")
    ap.add_argument("--face", required=True)
    ap.add_argument("--minutes", type=float, default=12)
    ap.add_argument("--out", required=True)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    tables = [t for d in a.tables for t in load(d)]
    dice, held = (dice_of([t for t in tables if held_out(t.name) == h]) for h in (False, True))
    del tables
    print(len(dice), "pictures", flush=True)
    face, color = load_face(a.face), PooledColor()
    for p in [*face.stem.parameters(), *face.face.parameters()]:
        p.requires_grad_(False)
    opt = torch.optim.AdamW([*face.look.parameters(), *color.parameters()], lr=a.lr, weight_decay=5e-4)
    data = DataLoader(Pictures(dice, a.seed), batch_size=16, num_workers=1, prefetch_factor=3, collate_fn=lambda b: list(zip(*b)))
    begin, mean, shown = time.time(), None, -1
    for xs, lights, kits, cs in data:
        done = (time.time() - begin) / (60 * a.minutes)
        if int(done * 20) != shown:
            shown = int(done * 20)
            right, wrong = measure(face, color, held)
            print(f"{done * 100:.0f}% loss {mean or 0:.3f} right {right:.4f} sure and wrong {wrong:.4f}", flush=True)
            export(face, color, a.out)
        if done >= 1:
            break
        face.eval(), face.look.train(), color.train()
        for g in opt.param_groups:
            g["lr"] = a.lr * (0.5 * (1 + np.cos(np.pi * done)) * 0.99 + 0.01)
        sizes = [len(x) for x in xs]
        with torch.no_grad():
            mid = face.stem(torch.cat(xs))
        y = only(color(described(face.look(mid), sizes, lights, kits)), kits, sizes)
        loss = F.cross_entropy(y, torch.cat(cs))
        opt.zero_grad()
        loss.backward()
        opt.step()
        mean = loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()


if __name__ == "__main__":
    main()
