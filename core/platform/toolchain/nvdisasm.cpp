#include "core/platform/toolchain/nvdisasm.h"

#include <future>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/platform/child_program.h"
#include "core/platform/find_program.h"

namespace warpwalk::platform {

base::Result<NvdisasmText> disassemble_ptx(std::string_view ptx, const std::set<std::string>& entries,
                                           std::string_view compute_capability, const std::atomic<bool>* cancel) {
  const auto ptxas = find_tool("ptxas"), nvdisasm = find_tool("nvdisasm");
  if (!ptxas || !nvdisasm)
    return base::Error{fmt::format("{} is neither in PATH nor in a CUDA toolkit", ptxas ? "nvdisasm" : "ptxas")};
  std::string architecture = "-arch=sm_";
  for (const char c : compute_capability)
    if (c != '.') architecture += c;
  const TemporaryFile text(ptx), code("");
  if (!text.written()) return base::Error{"the PTX for ptxas cannot be written to the temporary folder"};
  std::vector<std::string> words = {ptxas->string(), architecture, "--generate-line-info",
                                    text.name(),     "-o",         code.name()};
  for (const std::string& entry : entries) words.insert(words.end(), {"--entry", entry});
  const ChildLimits limits{{}, cancel};
  const auto compiled = run_child(std::move(words), limits);
  if (!compiled) return base::Error{fmt::format("{} cannot be started", ptxas->string())};
  if (compiled->cancelled) return base::Error{fmt::format("{} was stopped", ptxas->string())};
  if (!compiled->good())
    return base::Error{fmt::format("{}: {}", ptxas->string(), compiled->output.substr(0, compiled->output.find('\n')))};
  // Each run takes about half a second, so both run at once.
  auto printing_ptx = std::async(std::launch::async, [&] {
    return run_child({nvdisasm->string(), "-gp", "-c", code.name()}, limits);
  });
  auto with_source = run_child({nvdisasm->string(), "-gi", "-c", code.name()}, limits);
  auto with_ptx = printing_ptx.get();
  if (!with_source || !with_ptx) return base::Error{fmt::format("{} cannot be started", nvdisasm->string())};
  if (with_source->cancelled || with_ptx->cancelled)
    return base::Error{fmt::format("{} was stopped", nvdisasm->string())};
  return NvdisasmText{std::move(with_source->output), std::move(with_ptx->output)};
}

}  // namespace warpwalk::platform
