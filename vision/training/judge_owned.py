"""How well dice are read by what was shown, on pictures that paint_icons.py painted.

    python3 judge_owned.py PICTURES [--diceref ../../bin/diceref] [--only TEXT] [--split]

Of each set the first three pictures are shown to `diceref teach`, whose groups are named by what most of their tops show; the others
are read with `diceref read --dice`. With --split, tops that are in a wrong group are split off and named, as an owner would; else what
comes of them counts. Taps are those of the page: one to begin, one a throw, one a group, and to split off two and one for each picture.
"""
import argparse
import collections
import glob
import json
import os
import re
import subprocess
import tempfile

import numpy as np

MOST = 12  # pictures of a group that a set keeps
NAMES = ["1", "2", "3", "4", "5", "6"]


def truth(f):
    out = []
    for d in json.load(open(f[:-4] + ".json"))["dice"]:
        q = np.array(d["top_px"])
        out.append(dict(at=q.mean(0), reach=0.35 * np.linalg.norm(q[0] - q[2]), symbol=d["symbol"], inside=d["in_frame"], said=None))
    return out


def hit(dice, at):
    for d in dice:
        if np.linalg.norm(d["at"] - at) < d["reach"]:
            return d


def run(*args):
    r = subprocess.run(args, capture_output=True, text=True)
    if r.returncode:
        raise SystemExit(r.stderr)
    return [json.loads(line) for line in r.stdout.splitlines()]


def show(a, files, dice, names):
    """Shows pictures one after the other, and names the groups; returns what came of it."""
    n = collections.Counter({"taps": 1})
    game = json.load(open(files[0][:-4] + ".json"))["game"]

    def teach(*args):
        return run(a.diceref, "teach", game, "--dice", dice, "--json", *args)[0]["groups"]

    def answer(*lines):
        open(dice + ".txt", "w").write("\n".join(lines) + "\n")
        return teach("--answers", dice + ".txt")

    called = lambda k: "none" if k < 0 else names[k]
    for f in files:
        dies, groups, lines = truth(f), teach(f), []
        n["taps"] += 1
        n["dice shown"] += sum(d["inside"] for d in dies)
        for g in groups:
            of = [(hit(dies, s["at"]) or {"inside": False}) for s in g["seen"]]
            of = [d["symbol"] if d["inside"] else -1 for d in of]
            n["seen while shown"] += sum(k >= 0 for k in of)
            best = max(of, key=of.count) if of else None
            if g["name"] == "" and of:
                lines.append(f"{g['group']} {called(best)}")
                n["groups"] += 1
                n["taps"] += 1
            elif of:
                best = next((k for k in range(-1, len(names)) if called(k) == g["name"]), None)
            odd = [k for k in of if called(k) != called(best)]
            n["in a wrong group"] += len(odd)
            first = g["pictures"] - len(of)
            if not a.split or g["pictures"] == MOST:  # of a full group it is not told which pictures were let go
                continue
            for symbol in sorted(set(odd)):
                which = [k for k, o in enumerate(of) if o == symbol]
                letters = {g["group"] for g in groups}
                groups = answer(f"split {g['group']} " + " ".join(str(first + k + 1) for k in which))
                new = next(g["group"] for g in groups if g["group"] not in letters)
                lines.append(f"{new} {called(symbol)}")
                n["taps"] += 2 + len(which)
                of = [o for o in of if o != symbol]
        if lines:
            answer(*lines)  # in the end: groups of one name become one
    return n


def judge(a, files, dice, names, shown):
    n = collections.Counter()
    game = json.load(open(files[0][:-4] + ".json"))["game"]
    for line in run(a.diceref, "read", "--game", game, "--dice", dice, "--json", *files):
        dies = truth(line["image"])
        for s in line["dice"]:
            d = hit(dies, (s["x"], s["y"]))
            if d is None:
                n["invented"] += 1
                n["invented, known"] += s.get("known", False)
            elif d["inside"]:
                d["said"] = s
        for d in dies:
            if not d["inside"]:
                continue
            s, known = d["said"], d["symbol"] in shown
            kind = "shown" if known else "strange"
            n[kind] += 1
            if s is None:
                n[kind + ", not seen"] += 1
            elif not s.get("known"):
                n[kind + ", not known"] += 1
            else:
                right = known and s["shows"] == names[d["symbol"]]
                n[kind + (", right" if right else ", wrong")] += 1
                n[kind + (", sure and right" if right else ", sure and wrong")] += s["sure"]
    return n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("pictures")
    ap.add_argument("--diceref", default=os.path.join(os.path.dirname(__file__), "../../bin/diceref"))
    ap.add_argument("--only", default="")
    ap.add_argument("--split", action="store_true")
    a = ap.parse_args()
    tiers = collections.defaultdict(collections.Counter)
    sets = sorted({re.sub(r"-\d\d\.jpg$", "", f) for f in glob.glob(os.path.join(a.pictures, "*.jpg"))})
    with tempfile.TemporaryDirectory() as tmp:
        for k in [s for s in sets if a.only in s]:
            files = sorted(glob.glob(k + "-*.jpg"))
            dice = os.path.join(tmp, os.path.basename(k) + ".json")
            showing = show(a, files[:3], dice, NAMES)
            shown = {d["symbol"] for f in files[:3] for d in truth(f) if d["inside"]}
            n = judge(a, files[3:], dice, NAMES, shown) if files[3:] else collections.Counter()
            tier = re.search(r"-(easy|normal|hard)-", os.path.basename(k))[1]
            n.update(showing)
            n.update({"symbols": len(shown), "sets": 1})
            tiers[tier].update(n)
            print(os.path.basename(k), dict(n), flush=True)
    for tier, n in tiers.items():
        print(tier, dict(n))
        if n["shown"]:
            print(f"  right {n['shown, right'] / n['shown']:.4f} (sure {n['shown, sure and right'] / n['shown']:.4f}), wrong {n['shown, wrong']} (sure {n['shown, sure and wrong']}), "
                  f"strange told as not known {n['strange, not known'] + n['strange, not seen']} of {n['strange']}, surely wrong {n['strange, sure and wrong']}")


if __name__ == "__main__":
    main()
