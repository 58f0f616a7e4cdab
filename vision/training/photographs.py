"""Photographs of real dice to learn from: those that ../measure/photographs.tsv gives to learning, no others."""
import fnmatch
import glob
import json
import os
import re

PARTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "measure", "photographs.tsv")


def number(name):
    """A key that orders names as people do: a run of digits counts as a number."""
    return [int(c) if c.isdigit() else c for c in re.split(r"(\d+)", name)]


def scenes():
    return [line.rstrip("\n").split("\t") for line in open(PARTS) if not line.startswith("#")]


def part(group, name, known=None):
    """What a photograph of a set serves for; "" where the file does not name it."""
    for s, first, last, serves, *_ in known or scenes():
        if s == group and (number(first) <= number(name) <= number(last) if last else fnmatch.fnmatch(name, first)):
            return serves
    return ""


def pictures(folder, want="learn"):
    """The answers of the photographs in a folder of sets that serve for that; image becomes a path within the folder."""
    known = scenes()
    for index in sorted(glob.glob(os.path.join(folder, "*", "index.jsonl"))):
        group = os.path.basename(os.path.dirname(index))
        for truth in map(json.loads, open(index)):
            if part(group, os.path.splitext(truth["image"])[0], known) == want:
                truth["group"], truth["image"] = group, os.path.join(group, truth["image"])
                yield truth
