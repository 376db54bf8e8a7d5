// Products of bfloat16 matrices, with sums of single precision.
#include "tensor_gemm.cuh"

namespace stand_in::cublas {

/// mma.m16n8k16.
struct BrainType : LoadsFragments {
  using Element = unsigned short;
  using Sum = float;
  static constexpr Layout layout = as_matrix;

  static __device__ void multiply(const Product&, float (&d)[4], const Fragment& a, unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "r"(b0), "r"(b1));
  }
};

// NAME_ROWSxCOLUMNS: the tile of D that a block computes.
__global__ void __launch_bounds__(256) gemm_bf16_128x128(const __grid_constant__ Product p) {
  tensor_gemm<BrainType, 2, 4, 4, 2>(p);
}
__global__ void __launch_bounds__(128) gemm_bf16_64x64(const __grid_constant__ Product p) {
  tensor_gemm<BrainType, 2, 2, 2, 2>(p);
}
__global__ void __launch_bounds__(128) gemm_bf16_32x32(const __grid_constant__ Product p) {
  tensor_gemm<BrainType, 2, 2, 1, 1>(p);
}

}  // namespace stand_in::cublas
