"""Joins color networks: the mean of all that the files hold.

    python3 join_color.py OLDER.onnx NEWER.onnx --out color.onnx

Older ones, which knew less of how dice look, are told no more than that.
"""
import argparse

import onnx
import torch
from onnx import numpy_helper

from face_net import COLORS, DIE, LIGHT, ColorNet, MeanColor
from train_color import export

OVER_DICE = ("mean", "spread", "ask.weight", "answer.weight", "tell.0.weight", "color.1.weight")  # over the numbers of a die


def widened(name, w, die):
    """What a network that was told die numbers has under that name, as if it were told DIE."""
    if name not in OVER_DICE:
        return w
    new = torch.full((*w.shape[:-1], DIE - die), 1.0 if name == "spread" else 0.0)
    looks = die - LIGHT - len(COLORS)
    return torch.cat([w[..., :looks], new, w[..., looks:]], -1)


def networks(path):
    """The networks of which a file holds the mean."""
    held = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in onnx.load(path).graph.initializer}
    die = held["nets.0.ask.weight"].shape[1]
    for k in range(sum(name.endswith(".ask.weight") for name in held)):
        net = ColorNet()
        for name, plain in net.state_dict().items():  # mean and spread are in the first network, or in the weights
            w = held.get(f"nets.{k}.{name}", held.get(f"nets.0.{name}"))
            if w is not None:
                plain.copy_(widened(name, w, die))
        yield net


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("files", nargs="+")
    ap.add_argument("--out", required=True)
    a = ap.parse_args()
    nets = [net for path in a.files for net in networks(path)]
    export(MeanColor(nets).eval(), a.out)
    print("the mean of", len(nets))


if __name__ == "__main__":
    main()
