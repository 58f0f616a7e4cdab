"""Draws a planned game, one still picture a step.

    go run ./match/internal/tableplan/write fromage-a-trois 41 > plan.json
    blender -b -t 1 -P vision/training/render/game.py -- plan.json DIR [--look kitchen|evening|desk] [--steps 0,5] [--answers DIR]

Into DIR go the pictures 000.jpg ..., truth.json and declare.jsonl as the plan has them, and calibration.json with the
zones in fractions of the picture. --answers also writes where every die's top is, as `diceref eval` reads it.
"""
import argparse
import json
import math
import os
import random
import sys

os.environ["OPENCV_IO_ENABLE_OPENEXR"] = "1"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpy
import cv2
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Matrix, Vector

import looks

# A room: table top, light (color temperature's RGB, height, how wide, where from), daylight, tilt of the camera in
# degrees, its turn about the table, and what the camera does to the picture.
ROOMS = {
    "kitchen": dict(top="oak", lamp=(1.0, 0.93, 0.82), at=(-320, 420, 760), wide=360, day=0.42, tilt=20, turn=-4, noise=2.0, cast=(0.98, 1.0, 1.03)),
    "evening": dict(top="walnut", lamp=(1.0, 0.80, 0.58), at=(260, 180, 640), wide=180, day=0.22, tilt=26, turn=6, noise=3.6, cast=(1.04, 1.0, 0.93)),
    "desk": dict(top="paint", lamp=(0.92, 0.96, 1.0), at=(-480, -120, 560), wide=300, day=0.7, tilt=16, turn=-9, noise=1.6, cast=(1.0, 1.0, 1.0)),
    "cloth": dict(top="cloth", lamp=(1.0, 0.95, 0.87), at=(380, 420, 800), wide=260, day=0.4, tilt=27, turn=3, noise=2.4, cast=(1.01, 1.0, 0.99)),
}
SIZE = (800, 600)


class Camera:
    """The webcam: a pinhole, then a lens that bends a little, then a sensor."""

    def __init__(self, scene, room, corners):
        self.scene, self.room = scene, room
        data = bpy.data.cameras.new("webcam")
        data.angle, data.clip_end = math.radians(58), 10000
        self.thing = bpy.data.objects.new("webcam", data)
        scene.collection.objects.link(self.thing)
        scene.camera = self.thing
        scene.render.resolution_x, scene.render.resolution_y = SIZE
        self.bend, self.gain = -0.035, None
        self.place(corners)

    def place(self, corners):
        """As near as all the corners allow."""
        tilt, turn = math.radians(self.room["tilt"]), math.radians(self.room["turn"] - 90)
        away = Vector((math.sin(tilt) * math.cos(turn), math.sin(tilt) * math.sin(turn), math.cos(tilt)))
        target = Vector((0, sum(c[1] for c in corners) / len(corners), 0))
        for distance in range(250, 1500, 5):
            self.thing.location = target + away * distance
            self.thing.rotation_euler = away.to_track_quat("Z", "Y").to_euler()
            bpy.context.view_layer.update()
            spots = [self.pixel(c) for c in corners]
            if all(8 < x < SIZE[0] - 8 and 8 < y < SIZE[1] - 8 for x, y in spots):
                return
        raise RuntimeError("no place for the camera")

    def straight(self, at):
        """Where a point of the table is before the lens bends the picture."""
        v = world_to_camera_view(self.scene, self.thing, Vector(at))
        return v.x * SIZE[0], (1 - v.y) * SIZE[1]

    def pixel(self, at):
        """Where a point of the table is in the picture."""
        v = world_to_camera_view(self.scene, self.thing, Vector(at))
        p = np.array([v.x - 0.5, (0.5 - v.y) * SIZE[1] / SIZE[0]]) * 2
        q = p.copy()
        for _ in range(20):
            q = p / (1 + self.bend * (q @ q))
        return float((q[0] / 2 + 0.5) * SIZE[0]), float(q[1] / 2 * SIZE[0] + SIZE[1] / 2)

    def develop(self, light, rng):
        """The picture that the sensor makes of the light; the exposure of the first one stays."""
        h, w = light.shape[:2]
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        x, y = (x - w / 2) / (w / 2), (y - h / 2) / (w / 2)
        k = 1 + self.bend * (x * x + y * y)
        light = cv2.remap(light, x * k * w / 2 + w / 2, y * k * w / 2 + h / 2, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        if self.gain is None:
            self.gain = min(0.25 / float(light.mean()), 1.1 / float(np.percentile(light, 99)))
        light = light * self.gain * (1 + 0.02 * rng.standard_normal()) * np.array(self.room["cast"][::-1], np.float32)
        light = light * (1 - 0.12 * (x * x + y * y))[..., None]
        v = np.clip(light, 0, 1)
        v = np.where(v <= 0.0031308, v * 12.92, 1.055 * np.power(np.maximum(v, 1e-8), 1 / 2.4) - 0.055) * 255
        v = cv2.GaussianBlur(v.astype(np.float32), (0, 0), 0.55)
        v = v + rng.standard_normal(v.shape).astype(np.float32) * self.room["noise"] * np.sqrt(np.clip(v, 10, 255) / 128)
        return np.clip(v, 0, 255).astype(np.uint8)


def new_scene(samples):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = samples, False
    scene.cycles.max_bounces, scene.cycles.diffuse_bounces, scene.cycles.glossy_bounces = 3, 2, 1
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.render.use_persistent_data = True
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "OPEN_EXR", "16"
    scene.unit_settings.scale_length = 0.001
    return scene


def light_up(scene, room):
    world = bpy.data.worlds.new("room")
    scene.world = world
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.93, 0.97, 1.0, 1)
    world.node_tree.nodes["Background"].inputs[1].default_value = room["day"]
    data = bpy.data.lights.new("lamp", "AREA")
    data.color, data.size = room["lamp"], room["wide"]
    lamp = bpy.data.objects.new("lamp", data)
    lamp.location = room["at"]
    lamp.rotation_euler = Vector(room["at"]).to_track_quat("Z", "Y").to_euler()
    data.energy = 7 * Vector(room["at"]).length_squared
    scene.collection.objects.link(lamp)


