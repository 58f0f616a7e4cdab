"""Drawn scenes as samples for the find network: the textures, the renderer on either processor, and the maps it should give."""
import ctypes
import multiprocessing as mp
import os

import cv2
import numpy as np
import torch

import drawn
from tables import lattice

PRINTS = drawn.SYMBOLS + 6 * drawn.PAINTERS
RAYS = 4           # a pixel
MOST_DICE = 25     # of a scene that are learned from
MOST_DECOYS = 40   # outlines that are no die's top
LEAST_SEEN = 0.5   # of an upper face: dice that are covered more neither count for nor against
BATCH = 32         # scenes that are made at once
STOCK = 60         # batches that are used again
FRESH = 3          # batches that are drawn at most between two steps


def bank(job):
    """A texture or a print, by kind and number."""
    kind, i = job
    rng = np.random.default_rng([9, kind, i])
    cv2.setNumThreads(1)
    return drawn.texture(i, rng) if kind == 0 else drawn.mark(i, rng)


def scenes(seed, queue, size, textures):
    """Puts batches of scenes into a queue, without end."""
    rng = np.random.default_rng([77, seed])
    while True:
        numbers, things = [], []
        quads, counts = np.zeros((BATCH, MOST_DICE, 4, 2), np.float32), np.zeros(BATCH, np.int64)
        faces = np.zeros((BATCH, MOST_DICE), np.int64)
        grids = np.full((BATCH, 4, 2), np.nan, np.float32)
        decoys = np.zeros((BATCH, MOST_DECOYS, 4, 2), np.float32)
        for b in range(BATCH):
            s, o, q, shown, grid, those = drawn.scene(size, textures, rng)
            those = rng.permutation(those)[:MOST_DECOYS]
            decoys[b, :len(those)] = those
            numbers.append(s)
            things.append(o)
            counts[b] = min(len(q), MOST_DICE)
            quads[b, :counts[b]], faces[b, :counts[b]] = q[:MOST_DICE], shown[:MOST_DICE]
            if grid is not None:
                grids[b] = grid
        queue.put((np.stack(numbers), np.stack(things), quads, counts, grids, faces, decoys))


def arguments(ap, lr):
    """The arguments that all trainings with drawn scenes take."""
    ap.add_argument("--seconds", type=float, default=480)
    ap.add_argument("--device", default="cpu")
    ap.add_argument("--cubin", default="drawn.cubin")
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--size", type=int, default=384)
    ap.add_argument("--lr", type=float, default=lr)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--textures", type=int, default=900)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    np.random.seed(a.seed)
    return a


