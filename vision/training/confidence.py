"""Fits how likely the reading of a loose die is right to the evidence that is known of it, and finds from which probability on it is sure.

    DICEREF_EVIDENCE=DIR:DIR DICEREF_EVIDENCE_TO=evidence.tsv go test ./vision -run TestEvidence
    python3 confidence.py evidence.tsv

The weights are fitted to the part `learn` and to renders, as a logistic regression in which no evidence may count against what it
speaks for. The bound is found on the part `choose`: the lowest probability from which on, by the bound of Clopper and Pearson (1934), no more than
RISK of the readings are wrong. Prints what vision/confidence.go has of it. Pictures of the part `judge` are never read. What is called wrong with a
high probability is to be looked at first: some answers have forgotten dice (FORGOTTEN), which the fit leaves out.
"""
import csv
import math
import sys

RISK, ERROR = 0.02, 0.1  # of sure readings that may be wrong, and how likely the bound on that may fail
PRIOR = 1.0  # of a weight's square: evidence that tells nothing counts for nothing
RIGHT, ABSENT = "1", "3"
FORGOTTEN = ("i_8d0a8161.jpg", "i_a41a61b0.jpg", "i_e65e55df.jpg", "dice_381.jpg", "dice_405.jpg")


def load(paths):
    rows, names = [], None
    for path in paths:
        with open(path, newline="") as f:
            lines = csv.reader(f, delimiter="\t")
            names = next(lines)[5:]
            for r in lines:
                if r[2] == ABSENT and r[1] in FORGOTTEN:
                    continue
                rows.append((r[0], r[1], r[2] == RIGHT, r[3] == "true", float(r[4]), [float(x) for x in r[5:5 + len(names)]]))
    return names, rows


def probability(weights, x):
    z = sum(w * v for w, v in zip(weights, x))
    return 1 / (1 + math.exp(-max(-30, min(30, z))))


def fit(rows, rounds=60):
    """Coordinate descent on the likelihood; all weights but the first, which is constant, are at least zero."""
    n = len(rows[0][5])
    weights = [0.0] * n
    z = [0.0] * len(rows)
    for _ in range(rounds):
        for k in range(n):
            slope, bend = -PRIOR * weights[k] * (k > 0), PRIOR * (k > 0) + 1e-9
            for i, (_, _, right, _, _, x) in enumerate(rows):
                if x[k]:
                    p = 1 / (1 + math.exp(-max(-30, min(30, z[i]))))
                    slope += (right - p) * x[k]
                    bend += max(p * (1 - p), 0.01) * x[k] * x[k]
            new = weights[k] + max(-1, min(1, slope / bend))
            if k:
                new = max(new, 0)
            step, weights[k] = new - weights[k], new
            if step:
                for i, row in enumerate(rows):
                    z[i] += step * row[5][k]
    return weights


def most_wrong(wrong, n):
    """The share of wrong ones that so many of n tell with an error of ERROR at most."""
    low, high = wrong / n, 1.0
    for _ in range(50):
        p = (low + high) / 2
        tail = sum(math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(p) + (n - k) * math.log1p(-p)) for k in range(wrong + 1))
        low, high = (p, high) if tail > ERROR else (low, p)
    return high


def curve(weights, rows):
    told = sorted(((probability(weights, r[5]), r[2]) for r in rows), reverse=True)
    out, wrong = [], 0
    for n, (p, right) in enumerate(told, 1):
        wrong += not right
        out.append((p, n, wrong))
    return out


def main():
    names, rows = load(sys.argv[1:])
    weights = fit([r for r in rows if r[0] != "choose"])
    choose = [r for r in rows if r[0] == "choose"]
    print(", ".join(names))
    print(", ".join(f"{w:.3f}" for w in weights))
    told = curve(weights, [r for r in choose if r[3]])
    for p, n, wrong in reversed(told):
        if most_wrong(wrong, n) <= RISK:
            print(f"sure from {p:.4f}: {n} of {len(choose)} readings, {wrong} wrong, at most {most_wrong(wrong, n):.4f}")
            break
    for at in (0.995, 0.99, 0.985, 0.98, 0.97, 0.95, 0.9, 0.8, 0.5):
        some = [t for t in told if t[0] >= at]
        print(f"{at}: {some[-1][1]}, {some[-1][2]}" if some else f"{at}: none")
    for low, high in ((0, .2), (.2, .5), (.5, .8), (.8, .9), (.9, .97), (.97, .99), (.99, 1)):
        some = [t for t in ((probability(weights, r[5]), r[2]) for r in choose) if low <= t[0] < high]
        print(f"{low} to {high}: {len(some)} readings, {sum(not t[1] for t in some)} wrong, by what they say {sum(1 - t[0] for t in some):.1f}")


main()
