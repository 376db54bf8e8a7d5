#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "instrumentation/simulated/device/error.h"

namespace warpwalk::simulated {

/// CUlimit.
enum class Limit : int {
  stack_size = 0,
  printf_fifo_size = 1,
  malloc_heap_size = 2,
  sync_depth = 3,
  pending_launches = 4,
  l2_fetch_granularity = 5,
  persisting_l2_bytes = 6,
};
inline constexpr std::size_t limit_count = 7;

/// A context. All contexts share the memory, the streams and the modules of the one GPU; only what a program can ask a
/// context for is kept apart.
struct Context {
  std::uint64_t id = 0;
  unsigned flags = 0;
  bool primary = false;
  int cache_config = 0;
  /// By Limit. The heap, the depth and the launches are the defaults of the CUDA C++ programming guide; the rest is
  /// assumed. Only the heap's has an effect: otherwise the simulated GPU takes what it needs.
  std::array<std::size_t, limit_count> limits{1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
};

/// The primary context, and how often the program has retained it.
struct PrimaryContext {
  Context context;
  int users = 0;
};
PrimaryContext& primary_context();

/// The context of the calling thread; null: none. A program that uses the runtime has the primary context current.
Context* current_context();
/// The error of functions that need a context, if there is none or it has been destroyed.
Error check_current_context();
/// True for a context that has not been destroyed.
bool is_context(const Context* context);

}  // namespace warpwalk::simulated
