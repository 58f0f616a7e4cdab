"""Trains the find network on pictures with answers.

    python3 train_find.py --tables DIR --minutes 60 --out find.onnx [--start find.pt]
"""
import argparse
import copy
import json
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from find_data import CHANGED, USUAL, Views
from find_net import NARROW, WIDE, FindNet, load_net, narrowed, widths
from tables import held_out, load, load_photographs


HANDS = 6.0  # how much more often pictures with hands come up where a network goes on: it forgets them first


def focal(logit, target, weight):
    """CenterNet's penalty-reduced focal loss (Zhou et al. 2019), summed over cells and divided by the peaks."""
    p = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    peak = target > 0.999
    pos = -((1 - p) ** 2) * torch.log(p) * peak
    neg = -((1 - target) ** 4) * p**2 * torch.log(1 - p) * ~peak
    return ((pos + neg) * weight).sum() / peak.sum().clamp(min=1)


def soft(logit, target):
    """Weighted cross-entropy to a heat map whose peaks fall between cells."""
    w = 1 + 12 * target
    return (F.binary_cross_entropy_with_logits(logit, target, reduction="none") * w).mean() * 30


def losses(y, batch):
    _, heat, weight, shape, sweight, lat, mask, _ = batch
    n = sweight.sum().clamp(min=1)
    err = F.smooth_l1_loss(y[:, 1:8], shape, beta=0.05, reduction="none") * sweight[:, None]
    scale = torch.tensor([1.0, 1, 3, 1, 1, 1, 1])[None, :, None, None]
    return dict(heat=focal(y[:, 0], heat, weight), shape=(err * scale).sum() / n,
                lattice=soft(y[:, 8], lat), mask=6 * F.binary_cross_entropy_with_logits(y[:, 9], mask))


def unlike(y, batch, teachers):
    """How far off the heats and the mask of views are from what the teacher of their kind says: the network shall not
    forget what no answer tells, dice under hands above all. What neither sees hardly counts, and no teacher is heard
    where the answer knows that there is no die."""
    some, off, weight = [0, 8, 9], 0 * y.sum(), 1.0
    x, heat, told, kinds = batch[0], batch[1], batch[2], batch[-1]
    heard = torch.ones(len(x), len(some), *heat.shape[1:])
    heard[:, 0] = ((heat > 0) | (told < 1)).float()
    for kind, teacher in teachers.items():
        if not (kinds == kind).any():
            continue
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            before = teacher(x[kinds == kind].to(memory_format=torch.channels_last)).float()
        a, b = (v[:, some].clamp(-6, 6) for v in (y[kinds == kind], before))
        w = (torch.maximum(torch.sigmoid(a.detach()), torch.sigmoid(b)) + 0.01) * heard[kinds == kind]
        off, weight = off + (w * (a - b) ** 2).sum(), weight + w.sum()
    return off / weight


def export(net, path):
    training = net.training
    net.eval()
    torch.onnx.export(net.float(), torch.rand(1, 3, 384, 640), path, opset_version=11, input_names=["image"], output_names=["maps"],
                      dynamic_axes={"image": {2: "h", 3: "w"}, "maps": {2: "h", 3: "w"}})
    net.train(training)


def save(net, path):
    torch.save(net.state_dict(), path.replace(".onnx", ".pt"))
    export(net, path)


@torch.no_grad()
def follow(mean, net, much):
    """Moves the weights' running mean on: it holds what a short training only passes by (Polyak and Juditsky 1992)."""
    for a, b in zip(mean.parameters(), net.parameters()):
        a.lerp_(b, much)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tables", required=True, nargs="+")
    ap.add_argument("--minutes", type=float, default=60)
    ap.add_argument("--out", required=True)
    ap.add_argument("--photos", default="", help="photographs with boxes")
    ap.add_argument("--quads", default="", help="outlines of their dice, from propose.py")
    ap.add_argument("--seen", default="", help="which dice of pictures with hands can be seen, from propose.py")
    ap.add_argument("--start", default="", help="weights to go on from, or an .onnx that ships; a wide network's are cut down")
    ap.add_argument("--relaid", type=float, default=0, help="share of the tables that are laid on another ground, of any pattern")
    ap.add_argument("--real", type=float, help="share of the views that are of photographs")
    ap.add_argument("--strewn", type=float, default=0, help="share of the views that round things are strewn on")
    ap.add_argument("--teacher", default="", help="a network that teaches what it sees on usual views; else the one that is gone on from")
    ap.add_argument("--patterned", default="", help="a teacher for those laid on another ground")
    ap.add_argument("--wide", action="store_true", help="the wide network")
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--size", type=int, default=384)
    ap.add_argument("--batch", type=int, default=6)
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    tables = [t for d in a.tables for t in load(d, lambda n: not held_out(n))]
    if a.seen:
        seen = json.load(open(a.seen))
        for t in tables:
            t.seen = np.array(seen[t.name], bool) if t.name in seen else t.seen
    if a.quads:
        tables += load_photographs(a.photos, a.quads)
    print(len(tables), "pictures", flush=True)
    net = FindNet(WIDE if a.wide else NARROW)
    frozen = a.start.endswith(".onnx")  # its norms are in its convolutions
    if a.start:
        start = load_net(a.start).state_dict()
        if widths(start) == WIDE and not a.wide:
            start = narrowed(start, NARROW)
        net.load_state_dict(start)
    net.to(memory_format=torch.channels_last).train(not frozen)
    mean = copy.deepcopy(net).eval() if frozen else None
    teachers = {USUAL: load_net(a.teacher or a.start).to(memory_format=torch.channels_last)} if frozen else {}
    if a.patterned:
        teachers[CHANGED] = load_net(a.patterned).to(memory_format=torch.channels_last)
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-4)
    data = DataLoader(Views(tables, a.size, a.seed, a.relaid, HANDS if frozen else 1.0, a.real, a.strewn), batch_size=a.batch, num_workers=1, prefetch_factor=4)
    begin, sums, saved = time.time(), {}, 0.0
    for step, batch in enumerate(data):
        done = (time.time() - begin) / (60 * a.minutes)
        if done >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = a.lr * min(1, (step + 1) / 200) * (0.5 * (1 + np.cos(np.pi * done)) * 0.99 + 0.01)
        x = batch[0].to(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = net(x)
        parts = losses(y.float(), batch)
        if teachers:
            parts["unlike"] = unlike(y.float(), batch, teachers)
        loss = sum(parts.values())
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        for k, v in parts.items():
            sums[k] = sums.get(k, 0) * 0.99 + 0.01 * v.item() if k in sums else v.item()
        if step % 100 == 0:
            print(f"step {step} {done * 100:.0f}%", {k: round(v, 3) for k, v in sums.items()}, f"{time.time() - begin:.0f}s", flush=True)
        if frozen:
            follow(mean, net, max(0.0005, 1 / (step + 2)))
        if time.time() - begin - saved > 300:
            saved = time.time() - begin
            save(mean if frozen else net, a.out)
    save(mean if frozen else net, a.out)


if __name__ == "__main__":
    main()
