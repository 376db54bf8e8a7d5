// Loads and stores of every width, and stores that convert to the surface's format.
#define S cudaSurfaceObject_t
template <class V>
__device__ void copy(S from, S to, int x, int y) {
  V value;
  surf2Dread(&value, from, x * (int)sizeof(V), y);
  surf2Dwrite(value, to, (7 - x) * (int)sizeof(V), y);
}
extern "C" __global__ void surface_formats(S a0, S b0, S a1, S b1, S a2, S b2, S a3, S b3, S a4, S b4, S a5, S b5,
                                           S a6, S b6) {
  const int x = threadIdx.x, y = threadIdx.y;
  copy<unsigned char>(a0, b0, x, y);
  copy<uchar2>(a1, b1, x, y);
  copy<uchar4>(a2, b2, x, y);
  copy<short>(a3, b3, x, y);
  copy<short4>(a4, b4, x, y);
  copy<uint2>(a5, b5, x, y);
  copy<float4>(a6, b6, x, y);
}
#define PUT(s, values) asm volatile("sust.p.2d.v4.b32.zero [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(s), "r"(x), \
                                    "r"(y), "r"(v[4 * at]), "r"(v[4 * at + 1]), "r"(v[4 * at + 2]), "r"(v[4 * at + 3]));
extern "C" __global__ void surface_conversions(S a, S b, S c, S d, S e, S f, S g, const int* v) {
  const int x = threadIdx.x, y = threadIdx.y, at = x + 8 * y;
  PUT(a, v) PUT(b, v) PUT(c, v) PUT(d, v) PUT(e, v) PUT(f, v) PUT(g, v)
}
