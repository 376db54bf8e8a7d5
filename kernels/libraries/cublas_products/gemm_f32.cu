// Products of single-precision matrices.
#include "simt_gemm.cuh"

namespace stand_in::cublas {

// NAME_ROWSxCOLUMNS: the tile of D that a block computes.
__global__ void __launch_bounds__(256) gemm_f32_128x128(const __grid_constant__ Product p) {
  simt_gemm<float, 8, unchanged>(p);
}
__global__ void __launch_bounds__(256) gemm_f32_64x64(const __grid_constant__ Product p) {
  simt_gemm<float, 4, unchanged>(p);
}

}  // namespace stand_in::cublas
