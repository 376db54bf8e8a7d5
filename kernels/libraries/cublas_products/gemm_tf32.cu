// Products of single-precision matrices whose elements are rounded to TF32, with sums of single precision.
#include "tensor_gemm.cuh"

namespace stand_in::cublas {

/// mma.m16n8k8.
struct Tf32Type : LoadsFragments {
  using Element = float;
  using Sum = float;
  static constexpr Layout layout = depth_inner;
  static constexpr Change change = rounded_to_tf32;

  static __device__ void multiply(const Product&, float (&d)[4], const Fragment& a, unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "r"(b0), "r"(b1));
  }
};

// NAME_ROWSxCOLUMNS: the tile of D that a block computes.
__global__ void __launch_bounds__(256) gemm_tf32_128x128(const __grid_constant__ Product p) {
  tensor_gemm<Tf32Type, 2, 4, 4, 2>(p);
}
__global__ void __launch_bounds__(128) gemm_tf32_64x64(const __grid_constant__ Product p) {
  tensor_gemm<Tf32Type, 2, 2, 2, 2>(p);
}
__global__ void __launch_bounds__(128) gemm_tf32_32x32(const __grid_constant__ Product p) {
  tensor_gemm<Tf32Type, 2, 2, 1, 1>(p);
}

}  // namespace stand_in::cublas
