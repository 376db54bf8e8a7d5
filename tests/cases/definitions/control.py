"""Cases of control flow: divergence, loops, jump tables, calls."""
from .case import Case, given, i32, integers, made, numbers

Case("nested_divergence", 4, 64, [given("x", "i32", integers(1, 200, 0, 100000)), made("y", "i32", 200), i32(200)],
     ["y"])
Case("switch_tables", 2, 64, [given("x", "i32", integers(1, 128, 0, 1000)),
                              given("program", "i32", integers(2, 32, 0, 15)),
                              made("y", "i32", 257), i32(24), i32(128)], ["y"])
Case("loops", 2, 64, [given("x", "i32", integers(1, 128, 0, 5000)), made("y", "i32", 128), i32(128)], ["y"])
Case("early_return", 2, 256, [given("x", "i32", integers(1, 512, 0, 1000)), made("y", "i32", 512, -1), i32(512)],
     ["y"])
Case("calls", 3, 32, [given("x", "i32", integers(1, 96, 0, 10**6)), made("y", "f64", 192), made("f", "f32", 96),
                      made("z", "i64", 96), i32(96)], ["y", "f", "z"])
Case("recursion", 2, 32, [given("x", "i32", integers(1, 64, 0, 1000)), made("y", "i32", 64), made("z", "u32", 64),
                          i32(64)],
     ["y", "z"])
Case("indirect_calls", 2, 32, [given("x", "i32", integers(1, 64, 0, 1000)), made("y", "f32", 128), i32(64)], ["y"])
Case("stack_allocation", 1, 32, [given("x", "i32", integers(3, 32, 0, 999)), made("y", "i32", 32)], ["y"])
Case("unoptimised", 2, 64, [given("at", "f32", numbers(4, 256)), made("hits", "i32", 128), made("sums", "f32", 128),
                            i32(128)], ["hits", "sums"])
