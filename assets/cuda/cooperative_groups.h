// Groups of threads that cooperate: warpwalk's own header for clang.
#pragma once

#include "warpwalk/device.h"

#if __has_include(<bits/c++config.h>) || __has_include(<__config>)
#include <utility>  // as NVIDIA's header does: barrier_wait(std::move(token))
#endif

namespace cooperative_groups {

namespace details {
WARPWALK_DEVICE unsigned int thread_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
WARPWALK_DEVICE unsigned int lane() {
  unsigned int r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}
WARPWALK_DEVICE unsigned int lanes_below() {
  unsigned int r;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
  return r;
}
WARPWALK_DEVICE unsigned long long block_rank() {
  return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
WARPWALK_DEVICE unsigned long long blocks() {
  return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
}
// The memory that the driver gives a cooperative launch. Its word at 0 is the barrier of the grid.
WARPWALK_DEVICE unsigned long long grid_workspace() {
  unsigned int low, high;
  asm("mov.u32 %0, %%envreg2;" : "=r"(low));
  asm("mov.u32 %0, %%envreg1;" : "=r"(high));
  return static_cast<unsigned long long>(high) << 32 | low;
}
}  // namespace details

class thread_block {
 public:
  WARPWALK_MEMBER static void sync() { __syncthreads(); }
  WARPWALK_MEMBER static unsigned int thread_rank() { return details::thread_rank(); }
  WARPWALK_MEMBER static unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  WARPWALK_MEMBER static unsigned int size() { return num_threads(); }
  WARPWALK_MEMBER static dim3 group_index() { return blockIdx; }
  WARPWALK_MEMBER static dim3 thread_index() { return threadIdx; }
  WARPWALK_MEMBER static dim3 group_dim() { return blockDim; }
  WARPWALK_MEMBER static dim3 dim_threads() { return blockDim; }
};
WARPWALK_DEVICE thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  WARPWALK_MEMBER static bool is_valid() { return details::grid_workspace() != 0; }
  struct arrival_token {
    unsigned int before;
  };
  // The first thread of each block adds to a counter: 1, or for block 0 what makes its highest bit flip when all blocks
  // have arrived.
  WARPWALK_MEMBER static arrival_token barrier_arrive() {
    arrival_token token{0};
    __syncthreads();
    if (details::thread_rank() == 0) {
      const unsigned int expected = static_cast<unsigned int>(details::blocks());
      __threadfence();
      token.before = atomicAdd(counter(), details::block_rank() == 0 ? 0x80000000u - (expected - 1) : 1);
    }
    return token;
  }
  // Waits for the flip.
  WARPWALK_MEMBER static void barrier_wait(arrival_token&& token) {
    if (details::thread_rank() == 0) {
      unsigned int now;
      do {
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(counter()) : "memory");
      } while (((token.before ^ now) & 0x80000000u) == 0);
      __threadfence();
    }
    __syncthreads();
  }
  WARPWALK_MEMBER static void sync() { barrier_wait(barrier_arrive()); }
  WARPWALK_MEMBER static unsigned long long num_threads() { return details::blocks() * thread_block::num_threads(); }
  WARPWALK_MEMBER static unsigned long long size() { return num_threads(); }
  WARPWALK_MEMBER static unsigned long long num_blocks() { return details::blocks(); }
  WARPWALK_MEMBER static unsigned long long block_rank() { return details::block_rank(); }
  WARPWALK_MEMBER static unsigned long long thread_rank() {
    return details::block_rank() * thread_block::num_threads() + details::thread_rank();
  }
  WARPWALK_MEMBER static dim3 group_dim() { return gridDim; }
  WARPWALK_MEMBER static dim3 dim_blocks() { return gridDim; }
  WARPWALK_MEMBER static dim3 block_index() { return blockIdx; }

 private:
  WARPWALK_MEMBER static unsigned int* counter() { return reinterpret_cast<unsigned int*>(details::grid_workspace()); }
};
WARPWALK_DEVICE grid_group this_grid() { return {}; }

