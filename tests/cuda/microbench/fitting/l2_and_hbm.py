"""L2, the way there, and device memory."""
from statistics import correlation, mean, median

from fitting.rule import rule

MEASURING = 5  # cycles from the end of a load to the clock: a store to shared memory waits for the value
WRITTEN = 1.5  # half of the lines have their home in the other partition and are written in both


def sms(r):
    return r.device["sm_count"]


def most(r, name, sms):
    """The largest bandwidth in B per cycle, over warps, loads in flight, widths and footprints."""
    return max(bandwidth for bandwidth, in r.matching("bandwidth", "bandwidth", name, rf"sms={sms} .*"))


@rule(within=0.03)
def l1_fill_bandwidth(r):
    """most bytes per cycle that one SM reads from L2"""
    return most(r, "read_l2", 1)


@rule()
def sm_write_bandwidth(r):
    """most bytes per cycle that one SM writes"""
    return most(r, "write", 1)


@rule()
def gpc_bandwidth(r):
    """most bytes per cycle that 16 SMs of one GPC read from L2"""
    return most(r, "read_l2", "gpc")


def latencies(r, sm):
    """Of one SM, by line, from L2."""
    return r.values("l2_latency", "l2_latency", "lines", f"sm={sm} step=128")


@rule()
def l2_sides(r):
    """per GPC, whether its latencies by line go with those of the first GPC (0) or against them (1)"""
    groups = r.device["gpcs"] + r.device["small_groups"]
    rows = [[latencies(r, sm) for sm in group] for group in groups]
    averages = [mean(column) for column in zip(*[row for group in rows for row in group])]
    patterns = [[mean(column) - average for column, average in zip(zip(*group), averages)] for group in rows]
    return [int(correlation(patterns[0], pattern) < 0) for pattern in patterns]


@rule(within=0.03)
def latency_l2(r):
    """mean latency of all SMs and 512 lines, less the measuring code"""
    return mean(cycles for sm in range(r.device["sm_count"]) for cycles in latencies(r, sm)) - MEASURING


def near_and_far(r):
    """Medians of cold loads whose home is the own partition and the other one: two clusters around 660 cycles. Loads
    that wait for a refresh take longer than both."""
    cycles = [c for row in r.matching("l2_latency", "hbm_latency", r"step_\w+", r"sm=0 step=\d+ offset=\d+")
              for c in row]
    return median(c for c in cycles if c < 660), median(c for c in cycles if 660 <= c < 860)


@rule(within=0.03)
def latency_l2_far(r):
    """latency_l2, and the difference of loads from HBM whose home is the other partition or the own one"""
    near, far = near_and_far(r)
    return r.device["latency_l2"] + far - near


@rule()
def latency_memory(r):
    """mean of the medians of loads whose home is the own partition or the other one, less the measuring code"""
    return mean(near_and_far(r)) - MEASURING


@rule()
def l2_slices(r):
    """classes of lines that share a slice, in each partition"""
    classes = {c for row in r.matching("slices", "slices", r"step_\w+", ".*") for c in row}
    return len(classes) * r.device["l2_partitions"]


@rule(within=0.03)
def interval_l2_read(r):
    """slices, by random sectors per cycle in 16 MiB"""
    return r.device["l2_slices"] / r.value("bandwidth", "sectors", "sectors", "stride=random footprint_mb=16")


@rule()
def interval_l2_write(r):
    """slices, by sectors per cycle that all SMs write; half of them are written in both partitions"""
    sectors = mean(r.value("bandwidth", "bandwidth", "write", f"sms={sms(r)} warps=32 loads=4 width={w} footprint=8192K")
                   for w in (32, 128)) / 32
    return r.device["l2_slices"] / (sectors * WRITTEN)


