"""Trains the top network (top_net.py) with what a find network proposes on drawn tables, rendered ones and photographs.

    nvcc -O3 --use_fast_math -arch=sm_90 -cubin -o drawn.cubin drawn.cu
    python3 train_top.py --find any_find.onnx --tables DIR --photos DIR --quads quads.json --seconds 480 --device cuda --cubin drawn.cubin --out top.onnx

A proposal on a die's top is that die's face; one on anything else is no die; between the two, and where nothing is known,
nothing is learned. Upright faces of dice and what boxes and dominoes show are asked about as if they had been proposed. Nothing is mirrored: a 2 that is written would look like a 5. Without a card, leave out --device and --cubin.
"""
import argparse
import copy
import json
import multiprocessing as mp
import os
import time

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import drawn_views
from arms import reached
from drawn import clockwise
from drawn_views import MOST_DICE, MOST_DECOYS
from find_data import random_view, standing, usual
from find_net import load_net
from grounds import relaid
from photographed import photographed
from photographs import pictures
from pool import Pool
from tables import UNCLEAR, Photograph, held_out, load, recolor
from tokens import strewn
from top_net import CROP, MARGIN, TopNet

MOST_BOXES = 30              # regions of a view of which nothing is known
LEAST = 0.06                 # score of a proposal
PROPOSED = 28                # proposals of a view at most
NONE = 7                     # no die
ON, OFF = (0.25, 0.4), (0.45, 0.6)  # how far off a top, in sides and by the size's logarithm, a proposal may be to be that top, and must be not to be
REACHED = 0.12               # of the views have an arm
REAL = 0.5                   # of the views of pictures are of photographs


def view(t, size, rng):
    """A picture, the outlines of its dice's tops, their faces (-1: not known) and boxes of which nothing is known; whether
    what is elsewhere is known to be no die; outlines that are no die's top."""
    m = random_view(t, size, rng)
    if np.linalg.det(m[:2, :2]) < 0:
        m = np.array([[-1.0, 0, size], [0, 1, 0], [0, 0, 1]]) @ m
    scale = np.sqrt(abs(np.linalg.det(m[:2, :2])))
    img = cv2.GaussianBlur(t.image, (0, 0), 0.35 / scale) if scale < 0.7 else t.image
    mode = cv2.BORDER_CONSTANT if rng.random() < 0.6 else cv2.BORDER_REPLICATE
    img = cv2.warpPerspective(img, m, (size, size), flags=cv2.INTER_LINEAR, borderMode=mode, borderValue=[int(v) for v in rng.integers(0, 255, 3)])
    side = usual(t) * scale * np.sqrt(2)
    moved = lambda q: cv2.perspectiveTransform(np.float64(q).reshape(1, -1, 2), m).reshape(-1, 4, 2)
    if rng.random() < 0.3 and t.relayable:
        img = relaid(img, standing(t, m, size, rng), side, rng)
    if rng.random() < 0.15 and (t.relayable or t.group and t.group not in UNCLEAR):
        img = strewn(img, standing(t, m, size, rng), side, rng)
    tops = moved(t.tops) if len(t.tops) else np.zeros((0, 4, 2))
    faces = np.where(t.seen, t.faces, -1)
    if t.relayable and rng.random() < REACHED:
        img, under = reached(img, side, rng)
        for k, q in enumerate(tops):
            mask = np.zeros((size, size), np.uint8)
            cv2.fillConvexPoly(mask, np.int32(np.clip(q, -1e4, 1e4)), 1)
            if (under[mask > 0] > 0).mean() > 0.1 if mask.any() else False:
                faces[k] = -1
    inside = ((tops.mean(1) > -side) & (tops.mean(1) < size + side)).all(1)
    tops, faces = tops[inside][:MOST_DICE], faces[inside][:MOST_DICE]
    boxes = np.zeros((MOST_BOXES, 4), np.float32)
    for k, (x0, y0, x1, y1) in enumerate(t.ignore[:MOST_BOXES]):
        q = moved([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])[0]
        boxes[k] = (*q.min(0), *q.max(0))
    quads, shown = np.zeros((MOST_DICE, 4, 2), np.float32), np.full(MOST_DICE, -2, np.int64)
    quads[:len(tops)], shown[:len(tops)] = tops, faces
    decoys = np.zeros((MOST_DECOYS, 4, 2), np.float32)
    if t.camera and len(t.sides):
        some = moved(rng.permutation(t.sides)[:MOST_DECOYS])
        decoys[:len(some)] = [clockwise(q) for q in some]
    img = recolor(img, rng, coarse=0.2)
    return np.ascontiguousarray(img[..., ::-1].transpose(2, 0, 1)), quads, shown, boxes, t.group not in UNCLEAR and not (t.hand and not t.group), decoys