// The threads of a warp that a mask names. Ranks count from its lowest lane.
class lanes_group {
 public:
  WARPWALK_MEMBER unsigned int num_threads() const { return static_cast<unsigned int>(__popc(mask_)); }
  WARPWALK_MEMBER unsigned int size() const { return num_threads(); }
  WARPWALK_MEMBER unsigned int thread_rank() const {
    return static_cast<unsigned int>(__popc(mask_ & details::lanes_below()));
  }
  WARPWALK_MEMBER unsigned int mask() const { return mask_; }
  WARPWALK_MEMBER void sync() const { __syncwarp(mask_); }
  template <class T>
  WARPWALK_MEMBER T shfl(T v, unsigned int rank) const {
    return __shfl_sync(mask_, v, lane_of(rank));
  }
  template <class T>
  WARPWALK_MEMBER T shfl_up(T v, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return shfl(v, rank < delta ? rank : rank - delta);
  }
  template <class T>
  WARPWALK_MEMBER T shfl_down(T v, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return shfl(v, rank + delta >= num_threads() ? rank : rank + delta);
  }
  WARPWALK_MEMBER int any(int predicate) const { return __any_sync(mask_, predicate); }
  WARPWALK_MEMBER int all(int predicate) const { return __all_sync(mask_, predicate); }
  WARPWALK_MEMBER unsigned int ballot(int predicate) const { return packed(__ballot_sync(mask_, predicate)); }
  template <class T>
  WARPWALK_MEMBER unsigned int match_any(T v) const {
    return packed(__match_any_sync(mask_, v));
  }
  template <class T>
  WARPWALK_MEMBER unsigned int match_all(T v, int& same) const {
    return packed(__match_all_sync(mask_, v, &same));
  }
  WARPWALK_MEMBER explicit lanes_group(unsigned int mask) : mask_(mask) {}

 protected:
  WARPWALK_MEMBER int lane_of(unsigned int rank) const {
    return static_cast<int>(__fns(mask_, 0, static_cast<int>(rank) + 1));
  }
  // The bits of the group's lanes, moved together: bit r is the thread of rank r.
  WARPWALK_MEMBER unsigned int packed(unsigned int lanes) const {
    unsigned int result = 0, to = 0;
    for (unsigned int left = mask_; left != 0; left &= left - 1)
      result |= ((lanes >> (__ffs(static_cast<int>(left)) - 1)) & 1u) << to++;
    return result;
  }
  unsigned int mask_;
};
class coalesced_group : public lanes_group {
 public:
  using lanes_group::lanes_group;
  WARPWALK_MEMBER unsigned int meta_group_rank() const { return 0; }
  WARPWALK_MEMBER unsigned int meta_group_size() const { return 1; }
};
WARPWALK_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// A part of a block of Size threads, up to a warp.
template <unsigned int Size, class Parent = void>
class thread_block_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  WARPWALK_MEMBER static constexpr unsigned int num_threads() { return Size; }
  WARPWALK_MEMBER static constexpr unsigned int size() { return Size; }
  WARPWALK_MEMBER static unsigned int thread_rank() { return details::lane() & (Size - 1); }
  WARPWALK_MEMBER static unsigned int meta_group_rank() { return details::thread_rank() / Size; }
  WARPWALK_MEMBER static unsigned int meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }
  WARPWALK_MEMBER static unsigned int mask() {
    return Size == 32 ? ~0u : ((1u << (Size & 31)) - 1) << (details::lane() & ~(Size - 1) & 31);
  }
  WARPWALK_MEMBER static void sync() { __syncwarp(mask()); }
  template <class T>
  WARPWALK_MEMBER T shfl(T v, int rank) const {
    return __shfl_sync(mask(), v, rank, Size);
  }
  template <class T>
  WARPWALK_MEMBER T shfl_up(T v, unsigned int delta) const {
    return __shfl_up_sync(mask(), v, delta, Size);
  }
  template <class T>
  WARPWALK_MEMBER T shfl_down(T v, unsigned int delta) const {
    return __shfl_down_sync(mask(), v, delta, Size);
  }
  template <class T>
  WARPWALK_MEMBER T shfl_xor(T v, unsigned int lanes) const {
    return __shfl_xor_sync(mask(), v, static_cast<int>(lanes), Size);
  }
  WARPWALK_MEMBER int any(int predicate) const { return __ballot_sync(mask(), predicate) != 0; }
  WARPWALK_MEMBER int all(int predicate) const { return __ballot_sync(mask(), predicate) == mask(); }
  WARPWALK_MEMBER unsigned int ballot(int predicate) const { return own(__ballot_sync(mask(), predicate)); }
  template <class T>
  WARPWALK_MEMBER unsigned int match_any(T v) const {
    return own(__match_any_sync(mask(), v));
  }
  template <class T>
  WARPWALK_MEMBER unsigned int match_all(T v, int& same) const {
    return own(__match_all_sync(mask(), v, &same));
  }

 private:
  WARPWALK_MEMBER static unsigned int own(unsigned int lanes) {
    return (lanes & mask()) >> (details::lane() & ~(Size - 1) & 31);
  }
};
template <unsigned int Size, class Parent>
WARPWALK_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}
WARPWALK_DEVICE lanes_group tiled_partition(const thread_block&, unsigned int size) {
  return lanes_group(size == 32 ? ~0u : ((1u << size) - 1) << (details::lane() & ~(size - 1)));
}

