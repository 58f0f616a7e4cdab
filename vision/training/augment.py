"""Views of pictures, many at a time, by torch, on a GPU or not: cut out of the pictures, with other tables under what
stands there, things and arms over it, in other light, and as other cameras would have taken them."""
import multiprocessing

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import arms
import grounds
import prints
import tokens

LEVELS = 4          # a picture is kept at so many scales, each half of the one before
PATTERN = 512       # pixels a side of a stored pattern
REACH, HAND = 768, 25.0  # pixels a side of a stored arm, and of the dice that it is drawn for
THINGS = 8          # at most so many are strewn on a view


def column(values, x):
    """Numbers, one a view, shaped to go with views x."""
    return torch.as_tensor(np.asarray(values, np.float32)).view(len(values), *[1] * (x.dim() - 1)).to(x.device, non_blocking=True)


def some(x, share, rng, change):
    """The views with a random share of them changed."""
    i = np.flatnonzero(rng.random(len(x)) < share)
    if len(i):
        i = torch.from_numpy(i).to(x.device)
        x.index_copy_(0, i, change(x[i]))
    return x


class Pictures:
    """Pictures in the device's memory, at several scales; views are cut out of them."""

    def __init__(self, images, device):
        self.device, self.levels, self.sizes = device, [], np.array([[i.shape[1], i.shape[0]] for i in images], np.float32)
        for image in images:
            self.levels.append([])
            for level in range(LEVELS):
                if level:
                    image = cv2.resize(image, (max(1, image.shape[1] // 2), max(1, image.shape[0] // 2)), interpolation=cv2.INTER_AREA)
                self.levels[-1].append(torch.from_numpy(np.ascontiguousarray(image[..., ::-1].transpose(2, 0, 1))).to(device))

    def views(self, which, back, size, replicate, fill, fine=2):
        """Views (n,3,size,size), RGB 0 to 1. back: matrices from a view's pixels to the picture's; beyond its border
        a picture goes on, or there is a color. Each pixel is the mean of fine x fine places of it, of the scale that fits."""
        c = size / 2
        corner = np.einsum("nij,kj->nki", back, np.array([[c, c, 1], [c + 1, c, 1], [c, c + 1, 1]]))
        corner = corner[..., :2] / corner[..., 2:]
        a, b = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
        step = np.sqrt(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]))
        level = np.clip(np.floor(np.log2(np.maximum(step, 1e-3))), 0, LEVELS - 1).astype(int)
        to = lambda v: torch.from_numpy(np.asarray(v, np.float32)).to(self.device)
        line = (torch.arange(size * fine, device=self.device) + 0.5) / fine - 0.5
        y, x = torch.meshgrid(line, line, indexing="ij")
        q = to(back) @ torch.stack([x, y, torch.ones_like(x)]).view(1, 3, -1)
        q = (q[:, :2] / q[:, 2:] + 0.5) * (2 / to(self.sizes[which]))[..., None] - 1  # as grid_sample has it
        grid = q.transpose(1, 2).unflatten(1, (size * fine, size * fine))
        v = torch.cat([F.grid_sample(self.levels[i][k][None].float(), g[None], padding_mode="border", align_corners=False) for i, k, g in zip(which, level, grid)])
        out = (grid.abs() > 1).any(3) & ~torch.from_numpy(replicate).to(self.device)[:, None, None]
        return F.avg_pool2d(torch.where(out[:, None], to(fill)[..., None, None], v), fine) / 255


def turning(angle, zoom):
    """Matrices (n,2,2) that turn and scale."""
    c, s = np.cos(angle) * zoom, np.sin(angle) * zoom
    return np.stack([np.stack([c, -s], 1), np.stack([s, c], 1)], 1)


def laid(x, at, back, to, size, padding="zeros"):
    """Drawings x laid into views: a drawing's pixel at comes to the view's pixel to (each (n,2), x, y). back: matrices from
    a view's pixels to the drawing's."""
    n, s = x.shape[0], x.shape[-1]
    mid = at + np.einsum("nij,nj->ni", back, (size - 1) / 2 - to)
    theta = np.concatenate([back * size / s, ((mid + 0.5) * 2 / s - 1)[..., None]], 2)
    grid = F.affine_grid(torch.from_numpy(theta.astype(np.float32)).to(x.device), (n, x.shape[1], size, size), align_corners=False)
    return F.grid_sample(x, grid, padding_mode=padding, align_corners=False)


# What is drawn beforehand, by all cores, and used again and again, turned and scaled.

def a_pattern(seed):
    rng = np.random.default_rng([seed, 1])
    img = grounds.pattern((PATTERN, PATTERN), rng.uniform(14, 45), rng)
    return np.clip(img[..., ::-1], 0, 255).astype(np.uint8).transpose(2, 0, 1)


def a_thing(seed):
    """Its color (3), where it is, and its shadow."""
    body, there = tokens.thing(np.random.default_rng([seed, 2]))
    n = tokens.FINE // 2
    padded = cv2.copyMakeBorder(there, n, n, n, n, cv2.BORDER_CONSTANT)
    body = cv2.copyMakeBorder(np.clip(body, 0, 255).astype(np.uint8), n, n, n, n, cv2.BORDER_REPLICATE)
    shade = cv2.GaussianBlur(padded, (0, 0), n / 6)
    return np.concatenate([body[..., ::-1], padded[..., None], shade[..., None]], 2).transpose(2, 0, 1)


def an_arm(seed):
    """The bare arm and its roundness, the sleeve and its, the shadow, and where nobody knows what can be seen."""
    rng = np.random.default_rng([seed, 3])
    bare, sleeve, wide = arms.shape(REACH, HAND, rng)
    both, soft = cv2.max(bare, sleeve), lambda m, s: cv2.GaussianBlur(m, (0, 0), s)
    under = cv2.dilate(both, np.ones((2 * int(0.75 * HAND) + 1,) * 2, np.uint8))
    return np.stack([bare, soft(bare, max(1.0, 0.12 * wide)), sleeve, soft(sleeve, max(1.0, 0.12 * wide)), soft(both, rng.uniform(0.2, 1) * HAND), under])


def one_thread():
    cv2.setNumThreads(1)


class Drawn:
    """Patterns, things and arms."""

    def __init__(self, patterns, things, some_arms, seed, device):
        with multiprocessing.get_context("fork").Pool(None, one_thread) as pool:
            made = lambda draw, n: torch.from_numpy(np.stack(pool.map(draw, range(seed * 10**6, seed * 10**6 + n), 8))).to(device)
            self.patterns, self.things, self.arms = made(a_pattern, patterns), made(a_thing, things), made(an_arm, some_arms)

    def pick(self, bank, n, rng):
        return bank[torch.from_numpy(rng.integers(len(bank), size=n)).to(bank.device)].float() / 255


def colors(n, rng):
    return np.stack([prints.ink(rng)[::-1] for _ in range(n)]) / 255


def relaid(x, stand, new, rng, light=1.7):
    """Views with other tables (new) wherever nothing stands (0 to 1), in the light and the shadows that lie there."""
    bare = (stand < 0.1)[:, :, 3::8, 3::8]
    usual = torch.where(bare, x[:, :, 3::8, 3::8], torch.nan).flatten(2).nanmedian(2)[0].nan_to_num(0.4)[..., None, None] + 4 / 255
    shade = (x / usual).clamp(0, light).mean(1, keepdim=True)
    return x * stand + new * shade * (1 - stand)


def patterned(x, stand, drawn, rng):
    """Views on patterned tables."""
    n, size = len(x), x.shape[-1]
    new = drawn.pick(drawn.patterns, n, rng)
    if rng.random() < 0.5:
        new = new.flip(3)
    back = turning(rng.uniform(0, 2 * np.pi, n), np.exp(rng.uniform(np.log(0.3), np.log(1.2), n)))
    new = laid(new, rng.uniform(0.25, 0.75, (n, 2)) * PATTERN, back, np.full((n, 2), size / 2), size, "reflection")
    new = some(new, 0.7, rng, lambda v: blurred(v, rng.uniform(0.3, 1.2, len(v)))) * column(rng.uniform(0.35, 1.1, n), x)
    keep = column(np.where(rng.random(n) < 0.3, rng.uniform(0.4, 0.9, n), 0), x)  # a faint pattern
    return relaid(x, stand, new, rng) * (1 - keep) + x * keep


def strewn(x, stand, side, drawn, rng):
    """Views with things on them where nothing stands, of about a die's size each and much alike, in the light that lies there."""
    n, size = len(x), x.shape[-1]
    wide, flat = side * np.exp(rng.uniform(-0.4, 0.9, n)), np.minimum(rng.uniform(0.55, 1.45, n), 1)
    light = F.interpolate(F.avg_pool2d(x.mean(1, keepdim=True), 16), scale_factor=16.0, mode="bilinear")
    light = (light / (light.flatten(1).median(1)[0][:, None, None, None] + 0.01)).clamp(0.4, 1.6) * column(rng.uniform(0.5, 1.05, n), x)
    kinds, count, dark = rng.integers(len(drawn.things), size=(n, 3)), rng.integers(1, THINGS + 1, n), column(rng.uniform(0, 0.5, n), x)
    for k in range(THINGS):
        at, w = rng.uniform(0, size, (n, 2)), wide * np.exp(rng.normal(0, 0.1, n))
        near = at[:, None] + (w[:, None, None] * 0.6) * np.array([[a, b] for a in (-1, 0, 1) for b in (-1, 0, 1)])
        spots = torch.from_numpy(((near + 0.5) * 2 / size - 1).astype(np.float32)[:, None]).to(x.device)
        free = F.grid_sample(stand, spots, align_corners=False, padding_mode="border").amax((1, 2, 3)) < 0.1
        free &= torch.from_numpy(k < count).to(x.device)
        zoom = tokens.FINE / w
        back = turning(rng.uniform(0, 2 * np.pi, n), zoom) / np.stack([np.ones(n), flat], 1)[:, None]  # seen aslant
        part = drawn.things[torch.from_numpy(kinds[np.arange(n), rng.integers(3, size=n)]).to(x.device)].float() / 255
        part, mid = blurred(part, np.clip(0.35 * zoom, 0.3, 4)), np.full((n, 2), tokens.FINE - 0.5)
        new, free = laid(part, mid, back, at, size), free[:, None, None, None]
        shade = laid(part[:, 4:], mid + rng.normal(0, 0.06 * tokens.FINE, (n, 2)), back, at, size)
        x, there = x * (1 - dark * shade * free), new[:, 3:4] * free
        x = x * (1 - there) + (new[:, :3] * light).clamp(0, 1) * there
    return x


def reached(x, side, drawn, rng):
    """Views with an arm over them, and where nobody knows any more what can be seen (0 to 1)."""
    n, size = len(x), x.shape[-1]
    arm = laid(drawn.pick(drawn.arms, n, rng), np.full((n, 2), REACH / 2.0), turning(rng.uniform(0, 2 * np.pi, n), HAND / side),
               rng.uniform(0.15, 0.85, (n, 2)) * size, size, "border")
    skin = np.where(rng.random((n, 1)) < 0.1, colors(n, rng), arms.SKINS[rng.integers(len(arms.SKINS), size=n)][:, ::-1] / 255 * rng.uniform(0.5, 1.15, (n, 1)))
    tone = lambda c: torch.from_numpy(c.astype(np.float32))[..., None, None].to(x.device)
    mottled = F.interpolate(torch.from_numpy(rng.normal(0, 0.055, (n, 1, 9, 9)).astype(np.float32)).to(x.device), (size, size), mode="bilinear")
    x = x * (1 - column(rng.uniform(0.1, 0.5, n), x) * arm[:, 4:5])
    bare, sleeve = arm[:, :1], arm[:, 2:3]
    x = x * (1 - bare) + (tone(skin) * (0.45 + 0.55 * arm[:, 1:2]) + mottled) * bare
    x = x * (1 - sleeve) + tone(colors(n, rng)) * (0.5 + 0.5 * arm[:, 3:4]) * sleeve
    return x.clamp(0, 1), arm[:, 5:6]


# Light and cameras.

def filtered(x, k):
    """Views, each filtered with its kernel (n,h,w)."""
    n, c = x.shape[:2]
    h, w = k.shape[1:]
    k = torch.from_numpy(k.astype(np.float32)).to(x.device).repeat_interleave(c, 0)[:, None]
    x = F.pad(x, (w // 2, w // 2, h // 2, h // 2), mode="replicate")
    return F.conv2d(x.reshape(1, n * c, *x.shape[2:]), k, groups=n * c).view(n, c, x.shape[2] - h + 1, x.shape[3] - w + 1)


def blurred(x, sigma):
    r = max(1, int(np.ceil(2.5 * np.max(sigma))))
    k = np.exp(-np.arange(-r, r + 1) ** 2 / (2 * np.asarray(sigma)[:, None] ** 2))
    k /= k.sum(1, keepdims=True)
    return filtered(filtered(x, k[:, None]), k[:, :, None])


def shaken(x, rng):
    """As a camera or a die in motion shows it."""
    k = np.zeros((len(x), 9, 9), np.float32)
    for one in k:
        a, r = rng.uniform(0, np.pi), rng.uniform(0.5, 4)
        d = np.array([np.cos(a), np.sin(a)]) * r
        cv2.line(one, tuple(int(round(v)) for v in 4 - d), tuple(int(round(v)) for v in 4 + d), 1)
        one /= one.sum()
    return filtered(x, k)


def recolored(x, turn, more):
    """Another hue (turns) and saturation."""
    v, low = x.amax(1), x.amin(1)
    d = (v - low).clamp(min=1e-5)
    r, g, b = x.unbind(1)
    h = torch.where(v == r, ((g - b) / d) % 6, torch.where(v == g, (b - r) / d + 2, (r - g) / d + 4))
    h, s = h + turn[:, 0] * 6, ((v - low) / v.clamp(min=1e-5) * more[:, 0]).clamp(0, 1)
    part = lambda n: v - v * s * torch.minimum((n + h) % 6, 4 - (n + h) % 6).clamp(0, 1)
    return torch.stack([part(5), part(3), part(1)], 1)


def lit(x, rng, amount=0.15):
    """Another light and exposure: a gain for each channel and a gamma."""
    n = len(x)
    gain = (1 + rng.uniform(-amount, amount, (n, 3))) * np.exp(rng.uniform(-0.5, 0.45, (n, 1)))
    gain = torch.from_numpy(gain.astype(np.float32))[..., None, None].to(x.device)
    return (x * gain).clamp(1e-4, 1) ** column(np.exp(rng.uniform(-0.35, 0.35, n)), x)


def shadowed(x, rng):
    """A soft shadow or a lamp."""
    small = torch.from_numpy(rng.normal(0, 0.35, (len(x), 1, 3, 3)).astype(np.float32)).to(x.device)
    return (x * F.interpolate(small, x.shape[2:], mode="bicubic").exp()).clamp(0, 1)


def coarse(x, rng, least=0.3, most=0.85):
    """By fewer pixels, as a cheap camera far away has it."""
    out, size = [], x.shape[2]
    for part in x.split(max(1, -(-len(x) // 4))):
        n = int(size * rng.uniform(least, most))
        small = F.interpolate(part, (n, n), mode="bilinear", antialias=True)
        out.append(F.interpolate(small, (size, size), mode="bilinear" if rng.random() < 0.7 else "nearest"))
    return torch.cat(out)


def specked(x, rng):
    """Black and white specks."""
    share = column(np.exp(rng.uniform(np.log(0.002), np.log(0.05), len(x))), x)
    k = torch.rand(len(x), 1, *x.shape[2:], device=x.device)
    return torch.where(k < share / 2, 0.0, torch.where(k > 1 - share / 2, 1.0, x))


LUMA = np.array([[16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55], [14, 13, 16, 24, 40, 57, 69, 56], [14, 17, 22, 29, 51, 87, 80, 62],
                 [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92], [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99]])
CHROMA = np.full((8, 8), 99)
CHROMA[:4, :4] = [[17, 18, 24, 47], [18, 21, 26, 66], [24, 26, 56, 99], [47, 66, 99, 99]]
WAVES = np.array([[np.sqrt((1 if k == 0 else 2) / 8) * np.cos((2 * i + 1) * k * np.pi / 16) for i in range(8)] for k in range(8)])


def packed(x, rng):
    """As JPEG leaves it."""
    n, _, h, w = x.shape
    x = F.pad(x, (0, -w % 16, 0, -h % 16), mode="replicate")
    q = rng.uniform(30, 92, n)
    scale = np.where(q < 50, 5000 / q, 200 - 2 * q)[:, None, None]
    d = torch.from_numpy(WAVES.astype(np.float32)).to(x.device)

    def squeezed(plane, table):
        table = torch.from_numpy(np.clip((table * scale + 50) // 100, 1, 255).astype(np.float32)).to(x.device)[:, None, None]
        b = (plane * 255 - 128).unflatten(2, (-1, 8)).unflatten(1, (-1, 8)).transpose(2, 3)  # n, rows, columns, 8, 8
        b = d.t() @ (torch.round(d @ b @ d.t() / table) * table) @ d
        return (b.transpose(2, 3).flatten(3).flatten(1, 2) + 128) / 255

    r, g, b = x.unbind(1)
    y = 0.299 * r + 0.587 * g + 0.114 * b
    blue, red = (F.avg_pool2d(((c - y) * k + 0.5)[:, None], 2)[:, 0] for c, k in ((b, 0.564), (r, 0.713)))
    y, blue, red = squeezed(y, LUMA), squeezed(blue, CHROMA), squeezed(red, CHROMA)
    blue, red = (F.interpolate(c[:, None], scale_factor=2.0, mode="bilinear")[:, 0] - 0.5 for c in (blue, red))
    out = torch.stack([y + 1.403 * red, y - 0.344 * blue - 0.714 * red, y + 1.773 * blue], 1)
    return out[..., :h, :w].clamp(0, 1)


def otherwise(x, rng, hue=0.3, odd=0.04, few=0.25):
    """Views in other light, by other cameras. hue: how often the hue changes; odd: how often gray, and how often a
    negative, where the shape alone matters; few: how often by fewer pixels."""
    u = rng.uniform
    x = some(x, hue, rng, lambda v: recolored(v, column(u(0, 1, len(v)), v), column(u(0.5, 1.4, len(v)), v)))
    x = some(x, 0.2, rng, lambda v: recolored(v, column(u(0, 0, len(v)), v), column(u(0.4, 2, len(v)), v)))
    x = some(x, odd, rng, lambda v: v.mean(1, keepdim=True).expand_as(v))
    x = some(x, odd, rng, lambda v: 1 - v)
    x = some(x, 0.8, rng, lambda v: lit(v, rng))
    x = some(x, 0.25, rng, lambda v: shadowed(v, rng))
    x = some(x, 0.05, rng, lambda v: specked(v, rng))
    x = some(x, few, rng, lambda v: coarse(v, rng))
    x = some(x, 0.35, rng, lambda v: blurred(v, u(0.3, 1.4, len(v))))
    x = some(x, 0.06, rng, lambda v: shaken(v, rng))
    x = some(x, 0.15, rng, lambda v: (v + column(u(0.5, 1.8, len(v)), v) * (v - blurred(v, np.full(len(v), 1.2)))).clamp(0, 1))
    x = some(x, 0.5, rng, lambda v: (v + torch.randn_like(v) * column(u(0.003, 0.045, len(v)), v)).clamp(0, 1))
    x = some(x, 0.04, rng, lambda v: specked(v, rng))
    return some(x, 0.3, rng, lambda v: packed(v, rng))
