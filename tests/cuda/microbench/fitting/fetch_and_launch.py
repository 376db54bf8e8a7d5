"""Instruction caches, and the launch of blocks."""
from statistics import mean

from fitting.rule import rule

FIRST_CLOCK = 45  # cycles from the start of a block to its first reading of the clock


def pass_over_code(r, kb):
    """Cycles per instruction in the last pass of one warp over straight-line code."""
    return r.value("fetch", "fetch", "straight_line", f"kb={kb} warps=1 sms=1 pass=3 after=same_kernel")


def lines_below(r, limit):
    """Of the longest code with fewer cycles per instruction."""
    sizes = (1, 4, 16, 24, 28, 32, 36, 40, 48, 64, 96, 112, 128, 144, 160, 192, 256, 512)
    return max(kb for kb in sizes if pass_over_code(r, kb) < limit) * 1024 // 128


@rule()
def icache_l0_lines(r):
    """longest code that is nearer to 1 cycle per instruction than to the 2.2 of longer code"""
    return lines_below(r, (1 + pass_over_code(r, 64)) / 2)


@rule()
def icache_l1_lines(r):
    """longest code that is nearer to 2.2 cycles per instruction than to the 5.6 of longer code"""
    return lines_below(r, (pass_over_code(r, 64) + pass_over_code(r, 256)) / 2)


@rule()
def interval_icache(r):
    """a line, which has 8 instructions, of code of 64 KiB"""
    return 8 * pass_over_code(r, 64)


@rule()
def interval_icache_l2(r):
    """a line, which has 8 instructions, of code of 256 KiB"""
    return 8 * pass_over_code(r, 256)


def starts_apart(r, threads, blocks):
    return r.value("launch", "blocks", "starts_apart_median", f"threads={threads} spin=2000 shared=0 blocks={blocks}")


@rule()
def block_interval(r):
    """median time between the starts of two blocks of one warp on an SM"""
    return starts_apart(r, 32, 32 * r.device["sm_count"])


@rule(within=0.05)
def warp_interval(r):
    """median time between the starts of two blocks of 32 warps on an SM, per warp"""
    return starts_apart(r, 1024, 2 * r.device["sm_count"]) / 32


@rule()
def latency_block_replacement(r):
    """first percentile of the time from a block's last reading of the clock to the next block's first, less FIRST_CLOCK"""
    return r.value("launch", "replacement", "percentile_1", "threads=32 shared=204800 resident=1") - FIRST_CLOCK


def empty(r, case):
    return r.value("tests/validate/empty", "cycles", f"empty_{case}")


@rule()
def dispatch_interval(r):
    """empty kernels of 65,536 and of 16,896 blocks of one warp: difference per block"""
    return (empty(r, "65536_32") - empty(r, "16896_32")) / (65536 - 16896)


@rule()
def launch_overhead(r):
    """empty kernels of one block, mean"""
    return mean(empty(r, f"1_{threads}") for threads in (32, 256, 1024))
