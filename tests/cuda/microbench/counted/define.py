"""Writes the launch files in timed: define.py

tests/validate/record.py records them (h200_measured.csv), and `validate --folder tests/cuda/microbench/counted` compares the
timing model with the recording.
"""
import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
MB = 1 << 20


def zeros(name, count, dtype="f32"):
    return {"buffer": name, "dtype": dtype, "count": count, "fill": 0}


def number(value, dtype="i32"):
    return {"scalar": value, "dtype": dtype}


def launches():
    """Tuples of name, kernel, blocks of 256 threads, and arguments."""
    for kb in (64, 256, 512, 1024, 2048, 4096, 16384):
        words = kb * 256
        yield f"copy_vector_{kb}K", "copy_vector", words // 1024, [zeros("x", words), zeros("y", words)]
    for kb in (1024, 4096):
        words = kb * 256
        yield f"copy_word_{kb}K", "copy_word", words // 256, [zeros("x", words), zeros("y", words)]
        yield f"add_vector_{kb}K", "add_vector", words // 1024, [zeros("x", words), zeros("z", words), zeros("y", words)]
        yield f"read_vector_{kb}K", "read_vector", words // 1024, [zeros("x", words), zeros("y", words)]
        yield f"write_vector_{kb}K", "write_vector", words // 1024, [zeros("y", words), number(1.5, "f32")]
    for words in (1, 4, 7, 8):
        yield f"write_words_{words}", "write_words", 65536, [zeros("y", 16 * MB), number(words), number(1.5, "f32")]
    for sectors in (1, 2, 3):
        yield f"write_sectors_{sectors}", "write_sectors", 65536, [zeros("y", 16 * MB), number(sectors), number(1.5, "f32")]
    for words in (4, 12, 20, 28):
        yield f"write_prefix_{words}", "write_prefix", 65536, [zeros("y", 16 * MB), number(words), number(1.5, "f32")]
    yield "write_prefix_12_16M", "write_prefix", 16384, [zeros("y", 4 * MB), number(12), number(1.5, "f32")]
    yield "write_halves", "write_halves", 65536, [zeros("y", 16 * MB), number(1.5, "f32")]
    for step in (1, 2):
        yield f"read_bytes_{step}", "read_bytes", 16384, [zeros("x", 4 * MB * step, "u8"), zeros("y", 4 * MB), number(step)]
    for blocks in (132, 1056):
        yield f"add_to_bins_{blocks}", "add_to_bins", blocks, [zeros("bins", 256, "u32")]
        yield f"take_from_bins_{blocks}", "take_from_bins", blocks, [zeros("bins", 256, "u32"), zeros("y", 1, "u32")]
    for kb in (1, 64, 512):
        yield f"touch_{kb}K", "touch", 132, [zeros("x", 1056 * kb * 256), zeros("y", 132 * 256), number(kb * 256)]


if __name__ == "__main__":
    (HERE / "timed").mkdir(exist_ok=True)
    for name, kernel, blocks, args in launches():
        lines = [f'{{"kernel": "{kernel}", "ptx": "../kernels.ptx", "cubin": "../kernels.cubin.gz",',
                 f' "grid": [{blocks}, 1, 1], "block": [256, 1, 1], "dynamic_shared_bytes": 0,',
                 ' "args": [' + ",\n          ".join(json.dumps(arg) for arg in args) + "]}"]
        (HERE / "timed" / f"{name}.json").write_text("\n".join(lines) + "\n")
