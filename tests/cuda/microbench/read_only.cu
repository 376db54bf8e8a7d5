// Memory that kernels only read: loads of constant memory by the number of different addresses in a warp, beside
// loads of the same words from shared memory and through L1; and an image that is read by rows and by columns, in
// plain memory and through a texture.
#include "bench.h"

constexpr unsigned words = 1024;
__constant__ unsigned constant_words[words];  // all are 0

enum class From { constant, shared, global };

/// A chain of loads: each address needs the value loaded before, which is 0. The lanes of the one warp read `distinct`
/// neighbouring words. out[0]: cycles of all steps.
template <From from>
__global__ void chain(const unsigned* global_words, unsigned distinct, unsigned steps, unsigned long long* out) {
  __shared__ unsigned shared_words[words];
  for (unsigned i = threadIdx.x; i < words; i += blockDim.x) shared_words[i] = 0;
  __syncthreads();
  const auto load = [&](unsigned i) {
    if constexpr (from == From::constant) return constant_words[i];
    if constexpr (from == From::shared) return static_cast<const volatile unsigned*>(shared_words)[i];
    return __ldca(global_words + i);
  };
  unsigned index = threadIdx.x % distinct;
  for (unsigned i = 0; i < 64; ++i) index += load(index);  // the words are in the caches
  const long long start = clock64();
#pragma unroll 16
  for (unsigned i = 0; i < steps; ++i) index += load(index);
  if (threadIdx.x == 0) out[0] = static_cast<unsigned long long>(clock64() - start);
  if (index > words) out[1] = index;
}

constexpr unsigned side = 16384;  // of the image: 1 GiB of floats

/// Each warp reads tiles of 32 x 32 elements, with the lanes along a row or along a column.
template <bool texture, bool columns>
__global__ void image(const float* plain, cudaTextureObject_t object, float* out) {
  const unsigned lane = threadIdx.x, warp = blockIdx.x * blockDim.y + threadIdx.y;
  const unsigned left = warp % (side / 32) * 32, top = warp / (side / 32) * 32;
  float sum = 0;
#pragma unroll 8
  for (unsigned step = 0; step < 32; ++step) {
    const unsigned x = left + (columns ? step : lane), y = top + (columns ? lane : step);
    if constexpr (texture)
      sum += tex2D<float>(object, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
    else
      sum += __ldg(plain + std::size_t{y} * side + x);
  }
  if (sum == 12345) *out = sum;
}

template <class Launch>
double median_microseconds(const Launch& launch) {
  std::vector<double> times;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (int run = 0; run < 9; ++run) {
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    times.push_back(1000.0 * milliseconds);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <From from>
void chains(const char* name, const unsigned* data, DeviceArray<unsigned long long>& out) {
  constexpr unsigned steps = 1024;
  for (unsigned distinct = 1; distinct <= 32; ++distinct) {
    std::vector<double> cycles;
    for (int run = 0; run < 5; ++run) {
      chain<from><<<1, 32>>>(data, distinct, steps, out.get());
      cycles.push_back(static_cast<double>(out.read(1)[0]) / steps);
    }
    std::sort(cycles.begin(), cycles.end());
    row("read_only", name, named("addresses", distinct), cycles[2], "cycles");
  }
}

int main() {
  DeviceArray<unsigned> data(words);
  DeviceArray<unsigned long long> out(2);
  chains<From::constant>("constant", data.get(), out);
  chains<From::shared>("shared", data.get(), out);
  chains<From::global>("global", data.get(), out);

  DeviceArray<float> plain(std::size_t{side} * side);
  DeviceArray<float> sums(1);
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, side, side);
  cudaMemcpy2DToArray(array, 0, 0, plain.get(), side * sizeof(float), side * sizeof(float), side,
                      cudaMemcpyDeviceToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t object = 0;
  cudaCreateTextureObject(&object, &resource, &description, nullptr);
  const dim3 block(32, 8);
  const unsigned blocks = side / 32 * (side / 32) / block.y;
  const auto rate = [&](const char* name, const char* order, const auto& launch) {
    row("read_only", name, std::string("lanes_along=") + order,
        4.0 * side * side / 1000 / median_microseconds(launch), "GB/s");
  };
  rate("image_plain", "row", [&] { image<false, false><<<blocks, block>>>(plain.get(), object, sums.get()); });
  rate("image_plain", "column", [&] { image<false, true><<<blocks, block>>>(plain.get(), object, sums.get()); });
  rate("image_texture", "row", [&] { image<true, false><<<blocks, block>>>(plain.get(), object, sums.get()); });
  rate("image_texture", "column", [&] { image<true, true><<<blocks, block>>>(plain.get(), object, sums.get()); });
}
