// Loads and stores of 1 to 8 bytes, signed and unsigned: narrow values are extended when loaded into a register.
extern "C" __global__ void widths(const signed char* s8, const unsigned char* u8, const short* s16,
                                  const unsigned short* u16, const int* s32, const long long* s64, signed char* o8,
                                  unsigned short* o16, int* o32, long long* o64, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int narrow = s8[i] + u8[i] * 3 + s16[i] - u16[i];
  o8[i] = (signed char)(narrow >> 3);
  o16[i] = (unsigned short)(narrow * 7 + s32[i]);
  o32[i] = s32[i] - narrow;
  o64[i] = s64[i] + narrow * (long long)s32[i] + u16[n - 1 - i];
}
