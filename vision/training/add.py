"""Adds what a find network learned on to another that began as the same one: weights that were trained on from one start
lie near each other, and their changes add up (Ilharco et al. 2023, task arithmetic).

    python3 add.py --start find.onnx --learned find2.onnx [--to patterned.onnx] [--share 0.5] --out new.onnx

Without --to it is added to the start itself: a share of it gives a network between what it was and what it became.
"""
import argparse

from find_net import load_net
from train_find import save


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--start", required=True)
    ap.add_argument("--learned", required=True)
    ap.add_argument("--to", default="")
    ap.add_argument("--share", type=float, default=1.0)
    ap.add_argument("--out", required=True)
    a = ap.parse_args()
    net = load_net(a.to or a.start)
    start, learned = (dict(load_net(f).named_parameters()) for f in (a.start, a.learned))
    for name, weight in net.named_parameters():
        weight.data += a.share * (learned[name].data - start[name].data)
    save(net.eval(), a.out)


if __name__ == "__main__":
    main()