PAPERS = {"shop": (236, 222, 160), "cart": (206, 222, 232), "fridge": (205, 226, 240), "supply": (222, 216, 208)}
SEATS = [(240, 206, 200), (208, 228, 204), (214, 208, 236), (240, 228, 196)]


def lay_mats(plan, rng):
    for z in plan["zones"]:
        paper = PAPERS.get(z["kind"]) or SEATS[z.get("seat", 0)]
        word = "" if z["w"] < 80 else z["name"].upper() if z["kind"] != "place" else plan["truth"]["players"][z["seat"]]
        inner = [(x - z["x"] + z["w"] / 2, y - z["y"] + z["h"] / 2) for x, y in z.get("slots", [])]
        img = looks.mat_print(z["w"], z["h"], word, paper, tuple(int(v * 0.55) for v in paper), inner)
        looks.sheet(z["x"], z["y"], z["w"], z["h"], looks.printed(z["name"], img.astype(np.float32)), 0.3 + rng.uniform(0, 0.1))


def lay_clutter(plan, rng):
    """What else lies about: cards, the score pad, a pen, a cup, clear of the zones."""
    free = plan.get("clutter", [])
    for i, (kind, x, y) in enumerate(free):
        tilt = rng.uniform(-12, 12)
        if kind == "pad":
            looks.sheet(x, y, 60, 80, looks.printed("pad", looks.score_print(60, 80).astype(np.float32)), 0.6, tilt)
            looks.pen(x + 12, y - 6, tilt + 35, looks.plain("pen", (40, 60, 130), 0.3))
        elif kind == "cup":
            looks.cup(x, y, looks.plain("cup", (150, 70, 60), 0.25))
        else:
            hue = [(190, 90, 90), (90, 140, 190), (120, 170, 100), (200, 160, 80)][i % 4]
            looks.sheet(x, y, 44, 62, looks.printed("card%d" % i, looks.card_print(rng, 44, 62, hue).astype(np.float32)), 0.5 + 0.1 * i, tilt)


def make_dice(plan, rng):
    meshes = {left: looks.die_mesh(plan["die_mm"], plan["die_mm"] * 0.1, left) for left in (False, True)}
    dice, paint = [], {}
    for i, d in enumerate(plan["dice"]):
        kind = (d["color"], i % 3)  # three dice makers
        if kind not in paint:
            pip = (24, 24, 28) if d["color"] in looks.DARK_PIPS else (238, 236, 228)
            paint[kind] = looks.die_material("%s %d" % kind, looks.shift(looks.DICE[d["color"]], rng, 0.05), pip, 0.098 + 0.008 * kind[1], rng.uniform(0.2, 0.45))
        dice.append(looks.die("die%d" % i, meshes[d["left_handed"]], paint[kind]))
    return dice


