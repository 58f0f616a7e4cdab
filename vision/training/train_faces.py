"""Goes on with the face layers of a face network, on a GPU or without one; the layers that colors are told from stay.

    python3 train_faces.py --tables DIR --start face.onnx --out face2.onnx --minutes 15 [--photos DIR --quads FILE] [--none FILE.pkl] [--device cuda]
"""
import argparse
import copy
import glob
import multiprocessing
import os
import pickle
import time

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import augment
import synth
from augment import column
from face_data import PATCH, negatives, squared, straight
from face_net import CROP, MARGIN, load_face
from tables import UNCLEAR, Table, held_out, load_photographs
from train_face import save
from train_find import follow

KEPT = 1.0  # of what the network told rightly before
NONE = 7    # the face of what is no die's top
SHARES = dict(dice=0.25, none=0.15, drawn=0.2, photographed=0.26, around=0.06, proposed=0.08)


def crops(t, rng):
    """Patches of a picture's dice with their faces, and of what is none."""
    known = t.whole & (t.faces >= 0) if not t.hand else np.zeros(len(t.tops), bool)
    dice = [(squared(t.image, q), f) for q, f, ok in zip(t.tops, t.faces, known) if ok]
    clear = lambda q: not any((b[:2] - 5 < q.mean(0)).all() and (q.mean(0) < b[2:] + 5).all() for b in t.ignore)
    return dice, [(squared(t.image, q), NONE) for q in negatives(t, rng) if clear(q)] if t.group not in UNCLEAR else []


def of_table(path):
    cv2.setNumThreads(1)
    return crops(Table(path), np.random.default_rng(int(path.rsplit("-", 1)[1][:-5])))


photographs = []  # the pool's processes find them here


def of_photograph(i):
    cv2.setNumThreads(1)
    return crops(photographs[i], np.random.default_rng(i))


