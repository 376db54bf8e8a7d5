// Barriers in shared memory (mbarrier), as warps hand work over by them, and calls of functions with and without a stack.
#include <cstdint>

#include "bench.h"

namespace {

__device__ unsigned address_of(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }

__device__ void init(std::uint64_t* barrier, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address_of(barrier)), "r"(count) : "memory");
}

__device__ void arrive(std::uint64_t* barrier) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(address_of(barrier)) : "memory");
}

__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  asm volatile(
      "{ .reg .pred done;\n"
      "again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
      "@!done bra again; }" ::"r"(address_of(barrier)),
      "r"(parity)
      : "memory");
}

/// `lanes` of each warp arrive, all lanes of all warps wait.
__global__ void rounds_of_all(int rounds, int lanes, Span* spans) {
  __shared__ std::uint64_t barrier;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) init(&barrier, blockDim.x / 32 * lanes);
  __syncthreads();
  long long start = 0;
  for (int k = 0; k < rounds + 2; ++k) {
    if (k == 2) start = now();
    if (lane < lanes) arrive(&barrier);
    __syncwarp();
    wait(&barrier, k & 1);
  }
  if (lane == 0) spans[threadIdx.x / 32] = {start, now()};
}

/// Arrivals of which none ends a phase.
__global__ void arrivals(int rounds, int lanes, int apart, Span* spans) {
  __shared__ std::uint64_t barriers[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x < 32) init(&barriers[threadIdx.x], (1 << 20) - 1);
  __syncthreads();
  std::uint64_t* const own = &barriers[apart ? warp : 0];
  long long start = 0;
  for (int k = 0; k < rounds + 1; ++k) {
    if (k == 1) start = now();
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (lane < lanes) arrive(own);
    __syncwarp();
  }
  if (lane == 0) spans[warp] = {start, now()};
}

/// Waits for a phase that has ended.
__global__ void waits(int rounds, Span* spans) {
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    init(&barrier, 1);
    arrive(&barrier);
  }
  __syncthreads();
  long long start = 0;
  for (int k = 0; k < rounds + 1; ++k) {
    if (k == 1) start = now();
#pragma unroll
    for (int i = 0; i < 4; ++i) wait(&barrier, 0);
  }
  if (threadIdx.x % 32 == 0) spans[threadIdx.x / 32] = {start, now()};
}

/// Two warps wait for each other in turn; `apart` warps lie between them.
__global__ void ping_pong(int rounds, int apart, Span* spans) {
  __shared__ std::uint64_t turn[2];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x < 2) init(&turn[threadIdx.x], 1);
  __syncthreads();
  if (warp != 0 && warp != apart) return;
  const int own = warp != 0;
  if (threadIdx.x == 0) arrive(&turn[0]);
  const long long start = now();
  for (int k = 0; k < rounds; ++k) {
    wait(&turn[own], k & 1);
    if (lane == 0) arrive(&turn[1 - own]);
    __syncwarp();
  }
  if (lane == 0) spans[own] = {start, now()};
}

/// The same by words in shared memory.
__global__ void poll(int rounds, int apart, Span* spans) {
  __shared__ volatile unsigned turn[2];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x < 2) turn[threadIdx.x] = threadIdx.x == 0;
  __syncthreads();
  if (warp != 0 && warp != apart) return;
  const int own = warp != 0;
  const long long start = now();
  for (unsigned k = 1; k <= static_cast<unsigned>(rounds); ++k) {
    while (turn[own] < k) {
    }
    if (lane == 0) turn[1 - own] = own ? k + 1 : k;
    __syncwarp();
  }
  if (lane == 0) spans[own] = {start, now()};
}

__device__ __noinline__ unsigned leaf(unsigned x) { return x * 3 + 1; }

/// Saves what it needs after the call: a word of the stack, and the return address.
template <int Words>
__device__ __noinline__ unsigned frames(unsigned x, int depth) {
  if (depth == 0) return x * 3 + 1;
  unsigned kept[Words];
#pragma unroll
  for (int i = 0; i < Words; ++i) kept[i] = x ^ i * 0x9e3779b9u;
  unsigned sum = frames<Words>(x + 1, depth - 1);
#pragma unroll
  for (int i = 0; i < Words; ++i) sum += kept[i];
  return sum;
}

