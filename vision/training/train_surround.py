"""Trains the surround network, which tells colors by what lies about the dice, too: twice over, the second time on from the first, slower and more carefully.

    python3 train_surround.py --tables DIR [DIR ...] --minutes 90 --out surround.onnx [--start surround.onnx]

With --start it goes on from one that ships, three times over, and takes a fifth of what these have learned: the mean of the weights knows
the new tables and has not forgotten the old ones (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
"""
import argparse
import copy
import time

import cv2
import numpy as np
import onnx
import torch
import torch.nn as nn
import torch.nn.functional as F

import tints
from face_data import light, squared, straight
from face_net import COLORS
from find_net import shipped
from surround_net import CROP, LIGHT, MARGIN, OWN, TOLD, SurroundNet
from tables import held_out, load
from train_color import another_light, only
from train_find import follow
from train_looks import FULL, kit_of

PATCH, WIDER = 88, 2.75  # what is kept of a die: pixels a side, and how many sides of the top they cover
OUTLINES = 4             # of every picture, as a find network might tell them
MOST = 12                # dice of a picture at a time
ASTRAY = 0.12            # share of outlines that are far off
CARE = (0.5, 0.8)        # of the trainings, and how fast they learn
RATES = (3e-3, 1.2e-3)
ON_CARE, ON_RATE = (0.5, 0.5, 0.8), 8e-4  # of those that go on from what ships
TAKEN = 0.2  # how much of what these learn is taken
PALER = dict(orange=1, yellow=1, green=0.6, blue=0.6, purple=0.5)  # how much paler makers have a color, of the most
DARKER = [COLORS.index(c) for c in ("purple", "blue", "green", "red")]  # colors that makers also have nearly black


def teaches(table):
    """Whether a picture's colors can be learned from: not under a hand, nor where they do not matter."""
    return not table.hand and table.whole.any() and not table.name.startswith("fromage")


class Dice:
    """A picture's dice: patches (n,PATCH,PATCH,3), tints under several outlines (OUTLINES+1,n,…), exact ones first, light, colors, kit."""

    def __init__(self, table, rng):
        quads = [q for q, w in zip(table.tops, table.whole) if w]
        self.patches = [squared(table.image, q, WIDER, PATCH) for q in quads]
        self.raws = np.float32([tints.raw(table)] + [tints.raw(table, rng) for _ in range(OUTLINES)])
        small = cv2.resize(table.image, (160, 120), interpolation=cv2.INTER_AREA)
        self.light = light(small, [straight(squared(table.image, q)) for q in quads])[:LIGHT].reshape(2, 3)  # BGR
        self.colors = np.array([COLORS.index(c) for c, w in zip(table.colors, table.whole) if w])
        self.kit = kit_of(table.name)


def around(shape, margin):
    """1 outside a square of that many sides, 0 in it, with a soft edge (CROP,CROP,1)."""
    out, k = np.ones((CROP, CROP), np.float32), int(CROP * (1 - margin / MARGIN) / 2)
    out[k:-k, k:-k] = 0
    return cv2.GaussianBlur(out, (0, 0), 1.5)[..., None]


BODY, NEAR, FAR = 1 - around(CROP, 1.25), around(CROP, 1.35), around(CROP, 1.6)  # the die and its sides; what lies beside them; what lies farther out
ACROSS, DOWN = np.meshgrid(*2 * [np.arange(CROP, dtype=np.float32) - CROP / 2])


AS_IT_IS = (1.0, np.zeros(2))  # an outline's size and place, against the true ones


def astray(rng):
    """An outline far off: its size in shares of the true one, and how many pixels of a patch it is off its place."""
    return np.exp(rng.uniform(-0.15, 0.3)), rng.normal(0, 2.5, 2)


def raw_astray(patch, off, row):
    """A row of tints.raw with the top and the edges as an outline that is off shows them."""
    size, away = off
    top = (PATCH / 2 + away + PATCH / WIDER / 2 * size * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])).astype(np.float32)
    out = row.copy()
    out[:4], out[tints.EDGES:] = tints.looks(tints.rim(patch, top)), tints.edges(patch, top)
    return out


