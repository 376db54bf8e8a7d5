// nvcc: -ftz=true
// Compiled to flush denormals: f32 inputs and results become zero of the same sign. f64 and integers are unaffected.
extern "C" __global__ void f32_flush_to_zero(const float* a, const float* b, const float* c, float* y, int* z,
                                             double* w, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float p = a[i], q = b[i], s = c[i];
  float* o = y + i * 14;
  o[0] = p + q, o[1] = p - q, o[2] = p * q, o[3] = fmaf(p, q, s), o[4] = __fadd_rz(p, q), o[5] = __fmul_ru(p, q);
  o[6] = fminf(p, q), o[7] = fmaxf(p, q), o[8] = fabsf(p), o[9] = -q, o[10] = __saturatef(p + q);
  o[11] = floorf(p), o[12] = rintf(q), o[13] = __fmaf_rd(p, q, s);
  z[i * 5] = p < q, z[i * 5 + 1] = p == 0.0f, z[i * 5 + 2] = p >= q, z[i * 5 + 3] = (int)(p * 1e9f),
        z[i * 5 + 4] = p != q;
  w[i] = (double)p + (double)(float)((double)q * 0.5);
}
