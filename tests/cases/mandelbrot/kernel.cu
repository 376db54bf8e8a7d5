// The Mandelbrot set: the number of iterations differs per pixel.
extern "C" __global__ void mandelbrot(unsigned char* steps, float* last, int width, int height, float scale) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  const float cx = -2.0f + px * scale, cy = -1.25f + py * scale;
  float x = 0.0f, y = 0.0f;
  int k = 0;
  while (k < 100 && x * x + y * y < 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++k;
  }
  steps[py * width + px] = (unsigned char)k, last[py * width + px] = x + y;
}