def crop(patch, rng=None, off=AS_IT_IS):
    """What the network sees of a patch, BGR; rng: in any turn, mirrored, off its place as outlines are, and blurred."""
    half, turn = off[0] * PATCH / WIDER / 2 * MARGIN, 0.0
    if rng is not None:
        half, turn = half * np.exp(rng.normal(0, 0.04)), rng.integers(4) * np.pi / 2 + rng.normal(0, 0.05)
    corners = turn + np.pi / 4 * np.array([5, 7, 1, 3])
    quad = PATCH / 2 + off[1] + half * np.sqrt(2) * np.stack([np.cos(corners), np.sin(corners)], 1)
    if rng is not None:
        quad = quad + rng.normal(0, 0.9, (1, 2)) + rng.normal(0, 0.9, (4, 2))
        quad = quad[::-1] if rng.random() < 0.5 else quad
    blur = 0.35 * 2 * half / CROP
    if rng is not None and rng.random() < 0.6:
        blur *= np.exp(rng.uniform(-0.5, 1.2))
    h = cv2.getPerspectiveTransform(np.float32(quad), np.float32([[0, 0], [CROP, 0], [CROP, CROP], [0, CROP]]))
    return cv2.warpPerspective(cv2.GaussianBlur(patch, (0, 0), max(0.3, blur)), h, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE)


def some_of(dice, rng):
    """Which of a picture's dice, and in which game: now and then all of one color, or another game's kit."""
    some, plain = rng.permutation(len(dice.colors)), rng.random() < 0.12
    if plain:
        some = some[dice.colors[some] == dice.colors[some[0]]]
    elif rng.random() < 0.3:
        some = some[: int(rng.integers(1, len(some) + 1))]
    some = some[:MOST]
    kit = dice.kit if rng.random() < 0.6 and not plain else FULL
    if not plain and rng.random() < 0.2:
        kit = np.zeros(len(COLORS), np.float32)
        kit[dice.colors[some]] = 1
        kit[rng.integers(0, len(COLORS), 2)] = 1
    return some, kit


def darkened(own, colors, rng):
    """Each die's gains with those of some dice lowered, as makers have them nearly black."""
    much, own = np.exp(-rng.uniform(0, 0.7)), own.copy()
    for i, c in enumerate(colors):
        if c in DARKER and rng.random() < 0.7:
            own[i] *= much * np.exp(rng.normal(0, 0.05))
    return own


def paled(crops, raw, colors, rng):
    """Crops and rows of tints.raw with some dice in a maker's paler dyes."""
    much = np.array([PALER.get(COLORS[c], 0) for c in colors]) * rng.uniform(0, 0.5) * rng.uniform(0.6, 1, len(colors))
    much[rng.random(len(colors)) < 0.15] = 0
    crops = crops + (crops.max(-1, keepdims=True) - crops) * (BODY * much[:, None, None, None])
    raw = raw.copy()
    for k in tints.COLORS_AT:
        rgb = raw[:, k:k + 3]
        raw[:, k:k + 3] = rgb + (rgb.max(1, keepdims=True) - rgb) * much[:, None]
    return crops, raw


def patterned(n, dye, rng):
    """Gains (n,CROP,CROP,3) of a table of two dyes in checks, spots or stripes, in any turn about each of n dice."""
    other = np.exp(rng.normal(0, 0.5, 3) * rng.uniform(0.3, 1) + rng.normal(0, 0.4))
    pitch, stripes, share, sharp, out = 2 * np.pi / rng.uniform(8, 60), rng.random() < 0.3, rng.uniform(-0.5, 0.7), rng.uniform(6, 20), []
    for _ in range(n):
        turn, (f, g) = rng.uniform(0, np.pi), rng.uniform(0, 2 * np.pi, 2)
        u, v = ACROSS * np.cos(turn) + DOWN * np.sin(turn), DOWN * np.cos(turn) - ACROSS * np.sin(turn)
        wave = np.sin(pitch * u + f) * (1 if stripes else np.sin(pitch * v + g))
        out.append(dye + (other - dye) / (1 + np.exp((share * (1 if stripes else 0.5) - wave[..., None]) * sharp)))
    return np.stack(out)


