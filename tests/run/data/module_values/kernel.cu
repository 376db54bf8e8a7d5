// Kernels whose launches pass addresses in structs, device functions and variables of the module.

struct Operand {
  const float* data;
  long stride;
};

/// Parameters as CUTLASS passes them: a struct by value with pointers, strides and nested structs.
struct Params {
  int rows, columns;
  Operand a, b, c;
  const float* bias;
  float* out;
  float alpha;
};

extern "C" __global__ void combine(const Params params) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column >= params.columns || row >= params.rows) return;
  const float sum = params.a.data[row * params.a.stride + column] + params.b.data[row * params.b.stride + column] +
                    params.c.data[row * params.c.stride + column];
  params.out[row * params.columns + column] = params.alpha * sum + params.bias[column];
}

/// Sums one element of each of an array of arrays.
extern "C" __global__ void sum_of_arrays(const float* const* arrays, int n, float* out) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += arrays[i][threadIdx.x];
  out[threadIdx.x] = sum;
}

namespace shapes {
__device__ __noinline__ float square(float x) { return x * x; }
__device__ __noinline__ float twice(float x) { return x + x; }
}  // namespace shapes

using Function = float (*)(float);
__device__ Function first_function = shapes::square;
__device__ Function second_function = shapes::twice;

struct Step {
  Function run;
  float scale;
};

__global__ void apply(Function function, Step step, float* values) {
  values[threadIdx.x] = step.scale * step.run(function(values[threadIdx.x]));
}

extern "C" __global__ void apply_variables(float* values) {
  values[threadIdx.x] = second_function(first_function(values[threadIdx.x]));
}

__device__ unsigned counter = 5;
__device__ float* target;
static __device__ float sums[4];
static __constant__ float table[8];
__constant__ short small[3] = {1, 2, 3};

namespace lookup {
__constant__ const float* rows[2];
}

/// Reads the constants, writes through the pointer in `target`, and counts its threads.
extern "C" __global__ void look_up(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&counter, 1u);
  atomicAdd(&sums[i % 4], 1.0f);
  target[i] = table[i % 8] + small[i % 3] + lookup::rows[i % 2][i];
}

__managed__ int managed_limit = 3;

extern "C" __global__ void up_to_limit(int* out) {
  if (threadIdx.x < managed_limit) out[threadIdx.x] = managed_limit;
  __syncthreads();
  if (threadIdx.x == 0) managed_limit = -1;
}

extern "C" __global__ void add_through(int* counter_address, int n) { atomicAdd(counter_address, n); }

extern "C" __global__ void copy(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }

__device__ unsigned long long order;

/// Each block reads what the block before it has written, so the blocks must run in order.
extern "C" __global__ void in_turn() {
  if (threadIdx.x == 0) order = 3 * order + blockIdx.x;
}
