"""What a camera makes of light, for many pictures at once (torch): exposure, white balance, blur, noise, sharpening, JPEG."""
import numpy as np
import torch
import torch.nn.functional as F

# The luminance table of the JPEG standard (ITU-T T.81, annex K).
QUANTA = torch.tensor([
    [16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55], [14, 13, 16, 24, 40, 57, 69, 56],
    [14, 17, 22, 29, 51, 87, 80, 62], [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99]]).float()


def some(x, share):
    """1 for this share of the pictures, else 0."""
    return (torch.rand(len(x), 1, 1, 1, device=x.device) < share).float()


def between(x, low, high, channels=1):
    return torch.rand(len(x), channels, 1, 1, device=x.device) * (high - low) + low


def blurred(x, sigma):
    r = max(1, int(2.5 * sigma + 0.5))
    t = torch.arange(-r, r + 1, device=x.device).float()
    k = torch.exp(-t * t / (2 * sigma * sigma))
    k = k / k.sum()
    x = F.conv2d(F.pad(x, (r, r, 0, 0), mode="replicate"), k.view(1, 1, 1, -1).repeat(3, 1, 1, 1), groups=3)
    return F.conv2d(F.pad(x, (0, 0, r, r), mode="replicate"), k.view(1, 1, -1, 1).repeat(3, 1, 1, 1), groups=3)


def jpeg(x):
    """Blocks of 8 pixels, their cosine transforms rounded more or less coarsely."""
    k, j = torch.arange(8.0).view(-1, 1), torch.arange(8.0).view(1, -1)
    dct = torch.cos((2 * j + 1) * k * np.pi / 16) / 2
    dct[0] *= 0.5**0.5
    dct, q = dct.to(x.device), QUANTA.to(x.device) / 255 * torch.exp(between(x, -1.8, 0.3))[..., None, None]
    b, c, h, w = x.shape
    blocks = x.view(b, c, h // 8, 8, w // 8, 8).permute(0, 1, 2, 4, 3, 5) - 0.5
    rounded = torch.round(dct @ blocks @ dct.T / q) * q
    return (dct.T @ rounded @ dct + 0.5).permute(0, 1, 2, 4, 3, 5).reshape(b, c, h, w)


def photographed(light):
    """Linear light (n,3,h,w) as pictures, 0 to 1."""
    x = light / (light.mean((1, 2, 3), keepdim=True) + 0.02) * torch.exp(between(light, -2.3, -0.6))
    x = x * (1 + between(x, -0.16, 0.16, 3) * some(x, 0.8))
    x = x.clamp(0, 1) ** (torch.exp(between(x, -0.25, 0.3)) / 2.2)
    gray, dull = x.mean(1, keepdim=True), some(x, 0.3)
    x = gray + (x - gray) * (dull * between(x, 0.2, 1.5) + 1 - dull)
    x = torch.cat([lens(part) for part in x.split(max(1, len(x) // 6))]).clamp(0, 1)
    rough = F.interpolate(torch.randn(len(x), 3, x.shape[2] // 2, x.shape[3] // 2, device=x.device), size=x.shape[2:], mode="bilinear")
    x = (x + (0.6 * torch.randn_like(x) + 0.8 * rough) * between(x, 0, 0.05) * some(x, 0.6)).clamp(0, 1)
    j = some(x, 0.5)
    return (j * jpeg(x) + (1 - j) * x).clamp(0, 1)


def lens(x):
    """Out of focus, or with fewer pixels; sharpened, as phones do."""
    u = np.random.rand()
    if u < 0.35:
        x = blurred(x, np.random.uniform(0.3, 1.5))
    elif u < 0.5:
        x = F.interpolate(F.interpolate(x, scale_factor=np.random.uniform(0.4, 0.8), mode="area"), size=x.shape[2:], mode="bilinear")
    if np.random.rand() < 0.25:
        x = x + np.random.uniform(0.4, 1.6) * (x - blurred(x, 1.2))
    return x