def drawn(seed):
    img, face, _ = synth.draw(np.random.default_rng([seed, 4]))
    img = cv2.resize(img, (60, 60), interpolation=cv2.INTER_AREA)  # 40 pixels a side, as all patches have
    return cv2.copyMakeBorder(img, *[(PATCH - 60) // 2] * 4, cv2.BORDER_REPLICATE), face


def groups_of(a):
    """What is learned from, by where it comes from, and what measures."""
    paths = sorted(p for d in a.tables for p in glob.glob(os.path.join(d, "*.json")))
    held = [held_out(os.path.basename(p)[:-5]) for p in paths]
    photographs[:] = load_photographs(a.photos, a.quads, ()) if a.quads else []
    with multiprocessing.get_context("fork").Pool() as pool:
        told = pool.map(of_table, paths, 4)
        real = pool.map(of_photograph, range(len(photographs)), 4)
        made = pool.map(drawn, range(a.seed * 10**6, a.seed * 10**6 + a.drawn), 64)
    join = lambda parts, k: [c for p in parts for c in p[k]]
    learn = [p for p, h in zip(told, held) if not h]
    groups = dict(dice=join(learn, 0), none=join(learn, 1), drawn=made, photographed=join(real, 0), around=join(real, 1), proposed=[])
    for f in a.none:
        groups["proposed"] += [(cv2.imdecode(p, 1) if p.ndim < 3 else p, NONE) for p in pickle.load(open(f, "rb"))[0]]
    kept = [p for p, h in zip(told, held) if h]
    return {k: g for k, g in groups.items() if g}, join(kept, 0) + join(kept, 1)


def planes(patches, device):
    return torch.from_numpy(np.stack([p[..., ::-1].transpose(2, 0, 1) for p in patches])).to(device)


def moved(p, rng):
    """Crops of patches in outlines that are a little off, any way up."""
    n, c = len(p), (PATCH - 1) / 2
    e = 20.0 * MARGIN * np.exp(rng.normal(0, 0.05, (n, 1)))
    a = rng.integers(4, size=(n, 1)) * np.pi / 2 + rng.normal(0, 0.06, (n, 1)) + np.pi / 4 + np.arange(4) * np.pi / 2
    q = np.stack([np.cos(a), np.sin(a)], 2) * e[..., None] * np.sqrt(2) + c + rng.normal(0, 1.3, (n, 1, 2)) + rng.normal(0, 1.1, (n, 4, 2))
    to = np.float32([[0, 0], [CROP, 0], [CROP, CROP], [0, CROP]]) - 0.5
    back = np.stack([cv2.getPerspectiveTransform(to, np.float32(v)) for v in q]).astype(np.float32)
    y, x = torch.meshgrid(*[torch.arange(CROP, device=p.device).float()] * 2, indexing="ij")
    g = torch.from_numpy(back).to(p.device) @ torch.stack([x, y, torch.ones_like(x)]).view(1, 3, -1)
    g = ((g[:, :2] / g[:, 2:] + 0.5) * 2 / PATCH - 1).transpose(1, 2).unflatten(1, (CROP, CROP))
    return F.grid_sample(p, g, padding_mode="border", align_corners=False)


def covered(x, rng):
    """A finger, a sleeve or another thing over at least a quarter of the top."""
    n, a = len(x), rng.uniform(0, 2 * np.pi, len(x))
    color = torch.from_numpy(augment.colors(n, rng).astype(np.float32))[..., None, None].to(x.device)
    y, z = torch.meshgrid(*[torch.arange(CROP, device=x.device).float() - CROP / 2] * 2, indexing="ij")
    far = z * column(np.cos(a), x) + y * column(np.sin(a), x) - column(rng.uniform(-2, 7, n), x)
    m = torch.sigmoid(far / column(rng.uniform(0.3, 1.2, n), x))
    return x * (1 - m) + color * m


def batch(groups, shares, size, rng):
    names = list(groups)
    count = rng.multinomial(size, shares)
    picked = [(groups[k][0], torch.from_numpy(rng.integers(len(groups[k][0]), size=c)).to(groups[k][0].device), groups[k][1]) for k, c in zip(names, count)]
    p, f = torch.cat([g[i] for g, i, _ in picked]).float() / 255, torch.cat([v[i] for _, i, v in picked])
    p = augment.some(p, 0.5, rng, lambda v: augment.coarse(v, rng, 0.22, 0.9))
    x = augment.otherwise(moved(p, rng), rng, few=0)
    hide = torch.from_numpy(rng.random(size) < 0.06).to(x.device) & (f != NONE)
    x = torch.where(hide[:, None, None, None], covered(x, rng), x)
    return x, torch.where(hide, NONE, f)


def kept(faces, told, f):
    """How far answers are from those of the network that is gone on from, where those are right: it shall not forget them."""
    right = told.argmax(1) == f
    return (F.kl_div(faces.log_softmax(1), told.softmax(1), reduction="none").sum(1) * right).sum() / right.sum().clamp(min=1)


@torch.no_grad()
def measure(net, x, f):
    y = torch.cat([net(v)[0] for v in x.split(512)]).softmax(1)
    right, die = y.argmax(1) == f, f != NONE
    told = dict(face=right[die].float().mean(), none=right[~die].float().mean(), sure_wrong=((y.amax(1) > 0.98) & ~right).float().mean())
    return {k: round(v.item(), 4) for k, v in told.items()}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tables", required=True, nargs="+")
    ap.add_argument("--start", required=True)
    ap.add_argument("--out", required=True)
    ap.add_argument("--photos", default="")
    ap.add_argument("--quads", default="", help="outlines of the photographs' dice, from propose.py")
    ap.add_argument("--none", nargs="*", default=[], help="what a find network proposed that is no die, from propose.py")
    ap.add_argument("--drawn", type=int, default=16000)
    ap.add_argument("--minutes", type=float, default=15)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--device", default="cpu")
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    begin, rng = time.time(), np.random.default_rng(a.seed)
    groups, held = groups_of(a)
    shares = np.array([SHARES[k] for k in groups])
    print({k: len(g) for k, g in groups.items()}, len(held), f"{time.time() - begin:.0f}s", flush=True)
    groups = {k: (planes([p for p, _ in g], a.device), torch.tensor([f for _, f in g]).to(a.device)) for k, g in groups.items()}
    held = planes([straight(p) for p, _ in held], a.device).float() / 255, torch.tensor([f for _, f in held]).to(a.device)
    net = load_face(a.start).to(a.device).eval()
    for p in [*net.stem.parameters(), *net.look.parameters()]:
        p.requires_grad_(False)
    mean, before = copy.deepcopy(net), copy.deepcopy(net)
    opt = torch.optim.AdamW(net.face.parameters(), lr=a.lr, weight_decay=5e-4)
    print("before", measure(before, *held), flush=True)
    step, shown, sum_ = 0, 0.0, None
    while (done := (time.time() - begin) / (60 * a.minutes)) < 1:
        for g in opt.param_groups:
            g["lr"] = a.lr * min(1, (step + 1) / 100) * (0.5 * (1 + np.cos(np.pi * done)) * 0.99 + 0.01)
        x, f = batch(groups, shares / shares.sum(), a.batch, rng)
        faces = net(x)[0]
        with torch.no_grad():
            told = before(x)[0]
        loss = F.cross_entropy(faces, f, label_smoothing=0.01) + KEPT * kept(faces, told, f)
        opt.zero_grad()
        loss.backward()
        opt.step()
        follow(mean, net, max(0.001, 1 / (step + 2)))
        step, sum_ = step + 1, loss.detach() if sum_ is None else torch.lerp(sum_, loss.detach(), 0.01)
        if done - shown > 0.05:
            shown = done
            print(f"step {step} {done * 100:.0f}% loss {sum_.item():.3f}", measure(mean, *held), flush=True)
            save(mean, a.out)
    save(mean, a.out)
    print("end", step, measure(mean, *held), flush=True)


if __name__ == "__main__":
    main()