def views(seed, out, tables, size):
    """Puts batches of views into a queue, without end: of a set of photographs by the root of its pictures."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    rng = np.random.default_rng([1000, seed])
    groups = {}
    for t in tables:
        groups.setdefault(t.group, []).append(t)
    often = np.array([(REAL if t.group else 1 - REAL) * (len(groups[t.group]) ** -0.5 if t.group else 1 / len(groups[""])) for t in tables])
    real = np.array([bool(t.group) for t in tables])
    if real.any():
        often[real] *= REAL / often[real].sum()
    often /= often.sum()
    while True:
        many = [view(tables[rng.choice(len(tables), p=often)], size, rng) for _ in range(8)]
        out.put([np.stack([v[i] for v in many]) for i in range(6)])


class Stock(drawn_views.Stock):
    """Drawn scenes and what their dice show."""

    def known(self, seen, quads, counts, _, faces, decoys):
        area = (quads[:, :, [1, 2, 3, 0], 1] * quads[..., 0] - quads[:, :, [1, 2, 3, 0], 0] * quads[..., 1]).sum(-1).abs() / 2
        plain = seen[:, :MOST_DICE].float() / (drawn_views.RAYS * area + 1) > 0.6
        there = torch.arange(MOST_DICE, device=faces.device)[None] < counts[:, None]
        return quads, torch.where(there, torch.where(plain, faces, -1), -2), decoys

    def draw(self, n):
        x, quads, faces, decoys = (torch.cat(v) for v in zip(*self.some(n)))
        boxes = torch.zeros(len(x), MOST_BOXES, 4, device=x.device)
        return [photographed(x.float()), quads, faces, boxes, torch.ones(len(x), dtype=torch.bool, device=x.device), decoys]


def proposals(y):
    """Outlines (n,4,2) that the maps of a find network propose, in pixels, and of which picture each is."""
    heat = torch.sigmoid(y[:, 0])
    peak = torch.where((heat >= F.max_pool2d(heat[:, None], 3, 1, 1)[:, 0]) & (heat > LEAST), heat, 0)
    b, h, w = peak.shape
    score, at = peak.view(b, -1).topk(PROPOSED, 1)
    which, k = (score > 0).nonzero(as_tuple=True)
    at = at[which, k]
    row, col = at // w, at % w
    v = y[which, 1:8, row, col]
    c = torch.complex((col + v[:, 0] + 0.5) * 4, (row + v[:, 1] + 0.5) * 4)
    s2 = torch.exp(2 * v[:, 2].clamp(-2, 6))
    p, q = torch.complex(v[:, 3], v[:, 4]) * s2, torch.complex(v[:, 5], v[:, 6]) * s2**2
    root = torch.sqrt(p * p - 4 * q)
    d1, d2 = torch.sqrt((p + root) / 2), torch.sqrt((p - root) / 2)
    d2 = torch.where((d1.conj() * d2).imag < 0, -d2, d2)
    corners = torch.stack([c + d1, c + d2, c - d1, c - d2], 1)
    return torch.view_as_real(corners), which


def sides_of(quads):
    """The root of the areas of outlines (...,4,2)."""
    turned = quads[..., [1, 2, 3, 0], :]
    return ((quads[..., 0] * turned[..., 1] - turned[..., 0] * quads[..., 1]).sum(-1).abs() / 2).sqrt().clamp(min=1)


def answers(outlines, which, quads, faces, boxes, known):
    """What each outline shows; -1 where nothing is to be learned."""
    c, side = outlines.mean(1), sides_of(outlines)
    far = (quads[which].mean(2) - c[:, None]).norm(dim=-1) / side[:, None]
    unlike = (sides_of(quads[which]).log() - side[:, None].log()).abs()
    there = faces[which] > -2
    far = torch.where(there, far, 1e9)
    near, i = far.min(1)
    like = unlike.gather(1, i[:, None])[:, 0]
    on, off = (near < ON[0]) & (like < ON[1]), (near > OFF[0]) | (like > OFF[1])
    b = boxes[which]
    told = known[which] & ~((c[:, None] > b[..., :2]) & (c[:, None] < b[..., 2:])).all(-1).any(1)
    face = faces[which].gather(1, i[:, None])[:, 0]
    return torch.where(on, face, torch.where(off & told, NONE, -1)).clamp(min=-1)


def asked(decoys):
    """Decoys (n,m,4,2) in outlines that are a little off, those that are not seen at too great a slant."""
    side = sides_of(decoys)
    longest = (decoys - decoys[..., [1, 2, 3, 0], :]).norm(dim=-1).amax(-1)
    which, k = ((side > 5) & (side > 0.6 * longest)).nonzero(as_tuple=True)
    return wobbled(decoys[which, k]), which


def jittered(quads, faces):
    """Dice's tops in outlines that are a little off, told by no find network."""
    which, k = (faces >= 0).nonzero(as_tuple=True)
    return wobbled(quads[which, k]), which, faces[which, k]


