// nvcc: -Xcicc -jump-table-density=1
// A switch dense enough for a jump table, inside a loop, with fall-through and a default.
extern "C" __global__ void switch_tables(const int* x, const int* program, int* y, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = x[i], other = i;
#pragma unroll 1
  for (int at = 0; at < length; ++at) {
    switch (program[(at + v) & 31]) {  // divergent: a small machine whose instructions depend on its value
      case 0: v += 13; break;
      case 1: v = v * 5 + other; break;
      case 2: other ^= v << 3; [[fallthrough]];
      case 3: v -= other & 31; break;
      case 4: other = v & 1 ? other + 5 : other - 6; break;
      case 5: v = -v; break;
      case 6: v |= other | 3; break;
      case 7: at += 2; break;
      case 8: v = v / 3; break;
      case 9: atomicAdd(&y[2 * n], 1); break;
      case 10: v = __popc(v) * other; break;
      case 11: {
        const int swap = v;
        v = other, other = swap;
        break;
      }
      case 12: at = length; break;
      case 13: v = min(v, other) - 1; break;
      default: v ^= 0x5555; other += 3;
    }
  }
  y[2 * i] = v, y[2 * i + 1] = other;
}
