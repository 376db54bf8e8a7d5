#!/usr/bin/env python3
"""Writes launch.json and expect.json of every planted bug: define.py [NAME...]

expect.json has the kind of finding ("none" for a correct kernel) and the source line, which is the one marked "BUG:" in
kernel.cu. other_lines are the lines marked "OTHER": the other access of a race, the other barrier or the function of a
call, which may be reported instead. block and thread are given if a single thread is at fault. machine_code is given if ptxas removes the bug: no
finding is expected of the machine code then, which must not have the instructions in `absent`.
"""
import json
import sys
from pathlib import Path

BUGS = Path(__file__).resolve().parent
sys.path.insert(0, str(BUGS.parent / "cases"))

from definitions.case import Buffer, Case, Scalar, Surface, Texture, all_cases, i32, made, numbers  # noqa: E402

KINDS = ("out_of_bounds", "misaligned", "stack_overflow", "bad_call_target", "bad_free", "failed_assert", "trap",
         "uninitialized", "global_race", "race", "barrier", "inactive_lane", "deadlock", "runaway",
         "fine")
WHERE = {}
REMOVED = {}


def bug(name, entry, grid, block, args, shared=0, at=None, cooperative=False, removed=None):
    Case(name, grid, block, args, [], entry=entry, shared=shared, root=BUGS, cooperative=cooperative)
    WHERE[name] = at
    REMOVED[name] = removed


def by_ptxas(why, absent):
    """A bug that machine code does not have, and the instructions whose absence proves it."""
    return {"kind": "none", "why": why, "absent": absent}


def iota(name, dtype, count):
    return Buffer(name, dtype, count=count, fill="iota")


def unfilled(name, dtype, count):
    return Buffer(name, dtype, count=count, fill=None)


def expectation(case):
    kind = next(k for k in KINDS if case.name.startswith(k + "_"))
    lines = (case.folder / "kernel.cu").read_text().splitlines()
    marked = {mark: [n for n, line in enumerate(lines, 1) if "// " + mark in line] for mark in ("BUG:", "OTHER")}
    if kind == "fine":
        return {"kind": "none"}
    expect = {"kind": "shared_race" if kind == "race" else kind, "source_line": marked["BUG:"][0]}
    if marked["OTHER"]:
        expect["other_lines"] = marked["OTHER"]
    if WHERE[case.name]:
        expect["block"], expect["thread"] = WHERE[case.name]
    if REMOVED[case.name]:
        expect["machine_code"] = REMOVED[case.name]
    return expect


bug("out_of_bounds_tail", "add", 4, 256, [iota("a", "f32", 1000), iota("b", "f32", 1000), made("c", "f32", 1000)])
bug("out_of_bounds_off_by_one", "scale", 8, 128, [iota("x", "f32", 1000), made("y", "f32", 1000), i32(1000)],
    at=([7, 0, 0], [104, 0, 0]))
bug("out_of_bounds_negative", "difference", 2, 64, [iota("x", "i32", 100), made("y", "i32", 100), i32(100)],
    at=([0, 0, 0], [0, 0, 0]))
bug("out_of_bounds_rows_and_columns", "brighten", (3, 2), (16, 8), [made("picture", "f32", 45 * 13), i32(45), i32(13)])
bug("out_of_bounds_shared", "smooth", 1, 64, [iota("x", "f32", 64), made("y", "f32", 64)], at=([0, 0, 0], [63, 0, 0]))
bug("out_of_bounds_shared_store", "scatter", 1, 64, [iota("x", "i32", 64), made("y", "i32", 64)])
bug("out_of_bounds_dynamic_shared", "stage", 1, 128, [iota("x", "f32", 128), made("y", "f32", 128)], shared=256)
bug("out_of_bounds_local", "pick", 1, 32, [iota("index", "i32", 32), made("y", "i32", 32)],
    removed=by_ptxas("The array is in registers; comparisons with the index select an element.", ["LDL", "STL"]))
