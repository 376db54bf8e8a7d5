// Static shared memory of several types, including vectors and two-dimensional arrays.
extern "C" __global__ void shared_kinds(const unsigned char* bytes, const double* doubles, float* out, double* sums) {
  __shared__ unsigned char b[128];
  __shared__ short h[128];
  __shared__ float t[8][17];
  __shared__ double d[64];
  __shared__ float4 v[32];
  const int i = threadIdx.x;  // 128 threads
  b[i] = bytes[i];
  h[127 - i] = (short)(bytes[i] * 3 - 200);
  t[i / 16][i % 16] = bytes[i] * 0.5f;
  if (i < 64) d[i] = doubles[i];
  if (i < 32) v[i] = make_float4(bytes[i], bytes[i + 32], bytes[i + 64], bytes[i + 96]);
  __syncthreads();
  const float4 q = v[(i * 7) & 31];
  out[i] = b[(i * 5) & 127] + h[i] + t[i % 8][i / 8] + q.x - q.y * q.z + q.w;
  if (i < 64) sums[i] = d[i] * d[63 - i] + reinterpret_cast<const unsigned short*>(b)[i];
}
