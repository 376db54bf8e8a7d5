// The shapes of wmma: fragments, loads, stores and products. Included by mma.h within nvcuda::wmma.
#pragma once

// A list of registers as the operands of an asm statement.
#define WARPWALK_OUT_1(R, A) R(A[0])
#define WARPWALK_OUT_2(R, A) R(A[0]), R(A[1])
#define WARPWALK_OUT_4(R, A) R(A[0]), R(A[1]), R(A[2]), R(A[3])
#define WARPWALK_OUT_8(R, A) R(A[0]), R(A[1]), R(A[2]), R(A[3]), R(A[4]), R(A[5]), R(A[6]), R(A[7])

// A fragment of a or b, with its load for either layout.
#define WARPWALK_OPERAND(USE, LETTER, M, N, K, T, ELEMENT, COUNT, WORDS, LIST, POINTER, LDM, PTX)                      \
  template <class Layout>                                                                                              \
  class fragment<USE, M, N, K, T, Layout> : public fragment_of<ELEMENT, COUNT, WORDS> {};                              \
  WARPWALK_DEVICE void load_matrix_sync(fragment<USE, M, N, K, T, row_major>& f, const ELEMENT* p, unsigned int ldm) { \
    asm volatile("wmma.load." LETTER ".sync.aligned.row.m" #M "n" #N "k" #K "." PTX " " LIST ", [" POINTER "], " LDM   \
                 ";"                                                                                                   \
                 : WARPWALK_OUT_##WORDS("=r", f.r)                                                                     \
                 : "l"(p), "r"(ldm)                                                                                    \
                 : "memory");                                                                                          \
  }                                                                                                                    \
  WARPWALK_DEVICE void load_matrix_sync(fragment<USE, M, N, K, T, col_major>& f, const ELEMENT* p, unsigned int ldm) { \
    asm volatile("wmma.load." LETTER ".sync.aligned.col.m" #M "n" #N "k" #K "." PTX " " LIST ", [" POINTER "], " LDM   \
                 ";"                                                                                                   \
                 : WARPWALK_OUT_##WORDS("=r", f.r)                                                                     \
                 : "l"(p), "r"(ldm)                                                                                    \
                 : "memory");                                                                                          \
  }

