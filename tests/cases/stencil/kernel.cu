// A seven-point stencil in a box of odd sizes, marching along z with three planes in registers.
extern "C" __global__ void stencil(const double* x, double* y, int nx, int ny, int nz, double a, double b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny) return;
  const bool rim = i == 0 || j == 0 || i == nx - 1 || j == ny - 1;
  const int plane = nx * ny;
  const double* p = x + j * nx + i;
  double behind = 0.0, here = p[0], ahead;
  for (int k = 0; k < nz; ++k) {
    ahead = k + 1 < nz ? p[(k + 1) * plane] : 0.0;
    double v = here;
    if (!rim && k > 0 && k < nz - 1)
      v = a * here + b * (p[k * plane - 1] + p[k * plane + 1] + p[k * plane - nx] + p[k * plane + nx] + behind + ahead);
    y[k * plane + j * nx + i] = v;
    behind = here, here = ahead;
  }
}
