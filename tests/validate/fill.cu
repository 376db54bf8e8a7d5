// The fills of launch files (core/run/launch/generate.h), computed on the GPU for record.py.
extern "C" __global__ void fill(unsigned char* out, unsigned long long count, int kind, unsigned long long value) {
  // kind: 0 the bytes of `value` (8 per element), 1 f32, 2 f64, 3 f16, 4 bf16, 5 32-bit, 6 64-bit, 7 bytes, 8 16-bit;
  // all but 0 are random with seed `value`
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < count; i += gridDim.x * 256ull) {
    unsigned long long z = value + (i + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    if (kind == 0) reinterpret_cast<unsigned long long*>(out)[i] = value;
    if (kind == 1) reinterpret_cast<float*>(out)[i] = (float)(z >> 40) * 0x1p-23f - 1.0f;
    if (kind == 2) reinterpret_cast<double*>(out)[i] = (double)(z >> 11) * 0x1p-52 - 1.0;
    if (kind == 3 || kind == 4) {
      const float f = kind == 3 ? (float)(z >> 53) * 0x1p-10f - 1.0f : (float)(z >> 56) * 0x1p-7f - 1.0f;
      unsigned short h;
      if (kind == 3)
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
      else
        h = __float_as_uint(f) >> 16;
      reinterpret_cast<unsigned short*>(out)[i] = h;
    }
    if (kind == 5) reinterpret_cast<unsigned*>(out)[i] = (unsigned)(z % 1000);
    if (kind == 6) reinterpret_cast<unsigned long long*>(out)[i] = z % 1000;
    if (kind == 7) out[i] = (unsigned char)(z & 255);
    if (kind == 8) reinterpret_cast<unsigned short*>(out)[i] = (unsigned short)(z % 1000);
  }
}
