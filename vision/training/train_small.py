"""Teaches the small face network to answer as the wide one does, which is trained first (train_face.py, train_looks.py).

    python3 train_small.py --teacher face.pt --tables DIR --minutes 40 --out face.onnx [--crops cache.pkl] [--photos DIR --quads FILE] [--more FILE.pkl]

Its looks take the place of the teacher's, so that the color network stays as it is.
"""
import torch
import torch.nn.functional as F

from face_net import FaceNet, SmallFaceNet
from train_face import arguments, batch, crops_of, export, steps

WARM = 2.0  # temperature of the teacher's answers (Hinton et al. 2015)


@torch.no_grad()
def spread_of(teacher, group):
    """The usual spread of each number of the looks."""
    x, _ = batch(group[0][::20], group[3][::20])
    return torch.cat([teacher(v)[1] for v in x.split(256)]).std(0) + 1e-3


@torch.no_grad()
def measure(net, teacher, spread, group):
    """Shares of faces and of no dice told right, told wrong though sure, and how far the looks are off."""
    net.eval()
    f = torch.tensor(group[1])
    x, _ = batch(group[0], group[3])
    answers = [(net(v), teacher(v)[1]) for v in x.split(256)]
    net.train()
    y = torch.cat([a[0][0] for a in answers]).softmax(1)
    off = torch.cat([(a[0][1] - a[1]).abs() / spread for a in answers])
    die, right = f != 7, y.argmax(1) == f
    sure_wrong = ((y.max(1)[0] > 0.98) & ~right).float().mean()
    return dict(face=right[die].float().mean(), none=right[~die].float().mean(), sure_wrong=sure_wrong, off=off[die].mean())


def main():
    ap = arguments()
    ap.add_argument("--teacher", required=True)
    ap.add_argument("--start", default="")
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    data, groups, shares = crops_of(a)
    net, teacher = SmallFaceNet(), FaceNet().eval()
    teacher.load_state_dict(torch.load(a.teacher))
    if a.start:
        net.load_state_dict(torch.load(a.start))
    spread = spread_of(teacher, data["train"])
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=5e-4)
    mean, shown = None, -1
    for step, done, (x, _, f, _) in steps(a, groups, shares, opt):
        with torch.no_grad():
            told, look = teacher(x)
        faces, mine = net(x)
        taught = F.kl_div((faces / WARM).log_softmax(1), (told / WARM).softmax(1), reduction="batchmean") * WARM**2
        loss = 0.6 * F.cross_entropy(faces, f, label_smoothing=0.01) + 0.4 * taught + F.smooth_l1_loss(mine / spread, look / spread, beta=0.2)
        opt.zero_grad()
        loss.backward()
        opt.step()
        mean = loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()
        if int(done * 20) != shown:
            shown = int(done * 20)
            print(f"step {step} {done * 100:.0f}% loss {mean:.3f}", {k: round(v.item(), 4) for k, v in measure(net, teacher, spread, data["held"]).items()}, flush=True)
            torch.save(net.state_dict(), a.out.replace(".onnx", ".pt"))
            export(net, a.out)
    torch.save(net.state_dict(), a.out.replace(".onnx", ".pt"))
    export(net, a.out)
    print("end", {k: round(v.item(), 4) for k, v in measure(net, teacher, spread, data["held"]).items()}, flush=True)


if __name__ == "__main__":
    main()
