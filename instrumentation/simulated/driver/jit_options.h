#pragma once

#include <string_view>

namespace warpwalk::simulated {

/// The options of cuModuleLoadDataEx, cuLinkCreate and others: numbers of CUjit_option with their values, which the
/// call may change. Only what a caller reads back has an effect: the buffers of the log, and the time.
struct JitOptions {
  unsigned count = 0;
  int* options = nullptr;
  void** values = nullptr;

  /// Fills the log buffers and the other results. `error`: one line; empty if the code was loaded.
  void report(std::string_view error) const;
  /// False if there should be options but they are null.
  bool valid() const { return count == 0 || (options != nullptr && values != nullptr); }
};

}  // namespace warpwalk::simulated
