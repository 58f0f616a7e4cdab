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


WIDE, NARROW = (12, 28, 48, 80, 112, 40), (12, 21, 40, 72, 104, 24)  # channels at strides 2 to 32, and of the head


class FindNet(nn.Module):
    def __init__(self, w=NARROW):
        super().__init__()
        self.stem = conv_bn(3, w[0], 2)
        self.s4 = Down(w[0], w[1], [Block(w[1])])
        self.s8 = Down(w[1], w[2], [Block(w[2]), Block(w[2])])
        self.s16 = Down(w[2], w[3], [Block(w[3]), Block(w[3])])
        self.s32 = Down(w[3], w[4], [Block(w[4]), Block(w[4], 2)])
        self.u16, self.u8, self.u4 = Up(w[4], w[3]), Up(w[3], w[2]), Up(w[2], w[1])
        self.head = nn.Sequential(conv_bn(w[1], w[5]), nn.ReLU(), nn.Conv2d(w[5], CHANNELS, 1))
        self.head[-1].bias.data[0] = self.head[-1].bias.data[8] = -3.0  # most cells hold nothing
        self.head[-1].bias.data[3] = 3.0  # log of a usual half diagonal

    def forward(self, x):
        s4 = self.s4(F.relu(self.stem(x)))
        s8 = self.s8(s4)
        s16 = self.s16(s8)
        s32 = self.s32(s16)
        return self.head(self.u4(self.u8(self.u16(s32, s16), s8), s4))


def load_net(path):
    """A saved network, or one that ships: its norms are in its convolutions, so that its own do nothing but
    what training adds to them; they are to stay as they are."""
    if not path.endswith(".onnx"):
        state = torch.load(path, map_location="cpu")
        net = FindNet(widths(state))
        net.load_state_dict(state)
        return net.eval()
    convs, _ = shipped(path)
    net = FindNet((*(convs[i][0].shape[0] for i in (0, 1, 4, 9, 14)), convs[-2][0].shape[0]))
    unfold(net, convs, torch.zeros(1, 3, 64, 64))
    return net.eval()


def shipped(path):
    """The weights of an .onnx: weight and bias of every convolution in order, and all by name."""
    import onnx
    from onnx import numpy_helper
    graph = onnx.load(path).graph
    values = {i.name: torch.tensor(numpy_helper.to_array(i)) for i in graph.initializer}
    return [[values[k] for k in n.input[1:]] for n in graph.node if n.op_type == "Conv"], values


def unfold(net, convs, picture):
    """Gives a network convolutions that hold their norms: its own norms then do nothing."""
    norms = {id(m[0]): m[1] for m in net.modules() if isinstance(m, nn.Sequential) and len(m) > 1 and isinstance(m[1], nn.BatchNorm2d)}
    for (weight, bias), conv in zip(convs, inorder(net, picture)):
        conv.weight.data.copy_(weight)
        (conv if conv.bias is not None else norms[id(conv)]).bias.data.copy_(bias)
    for norm in norms.values():
        norm.running_var.fill_(1 - norm.eps)


def inorder(net, picture):
    """The convolutions in the order in which they see a picture."""
    order = []
    hooks = [m.register_forward_hook(lambda m, *_: order.append(m)) for m in net.modules() if isinstance(m, nn.Conv2d)]
    net.eval()(picture)
    for h in hooks:
        h.remove()
    return order


def widths(state):
    """The channels of a saved network."""
    return (*(state[k].shape[0] for k in ("stem.0.weight", *(f"s{s}.conv.0.weight" for s in (4, 8, 16, 32)))), state["head.0.0.weight"].shape[0])


def narrowed(state, w):
    """A saved network with fewer channels: those are kept whose normalized outputs weigh most (Liu et al. 2017,
    network slimming). What is added together keeps the same channels. To be trained on."""
    stages = [k for k in ("s4", "s8", "s16", "s32")]
    groups = {"": list(range(3))}  # which channels are kept, by the layer that makes them
    def best(names, n):
        gain = sum(state[f"{k}.weight"].abs() for k in names)
        return sorted(gain.argsort(descending=True)[:n].tolist())
    groups["stem"] = best(["stem.1"], w[0])
    for stage, n in zip(stages, w[1:5]):
        blocks = sorted({k.split(".")[2] for k in state if k.startswith(f"{stage}.blocks.")})
        groups[stage] = best([f"{stage}.conv.1", *(f"{stage}.blocks.{b}.b.1" for b in blocks)], n)
        for b in blocks:
            groups[f"{stage}.{b}"] = best([f"{stage}.blocks.{b}.a.1"], n)
    for up, stage, n in (("u16", "s16", w[3]), ("u8", "s8", w[2]), ("u4", "s4", w[1])):
        groups[up] = best([f"{up}.mix.1"], n)
    groups["head"] = best(["head.0.1"], w[5])

    out = dict(state)
    def cut(conv, norm, made, taken):
        out[f"{conv}.weight"] = state[f"{conv}.weight"][made][:, taken]
        for k in ("weight", "bias", "running_mean", "running_var") if norm else ():
            out[f"{norm}.{k}"] = state[f"{norm}.{k}"][made]
    cut("stem.0", "stem.1", groups["stem"], groups[""])
    before = "stem"
    for stage in stages:
        cut(f"{stage}.conv.0", f"{stage}.conv.1", groups[stage], groups[before])
        for b in [k.split(".")[1] for k in groups if k.startswith(stage + ".")]:
            cut(f"{stage}.blocks.{b}.a.0", f"{stage}.blocks.{b}.a.1", groups[f"{stage}.{b}"], groups[stage])
            cut(f"{stage}.blocks.{b}.b.0", f"{stage}.blocks.{b}.b.1", groups[stage], groups[f"{stage}.{b}"])
        before = stage
    coarse = "s32"
    for up, stage in (("u16", "s16"), ("u8", "s8"), ("u4", "s4")):
        cut(f"{up}.lateral", "", groups[stage], groups[coarse])
        out[f"{up}.lateral.bias"] = state[f"{up}.lateral.bias"][groups[stage]]
        cut(f"{up}.mix.0", f"{up}.mix.1", groups[up], groups[stage])
        coarse = up
    cut("head.0.0", "head.0.1", groups["head"], groups["u4"])
    out["head.2.weight"] = state["head.2.weight"][:, groups["head"]]
    return out
