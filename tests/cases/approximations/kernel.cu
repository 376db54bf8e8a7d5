// The hardware's approximate instructions, each over the range for which the PTX manual gives an error bound.
extern "C" __global__ void approximations(const float* a, float* reciprocals, float* powers, float* waves, float* logs,
                                          float* tanhs, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i], p = fabsf(x);
  float* r = reciprocals + i * 6;
  asm("rcp.approx.f32 %0, %1;" : "=f"(r[0]) : "f"(x));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r[1]) : "f"(x));
  asm("sqrt.approx.f32 %0, %1;" : "=f"(r[2]) : "f"(p));
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(r[3]) : "f"(p));
  asm("div.approx.f32 %0, %1, %2;" : "=f"(r[4]) : "f"(1.5f), "f"(x));
  asm("div.full.f32 %0, %1, %2;" : "=f"(r[5]) : "f"(x), "f"(3.0f));
  asm("ex2.approx.f32 %0, %1;" : "=f"(powers[2 * i]) : "f"(x));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(powers[2 * i + 1]) : "f"(x * 0.5f));
  const float turn = x * 0.25f;  // within [-pi, pi] for |x| <= 12
  asm("sin.approx.f32 %0, %1;" : "=f"(waves[2 * i]) : "f"(turn));
  asm("cos.approx.f32 %0, %1;" : "=f"(waves[2 * i + 1]) : "f"(turn));
  asm("lg2.approx.f32 %0, %1;" : "=f"(logs[i]) : "f"(p));
  asm("tanh.approx.f32 %0, %1;" : "=f"(tanhs[i]) : "f"(x));
}
