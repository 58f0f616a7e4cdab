"""The renderer that a script's first argument names, which sees every table under several lamps, too."""
import importlib.util
import json
import math
import os
import random
import sys

import cv2
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

spec = importlib.util.spec_from_file_location("scene", sys.argv[sys.argv.index("--") + 1])
scene = importlib.util.module_from_spec(spec)
sys.argv.remove(spec.origin)
spec.loader.exec_module(scene)

LETTERS = "bcdefghi"  # of the same table under other lamps
plain = {name: value for name, value in vars(scene).items() if callable(value)}
write, dump = cv2.imwrite, json.dump


class Lens(plain["Lens"]):
    """Sees the table under other lamps and exposures too: in the light itself, so that what is too bright clips as it does in
    a camera. The renderer writes one picture; the others are written beside it."""

    def apply(self, img, nprng):
        rng, develop = random.Random(int(nprng.integers(1 << 30))), plain["Lens"].apply
        scene.others = []
        for letter in scene.letters:
            lens = plain["Lens"](rng, rng.choice(["easy", "normal", "normal", "hard"]), self.res)
            lens.k1, lens.motion, lens.expo = self.k1, False, lens.expo * math.exp(rng.uniform(-0.5, 0.5))
            lamp = np.array(scene.kelvin(rng.uniform(2600, 7200))) / np.array(scene.kelvin(scene.lit))
            scene.others.append((letter, develop(lens, img * np.float32(lamp[::-1]), nprng), lens.quality))
        return develop(self, img, nprng)


def under(letter, name):
    return name.replace("-train-", f"-train{letter}-")


def write_all(path, img, *args):
    if path.endswith(".jpg"):
        for letter, other, quality in scene.others:
            write(under(letter, path), other, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return write(path, img, *args)


def dump_all(truth, f, **how):
    dump(truth, f, **how)
    for letter in scene.letters:
        with open(under(letter, f.name), "w") as other:
            dump(dict(truth, image=under(letter, truth["image"])), other, **how)


def light(*args):
    scene.lit = plain["light"](*args)
    return scene.lit


def draw(lamps, **ours):
    """Runs the renderer with our ways instead of its own, under so many lamps more."""
    scene.letters = LETTERS[:lamps]
    for name, way in {"Lens": Lens, "light": light, **ours}.items():
        setattr(scene, name, way)
    cv2.imwrite, json.dump = write_all, dump_all
    scene.main()
