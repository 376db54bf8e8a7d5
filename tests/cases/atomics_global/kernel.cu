// Every 32-bit atomic on global memory: results on shared words, and returned old values on private words.
extern "C" __global__ void atomics_global(const int* x, int* shared_by_all, int* own, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int v = x[i];
  int* s = shared_by_all;
  unsigned* u = reinterpret_cast<unsigned*>(s);
  atomicAdd(s, v), atomicSub(s + 1, v * 3), atomicMin(s + 2, v - 500), atomicMax(s + 3, v - 500);
  atomicMin(u + 4, (unsigned)(v - 500)), atomicMax(u + 5, (unsigned)(v - 500));
  atomicAnd(s + 6, ~(1 << (v & 7))), atomicOr(s + 7, 1 << (v & 31)), atomicXor(s + 8, v * 77777);
  atomicInc(u + 9, 100u), atomicDec(u + 10, 37u);
  atomicAdd(s + 16 + (v & 7), 1);
  if ((i & 3) == 0) atomicAdd(s + 24, atomicAdd(s + 25, 0) + 1);
  int* p = own + i * 12;  // private to this thread
  int old[11];
  old[0] = atomicAdd(p, v), old[1] = atomicSub(p + 1, v), old[2] = atomicMin(p + 2, v), old[3] = atomicMax(p + 3, -v);
  old[4] = atomicExch(p + 4, v), old[5] = atomicCAS(p + 5, i, v), old[6] = atomicAnd(p + 6, v),
  old[7] = atomicOr(p + 7, v);
  old[8] = atomicXor(p + 8, v), old[9] = (int)atomicInc((unsigned*)p + 9, (unsigned)v);
  old[10] = (int)atomicDec((unsigned*)p + 10, (unsigned)v);
  int sum = 0;
  for (int k = 0; k < 11; ++k) sum = sum * 31 + old[k];
  p[11] = sum;
}
