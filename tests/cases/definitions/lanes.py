"""Cases of cooperation between lanes and warps: barriers, shuffles, votes, matches, groups."""
from .case import Case, Scalar, given, i32, integers, made, numbers

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
Case("block_of_1024", 2, 1024, [given("x", "u32", integers(4, 2048, 0, 50)), made("y", "u32", 2048),
                                Scalar("u32", 20000)], ["y"])
Case("architecture_75", 2, 64, [given("a", "f16", numbers(5, 256)), given("x", "i32", integers(6, 128, 0, 999)),
                                made("y", "f16", 512), made("z", "i32", 128)], ["y", "z"])
