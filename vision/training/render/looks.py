"""How things on the table look: dice, table tops, printed sheets, hands. Colors are sRGB, lengths millimeters."""
import math

import bmesh
import bpy
import cv2
import numpy as np
from mathutils import Matrix, Vector

DICE = {
    "white": (233, 229, 216), "red": (176, 30, 34), "blue": (34, 76, 168), "green": (34, 122, 62),
    "yellow": (234, 196, 44), "black": (34, 33, 36), "orange": (224, 96, 20),
}
DARK_PIPS = {"white", "yellow", "orange"}
SPOTS = {
    1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)], 4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)], 6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
# A right-handed die with 1 on top and 2 to the south has 3 to the east.
SIDES = {1: (0, 0, 1), 6: (0, 0, -1), 2: (0, -1, 0), 5: (0, 1, 0), 3: (1, 0, 0), 4: (-1, 0, 0)}


def linear(rgb):
    c = np.asarray(rgb, float) / 255
    return tuple(np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4))


def shift(rgb, rng, by):
    """The color, a little lighter or darker and a little off its hue."""
    light = 1 + rng.uniform(-by, by)
    return tuple(min(255, max(0, v * light * (1 + rng.uniform(-by, by) / 3))) for v in rgb)


def side(value, left):
    x, y, z = SIDES[value]
    return Vector((-x if left else x, y, z))


def surface(name, rough):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    shader = mat.node_tree.nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = rough
    return mat, shader


def plain(name, rgb, rough=0.6):
    mat, shader = surface(name, rough)
    shader.inputs["Base Color"].default_value = (*linear(rgb), 1)
    return mat


def picture_node(mat, name, rgb, space="sRGB"):
    """An image (rows from the top, 0..255) as a node of a material."""
    rows, cols = rgb.shape[:2]
    image = bpy.data.images.new(name, cols, rows)
    image.colorspace_settings.name = space
    pixels = np.ones((rows, cols, 4), np.float32)
    pixels[..., :3] = rgb[::-1] / 255.0
    image.pixels.foreach_set(pixels.ravel())
    node = mat.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    return node


def printed(name, rgb, rough=0.7):
    mat, shader = surface(name, rough)
    mat.node_tree.links.new(picture_node(mat, name, rgb).outputs["Color"], shader.inputs["Base Color"])
    return mat


def die_mesh(size, edge, left):
    """A cube with rounded edges; face v is the v-th of six tiles of the texture, side by side."""
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=size)
    uv = bm.loops.layers.uv.new("uv")
    for face in bm.faces:
        value = max(SIDES, key=lambda v: face.normal.dot(side(v, left)))
        up = Vector((0, 1, 0)) if abs(face.normal.y) < 0.5 else Vector((0, 0, 1))
        across = up.cross(face.normal)
        for loop in face.loops:
            at = loop.vert.co / size
            loop[uv].uv = ((value - 0.5 + at.dot(across)) / 6, 0.5 + at.dot(up))
    bmesh.ops.bevel(bm, geom=list(bm.edges), offset=edge, segments=4, profile=0.55, affect="EDGES")
    mesh = bpy.data.meshes.new("die")
    bm.to_mesh(mesh)
    bm.free()
    for polygon in mesh.polygons:
        polygon.use_smooth = True
    return mesh