def sources(a, views, tables):
    """A renderer, a queue of drawn scenes and one of views of tables; views(seed, queue, tables, size) puts them there. A third of
    the processes, which run without end, make scenes."""
    workers = max(2, (os.cpu_count() or 2) - 1)
    with mp.Pool(workers) as many:
        textures = np.stack(many.map(bank, [(0, i) for i in range(a.textures)], 8))
        prints = np.stack(many.map(bank, [(1, i) for i in range(PRINTS)], 8))
    drawn_queue, view_queue = mp.Queue(12), mp.Queue(40)
    for i in range(workers):
        job = (scenes, (i, drawn_queue, a.size, a.textures)) if i < max(1, workers // 3) else (views, (i, view_queue, tables, a.size))
        mp.Process(target=job[0], args=job[1], daemon=True).start()
    return Renderer(textures, prints, a.size, a.device, a.cubin), drawn_queue, view_queue


class Renderer:
    """Draws on a graphics card (drawn.cu compiled by nvcc to cubin) or, without one, on the processor."""

    def __init__(self, textures, prints, size, device, cubin=""):
        self.size, self.device = size, device
        self.textures, self.prints = torch.from_numpy(textures).to(device), torch.from_numpy(prints).to(device)
        if device == "cuda":
            import cupy
            self.kernel = cupy.RawModule(path=cubin).get_function("draw")
        else:
            self.library = drawn.library()

    def draw(self, numbers, things):
        """Linear light (n,3,size,size), and how many rays saw each thing's upper face (n,MOST)."""
        b, n = len(numbers), self.size
        numbers, things = torch.from_numpy(numbers).to(self.device), torch.from_numpy(things).to(self.device)
        out = torch.zeros(b, n, n, 3, device=self.device)
        seen = torch.zeros(b, drawn.MOST, dtype=torch.int32, device=self.device)
        if self.device == "cuda":
            self.kernel((n // 16, n // 16, b), (16, 16), (
                numbers.data_ptr(), things.data_ptr(), np.int32(drawn.MOST), self.textures.data_ptr(), self.prints.data_ptr(),
                np.int32(n), np.int32(RAYS), out.data_ptr(), seen.data_ptr()))
        else:
            p = [ctypes.c_void_p(t.data_ptr()) for t in (numbers, things, self.textures, self.prints, out, seen)]
            self.library.draw(p[0], p[1], drawn.MOST, p[2], p[3], n, RAYS, b, p[4], p[5])
        return out.permute(0, 3, 1, 2), seen


class Stock:
    """The newest batches of drawn scenes. A subclass says in known() what is kept of one beside its pictures."""

    def __init__(self, source, renderer):
        self.source, self.renderer, self.kept = source, renderer, []

    def refill(self):
        for _ in range(FRESH):
            if self.kept and self.source.empty():
                return
            numbers, things, *rest = self.source.get()
            light, seen = self.renderer.draw(numbers, things)
            self.kept.append((light.half(), *self.known(seen, *(torch.from_numpy(v).to(light.device) for v in rest))))
            del self.kept[:-STOCK]

    def some(self, n):
        """Some batches, with n scenes or nearly so."""
        return [self.kept[np.random.randint(len(self.kept))] for _ in range(max(1, n // BATCH))]


def middles(quads):
    """Where the diagonals of outlines (n,m,4,2) cross, in cells."""
    d1, d2 = quads[:, :, 2] - quads[:, :, 0], quads[:, :, 3] - quads[:, :, 1]
    off, den = quads[:, :, 1] - quads[:, :, 0], d1[..., 0] * d2[..., 1] - d1[..., 1] * d2[..., 0]
    k = (off[..., 0] * d2[..., 1] - off[..., 1] * d2[..., 0]) / torch.where(den.abs() < 1e-6, torch.ones_like(den), den)
    return (quads[:, :, 0] + k[..., None] * d1) / 4 - 0.5


def shapes(quads):
    """tables.symmetric, for (n,m,4,2)."""
    d1, d2 = (quads[:, :, 0] - quads[:, :, 2]) / 2, (quads[:, :, 1] - quads[:, :, 3]) / 2
    s2 = ((d1**2).sum(-1) + (d2**2).sum(-1)).div(2).clamp(min=1e-3)
    z1, z2 = torch.view_as_complex(d1.contiguous()) ** 2, torch.view_as_complex(d2.contiguous()) ** 2
    a, b = (z1 + z2) / s2, z1 * z2 / s2**2
    return torch.stack([s2.log() / 2, a.real, a.imag, b.real, b.imag], -1)


def aims(quads, counts, grids, seen, size):
    """heat, weight, shape, shape weight, lattice, mask as find_data.targets gives them, for a batch of scenes."""
    dev, n, (b, m) = quads.device, size // 4, quads.shape[:2]
    c, sym = middles(quads), shapes(quads)
    area = (quads[:, :, [1, 2, 3, 0], 1] * quads[..., 0] - quads[:, :, [1, 2, 3, 0], 0] * quads[..., 1]).sum(-1).abs() / 2
    near = (torch.arange(m, device=dev)[None] < counts[:, None]) & (c > -4).all(-1) & (c < n + 4).all(-1)
    cut = (quads.amin((2, 3)) < 1) | (quads.amax((2, 3)) > size - 2)
    radius = sym[..., 0].exp() / 4
    plain = near & (seen[:, :m].float() / (RAYS * area + 1) > LEAST_SEEN) & (radius > 1.4) & (radius < 21)
    inside = plain & (c >= 0).all(-1) & (c < n - 1).all(-1)
    yy, xx = torch.meshgrid(torch.arange(n, device=dev).float(), torch.arange(n, device=dev).float(), indexing="ij")
    r = c.round()
    far = (xx - r[..., 0, None, None]) ** 2 + (yy - r[..., 1, None, None]) ** 2
    heat = (torch.exp(-far / (2 * (radius * 0.22).clamp(0.6, 3.0)[..., None, None] ** 2)) * (inside & ~cut)[..., None, None]).amax(1)
    unknown = near & (cut | ~plain)
    weight = 1 - ((far < (radius + 1)[..., None, None] ** 2) & unknown[..., None, None]).any(1).float()
    weight = torch.maximum(weight, (heat > 0.999).float())
    shape, heed = shape_maps(c, r, sym, inside, n)
    lat, mask = grid_maps(grids, n, xx, yy)
    return heat, weight, shape, heed, lat, mask


def shape_maps(c, r, sym, inside, n):
    """The outlines in the cell of each middle and, counting half, in the eight about it."""
    b, m = c.shape[:2]
    shape, heed = torch.zeros(b, 7, n, n, device=c.device), torch.zeros(b, n, n, device=c.device)
    which = torch.arange(b, device=c.device)[:, None].expand(b, m)
    about = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
    for i, j in [*about, (0, 0)]:
        x, y = (r[..., 0] + i).long(), (r[..., 1] + j).long()
        ok = inside & (x >= 0) & (y >= 0) & (x < n) & (y < n)
        shape[which[ok], :, y[ok], x[ok]] = torch.cat([c - torch.stack([x, y], -1), sym], -1)[ok]
        heed[which[ok], y[ok], x[ok]] = 1.0 if (i, j) == (0, 0) else 0.5
    return shape, heed


def grid_maps(grids, n, xx, yy):
    """The lattice points and the inside of the boards."""
    lat, mask = torch.zeros(len(grids), n, n, device=xx.device), torch.zeros(len(grids), n, n, device=xx.device)
    for b in (~torch.isnan(grids[:, 0, 0])).nonzero()[:, 0].tolist():
        points = torch.from_numpy(lattice(grids[b].cpu().numpy())).to(xx.device) / 4 - 0.5
        lat[b] = torch.exp(-((xx - points[:, 0, None, None]) ** 2 + (yy - points[:, 1, None, None]) ** 2) / 2).amax(0)
        e = grids[b] / 4 - 0.5
        d = torch.roll(e, -1, 0) - e
        side = d[:, 0, None, None] * (yy - e[:, 1, None, None]) - d[:, 1, None, None] * (xx - e[:, 0, None, None])
        mask[b] = (side > 0).all(0).float()
    return lat, mask


def turned(x, maps):
    """One of eight turns of a whole batch; what shapes say turns along: as complex numbers, z² under a mirror becomes its conjugate."""
    heat, weight, shape, heed, lat, mask = maps
    every = [x, heat, weight, shape, heed, lat, mask]
    signs = lambda *s: torch.tensor(s, device=x.device).float().view(1, 7, 1, 1)
    if np.random.rand() < 0.5:
        every = [v.flip(-1) for v in every]
        every[3] = every[3] * signs(-1, 1, 1, 1, -1, 1, -1)
    if np.random.rand() < 0.5:
        every = [v.flip(-2) for v in every]
        every[3] = every[3] * signs(1, -1, 1, 1, -1, 1, -1)
    if np.random.rand() < 0.35:  # x and y change places
        every = [v.transpose(-1, -2) for v in every]
        every[3] = every[3][:, [1, 0, 2, 3, 4, 5, 6]] * signs(1, 1, 1, -1, 1, 1, -1)
    return every[0], every[1:]
