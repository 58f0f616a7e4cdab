"""Tables under dice with any pattern on them: checks, stripes, dots, chips of stone, mosaics, leaves, words, lace, fur."""
import cv2
import numpy as np

from prints import ink


def colors(n, rng):
    """So many colors that go with each other: shades of one, or any."""
    base = ink(rng)
    if rng.random() < 0.5:
        return [np.clip(base * rng.uniform(0.4, 1.6) + rng.normal(0, 8, 3), 4, 255) for _ in range(n)]
    return [base, *(ink(rng) for _ in range(n - 1))]


def bands(u, rng):
    """Stripes along u, in periods, of up to three widths: which one, 0 to 1."""
    edges = np.sort(rng.uniform(0, 1, 2 * rng.integers(1, 4)))
    return (np.searchsorted(edges, u % 1) % 2).astype(np.float32)


def woven(u, v, rng):
    """Checks, tartans, stripes: what goes across darkens what goes along."""
    same = rng.random() < 0.6
    a = (u % 1 < 0.5).astype(np.float32) if same else bands(u, rng)
    b = (v % 1 < 0.5).astype(np.float32) if same else bands(v, rng)
    one, two, three = colors(3, rng)
    kind = rng.random()
    if kind < 0.25:
        a = b  # stripes
    elif kind < 0.5:
        a = b = np.abs(a - b)  # a chessboard
    share = ((a + b) / 2)[..., None]
    return np.where(a[..., None] * b[..., None] > 0.5, three, one * (1 - share) + two * share) if rng.random() < 0.3 else one * (1 - share) + two * share


def dotted(u, v, rng):
    """Spots, rings or small squares in rows."""
    u = u + (0.5 * (np.floor(v) % 2) if rng.random() < 0.5 else 0)
    x, y = np.abs(u % 1 - 0.5), np.abs(v % 1 - 0.5)
    far = np.hypot(x, y) if rng.random() < 0.7 else np.maximum(x, y)
    r = rng.uniform(0.1, 0.42)
    on = far < r
    if rng.random() < 0.2:
        on &= far > r * rng.uniform(0.4, 0.8)
    one, two = colors(2, rng)
    return np.where(on[..., None], two, one)


def scattered(u, v, rng):
    """Chips of stone, crumbs, petals: many-sided things of a few tones, anywhere."""
    h, w = u.shape
    pitch = 1 / max(np.abs(np.diff(u, axis=1)).mean() + np.abs(np.diff(u, axis=0)).mean(), 1e-3)  # of the pattern, pixels
    tones = colors(rng.integers(2, 6), rng)
    img = np.empty((h, w, 3), np.float32)
    img[:] = tones[0]
    n = int(min(rng.uniform(0.2, 3) * h * w / pitch**2, 9000))
    least, most = pitch * rng.uniform(0.08, 0.3), pitch * rng.uniform(0.3, 0.9)
    slim, corners = rng.uniform(0.4, 1), rng.integers(3, 9)
    for x, y, r, a, tone in zip(rng.uniform(0, w, n), rng.uniform(0, h, n), rng.uniform(least, most, n), rng.uniform(0, 6.28, n), rng.integers(1, len(tones), n)):
        turn = np.sort(rng.uniform(0, 2 * np.pi, corners))
        p, q = r * np.cos(turn), slim * r * np.sin(turn)
        points = np.stack([x + p * np.cos(a) - q * np.sin(a), y + p * np.sin(a) + q * np.cos(a)], 1)
        cv2.fillPoly(img, [np.int32(points * 16)], tuple(tones[tone] * rng.uniform(0.85, 1.15)), cv2.LINE_AA, 4)
    return img


def mosaic(u, v, rng):
    """Cells around scattered points, each of its own tone, or the lines between them; tiles of unlike tones."""
    if rng.random() < 0.4:
        cell = np.floor(u) * 7 + np.floor(v + (0.5 * (np.floor(u) % 2) if rng.random() < 0.5 else 0)) * 13
        gap = np.minimum(np.abs(u % 1 - 0.5), np.abs(v % 1 - 0.5)) if rng.random() < 0.5 else np.full(u.shape, 1.0)
        line = gap < rng.uniform(0.02, 0.08)
    else:
        seeds = np.full(u.shape, 255, np.uint8)
        n = int(np.clip((np.ptp(u) * np.ptp(v)), 4, 20000))
        seeds[rng.integers(0, u.shape[0], n), rng.integers(0, u.shape[1], n)] = 0
        far, cell = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL)
        cell = cell.astype(np.float64)
        line = cv2.morphologyEx(cell.astype(np.float32), cv2.MORPH_GRADIENT, np.ones((2, 2))) > 0
    tones = np.array(colors(rng.integers(2, 6), rng))
    img = tones[(np.abs(np.sin(cell * 12.9898) * 43758.5) % 1 * len(tones)).astype(int)]
    if rng.random() < 0.6:
        img[line] = ink(rng)
    return img


