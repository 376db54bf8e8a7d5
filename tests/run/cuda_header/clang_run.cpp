#include "tests/run/cuda_header/clang_run.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/platform/toolchain/clang.h"

namespace warpwalk::testing {
namespace {

const std::filesystem::path assets = WARPWALK_SOURCE_DIR "/assets";

// Another clang than the newest: WARPWALK_CUDA_COMPILER=clang-14
std::string_view wanted_clang() {
  const char* const value = std::getenv("WARPWALK_CUDA_COMPILER");
  return value == nullptr ? "" : value;
}

}  // namespace

bool clang_is_installed() {
  static const bool installed = platform::find_clang(wanted_clang()).has_value();
  return installed;
}

run::KernelDraft cuda_draft(std::string_view source, std::string_view launch) {
  run::KernelDraft draft;
  draft.name = "kernel";
  draft.source = source;
  draft.launch = launch;
  return draft;
}

run::DraftOptions clang_options() {
  setenv("WARPWALK_ASSETS", assets.c_str(), 1);
  run::DraftOptions options;
  auto device = gpu::load_device(assets / "devices/h200.json");
  EXPECT_TRUE(device) << device.error();
  options.device = *std::move(device);
  options.limits.max_timed_warp_instructions = 0;
  options.compile_cuda = [](const std::string& source, const std::string& name, std::string_view capability,
                            const std::atomic<bool>*) -> platform::CompileResult {
    auto result = platform::compile_with_clang({source, name, {}, capability}, wanted_clang());
    return result ? std::move(*result) : platform::CudaFailure{"no clang", ""};
  };
  return options;
}

std::shared_ptr<const run::DraftRun> run_with_clang(std::string_view source, std::string_view launch) {
  run::DraftOptions options = clang_options();
  options.sanitize = false;
  auto ran = run::run_draft(cuda_draft(source, launch), options);
  if (const auto* const failure = std::get_if<run::DraftFailure>(&ran)) {
    for (const auto& message : failure->messages) ADD_FAILURE() << message.with_place();
    return {};
  }
  return std::get<0>(ran);
}

std::vector<std::string> compile_errors(std::string_view source) {
  const auto compiled = run::compile_draft(cuda_draft(source, "kernel k\ngrid 1\nblock 32\n"), clang_options());
  std::vector<std::string> out;
  if (const auto* const failure = std::get_if<run::DraftFailure>(&compiled))
    for (const auto& message : failure->messages) out.push_back(message.with_place());
  return out;
}

}  // namespace warpwalk::testing