template <class Group>
WARPWALK_DEVICE coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned int mask = group.mask(), with = __ballot_sync(mask, predicate);
  return coalesced_group(predicate ? with : mask & ~with);
}
template <class T, class Group>
WARPWALK_DEVICE coalesced_group labeled_partition(const Group& group, T label) {
  return coalesced_group(__match_any_sync(group.mask(), label));
}

template <class Group>
WARPWALK_DEVICE void sync(const Group& group) {
  group.sync();
}
template <class Group>
WARPWALK_DEVICE unsigned int thread_rank(const Group& group) {
  return static_cast<unsigned int>(group.thread_rank());
}
template <class Group>
WARPWALK_DEVICE unsigned int group_size(const Group& group) {
  return static_cast<unsigned int>(group.size());
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
// The blocks of a cluster.
class cluster_group {
 public:
  WARPWALK_MEMBER static void barrier_arrive() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
  WARPWALK_MEMBER static void barrier_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
  WARPWALK_MEMBER static void sync() { barrier_arrive(), barrier_wait(); }
  WARPWALK_MEMBER static unsigned int block_rank() { return read<0>(); }
  WARPWALK_MEMBER static unsigned int num_blocks() { return read<1>(); }
  WARPWALK_MEMBER static unsigned int num_threads() { return num_blocks() * thread_block::num_threads(); }
  WARPWALK_MEMBER static unsigned int size() { return num_threads(); }
  WARPWALK_MEMBER static unsigned int thread_rank() {
    return block_rank() * thread_block::num_threads() + details::thread_rank();
  }
  WARPWALK_MEMBER static dim3 block_index() { return dim3(read<2>(), read<3>(), read<4>()); }
  WARPWALK_MEMBER static dim3 dim_blocks() { return dim3(read<5>(), read<6>(), read<7>()); }
  template <class T>
  WARPWALK_MEMBER static T* map_shared_rank(T* p, int rank) {
    unsigned long long r;
    asm("mapa.u64 %0, %1, %2;" : "=l"(r) : "l"(p), "r"(rank));
    return reinterpret_cast<T*>(r);
  }
  WARPWALK_MEMBER static unsigned int query_shared_rank(const void* p) {
    unsigned int r;
    asm("getctarank.u64 %0, %1;" : "=r"(r) : "l"(p));
    return r;
  }

 private:
  template <int Which>
  WARPWALK_MEMBER static unsigned int read() {
    unsigned int r;
    if constexpr (Which == 0) asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    if constexpr (Which == 1) asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(r));
    if constexpr (Which == 2) asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(r));
    if constexpr (Which == 3) asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(r));
    if constexpr (Which == 4) asm("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(r));
    if constexpr (Which == 5) asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(r));
    if constexpr (Which == 6) asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(r));
    if constexpr (Which == 7) asm("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(r));
    return r;
  }
};
WARPWALK_DEVICE cluster_group this_cluster() { return {}; }
#endif

}  // namespace cooperative_groups
