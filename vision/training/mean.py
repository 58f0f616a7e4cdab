"""The face network whose face layers are the mean of two trainings'; all else is the first's.

    python3 mean.py first.pt second.pt --out face.onnx      (both trained with --faces-only from one start)
"""
import argparse

import torch

import train_face
from face_net import FaceNet


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("first")
    ap.add_argument("second")
    ap.add_argument("--out", required=True)
    a = ap.parse_args()
    one, two = torch.load(a.first), torch.load(a.second)
    for k in one:
        if k.startswith("face.") and one[k].dtype.is_floating_point:
            one[k] = (one[k] + two[k]) / 2
    torch.save(one, a.out.replace(".onnx", ".pt"))
    net = FaceNet()
    net.load_state_dict(one)
    train_face.export(net, a.out)


if __name__ == "__main__":
    main()
