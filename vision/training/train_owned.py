"""Trains the owned network: tops of dice in, numbers out that are alike for the same symbol the same way up (see symbols.py).

    python3 train_owned.py --minutes 25 --out owned.onnx

It ends with how well symbols are told that trained nothing, and with the numbers that turn likeness into odds.
"""
import argparse
import copy
import lzma
import os
import pickle
import time

import numpy as np
import onnx
import onnx.numpy_helper
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, IterableDataset

import symbols
from symbols import CROP

DIM = 48        # numbers that say what a top shows
CLASSES, VIEWS = 40, 4
WARMTH = 0.08   # of likeness while training


def conv(cin, cout, stride=1, k=3):
    return nn.Sequential(nn.Conv2d(cin, cout, k, stride, k // 2, bias=False), nn.BatchNorm2d(cout), nn.ReLU())


class OwnedNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv(2, 24, 2, 5), conv(24, 40, 2), conv(40, 56), conv(56, 64, 2), conv(64, 48), nn.Flatten(), nn.Linear(48 * 25, DIM))

    def forward(self, x):
        return self.body(x)


class Batches(IterableDataset):
    """Views of symbols of different keys."""

    def __init__(self, bank, seed):
        self.bank, self.seed = bank, seed

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        while True:
            yield draw(self.bank, CLASSES, VIEWS, rng)


def draw(bank, classes, views, rng):
    out, keys = [], set()
    while len(keys) < classes:
        s = bank[rng.integers(len(bank))]
        if s[2] in keys:
            continue
        keys.add(s[2])
        s = symbols.Symbol(s, rng)
        out += [symbols.planes(symbols.look(s, rng)[..., ::-1].astype(np.float32) / 255) for _ in range(views)]
    return torch.from_numpy(np.stack(out))


def loss_of(e, views):
    """Supervised contrast (Khosla et al. 2020): views of one symbol are each other's nearest."""
    e = F.normalize(e)
    n = len(e)
    like = e @ e.t() / WARMTH
    like = like - 1e9 * torch.eye(n, device=e.device)
    of = torch.arange(n, device=e.device) // views
    same = (of[:, None] == of[None]).float() - torch.eye(n, device=e.device)
    log = like - like.logsumexp(1, keepdim=True)
    return -(log * same).sum(1).mean() / (views - 1)


@torch.no_grad()
def embed(net, x):
    net.eval()
    return F.normalize(torch.cat([net(b) for b in x.split(512)]))


QUARTERS = 4
TWINS = 0.25  # of the sets have a symbol that is another the other way up


def sets(net, bank, rng, count, twins=TWINS, least=1, most=10):
    """Sets as owners would show them: for every look at a top of a set or not, how alike the best and the second symbol are,
    whether the best is right, and whether it was shown at all. Four to eight symbols, one to ten looks at each."""
    rows = []
    while len(rows) < count:
        shown, strange = int(rng.integers(4, 9)), 4
        views = most + 4
        x = draw(bank, shown + strange, 2 * views, rng).view(shown + strange, 2, views, 2, CROP, CROP)
        if rng.random() < twins:  # two that cannot be told apart, as a 6 and a 9
            x[1, 0] = torch.rot90(x[0, 1], 2, (2, 3))
        x = x[:, 0].reshape(-1, 2, CROP, CROP)
        turned = torch.cat([torch.rot90(x, q, (2, 3)) for q in range(QUARTERS)])
        e = embed(net, turned).view(QUARTERS, shown + strange, views, -1)
        like = torch.full((shown + strange, 4, shown), -1.0)
        for g in range(shown):
            k = int(rng.integers(least, most + 1))
            each = torch.einsum("cvd,qkd->cvqk", e[0, :, most:], e[:, g, :k]).amax(2)
            like[:, :, g] = each.topk(min(2, k), dim=-1)[0].mean(-1)
        best, at = like.sort(dim=2, descending=True)
        for c in range(shown + strange):
            for v in range(4):
                rows.append((best[c, v, 0].item(), best[c, v, 1].item(), float(at[c, v, 0].item() == c), float(c < shown)))
    return np.array(rows)


MOST_LEAD = 0.3  # more says nothing more


def lead(rows):
    return np.minimum(rows[:, 0] - rows[:, 1], MOST_LEAD)


def logistic(x, y):
    """Weight and constant of the odds (logarithm) that y holds."""
    x, y = torch.tensor(np.stack([x, np.ones(len(x))], 1)).float(), torch.tensor(y).float()
    w = torch.zeros(2, requires_grad=True)
    opt = torch.optim.LBFGS([w], max_iter=300, line_search_fn="strong_wolfe")

    def step():
        opt.zero_grad()
        loss = F.binary_cross_entropy_with_logits(x @ w, y)
        loss.backward()
        return loss

    opt.step(step)
    return [float(v) for v in w.detach()]


def fit(rows):
    """That a top shows what was shown, by how alike it is to the nearest; and that this is the one, by its lead over the second."""
    shown = rows[:, 3] > 0
    return logistic(rows[:, 0], rows[:, 3]) + logistic(lead(rows)[shown], rows[shown, 2])


def probability(rows, w):
    sigmoid = lambda x: 1 / (1 + np.exp(-x))
    return sigmoid(rows[:, 0] * w[0] + w[1]) * sigmoid(lead(rows) * w[2] + w[3])


def pairs(net, bank, rng):
    """What likeness 1 % of pairs of looks at one symbol do not reach, and 1 %, 0.1 % of pairs at two symbols pass, in the turn most alike."""
    x = draw(bank, 60, 4, rng)
    e = embed(net, torch.cat([torch.rot90(x, q, (2, 3)) for q in range(QUARTERS)])).view(QUARTERS, len(x), -1)
    like = torch.einsum("ad,qbd->abq", e[0], e).amax(2)
    of = torch.arange(len(x)) // 4
    one, two = (of[:, None] == of[None]) & ~torch.eye(len(x), dtype=bool), of[:, None] != of[None]
    return [round(v, 3) for v in (np.quantile(like[one], 0.01), np.quantile(like[one], 0.1), np.quantile(like[two], 0.99), np.quantile(like[two], 0.999))]


def report(name, rows, w):
    shown = rows[:, 3] > 0
    p = probability(rows, w)
    told, sure = p >= 0.5, p >= 0.97
    right = rows[:, 2] > 0
    print(f"{name}: {shown.sum()} looks at shown symbols: nearest is right {right[shown].mean():.4f}, told right {(told & right)[shown].mean():.4f}, "
          f"sure {(sure & right)[shown].mean():.4f}, told wrong {(told & ~right)[shown].mean():.4f}, sure and wrong {(sure & ~right)[shown].sum()}; "
          f"{(~shown).sum()} at others: not known {(~told)[~shown].mean():.4f}, sure and wrong {sure[~shown].sum()}", flush=True)


def export(net, path):
    net.eval()
    torch.onnx.export(net, torch.rand(2, 2, CROP, CROP), path, opset_version=11, input_names=["tops"], output_names=["numbers"],
                      dynamic_axes={"tops": {0: "n"}, "numbers": {0: "n"}})
    shorten(path)


def shorten(path):
    """Rounds the weights to the upper half of their bits, which is what they are worth: packed, the file is half as large.
    (OpenCV 4.6 reads no weights in half precision.)"""
    model = onnx.load(path)
    for t in model.graph.initializer:
        if t.data_type == onnx.TensorProto.FLOAT:
            bits = onnx.numpy_helper.to_array(t).view(np.uint32).astype(np.uint64)
            bits = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32)
            t.CopyFrom(onnx.numpy_helper.from_array(bits.view(np.float32), t.name))
    onnx.save(model, path)