def grained(u, v, rng):
    """Stone, wood, cloth: noise of many sizes, plain or in steps."""
    h, w = u.shape
    noise = np.zeros((h, w), np.float32)
    stretch = rng.choice([1, 1, 6])
    for octave in range(2, 8):
        a, b = max(2, min(w, 2**octave)), max(2, min(h, 2**octave // stretch))
        noise += cv2.resize(rng.normal(0, 1, (b, a)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC) * rng.uniform(0.1, 1)
    noise = (noise - noise.min()) / (np.ptp(noise) + 1e-6)
    if rng.random() < 0.5:
        noise = np.floor(noise * rng.integers(2, 7)) / 6
    one, two = colors(2, rng)
    return one * (1 - noise[..., None]) + two * noise[..., None]


def written(u, v, rng):
    """A page of words, a newspaper, a table of numbers."""
    h, w = u.shape
    paper, letter = colors(2, rng) if rng.random() < 0.5 else (np.full(3, rng.uniform(200, 250)), np.full(3, rng.uniform(10, 80)))
    img = np.empty((h, w, 3), np.uint8)
    img[:] = paper
    tall = rng.uniform(7, 40)
    for y in np.arange(0, h + tall, tall * rng.uniform(1.2, 2)):
        words = "".join(rng.choice(list("aeiounrstlmdkg0123456789 .   EAT"), 90))
        cv2.putText(img, words, (int(rng.uniform(-60, 20)), int(y)), int(rng.integers(0, 4)), tall / 30, tuple(letter), int(rng.integers(1, 3)), cv2.LINE_AA)
    return img.astype(np.float32)


def motif(n, rng):
    """An ornament of n x n pixels, 0 to 1, how much ink is where: a rosette, a wheel, a star, a blossom, a doily."""
    fine, middle = np.zeros((n, n), np.uint8), n / 2
    ways = int(rng.choice([1, 2, 4, 4, 5, 6, 8, 8, 12]))
    for _ in range(rng.integers(2, 8)):
        thick = -1 if rng.random() < 0.4 else max(1, int(n * rng.uniform(0.01, 0.06)))
        kind, far, size, slim, turn = rng.integers(4), rng.uniform(0, 0.42) * n, rng.uniform(0.02, 0.2) * n, rng.uniform(0.3, 1), rng.uniform(0, 360)
        tone = 0 if rng.random() < 0.2 else 255
        if kind == 0:
            cv2.circle(fine, (int(middle), int(middle)), int(rng.uniform(0.05, 0.48) * n), tone, max(thick, 1) if thick < n * 0.3 else 1, cv2.LINE_AA)
            continue
        for k in range(ways):
            a = 2 * np.pi * k / ways + np.radians(turn)
            at = (int(middle + far * np.cos(a)), int(middle + far * np.sin(a)))
            if kind == 1:
                cv2.ellipse(fine, at, (int(size) + 1, int(size * slim) + 1), np.degrees(a), 0, 360, tone, thick, cv2.LINE_AA)
            elif kind == 2:
                cv2.line(fine, at, (int(middle + (far + 2 * size) * np.cos(a + slim)), int(middle + (far + 2 * size) * np.sin(a + slim))), tone, max(thick, 1), cv2.LINE_AA)
            else:
                cv2.ellipse(fine, at, (int(size) + 1, int(size) + 1), np.degrees(a), 0, rng.uniform(90, 300), tone, max(thick, 1), cv2.LINE_AA)
    return fine.astype(np.float32) / 255


def ornaments(u, v, rng):
    """Lace, tiles, embroidery: one or two ornaments again and again, touching or far apart, on a net or on plain ground."""
    n, u, v = 96, u / 2, v / 2
    kinds = np.stack([motif(n, rng) for _ in range(rng.integers(1, 3))])
    apart = rng.uniform(0.8, 1.8)
    v = v + (0.5 * (np.floor(u) % 2) if rng.random() < 0.4 else 0)
    x, y = ((u % 1) - 0.5) * apart + 0.5, ((v % 1) - 0.5) * apart + 0.5
    which = (np.floor(u) + np.floor(v)).astype(int) % len(kinds)
    inside = (x >= 0) & (x < 1) & (y >= 0) & (y < 1)
    ink_there = np.where(inside, kinds[which, (np.clip(y, 0, 0.999) * n).astype(int), (np.clip(x, 0, 0.999) * n).astype(int)], 0)
    if rng.random() < 0.4:
        mesh, thin = rng.integers(3, 12), rng.uniform(0.06, 0.2)
        ink_there = np.maximum(ink_there, ((u * mesh % 1 < thin) | (v * mesh % 1 < thin)).astype(np.float32))
    one, two = colors(2, rng)
    if rng.random() < 0.4:
        two = np.full(3, rng.uniform(200, 250))
    ink_there = ink_there[..., None]
    return one * (1 - ink_there) + two * ink_there


def spotted(u, v, rng):
    """Fur, camouflage, marble: patches of about one size and any outline, ringed or not."""
    h, w = u.shape
    pitch = 1 / max(np.abs(np.diff(u, axis=1)).mean() + np.abs(np.diff(u, axis=0)).mean(), 1e-3)
    fine = np.clip(pitch * rng.uniform(0.06, 0.2), 1, 40)
    long = rng.choice([1, 1, 1, 3])  # spots, or stripes of an animal
    img = np.empty((h, w, 3), np.float32)
    img[:] = colors(1, rng)[0]
    tones, share = colors(rng.integers(1, 4), rng), rng.uniform(-0.4, 0.9)
    for tone in tones:
        noise = rng.normal(0, 1, (h, w)).astype(np.float32)
        noise = cv2.GaussianBlur(noise, (0, 0), fine * long, sigmaY=fine) - cv2.GaussianBlur(noise, (0, 0), 1.8 * fine * long, sigmaY=1.8 * fine)
        noise /= noise.std() + 1e-6
        on = noise > share
        img[on] = tone
        if rng.random() < 0.4:
            img[on & (noise > share + rng.uniform(0.3, 1))] = ink(rng) if rng.random() < 0.5 else tones[0] * 0.6
    return img


def blossoms(u, v, rng):
    """A flowery cloth: blossoms of one or some kinds with their middles, and leaves, strewn on plain ground."""
    h, w = u.shape
    pitch = 1 / max(np.abs(np.diff(u, axis=1)).mean() + np.abs(np.diff(u, axis=0)).mean(), 1e-3)
    img = np.empty((h, w, 3), np.float32)
    img[:] = ink(rng) * rng.uniform(0.3, 1)
    kinds = [(int(rng.integers(4, 9)), rng.uniform(0.2, 0.55), *colors(2, rng)) for _ in range(rng.integers(1, 5))]
    n = int(min(rng.uniform(0.2, 1.2) * h * w / pitch**2, 1500))
    for x, y, r, a, kind in zip(rng.uniform(0, w, n), rng.uniform(0, h, n), pitch * rng.uniform(0.15, 0.5, n), rng.uniform(0, 360, n), rng.integers(len(kinds), size=n)):
        petals, slim, petal, middle = kinds[kind]
        for k in range(petals):
            b = np.radians(a + 360 * k / petals)
            at = (int(16 * (x + 0.6 * r * np.cos(b))), int(16 * (y + 0.6 * r * np.sin(b))))
            cv2.ellipse(img, at, (int(16 * 0.5 * r) + 1, int(16 * slim * r * 0.8) + 1), a + 360 * k / petals, 0, 360, tuple(petal), -1, cv2.LINE_AA, 4)
        cv2.circle(img, (int(16 * x), int(16 * y)), int(16 * r * slim * 0.7) + 1, tuple(middle), -1, cv2.LINE_AA, 4)
    return img


PATTERNS = (woven, woven, woven, dotted, scattered, scattered, mosaic, grained, written, ornaments, ornaments, spotted, blossoms, blossoms)


def pattern(shape, side, rng):
    """A table top (BGR, 0 to 255) of that shape; side: of the dice on it, pixels, by which the pattern's period goes."""
    h, w = shape
    period, turn = side * np.exp(rng.uniform(np.log(0.15), np.log(4))), rng.uniform(0, np.pi)
    if rng.random() < 0.3:
        turn = rng.normal(0, 0.05)
    y, x = np.mgrid[:h, :w].astype(np.float32)
    x, y = x - w / 2, y - h / 2
    away = 1 + (rng.uniform(-0.5, 0.5) * x / w + rng.uniform(-0.7, 0.7) * y / h if rng.random() < 0.5 else 0)  # seen aslant
    u = (x * np.cos(turn) + y * np.sin(turn)) / period / away + rng.uniform(0, 9)
    v = (y * np.cos(turn) - x * np.sin(turn)) / period / away * (rng.uniform(0.5, 2) if rng.random() < 0.3 else 1) + rng.uniform(0, 9)
    return PATTERNS[rng.integers(len(PATTERNS))](u, v, rng).astype(np.float32)


def relaid(img, dice, side, rng):
    """The picture with another table wherever dice (0 to 1) are not, in the light and the shadows that lie there."""
    x, ground = img.astype(np.float32), dice < 0.1
    if ground.mean() < 0.05:
        return img
    usual = np.median(x[ground][::7], 0) + 4
    shade = np.clip(x / usual, 0, 1.7).mean(2, keepdims=True)
    new = pattern(img.shape[:2], side, rng)
    if rng.random() < 0.7:
        new = cv2.GaussianBlur(new, (0, 0), rng.uniform(0.3, 1.2))
    new = new * shade * rng.uniform(0.35, 1.1)
    if rng.random() < 0.3:  # a faint pattern
        keep = rng.uniform(0.4, 0.9)
        new = x * keep + new * (1 - keep)
    dice = dice[..., None]
    return np.clip(x * dice + new * (1 - dice), 0, 255).astype(np.uint8)