bug("out_of_bounds_stack", "pick", 1, 32, [iota("index", "i32", 32), made("y", "i32", 32)])
bug("out_of_bounds_constant", "look_up", 1, 32, [iota("index", "i32", 32), made("y", "i32", 32)])
bug("out_of_bounds_null", "walk", 1, 32, [made("y", "i32", 32), i32(2)])
bug("out_of_bounds_atomic", "count", 1, 128, [iota("x", "i32", 65), made("bins", "u32", 64), i32(65)],
    at=([0, 0, 0], [64, 0, 0]))
bug("out_of_bounds_vector", "quads", 1, 64, [iota("x", "f32", 126), made("y", "f32", 32), i32(126)],
    at=([0, 0, 0], [31, 0, 0]))
bug("out_of_bounds_in_function", "through", 4, 32, [made("y", "i32", 100), i32(100)], at=([2, 0, 0], [13, 0, 0]))
bug("out_of_bounds_async_copy", "fetch", 1, 32, [iota("x", "f32", 120), made("y", "f32", 32)])
bug("fine_tail", "guarded", 4, 256, [iota("x", "f32", 1000), made("y", "f32", 1000), i32(1000)])
bug("fine_async_zero_fill", "fetch", 1, 64, [iota("x", "f32", 50), made("y", "f32", 64), i32(50)])

bug("misaligned_float4", "quads", 1, 32, [iota("x", "f32", 160), made("y", "f32", 32)])
bug("misaligned_double", "records", 1, 32, [iota("packed", "i8", 32 * 12), made("y", "f64", 32)])
bug("misaligned_short", "tag", 1, 32, [made("y", "u8", 64)], at=([0, 0, 0], [9, 0, 0]))
bug("misaligned_shared", "pairs", 1, 64, [iota("x", "f32", 64), made("y", "f32", 64)])
bug("misaligned_atomic", "count", 1, 1, [made("counters", "u8", 16)], at=([0, 0, 0], [0, 0, 0]))
bug("fine_alignment", "aligned", 1, 32, [iota("x", "f32", 160), iota("bytes", "u8", 128), made("y", "f32", 32)])

bug("stack_overflow_recursion", "sums", 1, 32, [Buffer("next", "i32", values=[9 if k == 9 else k - 1 for k in range(32)]),
                                                made("y", "i32", 32)], at=([0, 0, 0], [9, 0, 0]))
bug("bad_call_target_host", "apply", 1, 32, [Buffer("functions", "u64", values=[0x555555555149, 0x555555555160]),
                                             made("y", "i32", 32)])
bug("bad_free_buffer", "consume", 1, 32, [iota("x", "i32", 32), made("y", "i32", 32)], at=([0, 0, 0], [31, 0, 0]))
bug("failed_assert_order", "check_order", 1, 32, [Buffer("keys", "i32", values=[*range(31), 0]), i32(32)],
    at=([0, 0, 0], [30, 0, 0]))
bug("trap_negative", "roots", 1, 32, [Buffer("x", "f32", values=[*range(31), -1]), made("y", "f32", 32)], at=([0, 0, 0], [31, 0, 0]))

bug("uninitialized_shared", "sum", 1, 64, [iota("x", "i32", 64), made("y", "i32", 1)])
bug("uninitialized_shared_tail", "sum", 1, 128, [iota("x", "f32", 128), made("y", "f32", 1), i32(100)])
bug("uninitialized_global", "accumulate", 2, 64, [iota("x", "f32", 100), unfilled("y", "f32", 100), i32(100)])
bug("uninitialized_global_atomic", "count", 1, 64, [iota("x", "i32", 64), unfilled("bins", "u32", 8)])
bug("uninitialized_local", "gaps", 1, 32, [iota("x", "i32", 32), made("y", "i32", 32)])
bug("uninitialized_dynamic_shared", "table", 1, 32, [made("y", "i32", 20), i32(20)], shared=80,
    at=([0, 0, 0], [19, 0, 0]))
bug("fine_initialised", "careful", 1, 128, [iota("x", "i32", 100), unfilled("y", "i32", 100),
                                            unfilled("counts", "u32", 8),
                                            i32(100)])

bug("fine_spilled_halves", "halves", 1, 64, [iota("x", "bf16", 1024), iota("w", "bf16", 256), made("d", "bf16", 1024),
                                             made("sums", "f32", 512), i32(4)], shared=2048)

