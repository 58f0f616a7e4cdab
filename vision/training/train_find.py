"""Trains the find network on pictures with answers, on a GPU or without one.

    python3 train_find.py --tables DIR --minutes 60 --out find.onnx [--photos DIR --quads FILE] [--start find.onnx] [--device cuda --workers 6]
"""
import argparse
import copy
import json
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

import augment
from find_data import Views, scenes
from find_net import FindNet, load_net, renormed
from tables import held_out, load, load_photographs


SHAPE = 4.0  # how much outlines count


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


def losses(y, aims):
    heat, weight, shape, sweight, lat, mask = aims[:, 0], aims[:, 1], aims[:, 2:9], aims[:, 9], aims[:, 10], aims[:, 11]
    err = F.smooth_l1_loss(y[:, 1:8], shape, beta=0.05, reduction="none") * sweight[:, None]
    scale = torch.tensor([1.0, 1, 3, 1, 1, 1, 1], device=y.device)[None, :, None, None]
    return dict(heat=focal(y[:, 0], heat, weight), shape=SHAPE * (err * scale).sum() / sweight.sum().clamp(min=1),
                lattice=soft(y[:, 8], lat), mask=6 * F.binary_cross_entropy_with_logits(y[:, 9], mask))


def export(net, path):
    net = copy.deepcopy(net).float().cpu().eval()
    torch.onnx.export(net, torch.rand(1, 3, 384, 640), path, opset_version=11, input_names=["image"], output_names=["maps"],
                      dynamic_axes={"image": {2: "h", 3: "w"}, "maps": {2: "h", 3: "w"}})


def save(net, path):
    """The state beside an .onnx, or alone."""
    torch.save({k: v.cpu() for k, v in net.state_dict().items()}, path.replace(".onnx", ".pt"))
    if path.endswith(".onnx"):
        export(net, path)


@torch.no_grad()
def follow(mean, net, much):
    """Moves the weights' running mean on: it holds what a short training only passes by (Polyak and Juditsky 1992)."""
    pairs = [(a, b) for a, b in zip(mean.state_dict().values(), net.state_dict().values()) if a.dtype.is_floating_point]
    torch._foreach_mul_([a for a, _ in pairs], 1 - much)
    torch._foreach_add_([a for a, _ in pairs], [b for _, b in pairs], alpha=much)


def arguments():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tables", required=True, nargs="+")
    ap.add_argument("--minutes", type=float, default=60)
    ap.add_argument("--out", required=True)
    ap.add_argument("--photos", default="", help="photographs with boxes")
    ap.add_argument("--quads", default="", help="outlines of their dice, from propose.py")
    ap.add_argument("--seen", default="", help="which dice of pictures with hands can be seen, from propose.py")
    ap.add_argument("--start", default="", help="weights to go on from, or an .onnx that ships")
    ap.add_argument("--real", type=float, default=0.33, help="share of the views that are of photographs")
    ap.add_argument("--relaid", type=float, default=0.35, help="share of the tables that are laid on another ground")
    ap.add_argument("--onto", type=float, default=0.15, help="share of the tables whose dice are put onto a photograph")
    ap.add_argument("--strewn", type=float, default=0.15, help="share of the views that round things are strewn on")
    ap.add_argument("--drawn", type=int, default=400, help="patterns, things and arms that are drawn beforehand, each")
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--size", type=int, default=384)
    ap.add_argument("--batch", type=int, default=8)
    ap.add_argument("--device", default="cpu")
    ap.add_argument("--workers", type=int, default=1)
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--seed", type=int, default=1)
    return ap.parse_args()


def pictures_of(a):
    tables = [t for d in a.tables for t in load(d, lambda n: not held_out(n))]
    if a.seen:
        seen = json.load(open(a.seen))
        for t in tables:
            t.seen = np.array(seen[t.name], bool) if t.name in seen else t.seen
    return tables + (load_photographs(a.photos, a.quads) if a.quads else [])


def network(a, views):
    """A new network, or the one to go on from."""
    net = (load_net(a.start) if a.start else FindNet()).to(a.device)
    return renormed(net, views) if a.start.endswith(".onnx") else net


def main():
    a = arguments()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    begin = time.time()
    rng, tables = np.random.default_rng(a.seed), pictures_of(a)
    drawn = augment.Drawn(a.drawn, a.drawn, a.drawn // 4, a.seed, a.device)
    data = iter(DataLoader(Views(tables, a), batch_size=None, num_workers=a.workers, prefetch_factor=3, collate_fn=lambda x: x))
    plans = next(data)  # the workers begin before the pictures are in the device's memory
    pictures = augment.Pictures([t.image for t in tables], a.device)
    layout = torch.channels_last
    net = network(a, scenes(plans, pictures, drawn, rng)[0]).to(memory_format=layout).train()
    mean = copy.deepcopy(net).eval()
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-2)
    print(len(tables), "pictures", f"{time.time() - begin:.0f}s", flush=True)
    sums, shown, step = {}, 0.0, 0
    for step, plans in enumerate(data):
        done = (time.time() - begin) / (60 * a.minutes)
        if done >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = a.lr * min(1, (step + 1) / 200) * (0.5 * (1 + np.cos(np.pi * done)) * 0.99 + 0.01)
        x, aims = scenes(plans, pictures, drawn, rng)
        with torch.backends.cudnn.flags(enabled=True, benchmark=True), torch.autocast(a.device, dtype=torch.bfloat16):
            y = net(x.contiguous(memory_format=layout))
            parts = losses(y.float(), aims)
            opt.zero_grad()
            sum(parts.values()).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        follow(mean, net, max(0.001, 1 / (step + 2)))
        for k, v in parts.items():
            sums[k] = torch.lerp(sums[k], v.detach(), 0.01) if k in sums else v.detach()
        if done - shown > 0.05:
            shown = done
            print(f"step {step} {done * 100:.0f}%", {k: round(v.item(), 3) for k, v in sums.items()}, f"{time.time() - begin:.0f}s", flush=True)
            save(mean, a.out)
    save(mean, a.out)
    print("end", step, {k: round(v.item(), 3) for k, v in sums.items()}, flush=True)


if __name__ == "__main__":
    main()
