"""Views of pictures (bytes n,3,h,w) and what is known of them, which other processes make, kept to be learned from more than once."""
import queue

import torch

from photographed import between, some

POOL = 6000  # views


class Pool:
    """The newest views, on the card."""

    def __init__(self, source, device):
        self.source, self.device, self.kept, self.at, self.filled = source, device, None, 0, 0

    def refill(self, least):
        while self.filled < least or not self.source.empty():
            try:
                new = [torch.from_numpy(v) for v in self.source.get(self.filled < least)]
            except queue.Empty:
                return
            if self.kept is None:
                self.kept = [torch.zeros(POOL, *v.shape[1:], dtype=v.dtype, device=self.device) for v in new]
            where = torch.arange(self.at, self.at + len(new[0]), device=self.device) % POOL
            for kept, v in zip(self.kept, new):
                kept[where] = v.to(self.device)
            self.at, self.filled = (self.at + len(new[0])) % POOL, min(POOL, self.filled + len(new[0]))

    def draw(self, n):
        """Pictures in a light that differs a little each time, and what is known of each."""
        i = torch.randint(self.filled, (n,), device=self.device)
        x = self.kept[0][i].float() / 255
        x = (x * torch.exp(between(x, -0.25, 0.25) * some(x, 0.7)) * (1 + between(x, -0.12, 0.12, 3) * some(x, 0.5))).clamp(0, 1)
        x = x ** torch.exp(between(x, -0.2, 0.2) * some(x, 0.5))
        x = (x + torch.randn_like(x) * between(x, 0, 0.025) * some(x, 0.4)).clamp(0, 1)
        return [x, *[v[i] for v in self.kept[1:]]]
