"""One training step of a small transformer: forward, backward, AdamW. `float32` (default) or `bfloat16`."""
import sys

import torch

dtype = getattr(torch, sys.argv[1] if len(sys.argv) > 1 else "float32")
torch.manual_seed(1)
WIDTH, HEADS, TOKENS, BATCH, VOCABULARY = 64, 2, 32, 2, 128


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = torch.nn.LayerNorm(WIDTH), torch.nn.LayerNorm(WIDTH)
        self.qkv, self.out = torch.nn.Linear(WIDTH, 3 * WIDTH), torch.nn.Linear(WIDTH, WIDTH)
        self.up, self.down = torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.Linear(4 * WIDTH, WIDTH)
        self.drop = torch.nn.Dropout(0.1)

    def forward(self, x):
        q, k, v = (
            part.view(BATCH, TOKENS, HEADS, WIDTH // HEADS).transpose(1, 2) for part in self.qkv(self.norm1(x)).chunk(3, -1)
        )
        mixed = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.drop(self.out(mixed.transpose(1, 2).reshape(BATCH, TOKENS, WIDTH)))
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm2(x))))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = torch.nn.Embedding(VOCABULARY, WIDTH), torch.nn.Embedding(TOKENS, WIDTH)
        self.blocks = torch.nn.Sequential(Block(), Block())
        self.norm, self.head = torch.nn.LayerNorm(WIDTH), torch.nn.Linear(WIDTH, VOCABULARY)

    def forward(self, tokens):
        x = self.words(tokens) + self.places(torch.arange(TOKENS, device=tokens.device))
        return self.head(self.norm(self.blocks(x)))


model = Model().to("cuda", dtype)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
tokens = torch.randint(0, VOCABULARY, (BATCH, TOKENS + 1))


def step():
    here = tokens.cuda()
    optimizer.zero_grad()
    logits = model(here[:, :-1])
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1).float(), here[:, 1:].flatten())
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    torch.cuda.synchronize()


step()  # warm-up: loads libraries and selects kernels
with torch.autograd.profiler.emit_nvtx(record_shapes=True):
    step()
