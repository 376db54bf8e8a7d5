// Products of matrices of 8-bit integers, with sums of 32 bits.
#include "tensor_gemm.cuh"

namespace stand_in::cublas {

/// mma.m16n8k32.
struct IntegerType : LoadsFragments {
  using Element = signed char;
  using Sum = int;
  static constexpr Layout layout = depth_inner;

  static __device__ void multiply(const Product&, int (&d)[4], const Fragment& a, unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "r"(b0), "r"(b1));
  }
};

// NAME_ROWSxCOLUMNS: the tile of D that a block computes.
__global__ void __launch_bounds__(256) gemm_s8_128x128(const __grid_constant__ Product p) {
  tensor_gemm<IntegerType, 2, 4, 4, 2>(p);
}
__global__ void __launch_bounds__(128) gemm_s8_64x64(const __grid_constant__ Product p) {
  tensor_gemm<IntegerType, 2, 2, 2, 2>(p);
}
__global__ void __launch_bounds__(128) gemm_s8_32x32(const __grid_constant__ Product p) {
  tensor_gemm<IntegerType, 2, 2, 1, 1>(p);
}

}  // namespace stand_in::cublas