bug("inactive_lane_tail", "largest", 1, 64, [iota("x", "i32", 40), made("y", "i32", 2), i32(40)],
    at=([0, 0, 0], [32, 0, 0]))
bug("inactive_lane_butterfly", "total", 1, 16, [iota("x", "i32", 16), made("y", "i32", 16)], at=([0, 0, 0], [0, 0, 0]),
    removed=by_ptxas("Machine code has no mask here: it is that of a mask of the block's 16 lanes.", ["WARPSYNC"]))
bug("fine_partial_warp", "half_warps", 1, 64, [iota("x", "i32", 32), made("y", "i32", 128)])

for name in ("race_matmul_before", "race_matmul_after"):
    bug(name, "matmul", (2, 2), (16, 16), [iota("A", "f32", 1024), iota("B", "f32", 1024), made("C", "f32", 1024),
                                           i32(32)])
bug("race_reduction", "sum", 1, 256, [iota("x", "f32", 256), made("y", "f32", 1)])
bug("race_two_writers", "last_wins", 1, 64, [iota("x", "i32", 1), made("y", "i32", 64)])
bug("race_within_a_warp", "swap", 1, 32, [iota("x", "i32", 32), made("y", "i32", 32)])
bug("race_between_branches", "halves", 1, 32, [iota("x", "i32", 32), made("y", "i32", 32)])
bug("race_last_warp_of_reduction", "sum", 1, 64, [iota("x", "i32", 64), made("y", "i32", 1)])
bug("race_plain_histogram", "count", 1, 64, [iota("x", "i32", 64), made("y", "i32", 8)])
bug("race_atomic_and_plain", "count", 1, 64, [iota("x", "i32", 64), made("y", "i32", 1)])
bug("race_double_buffer", "stages", 1, 64, [iota("x", "i32", 256), made("y", "i32", 64), i32(4)])
bug("race_initialisation", "sum", 1, 64, [iota("x", "i32", 64), made("y", "i32", 1)])
bug("race_async_copy", "fetch", 1, 32, [iota("x", "f32", 128), made("y", "f32", 32)])
bug("race_after_exit", "leave", 1, 128, [iota("x", "i32", 128), made("y", "i32", 32)])
bug("race_async_mbarrier", "fetch", 1, 64, [iota("x", "f32", 64), made("y", "f32", 64)])
bug("fine_async_mbarrier", "rounds", 1, 64, [iota("x", "f32", 256), made("y", "f32", 256), i32(4)])
bug("race_wrong_named_barrier", "hand_over", 1, 64, [iota("x", "i32", 32), made("y", "i32", 32)])
bug("fine_double_buffer", "stages", 1, 64, [iota("x", "i32", 256), made("y", "i32", 64), i32(4)])
bug("fine_syncwarp", "exchange", 1, 64, [iota("x", "i32", 64), made("y", "i32", 64)])
bug("fine_named_barriers", "pipeline", 1, 64, [iota("x", "i32", 192), made("y", "i32", 32), i32(6)])
bug("fine_atomics", "count", 1, 64, [iota("x", "i32", 64), made("y", "i32", 8)])
bug("fine_flag", "hand_over", 1, 64, [iota("x", "i32", 1), made("y", "i32", 1)])
bug("fine_bytes", "bytes", 1, 128, [iota("x", "i32", 128), made("y", "u32", 32)])
bug("fine_same_value", "any", 1, 64, [iota("x", "i32", 64), made("y", "i32", 1)])
bug("fine_reduction", "sum", 1, 256, [iota("x", "i32", 256), made("y", "i32", 1)])

