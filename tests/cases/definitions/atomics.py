"""Cases of atomics and of algorithms built on them. The compared outputs do not depend on the order of the atomics."""
from .case import Case, given, i32, integers, made, numbers, signed, words

Case("atomics_global", 5, 64, [
    given("x", "i32", integers(1, 300, 0, 999)),
    given("all", "i32", [0, 0, 9999, -9999, -1, 0, -1, 0, 12345, 3, 9] + [0] * 21),
    given("own", "i32", integers(2, 3600, -999, 999)), i32(300)], ["all", "own"])
Case("atomics_shared", 2, 128, [given("x", "i32", integers(1, 256, 0, 999)), made("y", "i32", 48),
                                made("z", "u64", 16)],
     ["y", "z"])
Case("atomics_64", 4, 64, [
    given("x", "i64", signed(words(1, 200, 64), 64)), given("all", "u64", [0, 2**64 - 1, 0, 5, 5, 2**64 - 1, 0, 0, 1]),
    given("own", "u64", [5 if k % 4 == 2 and k % 8 < 4 else v for k, v in enumerate(words(2, 800, 64))]), i32(200)],
    ["all", "own"])
Case("atomics_float", 4, 64, [
    given("x", "i32", integers(1, 250, 0, 999)), made("f", "f32", 16), made("d", "f64", 4), made("h", "f16", 8),
    made("b", "bf16", 8), made("single", "f16", 1), i32(250)], ["f", "d", "h", "b", "single"])
Case("atomic_scopes", 1, 64, [
    given("x", "i32", integers(1, 64, 0, 999)),
    given("y", "i32", integers(2, 128, -99, 99) + [k if k % 2 else 77 for k in range(64)] + [0, -5, -1, 3] + [0] * 32),
    made("flags", "i32", 64)], ["y", "flags"])
Case("float_maximum_by_cas", 2, 128, [given("x", "f32", numbers(1, 200, 0, 50)), given("y", "f32", [-1e30, 0, 0]),
                                      made("narrow", "u16", 1), i32(200)], ["y", "narrow"])
Case("spin_lock", 2, 64, [made("lock", "i32", 1), made("total", "i32", 1), given("x", "i32", integers(1, 128, 0, 999)),
                          made("shared_total", "i32", 2)], ["lock", "total", "shared_total"])
Case("last_block", 6, 128, [given("x", "i32", integers(1, 3000, 0, 999)), made("partial", "i32", 6),
                            made("total", "i32", 1),
                            i32(3000)], ["partial", "total"])
Case("scan_lookback", 8, 128, [given("x", "u32", words(1, 1000)), made("y", "u32", 1000), made("states", "u64", 8),
                               i32(1000)],
     ["y", "states"])
Case("monte_carlo", 2, 64, [made("inside", "u64", 1), made("states", "u32", 128), i32(200)], ["inside", "states"])

expected = words(3, 256, 64)
held = [v if k // 2 % 3 else v ^ 1 for k, v in enumerate(v for i in range(64) for v in expected[4 * i:4 * i + 2])]
Case("atomics_128", 1, 64, [given("x", "u64", expected), given("p", "u64", held + words(4, 128, 64)),
                            made("old", "u64", 256)], ["p", "old"])
