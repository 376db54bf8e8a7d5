// Special registers: lane masks, warp and lane numbers. Clocks are only tested for properties that hold on every
// run.
template <typename Register>
__device__ unsigned long long order(Register read) {
  const unsigned long long a = read();
  const unsigned long long b = read();
  return b >= a;
}

extern "C" __global__ void special_registers(unsigned* y) {
  unsigned v[12];
  asm("mov.u32 %0, %%laneid;" : "=r"(v[0]));
  unsigned warp, warps;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));  // a warp slot of the SM, not an index in the block
  asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(warps));
  v[1] = warp < warps;
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(v[2]));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(v[3]));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(v[4]));
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(v[5]));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(v[6]));
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(v[7]));
  unsigned sm, sms;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(sms));
  v[8] = sm < sms;
  v[9] = (unsigned)order([] {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
  });
  v[10] = (unsigned)order([] { return (unsigned long long)clock64(); });
  v[11] = clock() != 0 || clock() != 0;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 12; ++k) y[i * 12 + k] = v[k];
}
