// Attributes of textures and surfaces.
#define TXQ(what) asm volatile("txq." what ".b32 %0, [%1];" : "=r"(value) : "l"(t)); *out++ = value;
#define SUQ(what) asm volatile("suq." what ".b32 %0, [%1];" : "=r"(value) : "l"(s)); *out++ = value;
__device__ int* texture(cudaTextureObject_t t, int* out) {
  int value;
  TXQ("width") TXQ("height") TXQ("depth")
  return out;
}
__device__ int* surface(cudaSurfaceObject_t s, int* out) {
  int value;
  SUQ("width") SUQ("height") SUQ("depth")
  return out;
}
extern "C" __global__ void texture_queries(cudaTextureObject_t a, cudaTextureObject_t b, cudaTextureObject_t c,
                                           cudaTextureObject_t d, cudaTextureObject_t e, cudaTextureObject_t f,
                                           cudaSurfaceObject_t g, cudaSurfaceObject_t h, cudaSurfaceObject_t k,
                                           int* out) {
  if (threadIdx.x != 0) return;
  out = texture(a, out), out = texture(b, out), out = texture(c, out);
  out = texture(d, out), out = texture(e, out), out = texture(f, out);
  out = surface(g, out), out = surface(h, out), surface(k, out);
}
