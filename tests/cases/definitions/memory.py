"""Cases of memory: widths, vectors, state spaces, module variables, special registers."""
from .case import Case, given, i32, integers, made, numbers, words

Case("widths", 4, 128, [
    given("s8", "i8", integers(1, 500, -128, 127)), given("u8", "u8", integers(2, 500, 0, 255)),
    given("s16", "i16", integers(3, 500, -32768, 32767)), given("u16", "u16", integers(4, 500, 0, 65535)),
    given("s32", "i32", integers(5, 500, -10**9, 10**9)), given("s64", "i64", integers(6, 500, -2**62, 2**62)),
    made("o8", "i8", 500), made("o16", "u16", 500), made("o32", "i32", 500), made("o64", "i64", 500), i32(500)],
    ["o8", "o16", "o32", "o64"])

Case("vectors", 1, 64, [
    given("a", "u8", integers(1, 256, 0, 255)), given("b", "i16", integers(2, 128, -9000, 9000)),
    given("c", "u16", integers(3, 256, 0, 65535)), given("d", "f32", numbers(4, 128)),
    given("e", "f32", numbers(5, 256, -100, 100)), given("f", "i64", integers(6, 128, -2**31, 2**31)),
    given("g", "f64", numbers(7, 128, 0.5, 9)),
    made("oa", "u8", 256), made("ob", "i16", 128), made("oc", "u16", 256), made("od", "f32", 128),
    made("oe", "f32", 256), made("of", "i64", 128), made("og", "f64", 128),
    given("h", "i8", integers(8, 128, -60, 60)), made("oh", "i8", 128)],
    ["oa", "ob", "oc", "od", "oe", "of", "og", "oh"])

Case("constant_memory", 4, 32, [
    given("x", "f32", numbers(1, 100)), given("pick", "i32", integers(2, 100, 0, 999)), made("y", "f32", 100),
    made("z", "i32", 100), made("w", "i64", 100), i32(100)], ["y", "z", "w"])

Case("local_arrays", 3, 32, [
    given("index", "i32", integers(1, 96, 0, 10000)), made("ints", "i32", 96), made("doubles", "f64", 96),
    made("bytes", "u8", 96), i32(96)], ["ints", "doubles", "bytes"])

Case("generic_pointers", 1, 32, [
    given("x", "i32", integers(1, 32, 0, 999)), made("y", "i32", 64), made("spaces", "i32", 32)], ["y", "spaces"])

Case("shared_kinds", 1, 128, [
    given("bytes", "u8", integers(1, 128, 0, 255)), given("doubles", "f64", numbers(2, 64)),
    made("out", "f32", 128), made("sums", "f64", 64)], ["out", "sums"])

Case("dynamic_shared", 3, 128, [
    given("x", "f32", numbers(1, 300, -50, 50)), made("y", "f32", 300), made("counts", "u32", 300), i32(300)],
    ["y", "counts"], shared=1024)

Case("dynamic_shared_big", 1, 64, [given("x", "u32", words(1, 64)), made("y", "u32", 64), i32(24576)], ["y"],
     shared=98304)

Case("module_variables", 1, 64, [made("y", "i32", 64), made("total", "u32", 1), made("d", "f64", 64)],
     ["y", "total", "d"])

Case("cache_operators", 1, 64, [given("x", "i32", integers(1, 64, -10**6, 10**6)), made("y", "i32", 7 * 64), i32(64)],
     ["y"])

Case("grid_of_three_dimensions", (3, 3, 3), (4, 3, 2), [made("y", "i32", 350, -1), i32(10), i32(7), i32(5)], ["y"])

Case("special_registers", 2, 40, [made("y", "u32", 80 * 12)], ["y"], shared=512)

Case("volatile_shared", 2, 128, [given("x", "i32", integers(9, 256, 0, 999)), made("y", "i32", 256)], ["y"])

Case("shared_in_functions", 1, 64, [given("x", "i32", integers(10, 64, 0, 999)), made("y", "i64", 64),
                                    made("z", "f32", 64),
                                    made("tickets", "i32", 64)], ["y", "z", "tickets"])

Case("cache_hints", 1, 64, [given("x", "i32", integers(11, 64, -999, 999)), made("y", "i32", 128)], ["y"])
