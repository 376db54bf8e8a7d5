// 8x8 matrices of halves moved between lanes: stored by stmatrix, loaded with plain loads, transposed in registers.
extern "C" __global__ void matrix_transport(const unsigned* x, unsigned* y) {
  __shared__ __align__(16) unsigned short s[32][24];  // rows of 48 bytes
  const int lane = threadIdx.x;
  unsigned v[4];
  for (int k = 0; k < 4; ++k) v[k] = x[k * 32 + lane];
  const unsigned row = (unsigned)__cvta_generic_to_shared(&s[lane][8]);
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(v[0]), "r"(v[1]),
               "r"(v[2]), "r"(v[3])
               : "memory");
  __syncwarp();
  for (int k = 0; k < 4; ++k) y[k * 32 + lane] = s[lane][8 + 2 * k] | (unsigned)s[lane][9 + 2 * k] << 16;
  __syncwarp();
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(row), "r"(v[2]), "r"(v[3])
               : "memory");
  __syncwarp();
  for (int k = 0; k < 4; ++k) y[128 + k * 32 + lane] = s[lane][8 + 2 * k] | (unsigned)s[lane][9 + 2 * k] << 16;
  unsigned turned;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turned) : "r"(v[1]));
  y[256 + lane] = turned;
}
