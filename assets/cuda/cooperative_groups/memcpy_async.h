// Copies of a group from global to shared memory. They are asynchronous since compute capability 8.0.
#pragma once

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

namespace cooperative_groups {

template <class Group, class T, class U>
WARPWALK_DEVICE void memcpy_async(const Group& group, T* to, const U* from, size_t bytes) {
  char* const t = reinterpret_cast<char*>(to);
  const char* const f = reinterpret_cast<const char*>(from);
  const size_t step = group.size(), rank = group.thread_rank();
  if (((reinterpret_cast<size_t>(t) | reinterpret_cast<size_t>(f) | bytes) & 15) == 0)
    for (size_t i = rank * 16; i < bytes; i += step * 16) __pipeline_memcpy_async(t + i, f + i, 16);
  else if (((reinterpret_cast<size_t>(t) | reinterpret_cast<size_t>(f) | bytes) & 3) == 0)
    for (size_t i = rank * 4; i < bytes; i += step * 4) __pipeline_memcpy_async(t + i, f + i, 4);
  else
    for (size_t i = rank; i < bytes; i += step) t[i] = f[i];
  __pipeline_commit();
}
template <class Group>
WARPWALK_DEVICE void wait(const Group& group) {
  __pipeline_wait_prior(0);
  group.sync();
}
template <unsigned int Left, class Group>
WARPWALK_DEVICE void wait_prior(const Group& group) {
  __pipeline_wait_prior(Left);
  group.sync();
}

}  // namespace cooperative_groups