bug("barrier_in_half_a_warp", "halves", 1, 64, [iota("x", "i32", 64), made("y", "i32", 64)])
bug("barrier_after_return", "tail", 1, 64, [iota("x", "i32", 40), made("y", "i32", 40), i32(40)])
bug("barrier_in_unequal_loops", "loops", 1, 64, [iota("x", "i32", 64), made("y", "i32", 64)])
bug("barrier_on_both_sides", "sides", 1, 64, [iota("x", "i32", 64), made("y", "i32", 128)])
bug("barrier_odd_count", "odd", 1, 64, [iota("x", "i32", 64), made("y", "i32", 64)])
bug("barrier_mask_without_self", "mask", 1, 32, [iota("x", "i32", 32), made("y", "i32", 32)])
bug("fine_early_exit", "leave", 1, 128, [iota("x", "i32", 128), made("y", "i32", 128), i32(3)])
bug("fine_skipped_barrier", "skip", 1, 96, [iota("x", "i32", 96), made("y", "i32", 96)])
bug("fine_uniform_branch", "uniform", 3, 64, [iota("x", "i32", 192), made("y", "i32", 192)])
bug("fine_converged_again", "meet", 1, 64, [iota("x", "i32", 64), made("y", "i32", 64)])

bug("deadlock_barrier_count", "wait", 1, 64, [made("y", "i32", 64)])
bug("deadlock_barrier_and_flag", "cross", 1, 64, [made("y", "i32", 64)])
bug("deadlock_two_locks", "locks", 1, 64, [made("lock", "i32", 2), made("y", "i32", 2)])
bug("deadlock_lock_not_released", "lock", 1, 64, [made("lock", "i32", 1), made("y", "i32", 1)])
bug("deadlock_flag_never_set", "flag", 1, 32, [made("go", "i32", 1), made("y", "i32", 32), i32(32)])
bug("deadlock_syncwarp", "warp", 1, 32, [made("y", "i32", 32)])
bug("runaway_condition", "step", 1, 32, [made("y", "f32", 32)],
    removed=by_ptxas("The loop is assumed to end, so only the last store remains, of 1.", ["FADD", "FSETP"]))
bug("runaway_sum", "step", 1, 32, [made("y", "f32", 256)])
bug("runaway_counter", "fill", 1, 1, [made("y", "u8", 300), i32(300)])
bug("runaway_unsigned", "down", 1, 32, [made("y", "i32", 32), Scalar("u32", 100)])
bug("runaway_list", "walk", 1, 32, [Buffer("next", "i32", values=[min(k + 1, 31) for k in range(32)]),
                                    made("y", "i32", 32)])
bug("fine_long_loop", "long_loop", 1, 32, [made("y", "u32", 32), Scalar("u32", 200000)])
bug("fine_lock", "lock", 2, 64, [made("lock", "i32", 1), made("total", "i32", 1)])
bug("fine_other_block", "hand_over", 2, 32, [made("data", "i32", 32), made("flag", "i32", 1), made("y", "i32", 32)])
bug("race_cluster_sum", "cluster_sum", 8, 64, [iota("x", "i32", 512), made("y", "i32", 2)])
bug("race_cluster_start", "cluster_start", 4, 32, [iota("x", "i32", 128), made("y", "i32", 128)])
bug("race_cluster_end", "cluster_end", 2, 32, [iota("x", "i32", 64), made("y", "i32", 64), i32(20)])
bug("out_of_bounds_cluster_ended", "cluster_ended", 2, 32, [iota("x", "i32", 64), made("y", "i32", 64), i32(20)])
bug("out_of_bounds_cluster_rank", "cluster_rank", 4, 32, [iota("x", "i32", 128), made("y", "i32", 128)])
bug("barrier_cluster_arrive_twice", "arrive_twice", 2, 32, [made("y", "i32", 64), i32(3)])
bug("deadlock_cluster_flag", "cluster_flag", 2, 32, [made("y", "i32", 64)])
bug("deadlock_cluster_barriers", "cluster_barriers", 2, 64, [made("y", "i32", 128)])
bug("deadlock_grid_sync", "grid_sync", 4, 64, [iota("x", "i32", 192), made("y", "i32", 192), i32(192)],
    cooperative=True)
bug("fine_cluster_pipeline", "cluster_pipeline", 8, 64, [iota("x", "i32", 512), made("y", "i32", 512), i32(6)])
bug("fine_cluster_flag", "cluster_flag", 4, 32, [iota("x", "i32", 128), made("y", "i32", 128)])
bug("fine_grid_sync", "grid_sync", 6, 64, [iota("x", "i32", 320), i32(320), i32(4)], cooperative=True)

