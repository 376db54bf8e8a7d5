// Correct: neighbouring bytes and halves of a word belong to different threads and blocks.
extern "C" __global__ void bytes(unsigned char* x, unsigned short* y, const int* w) {
  const int i = blockIdx.x + gridDim.x * threadIdx.x;
  x[i] = static_cast<unsigned char>(w[i]);
  y[i] = static_cast<unsigned short>(x[i] * 3);
}