def pose(dice, plan, step):
    """Lays the dice; returns the corners of each top, None where it is off the table."""
    half, tops = plan["die_mm"] / 2, []
    for thing, look, at in zip(dice, plan["dice"], step["dice"]):
        thing.hide_render = at is None
        tops.append(None)
        if at is None:
            continue
        x, y, yaw, face, turns = at
        turn = looks.turned(int(face), look["left_handed"], yaw + 90 * turns)
        thing.matrix_world = Matrix.Translation((x, y, half + 0.4)) @ turn
        a = math.radians(yaw)
        tops[-1] = [(x + half * (math.cos(a) * u - math.sin(a) * v), y + half * (math.sin(a) * u + math.cos(a) * v), 2 * half + 0.4)
                    for u, v in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    return tops


def smooth(light):
    """Takes out the grain of few samples: first single bright dots, then the rest, keeping edges."""
    v = np.log1p(np.nan_to_num(light) * 8)
    calm = cv2.medianBlur(v, 3)
    v = np.where(np.abs(v - calm) > 0.3, calm, v)
    return np.expm1(cv2.bilateralFilter(v, 7, 0.1, 2.0)) / 8


class Film:
    """Renders a scene; of a picture like the one before only what has changed."""

    def __init__(self, scene, raw):
        self.scene, self.raw = scene, raw
        self.light = None

    def whole(self, seed):
        self.scene.render.use_border = False
        return self.shoot(seed)

    def shoot(self, seed):
        self.scene.cycles.seed, self.scene.render.filepath = seed, self.raw
        bpy.ops.render.render(write_still=True)
        return smooth(cv2.imread(self.raw, cv2.IMREAD_ANYDEPTH | cv2.IMREAD_COLOR).astype(np.float32))

    def next(self, seed, boxes):
        """The picture after the dice in these boxes (pixels) have come or gone."""
        boxes = join(boxes)
        if self.light is None or sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes) > 0.5 * SIZE[0] * SIZE[1]:
            self.light = self.whole(seed)
            return self.light
        r = self.scene.render
        r.use_border = r.use_crop_to_border = True
        for x0, y0, x1, y1 in boxes:
            r.border_min_x, r.border_max_x = x0 / SIZE[0], x1 / SIZE[0]
            r.border_min_y, r.border_max_y = 1 - y1 / SIZE[1], 1 - y0 / SIZE[1]
            patch = self.shoot(seed)
            h, w = patch.shape[:2]
            edge = np.zeros((h, w), np.float32)
            edge[4:-4, 4:-4] = 1  # blends over the seam
            edge = cv2.GaussianBlur(edge, (0, 0), 2)[..., None]
            self.light[y0:y0 + h, x0:x0 + w] = patch * edge + self.light[y0:y0 + h, x0:x0 + w] * (1 - edge)
        return self.light


def join(boxes):
    """Boxes that overlap, or nearly cost less as one, become one."""
    boxes = [tuple(b) for b in boxes]
    spare = 9000  # pixels that a render of its own costs
    while True:
        best = None
        for i, a in enumerate(boxes):
            for j in range(i):
                b = boxes[j]
                c = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
                gain = area(a) + area(b) + spare - area(c)
                if gain > 0 and (best is None or gain > best[0]):
                    best = (gain, i, j, c)
        if best is None:
            return boxes
        _, i, j, c = best
        boxes = [b for k, b in enumerate(boxes) if k not in (i, j)] + [c]


def area(b):
    return (b[2] - b[0]) * (b[3] - b[1])


def around(camera, x, y, size):
    """The part of the picture that a die and its shadow take."""
    reach = size * 1.7
    spots = [camera.straight((x + u * reach, y + v * reach, z)) for u in (-1, 1) for v in (-1, 1) for z in (0, size)]
    xs, ys = [s[0] for s in spots], [s[1] for s in spots]
    return (max(0, int(min(xs))), max(0, int(min(ys))), min(SIZE[0], int(max(xs)) + 1), min(SIZE[1], int(max(ys)) + 1))


