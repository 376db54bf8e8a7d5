"""Cases of lanes and warps that work together: barriers, shuffles, votes, matches, groups."""
from .case import Case, given, integers, i32, made, numbers

Case("barrier_reductions", 2, 64, [given("x", "i32", integers(1, 64, 0, 999) + integers(2, 64, -3, 999)),
                                   made("y", "i32", 768)], ["y"])
Case("named_barriers", 1, 128, [given("x", "i32", integers(1, 7 * 64, 0, 999)), made("y", "i32", 64), i32(7)], ["y"])
Case("shuffles", 2, 64, [given("x", "i32", integers(1, 128, 0, 999)), given("d", "f64", numbers(2, 128)),
                         made("y", "i32", 128 * 16), made("e", "f64", 256)], ["y", "e"])
Case("votes_and_matches", 2, 64, [given("x", "i32", [7] * 32 + integers(1, 32, 0, 999) + integers(2, 32, 0, 7) +
                                        integers(3, 32, -999, 10**9)), made("y", "u32", 128 * 24)], ["y"])
Case("cooperative_tiles", 2, 64, [given("x", "i32", integers(1, 128, 0, 999)), made("y", "i32", 128 * 7),
                                  made("z", "f32", 128)], ["y", "z"])
Case("odd_block", 2, (11, 7), [given("x", "i32", integers(1, 154, 0, 999)), made("y", "i32", 154)], ["y"])
