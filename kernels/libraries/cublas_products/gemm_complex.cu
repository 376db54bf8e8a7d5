// Products of complex matrices of single and double precision.
#include "simt_gemm.cuh"

namespace stand_in::cublas {

// NAME_ROWSxCOLUMNS: the tile of D that a block computes.
__global__ void __launch_bounds__(256) gemm_c32_64x64(const __grid_constant__ Product p) {
  simt_gemm<float2, 4, conjugated>(p);
}
__global__ void __launch_bounds__(256) gemm_c64_64x64(const __grid_constant__ Product p) {
  simt_gemm<double2, 4, conjugated>(p);
}

}  // namespace stand_in::cublas
