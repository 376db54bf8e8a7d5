// Records of 12 bytes: the double in every second record is misaligned.
extern "C" __global__ void records(const char* packed, double* y) {
  y[threadIdx.x] = *reinterpret_cast<const double*>(packed + 12 * threadIdx.x);  // BUG: odd lanes
}
