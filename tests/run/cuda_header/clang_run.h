#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/kernel_lab/run_draft.h"

namespace warpwalk::testing {

/// Whether a clang with the NVPTX back end is installed; the tests that need one skip themselves without it.
bool clang_is_installed();

/// A draft that compiles with clang and the headers in assets/cuda.
run::KernelDraft cuda_draft(std::string_view source, std::string_view launch);
run::DraftOptions clang_options();

/// Runs a draft; adds a failure and returns null if it does not compile or run.
std::shared_ptr<const run::DraftRun> run_with_clang(std::string_view source, std::string_view launch);

/// The messages for a draft that does not compile, "line 3, column 5: ...".
std::vector<std::string> compile_errors(std::string_view source);

/// A buffer after the run.
template <class T>
std::vector<T> elements(const run::DraftRun& run, std::string_view name) {
  for (const auto& buffer : run.loaded.launch.buffers)
    if (buffer.name == name) {
      const auto* const first = reinterpret_cast<const T*>(buffer.bytes.data());
      return {first, first + buffer.bytes.size() / sizeof(T)};
    }
  return {};
}

}  // namespace warpwalk::testing
