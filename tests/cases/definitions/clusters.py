"""Thread block clusters with distributed shared memory, and grids that synchronize."""
from .case import Case, given, i32, integers, made, words

Case("cluster_reduction", 8, 128, [given("x", "i32", integers(1, 5000, -1000, 1000)), made("sums", "i64", 2), i32(5000)],
     ["sums"], cluster=4)
Case("cluster_histogram", 6, 96, [given("x", "u32", words(2, 3000)), made("bins", "i32", 128), i32(3000)], ["bins"])
Case("cluster_tiles", [4, 6], [16, 8],
     [given("x", "i32", integers(3, 64 * 48, -99, 99)), made("y", "i32", 64 * 48), made("places", "u32", 64 * 48 * 8)],
     ["y", "places"], cluster=[2, 2])
Case("cluster_messages", 8, 64, [made("out", "u32", 8 * 64 * 4), made("facts", "u32", 8 * 8)], ["out", "facts"])
Case("cluster_of_sixteen", 32, 32, [given("x", "i32", integers(4, 1024, -999, 999)), made("y", "i32", 1024)], ["y"],
     shared=128, cluster=16)
Case("cooperative_reduction", 40, 128,
     [given("x", "i32", integers(5, 9001, -1000, 1000)), made("part", "i64", 40), made("sum", "i64", 1), i32(9001)],
     ["part", "sum"], shared=1024, cooperative=True)
Case("cooperative_passes", [5, 2, 3], 64,
     [given("a", "u32", words(6, 1920)), made("b", "u32", 1920), i32(7)], ["a", "b"], cooperative=True)
Case("wide_tiles", 3, 256, [given("x", "i32", integers(7, 768, -50, 50)), made("y", "i32", 768)], ["y"])
