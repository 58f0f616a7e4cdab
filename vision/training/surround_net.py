"""The surround network: the dice of a picture and what lies about them, as pixels, in; their colors out.

A lamp bleaches an orange top to yellow, but not the die's sides, nor its neighbors, nor the table. So this network sees those,
as values and as logarithms of ratios of channels in linear light, which another exposure leaves alone. As in the color
network each die heeds the others of its picture.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

from face_net import COLORS, TINT, conv, heard
from tints import EDGES

CROP, MARGIN = 40, 2.2                   # pixels a side, and how many sides of the top they cover
LIGHT = 6                                # numbers that tell the light: the picture's mean and its 6-norm
TOLD = [*range(4), *range(EDGES, TINT)]  # what it is told of the tint: sides it sees for itself, whichever way they lie
OWN = len(TOLD) + LIGHT + len(COLORS)    # tint, light, colors of the game: what is told beside the crop
SEEN = 48                                # numbers that tell what is seen


class SurroundNet(nn.Module):
    HEADS, WIDTH = 4, 16

    def __init__(self, mean=None, spread=None, drop=0.15):
        """mean and spread of what is told beside the crops, over many dice."""
        super().__init__()
        self.register_buffer("mean", torch.zeros(OWN) if mean is None else mean)
        self.register_buffer("spread", torch.ones(OWN) if spread is None else spread)
        # What is the same for every pixel stands as convolutions, which OpenCV 4.6 reads rightly.
        self.lift, self.differ = nn.Conv2d(3, 3, 1), nn.Conv2d(3, 2, 1, bias=False)
        self.lift.weight.data, self.lift.bias.data[:] = torch.eye(3).view(3, 3, 1, 1), 0.02
        self.differ.weight.data = torch.tensor([[0.5, -0.5, 0], [0, -0.5, 0.5]]).view(2, 3, 1, 1)
        for p in (*self.lift.parameters(), *self.differ.parameters()):
            p.requires_grad = False
        self.eye = nn.Sequential(conv(6, 24, 2, 5), conv(24, 32), conv(32, 56, 2), conv(56, 56), conv(56, 80, 2))
        self.seen = nn.Linear(2 * 80, SEEN)
        self.alone = nn.Linear(SEEN, len(COLORS))  # trained with, and not shipped
        self.drop = nn.Dropout(drop)
        die, width = SEEN + OWN, self.HEADS * self.WIDTH
        self.ask, self.answer = nn.Linear(die, width), nn.Linear(die, width)
        self.tell = nn.Sequential(nn.Linear(die, 96), nn.ReLU(), nn.Linear(96, width))
        self.color = nn.Sequential(nn.Dropout(drop), nn.Linear(die + width, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, len(COLORS)))

    def look(self, crops):
        """crops (n,3,CROP,CROP), RGB in 0..1: what is seen of each, (n,SEEN)."""
        brightest = torch.max(torch.max(crops[:, :1], crops[:, 1:2]), crops[:, 2:])
        ratios = self.differ(torch.log(self.lift(crops**2.2)))
        z = self.eye(torch.cat([crops * 2 - 1, ratios, torch.relu(brightest - 0.94) * 16], 1))
        return self.seen(torch.cat([F.adaptive_avg_pool2d(z, 1), F.adaptive_max_pool2d(z, 1)], 1).reshape(-1, 160))

    def tell_colors(self, seen, own, there=None):
        """seen (n,SEEN) and own (n,OWN) of one picture's dice; or of several pictures' (pictures,n,…), and there (pictures,n) tells which rows are dice."""
        x = torch.cat([self.drop(seen), (own - self.mean) / self.spread], -1)
        return self.color(heard(x, self.ask(x), self.answer(x), self.tell(x), self.WIDTH, there))

    def forward(self, crops, own):
        return self.tell_colors(self.look(crops), own)