@rule()
def interval_l2_partial_write(r):
    """stores of 4 B to 32 lines, per line as interval_l2_write, less that of the sector"""
    cycles = r.value("memory", "memory", "STG", f"lines=32 width=32 warps=32 sms={sms(r)}")
    return cycles * r.device["l2_slices"] / (sms(r) * 32 * WRITTEN) - r.device["interval_l2_write"]


@rule()
def interval_l2_atomic(r):
    """RED of one lane of all SMs to one word, per request"""
    return r.value("patterns", "bins", "RED", f"bins=1 lanes=1 sms={sms(r)}") / sms(r)


@rule()
def interval_l2_same_address(r):
    """RED of 32 lanes of all SMs to one word, less that of one lane, per further lane"""
    one, all_lanes = (r.value("patterns", "bins", "RED", f"bins=1 lanes={n} sms={sms(r)}") / sms(r) for n in (1, 32))
    return (all_lanes - one) / 31


@rule()
def interval_l2_same_address_float(r):
    """RED of 32 lanes to one f32, less interval_l2_atomic, per further lane"""
    cycles = r.value("atomics", "atomics", "RED", f"type=f32 address=one_address sms={sms(r)} warps=32")
    return (cycles - r.device["interval_l2_atomic"]) / 31


def atomic_latency(r, kind):
    return r.value("atomics", "atomics", "ATOM_latency", f"type={kind} lanes=1")


@rule(within=0.1)
def latency_atomic(r):
    """ATOM of one lane, mean over 256 lines, which work in the home slice: less the mean of latency_l2 and latency_l2_far"""
    return max(0, atomic_latency(r, "u32") - (r.device["latency_l2"] + r.device["latency_l2_far"]) / 2)


@rule()
def latency_atomic_float(r):
    """ATOM of one lane to the same lines: f32 less u32"""
    return max(0, atomic_latency(r, "f32") - atomic_latency(r, "u32"))


def peak(r):
    """Bytes per cycle."""
    return r.device["memory_bandwidth"] / r.device["sm_clock"]


def cycles_per_sector(r):
    """Of one channel."""
    return 32 * r.device["memory_channels"] / (peak(r) * r.device["memory_efficiency"])


@rule()
def memory_efficiency(r):
    """most bytes per cycle that all SMs read, of the peak"""
    return most(r, "read_hbm", sms(r)) / peak(r)


@rule(within=0.05)
def memory_bandwidth_reached(r):
    """most bytes per second of copies of 1 GiB, read and written"""
    return most(r, "copy_hbm", sms(r)) * r.device["sm_clock"]


# memory_turnaround has no rule: what copies of 1 GiB lose is explained by the slices of L2, which write data from memory.
@rule()
def memory_row_miss(r):
    """time of a random sector in a channel, less that of the pair of sectors that is read"""
    rate = r.value("bandwidth", "sectors", "sectors", "stride=random footprint_mb=1024")
    return r.device["memory_channels"] / rate - 2 * cycles_per_sector(r)


def later(r, cycles):
    """Part of the steps of a chain through memory that take longer, mean of the runs."""
    return mean(part for part, in r.matching("mixed", "chain", "later", rf"run=\d steps=\d+ cycles={cycles}"))


# A step that comes at a random time meets a refresh in the part memory_refresh / memory_refresh_interval of the cases,
# and waits for what is left of it. So the part of steps that are late by more than t falls with t, by 1 /
# memory_refresh_interval per cycle. From 800 cycles on, all steps are late.
@rule()
def memory_refresh_interval(r):
    """from the parts of the steps of a chain through memory that take more than 800 and 1,050 cycles"""
    return 250 / (later(r, 800) - later(r, 1050))


@rule(within=0.03)
def memory_refresh(r):
    """lateness that no step exceeds: where the line through these parts reaches zero, less the usual step"""
    usual = mean(cycles for percent in (25, 75)
                 for cycles, in r.matching("mixed", "chain", f"percentile_{percent}", r"run=\d steps=\d+"))
    return r.device["memory_refresh_interval"] * later(r, 800) + 800 - usual
