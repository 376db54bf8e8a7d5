"""Memory instructions within an SM: from `memory`, `patterns`, `schedulers` and `atomics`."""
from statistics import mean, median

from fitting.instructions import chain, interval
from fitting.rule import rule, whole


def issue(r, name, partitions):
    return r.value("schedulers", "issue", name, f"partitions={partitions} warps=8")


@rule()
def interval_mio(r):
    """LDS, STS and SHFL of 8 warps of one sub-partition, median, whole cycles"""
    return whole(median(issue(r, name, 1) for name in ("LDS", "STS", "SHFL")))


@rule(within=0.05)
def interval_mio_idle(r):
    """LDS, STS, LDG and STG with a false predicate, 8 warps of one sub-partition, median"""
    return median(issue(r, name, 1) for name in ("LDS_false", "STS_false", "LDG_false", "STG_false"))


@rule()
def interval_match(r):
    """cycles per MATCH, shared by four sub-partitions"""
    return issue(r, "MATCH", 4) / 4


@rule()
def interval_lsu(r):
    """cycles per SHFL, shared by four sub-partitions, whole cycles"""
    return whole(interval(r, "SHFL") / 4)


@rule()
def latency_mio(r):
    """chain of SHFL, whole cycles, less the cycle in the load-store unit"""
    return whole(chain(r, "SHFL")) - r.device["interval_lsu"]


@rule()
def latency_shared(r):
    """chain of LDS without bank conflicts, whole cycles"""
    return whole(r.value("memory", "memory_latency", "LDS", "stride_words=1 width=32"))


@rule()
def conflict_way(r):
    """chain of LDS: slope between 1 and 32 ways"""
    one, all_ways = (r.value("memory", "memory_latency", "LDS", f"stride_words={n} width=32") for n in (1, 32))
    return (all_ways - one) / 31


@rule(within=0.05)
def interval_shared_pass(r):
    """LDS of 32 warps: slope between 1 and 32 ways"""
    one, all_ways = (r.value("memory", "memory", "LDS", f"stride_words={n} width=32 warps=32 sms=1") for n in (1, 32))
    return (all_ways - one) / 31


@rule()
def latency_l1(r):
    """chain of LDG that hit L1, whole cycles"""
    return whole(r.value("memory", "memory_latency", "LDG_l1", "lines=1 width=32"))


@rule()
def interval_l1_line(r):
    """loads of 32 lines that pass L1 by, 32 warps, per line"""
    return r.value("patterns", "pattern", "LDG_cg_spread", "lines=32 width=32 warps=32 sms=1") / 32


@rule()
def interval_l1_data(r):
    """mean of 512 B per request (4 passes) and 32 words of one bank (32 passes), per pass"""
    wide = r.value("patterns", "pattern", "LDG_packed", "lines=1 width=128 warps=32 sms=1")
    one_bank = r.value("patterns", "pattern", "LDG_packed", "lines=32 width=32 warps=32 sms=1")
    return mean([wide / 4, one_bank / 32])


@rule()
def l1_tags(r):
    """loads of 8 to 32 lines in different banks: lines per cycle, whole"""
    few, many = (r.value("patterns", "pattern", "LDG_spread", f"lines={n} width=32 warps=32 sms=1") for n in (8, 32))
    return whole((32 - 8) / (many - few))


@rule(within=0.05)
def interval_l1_store(r):
    """stores that merge: slope between 1 and 8 lines"""
    one, eight = (r.value("memory", "memory", "STG_window", f"lines={n} window=16384") for n in (1, 8))
    return (eight - one) / 7


@rule()
def store_merge_lines(r):
    """most lines of 8 rows at which two stores of 4 B take less than 1.5 times as long as one of 8 B, 4 warps"""
    def merges(stride):
        halves, full = (r.value("patterns", "pattern", f"STG_fragment_{kind}", f"stride={stride} warps=4")
                        for kind in ("halves", "whole"))
        return halves < 1.5 * full
    return max(8 * stride // 128 for stride in (32, 64, 128) if merges(stride))


@rule()
def interval_atomic_line(r):
    """RED of one SM to 32 random sectors, per line"""
    return r.value("atomics", "atomics", "RED", "type=u32 address=random sms=1 warps=32") / 32


@rule()
def interval_atomic_sector(r):
    """RED of one SM to four sectors of a line, per sector"""
    return r.value("atomics", "atomics", "RED", "type=u32 address=one_per_lane sms=1 warps=32") / 4
