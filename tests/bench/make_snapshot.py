"""Writes a synthetic memory snapshot of any size, in the form of torch.cuda.memory._dump_snapshot.

    python3 make_snapshot.py big.pickle 1e9      # about 1 GB
    python3 make_snapshot.py small.pickle 1e6 --check

The opcodes are those that Python's pickler (protocol 4) writes: shared frames and keys are references to what was
remembered, lists are appended to in batches of 1,000. They are written directly, so that a large file needs little
memory. --check reads the file with Python's unpickler and counts.
"""
import pickle
import random
import struct
import sys


class Writer:
    def __init__(self, out):
        self.out, self.remembered, self.texts, self.size = out, 0, {}, 0

    def raw(self, data):
        self.out.write(data)
        self.size += len(data)

    def remember(self):
        self.raw(b"\x94")
        self.remembered += 1
        return self.remembered - 1

    def again(self, at):
        self.raw(b"h" + bytes([at]) if at < 256 else b"j" + struct.pack("<I", at))

    def text(self, text):
        if text in self.texts:
            return self.again(self.texts[text])
        data = text.encode()
        self.raw((b"\x8c" + bytes([len(data)]) if len(data) < 256 else b"X" + struct.pack("<I", len(data))) + data)
        self.texts[text] = self.remember()

    def integer(self, value):
        if 0 <= value < 256:
            self.raw(b"K" + bytes([value]))
        elif 0 <= value < 65536:
            self.raw(b"M" + struct.pack("<H", value))
        elif -2**31 <= value < 2**31:
            self.raw(b"J" + struct.pack("<i", value))
        else:
            data = value.to_bytes((value.bit_length() >> 3) + 1, "little", signed=True)
            self.raw(b"\x8a" + bytes([len(data)]) + data)

    def begin(self, opcode):
        self.raw(opcode)
        return self.remember()


def write(target, size, seed=1, depth=30, places=400):
    """`depth`: frames per stack; `places`: different stacks."""
    rng = random.Random(seed)
    with open(target, "wb") as out:
        w = Writer(out)
        w.raw(b"\x80\x04")
        w.begin(b"}")
        w.raw(b"(")
        frames = []

        def frame(i):
            if i < len(frames):
                return w.again(frames[i])
            frames.append(w.begin(b"}"))
            w.raw(b"(")
            w.text("filename")
            w.text(f"/home/user/model/layers_{i % 37}.py")
            w.text("line")
            w.integer(10 + i)
            w.text("name")
            w.text(f"forward_{i % 91}")
            w.raw(b"u")

        def stack(place):
            w.begin(b"]")
            w.raw(b"(")
            for i in range(depth):
                at = i * 7 + (place if i < 3 else place % 11 if i < 12 else 0)
                frame(min(at, len(frames)))
            w.raw(b"e")

        def entry(action, address, bytes_, time, place):
            w.begin(b"}")
            w.raw(b"(")
            for key, value in (("action", action), ("addr", address), ("size", bytes_), ("stream", 0),
                               ("time_us", time)):
                w.text(key)
                w.text(value) if isinstance(value, str) else w.integer(value)
            w.text("frames")
            stack(place)
            w.raw(b"u")

        segment = 20 * 2**20
        base = 0x7f5a00000000
        w.text("segments")
        w.begin(b"]")
        w.raw(b"(")
        live = {}
        for s in range(64):
            w.begin(b"}")
            w.raw(b"(")
            for key, value in (("device", 0), ("address", base + s * segment), ("total_size", segment),
                               ("allocated_size", segment // 2), ("active_size", segment // 2),
                               ("requested_size", segment // 2), ("stream", 0), ("segment_type", "large")):
                w.text(key)
                w.text(value) if isinstance(value, str) else w.integer(value)
            w.text("is_expandable")
            w.raw(b"\x89")
            w.text("blocks")
            w.begin(b"]")
            w.raw(b"(")
            for b in range(20):
                w.begin(b"}")
                w.raw(b"(")
                for key, value in (("address", base + s * segment + b * 2**20), ("size", 2**20),
                                   ("requested_size", 2**20 - 100),
                                   ("state", "active_allocated" if b % 2 == 0 else "inactive")):
                    w.text(key)
                    w.text(value) if isinstance(value, str) else w.integer(value)
                w.text("frames")
                stack(rng.randrange(places))
                w.raw(b"u")
            w.raw(b"eu")
        w.raw(b"e")
        w.text("device_traces")
        w.begin(b"]")
        outer = w.begin(b"]")
        assert outer
        time, entries, action, address = 1_700_000_000_000_000, 0, "alloc", base
        while w.size < size:
            w.raw(b"(")
            for _ in range(500):
                address = base + rng.randrange(1280) * 2**20
                bytes_ = rng.randrange(1, 2**20)
                place = rng.randrange(places)
                for action in ("alloc", "free_requested", "free_completed"):
                    time += rng.randrange(30)
                    entry(action, address, bytes_, time, place)
                    entries += 1
            w.raw(b"e")
        w.raw(b"a")
        w.text("allocator_settings")
        w.begin(b"}")
        w.raw(b"(")
        w.text("expandable_segments")
        w.raw(b"\x89")
        w.text("max_split_size")
        w.integer(-1)
        w.raw(b"uu.")
        return entries


def main():
    target, size = sys.argv[1], float(sys.argv[2])
    entries = write(target, size)
    print(f"{entries} entries")
    if "--check" in sys.argv:
        with open(target, "rb") as file:
            snapshot = pickle.load(file)
        assert len(snapshot["device_traces"][0]) == entries
        assert all(len(e["frames"]) == 30 for e in snapshot["device_traces"][0])
        print(len(snapshot["segments"]), "segments")


if __name__ == "__main__":
    main()
