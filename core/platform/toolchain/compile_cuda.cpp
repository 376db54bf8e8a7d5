#include "core/platform/toolchain/compile_cuda.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/platform/read_file.h"
#include "core/platform/toolchain/clang.h"
#include "core/platform/toolchain/nvcc.h"
#include "core/platform/toolchain/nvrtc.h"

namespace warpwalk::platform {
namespace {

std::string_view wanted_compiler() {
  const char* const value = std::getenv("WARPWALK_CUDA_COMPILER");
  return value == nullptr ? std::string_view() : value;
}

std::string instead(const std::string& name) {
  return fmt::format("compile it on a machine with CUDA (nvcc -ptx -lineinfo {}) and set \"ptx\" to the .ptx file",
                     std::filesystem::path(name).filename().string());
}

}  // namespace

std::string first_error_line(std::string_view log) {
  std::string_view first;
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    if (line.find("error") != std::string_view::npos) return std::string(line);
    if (first.empty()) first = line;
  }
  return std::string(first);
}

CompileResult compile_cuda_text(std::string source, const std::string& name, const std::filesystem::path& folder,
                                std::string_view compute_capability, KeptSource kept) {
  const CudaSource cuda{std::move(source), name, folder, compute_capability, kept};
  const std::string_view wanted = wanted_compiler();
  const bool any = wanted.empty();
  if (any || wanted == "nvrtc")
    if (auto result = compile_with_nvrtc(cuda)) return std::move(*result);
  if (any || wanted == "nvcc")
    if (auto result = compile_with_nvcc(cuda)) return std::move(*result);
  if (any || (wanted != "nvrtc" && wanted != "nvcc"))
    if (auto result = compile_with_clang(cuda, any || wanted == "clang" ? "" : wanted)) return std::move(*result);
  if (!any)
    return CudaFailure{fmt::format("{}: WARPWALK_CUDA_COMPILER is {}, which is not installed here", name, wanted), ""};
  return CudaFailure{fmt::format("{}: neither NVRTC (libnvrtc.so) nor nvcc nor clang is installed here; install clang, "
                                 "or {}",
                                 name, instead(name)),
                     ""};
}

CompileResult compile_cuda(const std::filesystem::path& file, std::string_view compute_capability, KeptSource kept) {
  auto read = read_text_file(file);
  if (!read) return CudaFailure{read.error(), ""};
  return compile_cuda_text(std::move(read->text), file.string(), file.parent_path(), compute_capability, kept);
}

}  // namespace warpwalk::platform