#define WARPWALK_PLACES_1 "{%0}", "%1", "%2"
#define WARPWALK_PLACES_2 "{%0, %1}", "%2", "%3"
#define WARPWALK_PLACES_4 "{%0, %1, %2, %3}", "%4", "%5"
#define WARPWALK_PLACES_8 "{%0, %1, %2, %3, %4, %5, %6, %7}", "%8", "%9"
#define WARPWALK_OPERAND_AT(...) WARPWALK_OPERAND(__VA_ARGS__)
WARPWALK_OPERAND_AT(matrix_a, "a", 16, 16, 16, __half, __half, 16, 8, WARPWALK_PLACES_8, "f16")
WARPWALK_OPERAND_AT(matrix_b, "b", 16, 16, 16, __half, __half, 16, 8, WARPWALK_PLACES_8, "f16")
WARPWALK_OPERAND_AT(matrix_a, "a", 32, 8, 16, __half, __half, 16, 8, WARPWALK_PLACES_8, "f16")
WARPWALK_OPERAND_AT(matrix_b, "b", 32, 8, 16, __half, __half, 16, 8, WARPWALK_PLACES_8, "f16")
WARPWALK_OPERAND_AT(matrix_a, "a", 8, 32, 16, __half, __half, 16, 8, WARPWALK_PLACES_8, "f16")
WARPWALK_OPERAND_AT(matrix_b, "b", 8, 32, 16, __half, __half, 16, 8, WARPWALK_PLACES_8, "f16")
WARPWALK_OPERAND_AT(matrix_a, "a", 16, 16, 16, __nv_bfloat16, __nv_bfloat16, 8, 4, WARPWALK_PLACES_4, "bf16")
WARPWALK_OPERAND_AT(matrix_b, "b", 16, 16, 16, __nv_bfloat16, __nv_bfloat16, 8, 4, WARPWALK_PLACES_4, "bf16")
WARPWALK_OPERAND_AT(matrix_a, "a", 32, 8, 16, __nv_bfloat16, __nv_bfloat16, 16, 8, WARPWALK_PLACES_8, "bf16")
WARPWALK_OPERAND_AT(matrix_b, "b", 32, 8, 16, __nv_bfloat16, __nv_bfloat16, 4, 2, WARPWALK_PLACES_2, "bf16")
WARPWALK_OPERAND_AT(matrix_a, "a", 8, 32, 16, __nv_bfloat16, __nv_bfloat16, 4, 2, WARPWALK_PLACES_2, "bf16")
WARPWALK_OPERAND_AT(matrix_b, "b", 8, 32, 16, __nv_bfloat16, __nv_bfloat16, 16, 8, WARPWALK_PLACES_8, "bf16")
WARPWALK_OPERAND_AT(matrix_a, "a", 16, 16, 16, signed char, signed char, 8, 2, WARPWALK_PLACES_2, "s8")
WARPWALK_OPERAND_AT(matrix_a, "a", 16, 16, 16, unsigned char, unsigned char, 8, 2, WARPWALK_PLACES_2, "u8")
WARPWALK_OPERAND_AT(matrix_b, "b", 16, 16, 16, signed char, signed char, 8, 2, WARPWALK_PLACES_2, "s8")
WARPWALK_OPERAND_AT(matrix_b, "b", 16, 16, 16, unsigned char, unsigned char, 8, 2, WARPWALK_PLACES_2, "u8")
WARPWALK_OPERAND_AT(matrix_a, "a", 32, 8, 16, signed char, signed char, 16, 4, WARPWALK_PLACES_4, "s8")
WARPWALK_OPERAND_AT(matrix_a, "a", 32, 8, 16, unsigned char, unsigned char, 16, 4, WARPWALK_PLACES_4, "u8")
WARPWALK_OPERAND_AT(matrix_b, "b", 32, 8, 16, signed char, signed char, 4, 1, WARPWALK_PLACES_1, "s8")
WARPWALK_OPERAND_AT(matrix_b, "b", 32, 8, 16, unsigned char, unsigned char, 4, 1, WARPWALK_PLACES_1, "u8")
WARPWALK_OPERAND_AT(matrix_a, "a", 8, 32, 16, signed char, signed char, 4, 1, WARPWALK_PLACES_1, "s8")
WARPWALK_OPERAND_AT(matrix_a, "a", 8, 32, 16, unsigned char, unsigned char, 4, 1, WARPWALK_PLACES_1, "u8")
WARPWALK_OPERAND_AT(matrix_b, "b", 8, 32, 16, signed char, signed char, 16, 4, WARPWALK_PLACES_4, "s8")
WARPWALK_OPERAND_AT(matrix_b, "b", 8, 32, 16, unsigned char, unsigned char, 16, 4, WARPWALK_PLACES_4, "u8")
WARPWALK_OPERAND_AT(matrix_a, "a", 16, 16, 8, precision::tf32, float, 4, 4, WARPWALK_PLACES_4, "tf32")
WARPWALK_OPERAND_AT(matrix_b, "b", 16, 16, 8, precision::tf32, float, 4, 4, WARPWALK_PLACES_4, "tf32")
#undef WARPWALK_OPERAND_AT
#undef WARPWALK_OPERAND

// An accumulator, with its load and store for either layout.
#define WARPWALK_SUM(M, N, K, T, WORDS, FIELD, R, LIST, POINTER, LDM, PTX)                                        \
  template <>                                                                                                     \
  class fragment<accumulator, M, N, K, T> : public fragment_of<T, 8, WORDS> {};                                   \
  WARPWALK_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* p, unsigned int ldm,       \
                                        layout_t layout) {                                                        \
    if (layout == mem_row_major)                                                                                  \
      asm volatile("wmma.load.c.sync.aligned.row.m" #M "n" #N "k" #K "." PTX " " LIST ", [" POINTER "], " LDM ";" \
                   : WARPWALK_OUT_##WORDS("=" R, f.FIELD)                                                         \
                   : "l"(p), "r"(ldm)                                                                             \
                   : "memory");                                                                                   \
    else                                                                                                          \
      asm volatile("wmma.load.c.sync.aligned.col.m" #M "n" #N "k" #K "." PTX " " LIST ", [" POINTER "], " LDM ";" \
                   : WARPWALK_OUT_##WORDS("=" R, f.FIELD)                                                         \
                   : "l"(p), "r"(ldm)                                                                             \
                   : "memory");                                                                                   \
  }                                                                                                               \
  WARPWALK_DEVICE void store_matrix_sync(T* p, const fragment<accumulator, M, N, K, T>& f, unsigned int ldm,      \
                                         layout_t layout) {                                                       \
    if (layout == mem_row_major)                                                                                  \
      asm volatile("wmma.store.d.sync.aligned.row.m" #M "n" #N "k" #K "." PTX " [" POINTER "], " LIST ", " LDM    \
                   ";" ::WARPWALK_OUT_##WORDS(R, f.FIELD),                                                        \
                   "l"(p), "r"(ldm)                                                                               \
                   : "memory");                                                                                   \
    else                                                                                                          \
      asm volatile("wmma.store.d.sync.aligned.col.m" #M "n" #N "k" #K "." PTX " [" POINTER "], " LIST ", " LDM    \
                   ";" ::WARPWALK_OUT_##WORDS(R, f.FIELD),                                                        \
                   "l"(p), "r"(ldm)                                                                               \
                   : "memory");                                                                                   \
  }