def outline(camera, z, height):
    """A zone's corners in fractions of the picture, as somebody would draw it around the dice."""
    w, h = z["w"] / 2 + 3, z["h"] / 2 + 3
    corners = [camera.pixel((z["x"] + u * w, z["y"] + v * h, height)) for u, v in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    return [[round(min(1, max(0, x / SIZE[0])), 4), round(min(1, max(0, y / SIZE[1])), 4)] for x, y in corners]


def answer(plan, step, tops, camera, name):
    """The picture's answer in the form that `diceref eval` reads."""
    dice = []
    for look, at, top in zip(plan["dice"], step["dice"], tops):
        if top:
            px = [camera.pixel(c) for c in top]
            dice.append(dict(color=look["color"], face=int(at[3]), top_px=[[round(x, 1), round(y, 1)] for x, y in px], in_frame=True))
    return dict(game=plan["game"], kind="table", tier="normal", tags=["hand"] if step.get("hand") else [], image=name, width=SIZE[0], height=SIZE[1], dice=dice)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("plan")
    ap.add_argument("out")
    ap.add_argument("--look", choices=ROOMS, default="kitchen")
    ap.add_argument("--steps", default="")
    ap.add_argument("--answers", default="")
    ap.add_argument("--samples", type=int, default=14)
    ap.add_argument("--quality", type=int, default=80)
    args = ap.parse_args(sys.argv[sys.argv.index("--") + 1:])
    with open(args.plan) as f:
        plan = json.load(f)
    os.makedirs(args.out, exist_ok=True)
    rng, room = random.Random(plan["seed"]), ROOMS[args.look]
    scene = new_scene(args.samples)
    light_up(scene, room)
    looks.sheet(0, 0, 4000, 4000, looks.table_top(room["top"], rng), 0)
    lay_mats(plan, rng)
    lay_clutter(plan, rng)
    dice = make_dice(plan, rng)
    corners = [(z["x"] + u * z["w"] / 2, z["y"] + v * z["h"] / 2, plan["die_mm"]) for z in plan["zones"] for u in (-1, 1) for v in (-1, 1)]
    camera = Camera(scene, room, corners)
    skin, sleeve = looks.plain("skin", rng.choice([(214, 164, 134), (150, 98, 68)]), 0.55), looks.plain("sleeve", (58, 84, 110), 0.9)
    zones = [dict(name=z["name"], kind=z["kind"], seat=z.get("seat", 0), outline=outline(camera, z, plan["die_mm"] * 0.6)) for z in plan["zones"]]
    with open(os.path.join(args.out, "calibration.json"), "w") as f:
        json.dump(dict(game=plan["game"], zones=zones), f, indent=1)
    with open(os.path.join(args.out, "truth.json"), "w") as f:
        json.dump(plan["truth"], f, indent=1)
    with open(os.path.join(args.out, "declare.jsonl"), "w") as f:
        f.writelines(json.dumps(line) + "\n" for line in plan["declare"] or [])
    wanted = {int(s) for s in args.steps.split(",")} if args.steps else set(range(len(plan["steps"])))
    raw = os.path.join(args.answers or args.out, ".light.exr")
    film, lying = Film(scene, raw), None
    for i, step in enumerate(plan["steps"]):
        name = "%03d.jpg" % i
        if i not in wanted or os.path.exists(os.path.join(args.out, name)) and not args.steps:
            continue  # drawn already
        tops = pose(dice, plan, step)
        boxes = []
        for old, new in zip(lying or step["dice"], step["dice"]):
            if old != new:
                boxes += [around(camera, *at[:2], plan["die_mm"]) for at in (old, new) if at]
        light, lying = film.next(i, boxes), step["dice"]
        if step.get("hand"):
            hand = looks.arm(*step["hand"], skin, sleeve)
            light = film.whole(i)
            for part in hand:
                bpy.data.objects.remove(part)
        img = camera.develop(light, np.random.default_rng(plan["seed"] * 1000 + i))
        cv2.imwrite(os.path.join(args.out, name), img, [cv2.IMWRITE_JPEG_QUALITY, args.quality])
        if args.answers:
            with open(os.path.join(args.answers, name[:-4] + ".json"), "w") as f:
                json.dump(answer(plan, step, tops, camera, name), f)
        print("DREW", name, flush=True)
    if os.path.exists(raw):
        os.remove(raw)


main()
