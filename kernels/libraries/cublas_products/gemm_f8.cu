// Products of matrices of 8-bit floats, E4M3 or E5M2 each, with sums of single precision.
#include "tensor_gemm.cuh"

namespace stand_in::cublas {

/// mma.m16n8k32. The types are the same for all threads, so the branches do not diverge.
struct Float8Type : LoadsFragments {
  using Element = unsigned char;
  using Sum = float;
  static constexpr Layout layout = depth_inner;

  static __device__ void multiply(const Product& p, float (&d)[4], const Fragment& a, unsigned b0, unsigned b1) {
    if (p.a_type == type_e5m2)
      asm("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "r"(b0), "r"(b1));
    else if (p.b_type == type_e5m2)
      asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "r"(b0), "r"(b1));
    else
      asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "r"(b0), "r"(b1));
  }
};

// NAME_ROWSxCOLUMNS: the tile of D that a block computes.
__global__ void __launch_bounds__(256) gemm_f8_128x128(const __grid_constant__ Product p) {
  tensor_gemm<Float8Type, 2, 4, 4, 2>(p);
}
__global__ void __launch_bounds__(128) gemm_f8_64x64(const __grid_constant__ Product p) {
  tensor_gemm<Float8Type, 2, 2, 2, 2>(p);
}
__global__ void __launch_bounds__(128) gemm_f8_32x32(const __grid_constant__ Product p) {
  tensor_gemm<Float8Type, 2, 2, 1, 1>(p);
}

}  // namespace stand_in::cublas
