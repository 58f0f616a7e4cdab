"""Trains the face network on crops (see face_data.py); the color network comes after it (train_looks.py, train_color.py).

    python3 train_face.py --tables DIR --minutes 15 --out face.onnx [--crops cache.pkl] [--photos DIR --quads FILE] [--more FILE.pkl]
"""
import argparse
import copy
import os
import pickle
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

import face_data
from face_net import CROP, LIGHT, FaceNet, LoneColor, load_face

def batch(patches, lights):
    """The network's two inputs for patches and their lights."""
    x = np.stack([face_data.straight(p) for p in patches])[..., ::-1].transpose(0, 3, 1, 2)
    lit = np.stack([np.zeros(LIGHT, np.float32) if v is None else v.reshape(4, 3)[:, ::-1].reshape(-1) for v in lights])
    return torch.from_numpy(x.copy()).float() / 255, torch.from_numpy(lit.copy())


@torch.no_grad()
def measure(net, lone, group):
    training = net.training
    net.eval()
    f, c = torch.tensor(group[1]), torch.tensor(group[2])
    yf, yc = [], []
    for x, lit in zip(*(v.split(256) for v in batch(group[0], group[3]))):
        faces, look = net(x)
        yf.append(faces), yc.append(lone(look, lit))
    yf, yc = torch.cat(yf).softmax(1), torch.cat(yc).softmax(1)
    net.train(training)
    die = f != 7
    right = yf.argmax(1) == f
    known = c >= 0
    sure_wrong = ((yf.max(1)[0] > 0.98) & ~right).float().mean()
    return dict(face=right[die].float().mean(), none=right[~die].float().mean() if (~die).any() else torch.tensor(1.0),
                color=(yc.argmax(1) == c)[known].float().mean() if known.any() else torch.tensor(1.0), sure_wrong=sure_wrong)


def export(net, path):
    net = copy.deepcopy(net).float().cpu().eval()
    torch.onnx.export(net, torch.rand(2, 3, CROP, CROP), path, opset_version=11, input_names=["crops"], output_names=["faces", "look"],
                      dynamic_axes={"crops": {0: "n"}, "faces": {0: "n"}, "look": {0: "n"}})


def save(net, path):
    """The state beside an .onnx, or alone."""
    torch.save({k: v.cpu() for k, v in net.state_dict().items()}, path.replace(".onnx", ".pt"))
    if path.endswith(".onnx"):
        export(net, path)


def arguments():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tables", required=True, nargs="+")
    ap.add_argument("--crops", default="")
    ap.add_argument("--photos", default="")
    ap.add_argument("--quads", default="")
    ap.add_argument("--real", type=float, default=0.1, help="share of photographs' dice, where others' are 0.1 to 0.3")
    ap.add_argument("--more", nargs="*", default=[])
    ap.add_argument("--minutes", type=float, default=15)
    ap.add_argument("--drawn", type=int, default=16000)
    ap.add_argument("--out", required=True)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=1)
    return ap


def crops_of(a):
    """The data of face_data.build, the groups of crops to train on, and how often each is drawn from."""
    if a.crops and os.path.exists(a.crops):
        data = pickle.load(open(a.crops, "rb"))
    else:
        data = face_data.build(a.tables, a.seed, a.drawn)
        if a.crops:
            pickle.dump(data, open(a.crops, "wb"), protocol=4)
    split = lambda g, want: tuple([v for v, f in zip(part, g[1]) if (f == 7) == want] for part in g)
    groups, shares = [split(data["train"], False), split(data["train"], True), data["drawn"]], [0.3, 0.12, 0.3]
    if a.quads:
        groups.append(face_data.photographs(a.photos, a.quads)); shares.append(a.real)
    for f in a.more:  # dice and no-dice that the find network proposed
        groups.append(pickle.load(open(f, "rb"))); shares.append(0.1)
    print([len(g[0]) for g in groups], flush=True)
    return data, groups, shares


def steps(a, groups, shares, opt):
    """Which step, what share of the time is over, and a batch; the learning rate falls with the time."""
    batches = DataLoader(face_data.Crops(groups, shares, 10**9, a.seed), batch_size=128, num_workers=1, prefetch_factor=4)
    begin = time.time()
    for step, b in enumerate(batches):
        done = (time.time() - begin) / (60 * a.minutes)
        if done >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = a.lr * min(1, (step + 1) / 100) * (0.5 * (1 + np.cos(np.pi * done)) * 0.99 + 0.01)
        yield step, done, b


def main():
    ap = arguments()
    ap.add_argument("--start", default="")
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    data, groups, shares = crops_of(a)
    net, lone = load_face(a.start) if a.start else FaceNet(), LoneColor()
    net.train()
    opt = torch.optim.AdamW([*net.parameters(), *lone.parameters()], lr=a.lr, weight_decay=5e-4)
    mean, shown = None, -1
    for step, done, (x, lit, f, c) in steps(a, groups, shares, opt):
        yf, look = net(x)
        yc = lone(look, lit)
        loss = F.cross_entropy(yf, f, label_smoothing=0.01) + 0.7 * F.cross_entropy(yc, c, ignore_index=-1, label_smoothing=0.01)
        opt.zero_grad()
        loss.backward()
        opt.step()
        mean = loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()
        if int(done * 20) != shown:
            shown = int(done * 20)
            print(f"step {step} {done * 100:.0f}% loss {mean:.3f}", {k: round(v.item(), 4) for k, v in measure(net, lone, data["held"]).items()}, flush=True)
            save(net, a.out)
    save(net, a.out)
    print("end", {k: round(v.item(), 4) for k, v in measure(net, lone, data["held"]).items()}, flush=True)


if __name__ == "__main__":
    main()