def die_material(name, body, pip, pip_size, rough):
    n = 128
    ink = np.zeros((n, 6 * n), np.uint8)
    for value, spots in SPOTS.items():
        for x, y in spots:
            at = (int((value - 0.5 + x * 0.25) * n), int((0.5 + y * 0.25) * n))
            cv2.circle(ink, at, int(pip_size * n), 255, -1, cv2.LINE_AA)
    share = ink[..., None] / 255.0
    rgb = (np.array(body) * (1 - share) + np.array(pip) * share).astype(np.float32)
    mat, shader = surface(name, rough)
    links = mat.node_tree.links
    links.new(picture_node(mat, name, rgb).outputs["Color"], shader.inputs["Base Color"])
    hollow = cv2.GaussianBlur(255 - ink, (0, 0), 2)[..., None].repeat(3, 2)
    bump = mat.node_tree.nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = 0.6
    links.new(picture_node(mat, name + " hollow", hollow, "Non-Color").outputs["Color"], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return mat


def die(name, mesh, material):
    mesh = mesh.copy()
    mesh.materials.append(material)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def turned(value, left, degrees):
    """The rotation that brings a face up and turns the die on the spot."""
    tip = side(value, left).rotation_difference(Vector((0, 0, 1)))
    return Matrix.Rotation(math.radians(degrees), 4, "Z") @ tip.to_matrix().to_4x4()


# --- what the dice lie on -------------------------------------------------------------------------

def table_top(kind, rng):
    """oak, walnut, cloth (woven, with folds) or paint."""
    dark, light, rough = {
        "oak": ((150, 108, 66), (188, 146, 98), 0.45), "walnut": ((72, 46, 30), (108, 74, 50), 0.35),
        "cloth": ((92, 112, 128), (122, 142, 156), 0.95), "paint": ((202, 196, 184), (214, 209, 198), 0.3),
    }[kind]
    mat, shader = surface("table", rough)
    nodes, links = mat.node_tree.nodes, mat.node_tree.links
    place, turn = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    links.new(place.outputs["Object"], turn.inputs["Vector"])
    turn.inputs["Rotation"].default_value = (0, 0, rng.uniform(-0.2, 0.2))
    grain = nodes.new("ShaderNodeTexWave" if kind in ("oak", "walnut") else "ShaderNodeTexNoise")
    grain.inputs["Scale"].default_value = {"oak": 0.012, "walnut": 0.018, "cloth": 1.1, "paint": 0.01}[kind]
    grain.inputs["Distortion"].default_value = 5 if kind in ("oak", "walnut") else 0
    grain.inputs["Detail"].default_value = 6
    ramp = nodes.new("ShaderNodeValToRGB")
    for stop, rgb in zip(ramp.color_ramp.elements, (dark, light)):
        stop.color = (*linear(rgb), 1)
    links.new(turn.outputs["Vector"], grain.inputs["Vector"])
    links.new(grain.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    if kind == "cloth":
        folds, bump = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeBump")
        folds.inputs["Scale"].default_value = 0.012
        bump.inputs["Distance"].default_value = 6
        bump.inputs["Strength"].default_value = 0.5
        links.new(turn.outputs["Vector"], folds.inputs["Vector"])
        links.new(folds.outputs["Fac"], bump.inputs["Height"])
        links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return mat


def sheet(x, y, w, h, material, z=0.3, degrees=0.0):
    """A flat thing on the table."""
    bpy.ops.mesh.primitive_plane_add(size=1, location=(x, y, z), rotation=(0, 0, math.radians(degrees)))
    thing = bpy.context.object
    thing.data.transform(Matrix.Diagonal((w, h, 1, 1)))
    thing.data.materials.append(material)
    return thing


def mat_print(w, h, word, paper, ink, slots=()):
    """A printed mat: a frame, a word in its corner, and rings where dice belong."""
    k = 4  # pixels a millimeter
    img = np.full((int(h * k), int(w * k), 3), paper, np.uint8)
    cv2.rectangle(img, (6, 6), (img.shape[1] - 7, img.shape[0] - 7), ink, 3)
    cv2.putText(img, word, (14, 30), cv2.FONT_HERSHEY_DUPLEX, 0.8, ink, 1, cv2.LINE_AA)
    for x, y in slots:
        cv2.circle(img, (int(x * k), int((h - y) * k)), int(11 * k), ink, 2, cv2.LINE_AA)
    return img


def card_print(rng, w, h, hue):
    """A game card: a colored picture on top, lines of print below it."""
    k = 4
    img = np.full((int(h * k), int(w * k), 3), (240, 236, 226), np.uint8)
    cv2.rectangle(img, (10, 10), (img.shape[1] - 11, img.shape[0] // 2), hue, -1)
    cv2.ellipse(img, (img.shape[1] // 2, img.shape[0] // 4), (int(w), int(h * 0.7)), 0, 0, 360, (250, 244, 230), -1, cv2.LINE_AA)
    for i in range(4):
        y = img.shape[0] // 2 + 22 + i * 22
        cv2.line(img, (16, y), (int(img.shape[1] * rng.uniform(0.55, 0.9)), y), (90, 86, 84), 3)
    return img


def score_print(w, h):
    """A pad with columns, and figures written by hand."""
    k = 4
    img = np.full((int(h * k), int(w * k), 3), (246, 245, 238), np.uint8)
    for x in range(0, img.shape[1], 64):
        cv2.line(img, (x, 0), (x, img.shape[0]), (150, 170, 205), 1)
    for y in range(0, img.shape[0], 34):
        cv2.line(img, (0, y), (img.shape[1], y), (170, 190, 215), 1)
    for i, word in enumerate(("A", "B", "C", "3", "0", "4", "9", "2", "12")):
        cv2.putText(img, word, (16 + i % 3 * 64, 28 + i // 3 * 34), cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 0.8, (50, 50, 110), 2, cv2.LINE_AA)
    return img


def pen(x, y, degrees, material):
    bpy.ops.mesh.primitive_cylinder_add(radius=3.5, depth=130, location=(x, y, 3.5), rotation=(math.pi / 2, 0, math.radians(degrees)))
    bpy.context.object.data.materials.append(material)


def cup(x, y, material):
    bpy.ops.mesh.primitive_cylinder_add(radius=34, depth=80, location=(x, y, 40))
    bpy.context.object.data.materials.append(material)


# --- somebody -------------------------------------------------------------------------------------

def limb(a, b, thick, material):
    """A rod with round ends from a to b."""
    along = b - a
    bpy.ops.mesh.primitive_cylinder_add(radius=thick, depth=along.length, location=(a + b) / 2)
    rod = bpy.context.object
    rod.rotation_euler = along.to_track_quat("Z", "Y").to_euler()
    made = [rod]
    for end in (a, b):
        bpy.ops.mesh.primitive_uv_sphere_add(radius=thick, location=end, segments=20, ring_count=12)
        made.append(bpy.context.object)
    for thing in made:
        thing.data.materials.append(material)
        bpy.ops.object.select_all(action="DESELECT")
    return made


def arm(x, y, degrees, skin, sleeve):
    """A hand that points at (x, y) with its arm coming from that direction; returns its parts."""
    d = Vector((math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), 0))
    across, up = Vector((-d.y, d.x, 0)), Vector((0, 0, 1))
    tip = Vector((x, y, 24))
    knuckles = tip + d * 62 + up * 16
    made = limb(tip, knuckles, 8, skin)
    for k in (-1, 1, 2):  # the other fingers are bent
        bent = knuckles + across * 17 * k
        made += limb(bent - d * 26 - up * 14, bent, 8.5, skin)
    made += limb(knuckles + d * 22 - across * 16, knuckles + d * 22 + across * 34, 20, skin)
    wrist = knuckles + d * 75 + across * 9 + up * 12
    made += limb(knuckles + d * 30 + across * 9, wrist, 24, skin)
    made += limb(wrist + d * 12, wrist + d * 700 + up * 120, 36, sleeve)
    return made
