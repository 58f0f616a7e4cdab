"""Adds a share of what a find network learned to what it started from: a network between what it was and what it became.
Weights that were trained on from one start lie near each other, and their changes add up (Ilharco et al. 2023, task arithmetic).

    python3 add.py --start find.onnx --learned find2.onnx --share 0.7 --out new.onnx
"""
import argparse

from find_net import load_net
from train_find import save


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--start", required=True)
    ap.add_argument("--learned", required=True)
    ap.add_argument("--share", type=float, default=1.0)
    ap.add_argument("--out", required=True)
    a = ap.parse_args()
    net = load_net(a.start)
    start, learned = (dict(load_net(f).named_parameters()) for f in (a.start, a.learned))
    for name, weight in net.named_parameters():
        weight.data += a.share * (learned[name].data - start[name].data)
    save(net.eval(), a.out)


if __name__ == "__main__":
    main()