#define WARPWALK_SUM_AT(...) WARPWALK_SUM(__VA_ARGS__)
WARPWALK_SUM_AT(16, 16, 16, float, 8, x, "f", WARPWALK_PLACES_8, "f32")
WARPWALK_SUM_AT(16, 16, 16, __half, 4, r, "r", WARPWALK_PLACES_4, "f16")
WARPWALK_SUM_AT(16, 16, 16, int, 8, x, "r", WARPWALK_PLACES_8, "s32")
WARPWALK_SUM_AT(32, 8, 16, float, 8, x, "f", WARPWALK_PLACES_8, "f32")
WARPWALK_SUM_AT(32, 8, 16, __half, 4, r, "r", WARPWALK_PLACES_4, "f16")
WARPWALK_SUM_AT(32, 8, 16, int, 8, x, "r", WARPWALK_PLACES_8, "s32")
WARPWALK_SUM_AT(8, 32, 16, float, 8, x, "f", WARPWALK_PLACES_8, "f32")
WARPWALK_SUM_AT(8, 32, 16, __half, 4, r, "r", WARPWALK_PLACES_4, "f16")
WARPWALK_SUM_AT(8, 32, 16, int, 8, x, "r", WARPWALK_PLACES_8, "s32")
WARPWALK_SUM_AT(16, 16, 8, float, 8, x, "f", WARPWALK_PLACES_8, "f32")
#undef WARPWALK_SUM_AT
#undef WARPWALK_SUM

// d = a b + c for one pair of layouts.
#define WARPWALK_PRODUCT(LA, LB, PA, PB, M, N, K, T, D, C, WA, WB, WD, WC, FD, FC, RD, RC, LIST, TYPES)            \
  WARPWALK_DEVICE void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, T, LA>& a, \
                                const fragment<matrix_b, M, N, K, T, LB>& b,                                       \
                                const fragment<accumulator, M, N, K, C>& c) {                                      \
    asm volatile("wmma.mma.sync.aligned." PA "." PB ".m" #M "n" #N "k" #K TYPES " " LIST ";"                       \
                 : WARPWALK_OUT_##WD("=" RD, d.FD)                                                                 \
                 : WARPWALK_OUT_##WA("r", a.r), WARPWALK_OUT_##WB("r", b.r), WARPWALK_OUT_##WC(RC, c.FC)           \
                 : "memory");                                                                                      \
  }
#define WARPWALK_PRODUCTS(...)                                      \
  WARPWALK_PRODUCT(row_major, row_major, "row", "row", __VA_ARGS__) \
  WARPWALK_PRODUCT(row_major, col_major, "row", "col", __VA_ARGS__) \
  WARPWALK_PRODUCT(col_major, row_major, "col", "row", __VA_ARGS__) \
  WARPWALK_PRODUCT(col_major, col_major, "col", "col", __VA_ARGS__)
WARPWALK_PRODUCTS(16, 16, 16, __half, float, float, 8, 8, 8, 8, x, x, "f", "f",
                  "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, "
                  "%21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31}",
                  ".f32.f32")
WARPWALK_PRODUCTS(16, 16, 16, __half, float, __half, 8, 8, 8, 4, x, r, "f", "r",
                  "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, "
                  "%21, %22, %23}, {%24, %25, %26, %27}",
                  ".f32.f16")
WARPWALK_PRODUCTS(16, 16, 16, __half, __half, float, 8, 8, 4, 8, r, x, "r", "f",
                  "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, "
                  "{%20, %21, %22, %23, %24, %25, %26, %27}",
                  ".f16.f32")
WARPWALK_PRODUCTS(16, 16, 16, __half, __half, __half, 8, 8, 4, 4, r, r, "r", "r",
                  "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, "
                  "{%20, %21, %22, %23}",
                  ".f16.f16")
