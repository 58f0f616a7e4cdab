"""How well dice are read by what was shown, on pictures that paint_icons.py painted.

    python3 judge_owned.py PICTURES [--diceref ../../bin/diceref] [--only TEXT]

Of each set the first three pictures are shown to `diceref teach`, whose groups are named by what most of their tops show; the others
are read with `diceref read --dice`. Groups that mix symbols are not split: what comes of them counts.
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
    """Shows pictures and names the groups; returns how many dice there were and were seen, groups, and tops in a wrong one."""
    answers = {f: truth(f) for f in files}
    game = json.load(open(files[0][:-4] + ".json"))["game"]
    told = run(a.diceref, "teach", game, *files, "--dice", dice, "--json")[0]
    lines, mixed, seen = [], 0, 0
    for g in told["groups"]:
        of = collections.Counter()
        for s in g["seen"]:
            d = hit(answers[s["picture"]], s["at"])
            of[d["symbol"] if d and d["inside"] else -1] += 1
            seen += bool(d and d["inside"])
        best, n = of.most_common(1)[0]
        mixed += sum(of.values()) - n
        lines.append(f"{g['group']} {'none' if best < 0 else names[best]}")
    names_file = dice + ".txt"
    open(names_file, "w").write("\n".join(lines) + "\n")
    run(a.diceref, "teach", game, "--dice", dice, "--answers", names_file, "--json")
    return sum(d["inside"] for v in answers.values() for d in v), seen, len(told["groups"]), mixed


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
    a = ap.parse_args()
    tiers = collections.defaultdict(collections.Counter)
    sets = sorted({re.sub(r"-\d\d\.jpg$", "", f) for f in glob.glob(os.path.join(a.pictures, "*.jpg"))})
    with tempfile.TemporaryDirectory() as tmp:
        for k in [s for s in sets if a.only in s]:
            files = sorted(glob.glob(k + "-*.jpg"))
            dice = os.path.join(tmp, os.path.basename(k) + ".json")
            there, seen, groups, mixed = show(a, files[:3], dice, NAMES)
            shown = {d["symbol"] for f in files[:3] for d in truth(f) if d["inside"]}
            n = judge(a, files[3:], dice, NAMES, shown) if files[3:] else collections.Counter()
            tier = re.search(r"-(easy|normal|hard)-", os.path.basename(k))[1]
            n.update({"dice shown": there, "seen while shown": seen, "groups": groups, "in a wrong group": mixed, "symbols": len(shown), "sets": 1})
            tiers[tier].update(n)
            print(os.path.basename(k), dict(n), flush=True)
    for tier, n in tiers.items():
        print(tier, dict(n))
        if n["shown"]:
            print(f"  right {n['shown, right'] / n['shown']:.4f} (sure {n['shown, sure and right'] / n['shown']:.4f}), wrong {n['shown, wrong']} (sure {n['shown, sure and wrong']}), "
                  f"strange told as not known {n['strange, not known'] + n['strange, not seen']} of {n['strange']}, surely wrong {n['strange, sure and wrong']}")


if __name__ == "__main__":
    main()