def relit(crops, gain, power, own, dark, rng):
    """Crops under another light and by another camera; now and then on a table of other colors."""
    if rng.random() < 0.45:
        dye = np.exp(rng.normal(0, 0.35, 3) * rng.uniform(0, 1) + rng.normal(0, 0.2))
        dye = patterned(len(crops), dye, rng) if rng.random() < 0.6 else dye
        crops = crops * (1 + (FAR if rng.random() < 0.6 else NEAR) * (dye - 1))
    crops = np.clip(crops * gain * (1 + (BODY if dark else 1) * (own[:, None, None] - 1)), 0, 1) ** power
    if rng.random() < 0.5:
        crops = np.clip(crops + rng.normal(0, rng.uniform(0.003, 0.035), crops.shape), 0, 1)
    if rng.random() < 0.15:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(35, 90))]
        crops = np.stack([cv2.imdecode(cv2.imencode(".jpg", (c * 255).astype(np.uint8), quality)[1], 1) for c in crops]) / 255
    return crops[..., ::-1].transpose(0, 3, 1, 2)


def sample(dice, rng):
    """Crops (n,3,CROP,CROP), what is told beside them (n,OWN), and colors, of some of a picture's dice under some light."""
    some, kit = some_of(dice, rng)
    n, colors = len(some), dice.colors[some]
    gain, power, own = another_light(rng, n) if rng.random() < 0.85 else (np.ones(3), 1.0, np.ones((n, 3)))
    dark = rng.random() < 0.15
    if dark:
        own = darkened(own, colors, rng)
    off = [astray(rng) if rng.random() < ASTRAY else AS_IT_IS for _ in some]
    crops = np.stack([crop(dice.patches[i], rng, o) for i, o in zip(some, off)]).astype(np.float32) / 255
    raw = dice.raws[rng.integers(1, OUTLINES + 1)][some]
    raw = np.stack([row if o is AS_IT_IS else raw_astray(dice.patches[i], o, row) for i, o, row in zip(some, off, raw)])
    if rng.random() < 0.4:
        crops, raw = paled(crops, raw, colors, rng)
    crops = relit(crops, gain, power, own, dark, rng)
    tint = tints.tint(tints.cast(raw, (gain * own)[:, ::-1], power))
    seen = np.clip(dice.light * gain, 0, 1) ** power + rng.normal(0, 0.02, (2, 3))
    return crops, told(tint, seen, kit), colors


def told(tint, picture, kit):
    """Rows beside the crops; picture is BGR."""
    return np.concatenate([tint[:, TOLD], np.tile(np.concatenate([picture[:, ::-1].reshape(-1), kit]), (len(tint), 1))], 1).astype(np.float32)


def batch(dice, rng, pictures=24):
    every = [sample(dice[rng.integers(len(dice))], rng) for _ in range(pictures)]
    n = max(len(c) for _, _, c in every)
    own, there, colors = np.zeros((pictures, n, OWN), np.float32), np.zeros((pictures, n), bool), np.full((pictures, n), -100)
    for i, (_, o, c) in enumerate(every):
        own[i, :len(c)], there[i, :len(c)], colors[i, :len(c)] = o, True, c
    return [torch.from_numpy(x) for x in (np.concatenate([x for x, _, _ in every]).astype(np.float32), own, there, colors)]


def loss_of(net, care, crops, own, there, colors):
    seen = net.look(crops)
    full = torch.zeros(*there.shape, seen.shape[1])
    full[there] = seen
    own = own.clone()
    own[..., :-len(COLORS) - LIGHT] += torch.randn_like(own[..., :-len(COLORS) - LIGHT]) * 0.25 * care * net.spread[:-len(COLORS) - LIGHT]
    together = only(net.tell_colors(full, own, there), own)
    return F.cross_entropy(together.flatten(0, 1), colors.flatten()) + 0.3 * F.cross_entropy(net.alone(seen), colors[there])


