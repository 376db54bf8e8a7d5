// Variables of the device, constants, functions called through pointers, virtual functions, templates, namespaces.
#include <vector>

#include "check.h"

__device__ int global_counter = 11;
__constant__ int global_table[4] = {2, 3, 5, 7};

// Two namespaces with the same names, as in two source files.
namespace first {
__device__ int value = 1;
__constant__ float scale = 1.5f;
static __device__ int hidden = 100;
__global__ void kernel(float* out) { *out = value * scale + hidden; }
}  // namespace first
namespace second {
__device__ int value = 2;
__constant__ float scale = 2.5f;
static __device__ int hidden = 200;
__global__ void kernel(float* out) { *out = value * scale + hidden; }
}  // namespace second

namespace {

using Operation = int (*)(int, int);

__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ __noinline__ int power(int a, int b) { return b <= 0 ? 1 : a * power(a, b - 1); }
__device__ Operation add_pointer = add;
__device__ Operation operations[3] = {add, multiply, power};

__global__ void apply(Operation operation, int* out) { out[threadIdx.x] = operation(threadIdx.x, 3); }
__global__ void apply_each(int* out) { out[threadIdx.x] = operations[threadIdx.x % 3](threadIdx.x, 4); }

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  __device__ explicit Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
  float side;
};
struct Circle : Shape {
  __device__ explicit Circle(float radius) : radius(radius) {}
  __device__ float area() const override { return 3 * radius * radius; }
  float radius;
};

__global__ void make_shapes(Shape** shapes) {
  const int i = threadIdx.x;
  if (i % 2 == 0)
    shapes[i] = new Square(i);
  else
    shapes[i] = new Circle(i);
}
__global__ void measure(Shape** shapes, float* areas) { areas[threadIdx.x] = shapes[threadIdx.x]->area(); }
__global__ void destroy(Shape** shapes) { delete shapes[threadIdx.x]; }

template <class T, int size>
__global__ void sum_of(const T* values, T* out) {
  T total = 0;
  for (int i = 0; i < size; ++i) total += values[i];
  *out = total;
}

struct Times {
  int factor;
  __device__ int operator()(int i) const { return factor * i; }
};

template <class F>
__global__ void apply_object(F f, int* out) {
  out[threadIdx.x] = f(threadIdx.x);
}

__global__ void change_globals() {
  global_counter += global_table[0] * global_table[3];
  first::value = 10 * second::value;
}

template <class T>
void print(const char* what, const T* device, int count, const char* format) {
  std::vector<T> host(count);
  NEED(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  std::printf("%s:", what);
  for (const T value : host) std::printf(format, value);
  std::printf("\n");
}

void variables(float* out) {
  int counter = 0, values[4] = {};
  void *address = nullptr, *other = nullptr;
  std::size_t size = 0;
  SHOW(cudaMemcpyFromSymbol(&counter, global_counter, sizeof counter));
  SHOW(cudaMemcpyFromSymbol(values, global_table, sizeof values));
  std::printf("counter %d, table %d %d %d %d\n", counter, values[0], values[1], values[2], values[3]);
  SHOW(cudaGetSymbolAddress(&address, first::value));
  SHOW(cudaGetSymbolAddress(&other, second::value));
  check(address != other, "variables of two namespaces have their own addresses");
  SHOW(cudaGetSymbolSize(&size, global_table));
  std::printf("size %zu\n", size);
  SHOW(cudaGetSymbolSize(&size, operations));
  std::printf("size %zu\n", size);
  static int not_a_symbol = 0;
  SHOW(cudaGetSymbolAddress(&address, not_a_symbol));
  SHOW(cudaGetSymbolSize(&size, not_a_symbol));
  first::kernel<<<1, 1>>>(out);
  print("first", out, 1, " %.2f");
  second::kernel<<<1, 1>>>(out);
  print("second", out, 1, " %.2f");
  change_globals<<<1, 1>>>();
  const int seven = 7;
  NEED(cudaGetSymbolAddress(&address, second::value));
  SHOW(cudaMemcpy(address, &seven, sizeof seven, cudaMemcpyHostToDevice));
  first::kernel<<<1, 1>>>(out);
  print("first", out, 1, " %.2f");
  second::kernel<<<1, 1>>>(out);
  print("second", out, 1, " %.2f");
  const float scale = 0.25f;
  SHOW(cudaMemcpyToSymbol(first::scale, &scale, sizeof scale));
  first::kernel<<<1, 1>>>(out);
  print("first", out, 1, " %.2f");
  NEED(cudaMemcpyFromSymbol(&counter, global_counter, sizeof counter));
  std::printf("counter %d\n", counter);
}

void functions(int* out) {
  Operation operation = nullptr;
  SHOW(cudaMemcpyFromSymbol(&operation, add_pointer, sizeof operation));
  apply<<<1, 8>>>(operation, out);
  print("add", out, 8, " %d");
  SHOW(cudaMemcpyFromSymbol(&operation, operations, sizeof operation, sizeof operation));
  apply<<<1, 8>>>(operation, out);
  print("multiply", out, 8, " %d");
  apply_each<<<1, 9>>>(out);
  print("each", out, 9, " %d");
  apply_object<<<1, 8>>>(Times{5}, out);
  print("object", out, 8, " %d");
}

// The objects are in the heap of the device.
void objects(float* out) {
  Shape** shapes = nullptr;
  NEED(cudaMalloc(&shapes, 8 * sizeof(Shape*)));
  make_shapes<<<1, 8>>>(shapes);
  SHOW(cudaDeviceSynchronize());
  measure<<<1, 8>>>(shapes, out);
  SHOW(cudaDeviceSynchronize());
  print("areas", out, 8, " %.1f");
  destroy<<<1, 8>>>(shapes);
  SHOW(cudaDeviceSynchronize());
  NEED(cudaFree(shapes));
}

template <class T, int size>
void print_sum(const char* what, const char* format) {
  T host[size], *device = nullptr;
  for (int i = 0; i < size; ++i) host[i] = static_cast<T>(i + 1);
  NEED(cudaMalloc(&device, (size + 1) * sizeof(T)));
  NEED(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  sum_of<T, size><<<1, 1>>>(device, device + size);
  print(what, device + size, 1, format);
  NEED(cudaFree(device));
}

}  // namespace

int main() {
  void* out = nullptr;
  NEED(cudaMalloc(&out, 256));
  variables(static_cast<float*>(out));
  functions(static_cast<int*>(out));
  print_sum<int, 10>("sum of ints", " %d");
  print_sum<float, 20>("sum of floats", " %.1f");
  print_sum<double, 30>("sum of doubles", " %.1f");
  print_sum<unsigned long long, 40>("sum of long ones", " %llu");
  objects(static_cast<float*>(out));
  NEED(cudaFree(out));
  return finish();
}