WARPWALK_PRODUCTS(32, 8, 16, __half, float, float, 8, 8, 8, 8, x, x, "f", "f",
                  "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, "
                  "%21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31}",
                  ".f32.f32")
WARPWALK_PRODUCTS(32, 8, 16, __half, float, __half, 8, 8, 8, 4, x, r, "f", "r",
                  "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, "
                  "%21, %22, %23}, {%24, %25, %26, %27}",
                  ".f32.f16")
WARPWALK_PRODUCTS(32, 8, 16, __half, __half, float, 8, 8, 4, 8, r, x, "r", "f",
                  "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, "
                  "{%20, %21, %22, %23, %24, %25, %26, %27}",
                  ".f16.f32")
WARPWALK_PRODUCTS(32, 8, 16, __half, __half, __half, 8, 8, 4, 4, r, r, "r", "r",
                  "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, "
                  "{%20, %21, %22, %23}",
                  ".f16.f16")
WARPWALK_PRODUCTS(8, 32, 16, __half, float, float, 8, 8, 8, 8, x, x, "f", "f",
                  "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, "
                  "%21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31}",
                  ".f32.f32")
WARPWALK_PRODUCTS(8, 32, 16, __half, float, __half, 8, 8, 8, 4, x, r, "f", "r",
                  "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, "
                  "%21, %22, %23}, {%24, %25, %26, %27}",
                  ".f32.f16")
WARPWALK_PRODUCTS(8, 32, 16, __half, __half, float, 8, 8, 4, 8, r, x, "r", "f",
                  "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, "
                  "{%20, %21, %22, %23, %24, %25, %26, %27}",
                  ".f16.f32")
WARPWALK_PRODUCTS(8, 32, 16, __half, __half, __half, 8, 8, 4, 4, r, r, "r", "r",
                  "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, "
                  "{%20, %21, %22, %23}",
                  ".f16.f16")
WARPWALK_PRODUCTS(16, 16, 16, __nv_bfloat16, float, float, 4, 4, 8, 8, x, x, "f", "f",
                  "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, "
                  "%20, %21, %22, %23}",
                  ".f32.bf16.bf16.f32")
WARPWALK_PRODUCTS(32, 8, 16, __nv_bfloat16, float, float, 8, 2, 8, 8, x, x, "f", "f",
                  "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, "
                  "%20, %21, %22, %23, %24, %25}",
                  ".f32.bf16.bf16.f32")
WARPWALK_PRODUCTS(8, 32, 16, __nv_bfloat16, float, float, 2, 8, 8, 8, x, x, "f", "f",
                  "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, "
                  "%20, %21, %22, %23, %24, %25}",
                  ".f32.bf16.bf16.f32")
WARPWALK_PRODUCTS(16, 16, 16, signed char, int, int, 2, 2, 8, 8, x, x, "r", "r",
                  "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}",
                  ".s32.s8.s8.s32")
WARPWALK_PRODUCTS(16, 16, 16, unsigned char, int, int, 2, 2, 8, 8, x, x, "r", "r",
                  "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}",
                  ".s32.u8.u8.s32")
WARPWALK_PRODUCTS(
    32, 8, 16, signed char, int, int, 4, 1, 8, 8, x, x, "r", "r",
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20}",
    ".s32.s8.s8.s32")
WARPWALK_PRODUCTS(
    32, 8, 16, unsigned char, int, int, 4, 1, 8, 8, x, x, "r", "r",
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20}",
    ".s32.u8.u8.s32")
WARPWALK_PRODUCTS(
    8, 32, 16, signed char, int, int, 1, 4, 8, 8, x, x, "r", "r",
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20}",
    ".s32.s8.s8.s32")
WARPWALK_PRODUCTS(
    8, 32, 16, unsigned char, int, int, 1, 4, 8, 8, x, x, "r", "r",
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20}",
    ".s32.u8.u8.s32")
WARPWALK_PRODUCTS(16, 16, 8, precision::tf32, float, float, 4, 4, 8, 8, x, x, "f", "f",
                  "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, "
                  "%20, %21, %22, %23}",
                  ".f32.tf32.tf32.f32")
#undef WARPWALK_PRODUCTS
#undef WARPWALK_PRODUCT
#undef WARPWALK_PLACES_1
#undef WARPWALK_OUT_1
#undef WARPWALK_PLACES_2
#undef WARPWALK_OUT_2
#undef WARPWALK_PLACES_4
#undef WARPWALK_OUT_4
#undef WARPWALK_PLACES_8
#undef WARPWALK_OUT_8