@torch.no_grad()
def measure(net, held):
    """Shares of dice told right, and told wrong though sure; and the mean loss."""
    right = wrong = n = 0
    loss = 0.0
    for d in held:
        own = torch.from_numpy(told(tints.tint(d.raws[0]), d.light, d.kit))
        crops = torch.from_numpy(np.stack([crop(p) for p in d.patches])[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / 255)
        p = only(net(crops, own), own).softmax(-1).numpy()
        ok = p.argmax(1) == d.colors
        right, wrong, n = right + int(ok.sum()), wrong + int((~ok & (p.max(1) > 0.97)).sum()), n + len(ok)
        loss -= np.log(p[np.arange(len(ok)), d.colors] + 1e-6).sum()
    return right / n, wrong / n, loss / n


def fresh(dice):
    every = np.concatenate([told(tints.tint(d.raws[1]), d.light, d.kit) for d in dice[::9]])
    mean, spread = every.mean(0), every.std(0) + 1e-3
    mean[-len(COLORS):], spread[-len(COLORS):] = 0, 1
    return SurroundNet(torch.from_numpy(mean), torch.from_numpy(spread))


def started(path):
    """The network that ships. Its norms are in its convolutions, so that it has none of its own; what it was only trained with is new."""
    convs, values = shipped(path)
    net = SurroundNet()
    for k, (weight, bias) in enumerate(convs[2:]):  # the first two are lift and differ
        c = net.eye[k][0]
        net.eye[k] = nn.Sequential(nn.Conv2d(c.in_channels, c.out_channels, c.kernel_size, c.stride, c.padding), nn.ReLU())
        net.eye[k][0].weight.data, net.eye[k][0].bias.data = weight, bias
    for name, w in net.state_dict().items():
        if not name.startswith(("eye.", "alone.")):
            w.copy_(values[name])
    return net


def gone_on(start, nets):
    """The network that is TAKEN of the way from start to the mean of nets."""
    out, old, new = copy.deepcopy(start), start.state_dict(), [net.state_dict() for net in nets]
    out.load_state_dict({name: (1 - TAKEN) * w + TAKEN * sum(n[name] for n in new) / len(new) for name, w in old.items()})
    return out.eval()


def train(net, dice, held, minutes, care, seed, rate):
    torch.manual_seed(seed)
    rng, net = np.random.default_rng(seed), copy.deepcopy(net)
    for m in net.modules():
        if isinstance(m, nn.Dropout):
            m.p = 0.1 + 0.1 * care
    opt = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], lr=rate, weight_decay=0.02 + 0.04 * care)
    smooth, step, begin, shown = copy.deepcopy(net), 0, time.time(), 0
    while True:
        done = (time.time() - begin) / (60 * minutes)
        if int(done * 5) != shown:
            shown = int(done * 5)
            print(f"{done * 100:.0f}%% right %.4f sure and wrong %.4f loss %.4f" % measure(smooth.eval(), held), flush=True)
        if done >= 1:
            return smooth.eval()
        for g in opt.param_groups:
            g["lr"] = rate * min(1, (step + 1) / 100) * (0.5 * (1 + np.cos(np.pi * done)) + 0.005)
        opt.zero_grad()
        loss_of(net.train(), care, *batch(dice, rng)).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        follow(smooth, net, max(0.005, 49 / (step + 50)))
        for a, b in zip(smooth.buffers(), net.buffers()):
            a.copy_(b)
        step += 1


def export(net, path):
    """The shapes are fixed in the file: OpenCV 4.6 takes any number of dice then, and cannot join two inputs of unknown length.
    Nor does it know the constants that torch has stand for equal ones."""
    torch.onnx.export(net, (torch.rand(3, 3, CROP, CROP), torch.rand(3, OWN)), path, opset_version=11, input_names=["crops", "dice"], output_names=["colors"])
    model = onnx.load(path)
    constants = {c.name for c in model.graph.initializer}
    same = {n.output[0]: n for n in model.graph.node if n.op_type == "Identity" and n.input[0] in constants}
    for n in model.graph.node:
        for i, name in enumerate(n.input):
            if name in same:
                n.input[i] = same[name].input[0]
    for n in same.values():
        model.graph.node.remove(n)
    onnx.save(model, path)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tables", required=True, nargs="+")
    ap.add_argument("--minutes", type=float, default=90)
    ap.add_argument("--out", required=True)
    ap.add_argument("--seed", type=int, default=161)
    ap.add_argument("--start", default="", help="an .onnx that ships, to go on from")
    a = ap.parse_args()
    torch.set_num_threads(1)
    rng, dice, held = np.random.default_rng(a.seed), [], []
    for t in (t for d in a.tables for t in load(d)):
        if teaches(t):
            (held if held_out(t.name) else dice).append(Dice(t, rng))
    print(len(dice), "pictures,", len(held), "held out", flush=True)
    if a.start:
        start = started(a.start)
        net = gone_on(start, [train(start, dice, held, a.minutes / len(ON_CARE), care, a.seed + i, ON_RATE) for i, care in enumerate(ON_CARE)])
        print("right %.4f sure and wrong %.4f loss %.4f as the mean" % measure(net, held))
    else:
        net = fresh(dice)
        for i, (care, rate) in enumerate(zip(CARE, RATES)):
            net = train(net, dice, held, a.minutes / len(CARE), care, a.seed + i, rate)
    export(net, a.out)


if __name__ == "__main__":
    main()