def wobbled(q):
    """Outlines (n,4,2) as a find network would tell them that is not quite right."""
    side, c = sides_of(q)[:, None, None], q.mean(1, keepdim=True)
    return c + (q - c) * torch.exp(0.06 * torch.randn(len(q), 1, 1, device=q.device)) + side * (0.03 * torch.randn(len(q), 1, 2, device=q.device) + 0.025 * torch.randn_like(q))


def square_to(q):
    """Homographies (n,3,3) from the unit square to outlines (Heckbert 1989)."""
    x, y = q[..., 0], q[..., 1]
    dx1, dx2, sx = x[:, 1] - x[:, 2], x[:, 3] - x[:, 2], x[:, 0] - x[:, 1] + x[:, 2] - x[:, 3]
    dy1, dy2, sy = y[:, 1] - y[:, 2], y[:, 3] - y[:, 2], y[:, 0] - y[:, 1] + y[:, 2] - y[:, 3]
    den = dx1 * dy2 - dx2 * dy1
    den = torch.where(den.abs() < 1e-6, torch.full_like(den, 1e-6), den)
    g, h = (sx * dy2 - dx2 * sy) / den, (dx1 * sy - sx * dy1) / den
    one = torch.ones_like(g)
    return torch.stack([x[:, 1] - x[:, 0] + g * x[:, 1], x[:, 3] - x[:, 0] + h * x[:, 3], x[:, 0],
                        y[:, 1] - y[:, 0] + g * y[:, 1], y[:, 3] - y[:, 0] + h * y[:, 3], y[:, 0], g, h, one], 1).view(-1, 3, 3)


def crops(x, outlines, which):
    """The outlines squared up, from the picture at the scale that is nearest."""
    h = square_to(outlines)
    t = (torch.arange(CROP, device=x.device) + 0.5) / CROP * MARGIN + 0.5 - MARGIN / 2
    grid = torch.stack([t[None, :].expand(CROP, CROP), t[:, None].expand(CROP, CROP), torch.ones(CROP, CROP, device=x.device)], -1)
    p = torch.einsum("nij,yxj->nyxi", h, grid)
    p = p[..., :2] / torch.where(p[..., 2:].abs() < 1e-3, 1e-3, p[..., 2:])
    size = x.shape[-1]
    level = (sides_of(outlines) / (CROP / MARGIN)).log2().round().clamp(0, 2)
    out = torch.zeros(len(outlines), 3, CROP, CROP, device=x.device)
    for l in range(3):
        small = F.avg_pool2d(x, 2**l) if l else x
        mine = (level == l).nonzero()[:, 0]
        for part in mine.split(512):  # pictures are copied for each crop: not too many at once
            flat = (p[part] / size * 2 - 1).clamp(-3, 3)
            out[part] = sampled(small, flat, which[part])
    return out


def sampled(x, flat, which):
    """Bilinear samples of picture which[i] at flat[i] (-1..1), its edges going on beyond it."""
    b, c, h, w = x.shape
    u, v = ((flat[..., 0] + 1) * w / 2 - 0.5).clamp(0, w - 1.001), ((flat[..., 1] + 1) * h / 2 - 0.5).clamp(0, h - 1.001)
    i, j = u.floor().long(), v.floor().long()
    fu, fv = (u - i)[..., None], (v - j)[..., None]
    pixels = x.permute(0, 2, 3, 1)
    k = which[:, None, None]
    at = lambda jj, ii: pixels[k, jj, ii]
    j1, i1 = (j + 1).clamp(max=h - 1), (i + 1).clamp(max=w - 1)
    out = (1 - fv) * ((1 - fu) * at(j, i) + fu * at(j, i1)) + fv * ((1 - fu) * at(j1, i) + fu * at(j1, i1))
    return out.permute(0, 3, 1, 2)