def symbols_of(a):
    """The symbols to learn from, and those that measure."""
    if a.symbols and os.path.exists(a.symbols):
        return pickle.load(lzma.open(a.symbols))
    rng = np.random.default_rng(a.seed)
    both = symbols.bank(False, rng, a.shapes), symbols.bank(True, rng, 300)
    if a.symbols:
        pickle.dump(both, lzma.open(a.symbols, "w"))
    return both


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--minutes", type=float, default=25)
    ap.add_argument("--out", required=True)
    ap.add_argument("--start", default="", help="state to go on from")
    ap.add_argument("--shapes", type=int, default=3000)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--symbols", default="", help="where the symbols are kept once they are drawn")
    ap.add_argument("--device", default="cpu")
    ap.add_argument("--workers", type=int, default=1)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    train, held = symbols_of(a)
    print(len(train), "symbols to learn from,", len(held), "that measure", flush=True)
    net = OwnedNet()
    if a.start:
        net.load_state_dict(torch.load(a.start))
    net.to(a.device)
    average = copy.deepcopy(net)
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-3)
    begin, mean, shown = time.time(), None, 0
    for step, x in enumerate(DataLoader(Batches(train, a.seed), batch_size=None, num_workers=a.workers, prefetch_factor=4)):
        done = (time.time() - begin) / max(60 * a.minutes, 1e-9)
        if done >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = a.lr * min(1, (step + 1) / 50) * (0.5 * (1 + np.cos(np.pi * done)) * 0.99 + 0.01)
        net.train()
        loss = loss_of(net(x.to(a.device)), VIEWS)
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            k = max(0.01, 1 / (step + 2))
            for p, q in zip(average.state_dict().values(), net.state_dict().values()):
                if p.dtype.is_floating_point:
                    p.lerp_(q, k)
                else:
                    p.copy_(q)
        mean = loss.detach() if mean is None else 0.98 * mean + 0.02 * loss.detach()
        if int(done * 10) != shown:
            shown = int(done * 10)
            print(f"step {step} {done * 100:.0f}% loss {mean:.3f}", flush=True)
            save(average, a.out)
    save(average, a.out)
    if a.out.endswith(".onnx"):
        judge(average.cpu(), train, held, a.seed)


def save(net, path):
    """The state beside an .onnx, or alone."""
    net = copy.deepcopy(net).cpu()
    torch.save(net.state_dict(), path.replace(".onnx", ".pt"))
    if path.endswith(".onnx"):
        export(net, path)


def judge(average, train, held, seed):
    rng = np.random.default_rng(seed + 100)
    print("pairs: mean likeness of one symbol's looks to others of it, of two symbols'", pairs(average, train, rng), flush=True)
    w = fit(sets(average, train, rng, 4000))  # the numbers are fitted to what was learned from
    print("odds: of likeness, of lead", [round(v, 2) for v in w], flush=True)
    report("learned from, with twins", sets(average, train, rng, 1500), w)
    report("never seen", sets(average, held, rng, 4000, 0), w)


if __name__ == "__main__":
    main()
