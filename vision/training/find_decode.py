"""The find network's maps as outlines: the same arithmetic as ../detect/peaks.go, for making training data."""
import cv2
import numpy as np
import torch


def prepare(image, long_side):
    """The picture at a size that the network takes, and the factor."""
    h, w = image.shape[:2]
    k = long_side / max(h, w)
    small = cv2.resize(image, (round(w * k), round(h * k)), interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR)
    down, right = -small.shape[0] % 32, -small.shape[1] % 32
    return cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_REPLICATE), k


@torch.no_grad()
def maps(net, image):
    return net(torch.from_numpy(image[..., ::-1].transpose(2, 0, 1).copy()).float()[None] / 255)[0].numpy()


def tops(m, least=0.3):
    """[(score, center, quad (4,2))], best first, in pixels of the network's input."""
    heat = 1 / (1 + np.exp(-m[0]))
    ys, xs = np.where((heat >= cv2.dilate(heat, np.ones((3, 3)))) & (heat > least))
    found = []
    for y, x in zip(ys, xs):
        c = np.array([(x + m[1, y, x] + 0.5) * 4, (y + m[2, y, x] + 0.5) * 4])
        s = np.exp(m[3, y, x])
        a, b = (m[4, y, x] + 1j * m[5, y, x]) * s**2, (m[6, y, x] + 1j * m[7, y, x]) * s**4
        root = np.sqrt(a * a - 4 * b + 0j)
        d1, d2 = np.sqrt((a + root) / 2), np.sqrt((a - root) / 2)
        if (d1.conjugate() * d2).imag < 0:
            d2 = -d2
        found.append((heat[y, x], c, np.array([[c[0] + d.real, c[1] + d.imag] for d in (d1, d2, -d1, -d2)])))
    found.sort(key=lambda f: -f[0])
    kept = []
    for f in found:
        side = max(6.0, np.sqrt(abs(cv2.contourArea(f[2].astype(np.float32)))))
        if all(np.linalg.norm(f[1] - g[1]) > 0.5 * side for g in kept):
            kept.append(f)
    return kept
