// Copies: 1D, 2D and 3D, of all kinds, to and from symbols, with wrong arguments.
#include <numeric>
#include <vector>

#include "check.h"

namespace {

__device__ int table[64];
__constant__ float factors[8];

__global__ void use_symbols(int* sums) {
  int total = 0;
  for (const int value : table) total += value;
  sums[0] = total;
  sums[1] = static_cast<int>(factors[0] + factors[7] * 100);
}

void linear() {
  std::vector<int> from(1024), to(1024);
  std::iota(from.begin(), from.end(), 0);
  const std::size_t bytes = from.size() * sizeof(int);
  int *a = nullptr, *b = nullptr;
  NEED(cudaMalloc(&a, bytes));
  NEED(cudaMalloc(&b, bytes));
  SHOW(cudaMemcpy(a, from.data(), bytes, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice));
  SHOW(cudaMemcpy(to.data(), b, bytes, cudaMemcpyDeviceToHost));
  check(to == from, "the copy of the copy is equal");
  std::fill(to.begin(), to.end(), 0);
  SHOW(cudaMemcpy(to.data(), from.data(), bytes, cudaMemcpyHostToHost));
  check(to == from, "host to host");
  std::fill(to.begin(), to.end(), 0);
  SHOW(cudaMemset(b, 0, bytes));
  SHOW(cudaMemcpy(b, from.data(), bytes, cudaMemcpyDefault));
  SHOW(cudaMemcpy(a, b, bytes, cudaMemcpyDefault));
  SHOW(cudaMemcpy(to.data(), a, bytes, cudaMemcpyDefault));
  check(to == from, "with cudaMemcpyDefault");
  // One half to the other half of the same allocation, at offsets that are no multiples of four bytes.
  SHOW(cudaMemcpy(reinterpret_cast<char*>(a) + 2051, reinterpret_cast<char*>(a) + 1, 2000, cudaMemcpyDeviceToDevice));
  SHOW(cudaMemcpy(to.data(), a, bytes, cudaMemcpyDeviceToHost));
  const auto* const text = reinterpret_cast<const unsigned char*>(to.data());
  check(text[2051] == 0 && text[2054] == 1 && text[4050] == 0xf4, "unaligned copy inside an allocation");
  std::printf("bytes %u %u %u\n", text[2058], text[3051], text[4047]);
  SHOW(cudaMemcpy(a, a, bytes, cudaMemcpyDeviceToDevice));
  SHOW(cudaMemcpyPeer(b, 0, a, 0, bytes));
  SHOW(cudaMemcpy(a, from.data(), 0, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(nullptr, from.data(), 4, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(a, from.data(), 4, static_cast<cudaMemcpyKind>(7)));
  SHOW(cudaMemcpyAsync(a, from.data(), 4, static_cast<cudaMemcpyKind>(-1), nullptr));
  cudaStream_t stream = nullptr;
  NEED(cudaStreamCreate(&stream));
  SHOW(cudaMemcpyAsync(a, from.data(), bytes, cudaMemcpyHostToDevice, stream));
  SHOW(cudaMemcpyAsync(b, a, bytes, cudaMemcpyDefault, stream));
  SHOW(cudaMemcpyAsync(to.data(), b, bytes, cudaMemcpyDeviceToHost, stream));
  SHOW(cudaStreamSynchronize(stream));
  check(to == from, "in a stream");
  NEED(cudaStreamDestroy(stream));
  NEED(cudaFree(a));
  NEED(cudaFree(b));
}

void planes() {
  constexpr int width = 10, height = 6;
  std::vector<int> from(width * height), to(width * height, -1);
  std::iota(from.begin(), from.end(), 100);
  void* rows = nullptr;
  std::size_t pitch = 0;
  NEED(cudaMallocPitch(&rows, &pitch, width * sizeof(int), height));
  SHOW(
      cudaMemcpy2D(rows, pitch, from.data(), width * sizeof(int), width * sizeof(int), height, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(to.data(), width * sizeof(int), rows, pitch, width * sizeof(int), height, cudaMemcpyDeviceToHost));
  check(to == from, "2D there and back");
  SHOW(cudaMemcpy2DAsync(static_cast<char*>(rows) + pitch, pitch, rows, pitch, 16, 1, cudaMemcpyDeviceToDevice,
                         nullptr));
  SHOW(cudaMemcpy2D(to.data(), width * sizeof(int), rows, pitch, width * sizeof(int), height, cudaMemcpyDefault));
  std::printf("second row %d %d %d %d %d\n", to[10], to[11], to[12], to[13], to[14]);
  SHOW(cudaMemcpy2D(rows, 8, from.data(), 40, 40, height, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(rows, pitch, from.data(), 20, 40, height, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(rows, pitch, from.data(), 40, 40, 0, cudaMemcpyHostToDevice));
  NEED(cudaFree(rows));
}

void boxes() {
  constexpr int width = 8, height = 4, depth = 3;
  std::vector<unsigned char> from(width * height * depth), to(from.size(), 0);
  std::iota(from.begin(), from.end(), 1);
  cudaPitchedPtr box{};
  NEED(cudaMalloc3D(&box, make_cudaExtent(width, height, depth)));
  cudaMemcpy3DParms there{};
  there.srcPtr = make_cudaPitchedPtr(from.data(), width, width, height);
  there.dstPtr = box;
  there.extent = make_cudaExtent(width, height, depth);
  there.kind = cudaMemcpyHostToDevice;
  SHOW(cudaMemcpy3D(&there));
  cudaMemcpy3DParms back{};
  back.srcPtr = box;
  back.dstPtr = make_cudaPitchedPtr(to.data(), width, width, height);
  back.extent = make_cudaExtent(4, 2, 2);
  back.srcPos = make_cudaPos(2, 1, 1);
  back.dstPos = make_cudaPos(0, 0, 0);
  back.kind = cudaMemcpyDeviceToHost;
  SHOW(cudaMemcpy3D(&back));
  std::printf("part of the box %d %d %d, %d %d\n", to[0], to[3], to[8], to[32], to[43]);
  back.extent = make_cudaExtent(width, height, depth);
  back.srcPos = make_cudaPos(0, 0, 0);
  SHOW(cudaMemcpy3DAsync(&back, nullptr));
  SHOW(cudaStreamSynchronize(nullptr));
  check(to == from, "3D there and back");
  there.srcPtr.ptr = nullptr;
  SHOW(cudaMemcpy3D(&there));
  NEED(cudaFree(box.ptr));
}

void symbols() {
  std::vector<int> values(64, 3), back(64);
  const float eight[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int *sums = nullptr, host[2] = {};
  NEED(cudaMalloc(&sums, 2 * sizeof(int)));
  SHOW(cudaMemcpyToSymbol(table, values.data(), 64 * sizeof(int)));
  const int seven = 7;
  SHOW(cudaMemcpyToSymbol(table, &seven, sizeof seven, 10 * sizeof(int)));
  SHOW(cudaMemcpyToSymbolAsync(factors, eight, sizeof eight, 0, cudaMemcpyHostToDevice, nullptr));
  use_symbols<<<1, 1>>>(sums);
  SHOW(cudaGetLastError());
  SHOW(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
  std::printf("sums %d %d\n", host[0], host[1]);
  SHOW(cudaMemcpyFromSymbol(back.data(), table, 64 * sizeof(int)));
  std::printf("table %d %d\n", back[9], back[10]);
  SHOW(cudaMemcpyFromSymbol(sums, table, 2 * sizeof(int), 10 * sizeof(int), cudaMemcpyDeviceToDevice));
  SHOW(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
  std::printf("from the symbol %d %d\n", host[0], host[1]);
  SHOW(cudaMemcpyToSymbol(table, values.data(), 65 * sizeof(int)));
  SHOW(cudaMemcpyToSymbol(table, values.data(), 4, 64 * sizeof(int)));
  SHOW(cudaMemcpyToSymbol(table, values.data(), 4, 0, cudaMemcpyDeviceToHost));
  static int not_a_symbol = 0;
  SHOW(cudaMemcpyToSymbol(not_a_symbol, values.data(), 4));
  NEED(cudaFree(sums));
}

}  // namespace

int main() {
  linear();
  planes();
  boxes();
  symbols();
  return finish();
}
