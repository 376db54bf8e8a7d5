// A two-byte store to an odd address.
extern "C" __global__ void tag(unsigned char* y) {
  if (threadIdx.x == 9) *reinterpret_cast<unsigned short*>(y + 2 * threadIdx.x + 1) = 0x1234;  // BUG: odd
}
