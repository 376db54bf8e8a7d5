// Indirect calls: a table of functions, and virtual functions of objects in local memory.
typedef float (*Step)(float, int);
__device__ __noinline__ float twice(float v, int) { return v * 2.0f; }
__device__ __noinline__ float shift(float v, int by) { return v + by; }
__device__ __noinline__ float fold(float v, int by) { return v > by ? v - by : by - v; }
__device__ Step steps[3] = {twice, shift, fold};

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
  __device__ int corners() const override { return 4; }
};
struct Disc : Shape {
  float radius;
  __device__ explicit Disc(float r) : radius(r) {}
  __device__ float area() const override { return 3.140625f * radius * radius; }
};
__device__ __noinline__ float measure(const Shape& shape) { return shape.area() + 100.0f * shape.corners(); }

extern "C" __global__ void indirect_calls(const int* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = (float)x[i];
  for (int k = 0; k < 4; ++k) v = steps[(x[i] + k * (i & 1)) % 3](v, k + i);
  Square square(0.5f * (x[i] & 15));
  Disc disc(0.25f * (x[i] & 31));
  const Shape* shape = x[i] & 1 ? static_cast<const Shape*>(&square) : &disc;
  y[2 * i] = v, y[2 * i + 1] = measure(*shape);
}
