"""A small language model, trained on its own text with a causal mask, that then continues a text."""
import torch
from torch import nn

from losses import seed, step_losses

seed()
text = ("the grid has blocks, a block has warps, a warp has thirty-two lanes, and every lane adds its own number. " * 8)
letters = sorted(set(text))
tokens = torch.tensor([letters.index(letter) for letter in text], device="cuda")
width, context, batch = 64, 64, 8


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.after = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        q, k, v = self.qkv(self.before(x)).unflatten(-1, (3, 4, width // 4)).permute(2, 0, 3, 1, 4)
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.project(mixed.transpose(1, 2).flatten(2))
        return x + self.wide(self.after(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.letter, self.place = nn.Embedding(len(letters), width), nn.Embedding(context, width)
        self.blocks = nn.Sequential(Block(), Block())
        self.out = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, len(letters)))

    def forward(self, tokens):
        places = torch.arange(tokens.shape[1], device=tokens.device)
        return self.out(self.blocks(self.letter(tokens) + self.place(places)))


model = Model().cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
starts = torch.randint(0, len(text) - context - 1, (10, batch), device="cuda")
windows = tokens.unfold(0, context + 1, 1)


def step(number):
    chosen = windows[starts[number]]
    logits = model(chosen[:, :-1])
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), chosen[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss


step_losses(step)
model.eval()
with torch.no_grad():
    line = tokens[None, :16]
    for _ in range(8):
        line = torch.cat([line, model(line)[:, -1].argmax(-1, keepdim=True)], 1)
print("text", repr("".join(letters[i] for i in line[0].tolist())))
