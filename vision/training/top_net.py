"""The top network: what a top that the find network proposes shows, or that it is no die's, from the top and what is around it."""
import torch.nn as nn

from face_net import Residual, conv

TOPS = 9  # 0 blast, 1 to 6, 7 no die, 8 a die with a symbol
CROP, MARGIN = 72, 2.6  # pixels a side, and the sides of the top that they cover


class TopNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(conv(3, 28, 2, 5), conv(28, 40), conv(40, 64, 2), Residual(64), conv(64, 88, 2), Residual(88), Residual(88),
                                 conv(88, 112, 2), Residual(112), nn.Flatten(), nn.Dropout(0.2), nn.Linear(112 * 25, TOPS))

    def forward(self, x):
        return self.net(x)