bug("global_race_histogram", "count", 4, 32, [iota("x", "i32", 128), made("bins", "i32", 8)])
bug("global_race_last_block", "sum", 4, 32, [iota("x", "i32", 128), made("sums", "i32", 4), made("finished", "u32", 1),
                                             made("y", "i32", 1)])
for name in ("global_race_flag", "global_race_flag_reader"):
    bug(name, "hand_over", 2, 1, [made("data", "i32", 1), made("flag", "i32", 1), made("y", "i32", 1)])
bug("global_race_initialisation", "count", 4, 64, [iota("x", "i32", 256), made("counter", "i32", 1)])
bug("global_race_stencil", "smooth", 4, 64, [iota("x", "i32", 256), i32(256)])
bug("global_race_grid_sync", "passes", 4, 64, [iota("x", "i32", 256), made("between", "i32", 256),
                                               made("y", "i32", 256)], cooperative=True)
bug("global_race_in_block", "reverse", 1, 64, [made("x", "i32", 64), made("y", "i32", 64)])
bug("global_race_within_a_warp", "swap", 1, 32, [made("x", "i32", 32), made("y", "i32", 32)])
bug("global_race_block_scope", "count", 4, 64, [iota("x", "i32", 256), made("counter", "i32", 1)])
bug("global_race_early_sum", "sum", 4, 64, [iota("x", "i32", 256), made("total", "i32", 1), made("y", "i32", 1)])
bug("global_race_lock", "add", 4, 32, [made("lock", "i32", 1), made("total", "i32", 1)])
bug("global_race_queue", "queue", 2, 32, [made("count", "i32", 1), made("items", "i32", 32), made("y", "i32", 32)])
bug("fine_global_last_block", "sum", 6, 64, [iota("x", "i32", 384), made("sums", "i32", 6), made("y", "i32", 1)])
bug("fine_global_all_fence", "transform", 4, 96, [iota("x", "i32", 384), made("between", "i32", 384),
                                                  made("finished", "u32", 1), made("y", "i32", 384)])
bug("fine_global_grid_stride", "scale", 4, 64, [iota("x", "f32", 2000), i32(2000), Scalar("f32", 2)])
bug("fine_global_compare_and_swap", "reduce", 3, 64, [iota("x", "f32", 192), made("sum", "f64", 1),
                                                      made("most", "i32", 1)])
bug("fine_global_look_back", "scan", 6, 64, [iota("x", "i32", 384), made("sums", "i32", 6), made("state", "i32", 6),
                                             made("y", "i32", 384)])
bug("fine_global_lock", "add", 4, 64, [made("lock", "i32", 1), made("total", "i32", 1), made("count", "i32", 1)])
bug("fine_global_in_block", "exchange", 2, 96, [made("x", "i32", 192), made("y", "i32", 192)])
bug("fine_global_cluster", "exchange", 8, 64, [made("x", "i32", 512), made("y", "i32", 512)])
bug("fine_global_mbarrier", "hand_over", 1, 64, [made("x", "i32", 32), made("y", "i32", 128)])
bug("fine_global_async_copy", "fetch", 1, 64, [made("x", "i32", 64), made("y", "i32", 64)])
bug("fine_global_same_value", "search", 4, 64, [iota("x", "i32", 256), i32(3), made("found", "i32", 1),
                                                made("squares", "i32", 16), made("y", "i32", 256)])
bug("fine_global_bytes", "bytes", 4, 64, [made("x", "u8", 256), made("y", "u16", 256), iota("w", "i32", 256)])
bug("fine_global_acquire_release", "chain", 6, 32, [iota("x", "i32", 6), made("sums", "i32", 6),
                                                    made("ready", "i32", 6), made("y", "i32", 192)])
bug("fine_global_work_queue", "work", 3, 64, [made("x", "i32", 640), made("next", "i32", 1), i32(10)])
bug("fine_global_grid_passes", "passes", 4, 64, [iota("x", "i32", 256), made("y", "i32", 256), i32(3)],
    cooperative=True)

wanted = set(sys.argv[1:])
for case in all_cases():
    if not wanted or case.name in wanted:
        case.write()
        (case.folder / "expect.json").write_text(json.dumps(expectation(case)) + "\n")
