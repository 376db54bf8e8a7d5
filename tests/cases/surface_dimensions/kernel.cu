// Surfaces of each dimension: loads and stores, clamped or dropped outside the surface.
#define S cudaSurfaceObject_t
#define CLAMP cudaBoundaryModeClamp
#define ZERO cudaBoundaryModeZero
extern "C" __global__ void surface_dimensions(S a, S b, S c, S d, S e, S f, S g, const int* at, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int x = at[3 * i] * 4, y = at[3 * i + 1], z = at[3 * i + 2];
  out[i] = surf1Dread<float>(a, x, CLAMP);
  out[n + i] = surf1Dread<float>(a, x, ZERO);
  out[2 * n + i] = surf2Dread<float>(b, x, y, CLAMP);
  out[3 * n + i] = surf2Dread<float>(b, x, y, ZERO);
  out[4 * n + i] = surf3Dread<float>(c, x, y, z, CLAMP);
  out[5 * n + i] = surf3Dread<float>(c, x, y, z, ZERO);
  out[6 * n + i] = surf1DLayeredread<float>(d, x, z, CLAMP);
  out[7 * n + i] = surf1DLayeredread<float>(d, x, z, ZERO);
  out[8 * n + i] = surf2DLayeredread<float>(e, x, y, z, CLAMP);
  out[9 * n + i] = surf2DLayeredread<float>(e, x, y, z, ZERO);
  out[10 * n + i] = surfCubemapread<float>(f, x, y, z, CLAMP);
  out[11 * n + i] = surfCubemapread<float>(f, x, y, z, ZERO);
  out[12 * n + i] = surfCubemapLayeredread<float>(g, x, y, z, CLAMP);
  out[13 * n + i] = surfCubemapLayeredread<float>(g, x, y, z, ZERO);
}
// Each thread writes a place of its own, then places outside: they are dropped, or clamped to one of its warp's.
extern "C" __global__ void surface_stores(S a, S b, S c, S d, S e, S f, S g) {
  const int i = threadIdx.x;
  const int x = (i & 3) * 4, y = i >> 2 & 3, z = i >> 4;
  if (i < 4) surf1Dwrite(1.0f + i, a, x);
  if (i < 4) surf1Dwrite(100.0f, a, 16 + 4 * i, ZERO);
  if (i < 16) surf2Dwrite(2.0f + i, b, x, y, CLAMP);
  if (i < 16) surf2Dwrite(100.0f, b, x, y - 4, ZERO);
  surf3Dwrite(3.0f + i, c, x, y, z);
  surf3Dwrite(100.0f, c, x, y, z + 4, ZERO);
  if (z == 0) surf1DLayeredwrite(4.0f + i, d, x, y);
  if (z == 0) surf1DLayeredwrite(100.0f, d, x - 16, y, ZERO);
  surf2DLayeredwrite(5.0f + i, e, x, y, z);
  surf2DLayeredwrite(100.0f, e, x, y + 4, z, ZERO);
  surfCubemapwrite(6.0f + i, f, x, y, z);
  surfCubemapwrite(100.0f, f, x + 16, y, z, ZERO);
  surfCubemapLayeredwrite(7.0f + i, g, x, y, z + 4);
  surfCubemapLayeredwrite(100.0f, g, x, y, z + 12, ZERO);
  if (i == 0) surf2Dwrite(50.0f, b, 400, 2, CLAMP);
  if (i == 60) surf3Dwrite(60.0f, c, -4, 70, 90, CLAMP);
}
