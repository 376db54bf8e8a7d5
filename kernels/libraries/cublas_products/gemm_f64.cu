// Products of double-precision matrices on tensor cores.
#include "tensor_gemm.cuh"

namespace stand_in::cublas {

/// mma.m16n8k8: 64 bytes of k at a time, in elements of 8 bytes, which ldmatrix does not load.
struct DoubleType {
  using Element = double;
  using Sum = double;
  struct Fragment {
    double word[4];
  };
  static constexpr Layout layout = depth_inner;
  static constexpr Change change = unchanged;
  static constexpr int steps = 1;

  template <class Operand>
  static __device__ Fragment load(const unsigned char* tile, bool, int row, int) {
    const int lane = threadIdx.x % 32;
    const unsigned char* from = tile + (row + lane / 4) * Operand::row_pitch + lane % 4 * 8;
    const auto at = [&](int rows_below, int k) {
      return *reinterpret_cast<const double*>(from + rows_below * Operand::row_pitch + k * 8);
    };
    return {{at(0, 0), at(8, 0), at(0, 4), at(8, 4)}};
  }
  static __device__ void multiply(const Product&, double (&d)[4], const Fragment& a, double b0, double b1) {
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a.word[0]), "d"(a.word[1]), "d"(a.word[2]), "d"(a.word[3]), "d"(b0), "d"(b1));
  }
};

// NAME_ROWSxCOLUMNS: the tile of D that a block computes.
__global__ void __launch_bounds__(128) gemm_f64_64x64(const __grid_constant__ Product p) {
  tensor_gemm<DoubleType, 2, 2, 2, 2>(p);
}
__global__ void __launch_bounds__(128) gemm_f64_32x32(const __grid_constant__ Product p) {
  tensor_gemm<DoubleType, 2, 2, 1, 1>(p);
}

}  // namespace stand_in::cublas