def samples(find, stock, pool, n, half):
    """Crops and answers of n views, half of them drawn."""
    parts = [torch.cat(v) for v in zip(stock.draw(n // 2), pool.draw(n // 2))]
    x, quads, faces, boxes, known, decoys = parts
    with torch.autocast(**half):
        y = find(x.to(memory_format=torch.channels_last))
    outlines, which = proposals(y.float())
    more, of = asked(decoys)
    keep = torch.rand(len(of), device=x.device) < 0.35
    outlines, which = torch.cat([outlines, more[keep]]), torch.cat([which, of[keep]])
    said = answers(outlines, which, quads, faces, boxes, known)
    more, whose, shown = jittered(quads, faces)
    keep = torch.rand(len(more), device=x.device) < 0.35
    outlines, which, said = torch.cat([outlines, more[keep]]), torch.cat([which, whose[keep]]), torch.cat([said, shown[keep]])
    use = (said >= 0).nonzero()[:, 0]
    outlines, which, said = outlines[use], which[use], said[use]
    turn = (torch.arange(4, device=x.device)[None] + torch.randint(4, (len(use), 1), device=x.device)) % 4
    outlines = outlines.gather(1, turn[..., None].expand(-1, -1, 2))
    return crops(x, outlines, which), said, which >= n // 2


def train(a, net, find, stock, pool):
    """The running mean of the network's weights."""
    mean, half = copy.deepcopy(net).eval(), dict(device_type=a.device, dtype=torch.bfloat16)
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-3)
    begin, step, seen = time.time(), 0, 0
    while (done := (time.time() - begin) / a.seconds) < 1:
        for g in opt.param_groups:
            g["lr"] = a.lr * min(1, (step + 1) / 300) * (0.5 * (1 + np.cos(np.pi * done)) * 0.99 + 0.01)
        with torch.no_grad():
            pool.refill(a.batch)
            stock.refill()
            x, said, real = samples(find, stock, pool, a.batch, half)
        with torch.autocast(**half):
            y = net(x.to(memory_format=torch.channels_last))
        loss = F.cross_entropy(y.float(), said)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        step, seen = step + 1, seen + len(said)
        with torch.no_grad():
            k = max(0.001, 1 / (step + 1))
            for p, q in zip(mean.state_dict().values(), net.state_dict().values()):
                p.lerp_(q, k) if p.dtype.is_floating_point else p.copy_(q)
        if step % a.every == 1:
            with torch.no_grad():
                right, die = y.argmax(1) == said, said != NONE
                share = lambda m: round(right[m].float().mean().item(), 4)
                print(f"step {step} {done * 100:.0f}% loss {loss.item():.3f} drawn {share(die & ~real)} {share(~die & ~real)} pictures {share(die & real)} {share(~die & real)}",
                      f"crops {seen} pool {pool.filled} at {pool.at} stock {len(stock.kept)}", flush=True)
            torch.save(mean.state_dict(), a.out.replace(".onnx", ".pt"))
    return mean


def started(old, new):
    """An old state with as many answers as the new one: those that it lacks are unlikely ones of no other meaning."""
    for name, v in old.items():
        if v.shape != new[name].shape:
            more = torch.zeros_like(new[name])
            more[:len(v)] = v
            if v.dim() == 1:
                more[len(v):] = v.min() - 4
            old[name] = more
    return old


def gathered(a):
    """The tables and photographs to learn from."""
    tables = load(a.tables, lambda name: not held_out(name))
    if a.limit:
        tables = tables[:a.limit]
    quads = json.load(open(a.quads))
    photographs = [Photograph(a.photos, t, quads.get(t["image"], [])) for t in pictures(a.photos)]
    return tables + [t for t in photographs if t.image is not None and (t.group not in UNCLEAR or len(t.tops))]


def main():
    ap = argparse.ArgumentParser()
    for name in ("find", "tables", "photos", "quads", "out"):
        ap.add_argument("--" + name, required=True)
    ap.add_argument("--start", default="", help="the state (.pt) of a training to go on from")
    ap.add_argument("--every", type=int, default=200)
    ap.add_argument("--limit", type=int, default=0)
    a = drawn_views.arguments(ap, 2e-3)
    tables = gathered(a)
    print(len(tables), "pictures", flush=True)
    renderer, drawn_queue, view_queue = drawn_views.sources(a, views, tables)
    stock = Stock(drawn_queue, renderer)
    find = load_net(a.find).to(a.device).to(memory_format=torch.channels_last)
    net = TopNet()
    if a.start:
        net.load_state_dict(started(torch.load(a.start, map_location="cpu"), net.state_dict()))
    net = net.to(a.device).to(memory_format=torch.channels_last)
    mean = train(a, net, find, stock, Pool(view_queue, a.device)).cpu()
    torch.save(mean.state_dict(), a.out.replace(".onnx", ".pt"))
    for p in mp.active_children():
        p.kill()
    try:
        torch.onnx.export(mean, torch.rand(2, 3, CROP, CROP), a.out, opset_version=11, input_names=["tops"], output_names=["faces"],
                          dynamic_axes={"tops": {0: "n"}, "faces": {0: "n"}})
    finally:
        os._exit(0)  # the queues' threads would wait for readers


if __name__ == "__main__":
    main()
