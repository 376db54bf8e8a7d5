"""Writes the pickles of tests/trace/data/pickles with Python's own pickler, for snapshot_test.cpp and the fuzzer.

    python3 make_pickles.py data/pickles
"""
import os
import pickle
import sys


def frame(name, line):
    return {"name": name, "filename": "train.py", "line": line}


def snapshot():
    """Two devices; the second block is freed but still used by another stream; the history has every kind of entry."""
    step, main = frame("step", 12), frame("<module>", 40)
    stack = [step, main]
    base = 0x7F0000000000
    block = lambda at, size, asked, state: {"address": at, "size": size, "requested_size": asked, "state": state,
                                            "frames": stack}
    segment = {"device": 0, "address": base, "total_size": 2097152, "allocated_size": 1024, "active_size": 1536,
               "requested_size": 1000, "stream": 0, "segment_type": "small", "segment_pool_id": (0, 0),
               "is_expandable": False, "frames": [],
               "blocks": [block(base, 1024, 1000, "active_allocated"), block(base + 1024, 512, 100, "active_pending_free"),
                          {"address": base + 1536, "size": 2095616, "requested_size": 0, "state": "inactive",
                           "frames": []}]}
    other = dict(segment, device=1, address=base + 2**32, total_size=20971520, segment_type="large", is_expandable=True,
                 stream=-5, blocks=[block(base + 2**32, 20971520, 20000000, "active_allocated")])
    entry = lambda action, at, size, time, **more: dict({"action": action, "addr": at, "size": size, "stream": 0,
                                                         "time_us": time, "compile_context": "N/A",
                                                         "user_metadata": "", "frames": stack}, **more)
    t = 1_700_000_000_000_000
    history = [entry("segment_alloc", base, 2097152, t), entry("alloc", base, 1000, t),
               entry("alloc", base + 1024, 100, t + 5), entry("alloc", base + 1536, 700, t + 6),
               entry("free_requested", base + 1536, 700, t + 7), entry("free_completed", base + 1536, 700, t + 7),
               entry("free_requested", base + 1024, 100, t + 9), entry("snapshot", 0, 0, t + 10)]
    refused = {"action": "oom", "device_free": 12345, "size": 2**33, "stream": 0, "time_us": t + 11, "frames": stack}
    return {"segments": [segment, other], "device_traces": [history + [refused], []],
            "allocator_settings": {"expandable_segments": False, "max_split_size": -1, "garbage_collection_threshold": 0.5,
                                   "last": None, "roundup_power2_divisions": {"1": 0}},
            "external_annotations": [{"stage": "START", "name": "Optimizer.step", "device": 0, "time_us": t}]}


class Calls:
    def __reduce__(self):
        return (print, ("this must never be printed",))


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)

    def write(name, data):
        with open(os.path.join(folder, name), "wb") as out:
            out.write(data)

    good = snapshot()
    for protocol in (2, 3, 4, 5):
        write(f"protocol_{protocol}.pickle", pickle.dumps(good, protocol=protocol))
    many = snapshot()
    many["device_traces"][1] = [dict(many["device_traces"][0][1], time_us=i) for i in range(2500)]
    write("many.pickle", pickle.dumps(many, protocol=4))
    for protocol in (2, 4):
        write(f"calls_{protocol}.pickle", pickle.dumps(dict(good, extra=Calls()), protocol=protocol))
    write("other.pickle", pickle.dumps({"weights": [1.0, 2.0]}, protocol=4))
    write("numbers.pickle", pickle.dumps(dict(good, extra=[2**63, -2**63, 2**200, -1, 65535, 65536, b"x", bytearray(b"y"),
                                                           (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), "\u00e4" * 200]),
                                         protocol=5))


if __name__ == "__main__":
    main()
