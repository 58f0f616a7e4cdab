"""Trains the find network for anybody's dice: half of what it sees is drawn without end (drawn.py), half are views of the
rendered tables and of the photographs to learn from. It is held to what the shipped networks see on tables.

    nvcc -O3 --use_fast_math -arch=sm_90 -cubin -o drawn.cubin drawn.cu
    python3 train_any.py --start find.onnx --usual find.onnx --patterned patterned.onnx --tables DIR --photos DIR --quads quads.json --seen seen.json \
        --seconds 480 --device cuda --cubin drawn.cubin --out any_find.onnx

Without a card, leave out --device and --cubin: the scenes are drawn by the processor, some five a second on each core.
"""
import argparse
import copy
import json
import multiprocessing as mp
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

import drawn_views
from find_data import UNTOLD, Views
from find_net import load_net
from photographed import photographed
from pool import Pool
from tables import held_out, load, load_photographs
from train_find import save, soft

SHARE, HANDS, REAL, STREWN = 0.35, 6.0, 0.42, 0.15  # of the views of pictures, see find_data.Views


def views(seed, out, tables, size):
    """Puts batches of views into a queue, without end."""
    torch.set_num_threads(1)
    it = iter(Views(tables, size, 1000 + seed, SHARE, HANDS, REAL, STREWN))
    while True:
        some_ = [next(it) for _ in range(8)]
        maps = [torch.stack([v[i] for v in some_]).half().numpy() for i in range(1, 7)]
        out.put([(torch.stack([v[0] for v in some_]) * 255).byte().numpy(), *maps, np.array([v[7] for v in some_])])


class Stock(drawn_views.Stock):
    """Drawn scenes and their maps, each time photographed otherwise."""

    def __init__(self, source, renderer, size):
        super().__init__(source, renderer)
        self.size = size

    def known(self, seen, quads, counts, grids, *_):
        return [v.half() for v in drawn_views.aims(quads, counts, grids, seen, self.size)]

    def draw(self, n):
        x, *maps = (torch.cat(v).float() for v in zip(*self.some(n)))
        maps[0] = torch.where(maps[0] > 0.9993, 1.0, maps[0])  # half precision
        return photographed(x), maps


def losses(y, maps, kinds, told):
    """As train_find.losses and train_find.unlike, on any device."""
    heat, weight, shape, heed, lat, mask = maps
    p, peak = torch.sigmoid(y[:, 0]).clamp(1e-5, 1 - 1e-5), heat > 0.999
    missed, invented = -((1 - p) ** 2) * torch.log(p) * peak, -((1 - heat) ** 4) * p**2 * torch.log(1 - p) * ~peak
    scale = torch.tensor([1.0, 1, 3, 1, 1, 1, 1], device=y.device)[None, :, None, None]
    off, heard = 0, torch.ones_like(y[:, :3])
    heard[:, 0] = ((heat > 0) | (weight < 1)).float()
    total = 1.0
    for kind, teacher in enumerate(told):
        of = kinds == kind
        a, b = (v[of][:, [0, 8, 9]].clamp(-6, 6) for v in (y, teacher))
        w = (torch.maximum(torch.sigmoid(a.detach()), torch.sigmoid(b)) + 0.01) * heard[of]
        off, total = off + (w * (a - b) ** 2).sum(), total + w.sum()
    return dict(heat=((missed + invented) * weight).sum() / peak.sum().clamp(min=1),
                shape=(F.smooth_l1_loss(y[:, 1:8], shape, beta=0.05, reduction="none") * heed[:, None] * scale).sum() / heed.sum().clamp(min=1),
                lattice=soft(y[:, 8], lat), mask=6 * F.binary_cross_entropy_with_logits(y[:, 9], mask), unlike=off / total)


def train(a, net, teachers, stock, pool):
    """The running mean of the network's weights."""
    mean, half = copy.deepcopy(net).eval(), dict(device_type=a.device, dtype=torch.bfloat16)
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-3)
    begin, step = time.time(), 0
    while (done := (time.time() - begin) / a.seconds) < 1:
        for g in opt.param_groups:
            g["lr"] = a.lr * min(1, (step + 1) / 300) * (0.5 * (1 + np.cos(np.pi * done)) * 0.99 + 0.01)
        with torch.no_grad():
            pool.refill(a.batch)
            stock.refill()
            x1, maps1 = stock.draw(a.batch // 2)
            x2, *maps2, kinds = pool.draw(a.batch // 2)
            maps2 = [v.float() for v in maps2]
            x, maps = drawn_views.turned(torch.cat([x1, x2]), [torch.cat(v) for v in zip(maps1, maps2)])
            kinds = torch.cat([torch.full((len(x1),), UNTOLD, device=x.device), kinds])
            x = x.to(memory_format=torch.channels_last)
            with torch.autocast(**half):
                told = [t(x).float() for t in teachers]
        with torch.autocast(**half):
            y = net(x)
        parts = losses(y.float(), maps, kinds, told)
        opt.zero_grad(set_to_none=True)
        sum(parts.values()).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        step += 1
        with torch.no_grad():
            for p, q in zip(mean.parameters(), net.parameters()):
                p.lerp_(q, max(0.001, 1 / (step + 1)))
        if step % 200 == 1:
            print(f"step {step} {done * 100:.0f}%", {k: round(v.item(), 3) for k, v in parts.items()}, flush=True)
    return mean


def main():
    ap = argparse.ArgumentParser()
    for name in ("start", "usual", "patterned", "tables", "photos", "quads", "seen", "out"):
        ap.add_argument("--" + name, required=True)
    a = drawn_views.arguments(ap, 8e-4)
    tables = load(a.tables, lambda name: not held_out(name))
    seen = json.load(open(a.seen))
    for t in tables:
        t.seen = np.array(seen[t.name], bool) if t.name in seen else t.seen
    tables += load_photographs(a.photos, a.quads)
    renderer, drawn_queue, view_queue = drawn_views.sources(a, views, tables)
    stock = Stock(drawn_queue, renderer, a.size)
    nets = [load_net(f).to(a.device).to(memory_format=torch.channels_last) for f in (a.start, a.usual, a.patterned)]
    mean = train(a, nets[0], nets[1:], stock, Pool(view_queue, a.device))
    save(mean.cpu(), a.out)
    for p in mp.active_children():
        p.kill()
    os._exit(0)  # the queues' threads would wait for readers


if __name__ == "__main__":
    main()
