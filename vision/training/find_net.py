"""The find network: a picture in, maps at a quarter of its size out.

One pass tells where the tops of dice are and what outline they have, where the
lattice of a 5x5 grid is, and what lies inside it. See ../README.md for the
meaning of every channel.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

CHANNELS = 10


def conv_bn(cin, cout, stride=1, k=3):
    return nn.Sequential(nn.Conv2d(cin, cout, k, stride, k // 2, bias=False), nn.BatchNorm2d(cout))


class Block(nn.Module):
    def __init__(self, c, dilation=1):
        super().__init__()
        self.a = nn.Sequential(nn.Conv2d(c, c, 3, 1, dilation, dilation, bias=False), nn.BatchNorm2d(c))
        self.b = conv_bn(c, c)

    def forward(self, x):
        return F.relu(x + self.b(F.relu(self.a(x))))


class Down(nn.Module):
    def __init__(self, cin, cout, blocks):
        super().__init__()
        self.conv = conv_bn(cin, cout, 2)
        self.blocks = nn.Sequential(*blocks)

    def forward(self, x):
        return self.blocks(F.relu(self.conv(x)))


class Up(nn.Module):
    """Coarse features brought to twice their size and added to finer ones."""

    def __init__(self, coarse, fine):
        super().__init__()
        self.lateral = nn.Conv2d(coarse, fine, 1)
        self.mix = conv_bn(fine, fine)

    def forward(self, coarse, fine):
        x = F.interpolate(self.lateral(coarse), scale_factor=2.0, mode="nearest") + fine
        return F.relu(self.mix(x))


class FindNet(nn.Module):
    def __init__(self, w=(12, 28, 48, 80, 112)):
        super().__init__()
        self.stem = conv_bn(3, w[0], 2)
        self.s4 = Down(w[0], w[1], [Block(w[1])])
        self.s8 = Down(w[1], w[2], [Block(w[2]), Block(w[2])])
        self.s16 = Down(w[2], w[3], [Block(w[3]), Block(w[3])])
        self.s32 = Down(w[3], w[4], [Block(w[4]), Block(w[4], 2)])
        self.u16, self.u8, self.u4 = Up(w[4], w[3]), Up(w[3], w[2]), Up(w[2], w[1])
        self.head = nn.Sequential(conv_bn(w[1], 40), nn.ReLU(), nn.Conv2d(40, CHANNELS, 1))
        self.head[-1].bias.data[0] = self.head[-1].bias.data[8] = -3.0  # most cells hold nothing
        self.head[-1].bias.data[3] = 3.0  # log of a usual half diagonal

    def forward(self, x):
        s4 = self.s4(F.relu(self.stem(x)))
        s8 = self.s8(s4)
        s16 = self.s16(s8)
        s32 = self.s32(s16)
        return self.head(self.u4(self.u8(self.u16(s32, s16), s8), s4))
