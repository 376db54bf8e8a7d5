"""Pipes, constants, special registers and barriers: from `instructions`, a loop of 64 equal instructions."""
from statistics import median

from fitting.rule import rule, whole


def interval(r, name):
    """With 8 warps in each sub-partition."""
    return r.value("instructions", "interval", name, "warps_per_partition=8")


def chain(r, name):
    """Each instruction waits for the one before."""
    return r.value("instructions", "latency", name, "warps=1 chains=1")


@rule()
def interval_fma(r):
    """cycles per FFMA, 8 warps per sub-partition, whole cycles"""
    return whole(interval(r, "FFMA"))


@rule()
def interval_fma_heavy(r):
    """cycles per IMAD, 8 warps per sub-partition, whole cycles"""
    return whole(interval(r, "IMAD"))


@rule()
def interval_alu(r):
    """median of LOP3, IADD3, SHF and PRMT, whole cycles"""
    return whole(median(interval(r, name) for name in ("LOP3", "IADD3", "SHF", "PRMT")))


@rule()
def interval_half(r):
    """cycles per HADD2, whole cycles"""
    return whole(interval(r, "HADD2"))


@rule()
def interval_fp64(r):
    """cycles per DFMA, whole cycles"""
    return whole(interval(r, "DFMA"))


@rule()
def interval_xu(r):
    """cycles per MUFU.EX2, whole cycles"""
    return whole(interval(r, "MUFU.EX2"))


def tensor(r, name):
    """Median over 2, 4 and 8 warps per sub-partition."""
    return median(r.value("instructions", "interval", name, f"warps_per_partition={warps}") for warps in (2, 4, 8))


@rule()
def interval_tensor(r):
    """cycles per HMMA.16816, median over 2, 4 and 8 warps per sub-partition"""
    return tensor(r, "HMMA.16816.F32")


@rule()
def interval_tensor_k8(r):
    """cycles per HMMA.1688, median over 2, 4 and 8 warps per sub-partition"""
    return tensor(r, "HMMA.1688.F32")


@rule()
def interval_tensor_fp64(r):
    """cycles per DMMA.884, median over 2, 4 and 8 warps per sub-partition"""
    return tensor(r, "DMMA.884")


@rule()
def latency_xu(r):
    """chain of MUFU.EX2, whole cycles"""
    return whole(chain(r, "MUFU.EX2"))


@rule()
def latency_fp64(r):
    """chain of DFMA, whole cycles"""
    return whole(chain(r, "DFMA"))


@rule()
def latency_tensor(r):
    """chain of HMMA.16816, whole cycles"""
    return whole(chain(r, "HMMA.16816.F32"))


@rule()
def latency_constant_load(r):
    """chain of LDC, less 4 cycles each for the SHF and LOP3 that compute its address"""
    return whole(chain(r, "LDC") - 2 * 4)


@rule()
def interval_special_register(r):
    """cycles per S2R, shared by four sub-partitions"""
    return interval(r, "S2R/S2UR") / 4


@rule()
def interval_constant_load(r):
    """cycles per LDC, shared by four sub-partitions"""
    return interval(r, "LDC") / 4


def interval_of_barrier(r, warps):
    return r.value("instructions", "interval", "BAR", f"warps_per_partition={warps // 4}") * warps / 4


@rule()
def barrier_per_warp(r):
    """difference between barriers of 32 and of 4 warps, per warp"""
    few, many = interval_of_barrier(r, 4), interval_of_barrier(r, 32)
    return (many - few) / 28


@rule(within=0.05)
def barrier_base(r):
    """barrier of one warp, less the part of that warp"""
    return chain(r, "BAR") - r.device["barrier_per_warp"]
