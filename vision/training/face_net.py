"""The face and color networks: squared-up crops in, what their tops show and their colors out.

What a color looks like depends on the light, so a color is told from how the crop looks (48 numbers of the
face network) and how the plain parts of top, side and edges look (20 numbers, see tints.py), together with the same of the
picture's other dice, how the picture looks (12 numbers, see light in face_data.py), and which colors the game has.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

from find_net import shipped, unfold

CROP = 40      # pixels a side
MARGIN = 1.5   # a crop covers so many sides of the top
LIGHT = 12     # numbers that tell the light
LOOK = 48      # numbers that tell how a crop looks
FACES = 8      # 0 blast, 1..6, 7 no die
COLORS = ["red", "yellow", "green", "blue", "purple", "orange", "white", "black", "pink"]
TINT = 20      # numbers that tell how the plain parts of a die look
DIE = LOOK + TINT + LIGHT + len(COLORS)  # look, tint, light, colors of the game
POOLED = 3 * LOOK + LIGHT + len(COLORS)  # own look, mean and maximum over the picture, light, colors of the game


def conv(cin, cout, stride=1, k=3):
    return nn.Sequential(nn.Conv2d(cin, cout, k, stride, k // 2, bias=False), nn.BatchNorm2d(cout), nn.ReLU())


class Residual(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.a, self.b = conv(c, c), nn.Sequential(nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c))

    def forward(self, x):
        return F.relu(x + self.b(self.a(x)))


class FaceNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(conv(3, 20), conv(20, 32, 2), conv(32, 40))          # 20x20
        self.face = nn.Sequential(conv(40, 64, 2), conv(64, 72), conv(72, 96, 2), conv(96, 96),  # 5x5
                                  nn.Flatten(), nn.Dropout(0.2), nn.Linear(96 * 25, FACES))
        self.look = nn.Sequential(conv(40, 32, 2), conv(32, 32, 2), nn.Flatten(), nn.Dropout(0.2), nn.Linear(32 * 25, LOOK))  # 5x5

    def forward(self, x):
        x = self.stem(x)
        return self.face(x), self.look(x)


class SmallFaceNet(nn.Module):
    """What is shipped: less than two thirds of FaceNet's work, taught to answer as it does (train_small.py)."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(conv(3, 24, 2, 5), conv(24, 36))                     # 20x20
        self.face = nn.Sequential(conv(36, 48, 2), conv(48, 60), conv(60, 84, 2), conv(84, 84),  # 5x5
                                  nn.Flatten(), nn.Dropout(0.1), nn.Linear(84 * 25, FACES))
        self.look = nn.Sequential(conv(36, 32, 2), conv(32, 32, 2), nn.Flatten(), nn.Linear(32 * 25, LOOK))  # 5x5

    def forward(self, x):
        x = self.stem(x)
        return self.face(x), self.look(x)


def load_face(path):
    """The face network that was saved there, wide or small, or the one that ships: its norms are in its convolutions,
    and are to stay as they are."""
    if path.endswith(".onnx"):
        net = SmallFaceNet()
        convs, values = shipped(path)
        unfold(net, convs, torch.zeros(1, 3, CROP, CROP))
        for head in ("face", "look"):
            last = len(getattr(net, head)) - 1
            getattr(net, head)[last].load_state_dict({k: values[f"{head}.{last}.{k}"] for k in ("weight", "bias")})
        return net.eval()
    state = torch.load(path)
    net = SmallFaceNet() if state["stem.0.0.weight"].shape[2] == 5 else FaceNet()
    net.load_state_dict(state, strict=False)
    return net


class LoneColor(nn.Module):
    """Tells a color without the other dice: what the face network is trained with, and not shipped."""

    def __init__(self):
        super().__init__()
        self.light = nn.Sequential(nn.Linear(LIGHT, 32), nn.ReLU())
        self.color = nn.Sequential(nn.ReLU(), nn.Linear(80, 64), nn.ReLU(), nn.Linear(64, len(COLORS)))

    def forward(self, look, light):
        return self.color(torch.cat([look, self.light(light)], 1))


class PooledColor(nn.Module):
    """Tells a color by the mean and the maximum of all dice's looks: what the looks are trained with, and not shipped."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(POOLED, 96), nn.ReLU(), nn.Dropout(0.1), nn.Linear(96, 64), nn.ReLU(), nn.Linear(64, len(COLORS)))

    def forward(self, die):
        return self.net(die)


def heard(x, ask, answer, tell, width, there=None):
    """Rows x, a die each, and beside each what it hears from the dice that it heeds: attention with heads so wide. there as in ColorNet."""
    out = [x]
    for h in range(0, ask.shape[-1], width):
        heed = ask[..., h:h + width] @ answer[..., h:h + width].transpose(-1, -2)
        if there is not None:
            heed = heed + (there[:, None].float() - 1) * 1e4
        out.append(heed.softmax(-1) @ tell[..., h:h + width])
    return torch.cat(out, -1)


class ColorNet(nn.Module):
    """Tells the colors of a picture's dice. Each die asks all of them, and heeds those whose answers matter to it
    (attention, Vaswani et al. 2017): what else is orange here, and what is yellow."""

    HEADS, WIDTH = 4, 16

    def __init__(self, mean=None, spread=None, drop=0.1):
        """mean and spread of looks and tints, over many dice."""
        super().__init__()
        width, rest = self.HEADS * self.WIDTH, DIE - LOOK - TINT
        self.register_buffer("mean", torch.cat([torch.zeros(LOOK + TINT) if mean is None else mean, torch.zeros(rest)]))
        self.register_buffer("spread", torch.cat([torch.ones(LOOK + TINT) if spread is None else spread, torch.ones(rest)]))
        self.ask, self.answer = nn.Linear(DIE, width), nn.Linear(DIE, width)
        self.tell = nn.Sequential(nn.Linear(DIE, 96), nn.ReLU(), nn.Linear(96, width))
        self.color = nn.Sequential(nn.Dropout(drop), nn.Linear(DIE + width, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, len(COLORS)))

    def forward(self, dice, there=None):
        """dice (n, DIE) of one picture; or (pictures, n, DIE), and there (pictures, n) tells which rows are dice."""
        return self.answers((dice - self.mean) / self.spread, there)

    def answers(self, x, there=None):
        return self.color(heard(x, self.ask(x), self.answer(x), self.tell(x), self.WIDTH, there))

    def folded(self):
        """This network with mean and spread in its weights."""
        for layer in (self.ask, self.answer, self.tell[0], self.color[1]):
            told = layer.weight.data[:, :DIE]
            layer.bias.data -= told @ (self.mean / self.spread)
            told /= self.spread
        self.mean.zero_(), self.spread.fill_(1)
        return self


class MeanColor(nn.Module):
    """The mean of the answers of networks that were trained apart: it errs less than any of them."""

    def __init__(self, nets):
        super().__init__()
        self.nets = nn.ModuleList(net.folded() for net in nets)

    def forward(self, dice):
        return sum(net.answers(dice) for net in self.nets) / len(self.nets)