__global__ void calls(int rounds, unsigned x, unsigned* sink, Span* spans) {
  long long start = 0;
  for (int k = 0; k < rounds + 1; ++k) {
    if (k == 1) start = stamp(x);
#pragma unroll
    for (int i = 0; i < 8; ++i) x = leaf(x);
  }
  if (x == 1) *sink = x;
  if (threadIdx.x % 32 == 0) spans[threadIdx.x / 32] = {start, stamp(x)};
}

template <int Words>
__global__ void recursion(int rounds, int depth, unsigned x, unsigned* sink, Span* spans) {
  long long start = 0;
  for (int k = 0; k < rounds + 1; ++k) {
    if (k == 1) start = stamp(x);
    x = frames<Words>(x, depth);
  }
  if (x == 1) *sink = x;
  if (threadIdx.x % 32 == 0) spans[threadIdx.x / 32] = {start, stamp(x)};
}

/// A word goes to local memory and back, at an index that is not known before.
__global__ void stack_word(int rounds, unsigned x, unsigned* sink, Span* spans) {
  volatile unsigned own[16];
  for (int i = 0; i < 16; ++i) own[i] = i;
  long long start = 0;
  for (int k = 0; k < rounds + 1; ++k) {
    if (k == 1) start = stamp(x);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      own[x & 15] = x + 1;
      x = own[x & 15];
    }
  }
  if (x == 1) *sink = x;
  if (threadIdx.x % 32 == 0) spans[threadIdx.x / 32] = {start, stamp(x)};
}

struct Bench {
  DeviceArray<Span> spans{64};
  DeviceArray<unsigned> sink{1};

  /// Runs twice; `per` operations of each warp. Rows are cycles per operation of a warp.
  template <class Start>
  void measure(const char* name, const std::string& what, int warps, double per, Start start) {
    double best = 1e30;
    for (int run = 0; run < 3; ++run) {
      start();
      check(cudaGetLastError());
      best = std::min(best, double(cycles_of(spans.read(warps))) / per);
    }
    row("handover", name, what + (what.empty() ? "" : " ") + named("warps", warps), best, "cycles/operation");
  }
};

}  // namespace

int main() {
  Bench b;
  const int rounds = 64;
  for (int warps : {1, 2, 4, 8, 16, 32}) {
    for (int lanes : {1, 2, 8, 32}) {
      b.measure("arrive_and_wait", named("lanes", lanes), warps, rounds,
                [&] { rounds_of_all<<<1, warps * 32>>>(rounds, lanes, b.spans.get()); });
      for (int apart : {0, 1})
        b.measure("arrive", named("lanes", lanes) + " " + named("apart", apart), warps, rounds * 4,
                  [&] { arrivals<<<1, warps * 32>>>(rounds, lanes, apart, b.spans.get()); });
    }
    b.measure("wait", "", warps, rounds * 4, [&] { waits<<<1, warps * 32>>>(rounds, b.spans.get()); });
    b.measure("call", "", warps, rounds * 8,
              [&] { calls<<<1, warps * 32>>>(rounds, 7, b.sink.get(), b.spans.get()); });
    b.measure("stack_word", "", warps, rounds * 8,
              [&] { stack_word<<<1, warps * 32>>>(rounds, 7, b.sink.get(), b.spans.get()); });
    for (int depth : {0, 1, 2, 4, 8, 16}) {
      b.measure("recursion", named("words", 1) + " " + named("depth", depth), warps, rounds,
                [&] { recursion<1><<<1, warps * 32>>>(rounds, depth, 7, b.sink.get(), b.spans.get()); });
      b.measure("recursion", named("words", 8) + " " + named("depth", depth), warps, rounds,
                [&] { recursion<8><<<1, warps * 32>>>(rounds, depth, 7, b.sink.get(), b.spans.get()); });
    }
  }
  for (int apart : {1, 4}) {
    b.measure("ping_pong", named("apart", apart), 2, rounds,
              [&] { ping_pong<<<1, 160>>>(rounds, apart, b.spans.get()); });
    b.measure("poll", named("apart", apart), 2, rounds, [&] { poll<<<1, 160>>>(rounds, apart, b.spans.get()); });
  }
}
