#include "core/platform/toolchain/nvcc.h"

#include <utility>

#include <fmt/format.h>

#include "core/platform/child_program.h"
#include "core/platform/find_program.h"
#include "core/platform/toolchain/architecture.h"
#include "core/platform/toolchain/ptxas.h"
#include "core/platform/toolchain/source_in_folder.h"

namespace warpwalk::platform {

std::optional<CompileResult> compile_with_nvcc(const CudaSource& cuda) {
  const auto nvcc = find_tool("nvcc");
  if (!nvcc) return {};
  const SourceInFolder files(cuda);
  if (!files.written()) return CudaFailure{fmt::format("{}: the temporary folder cannot be written", cuda.name), ""};
  const auto run = run_child({nvcc->string(), "-ptx", cuda.kept == KeptSource::unoptimized ? "-G" : "-lineinfo",
                              "-std=c++17", "-arch=sm_" + own_architecture(cuda.compute_capability),
                              "-I" + (cuda.folder.empty() ? std::string(".") : cuda.folder.string()), "-o",
                              files.output(), files.source()});
  if (!run) return CudaFailure{fmt::format("{}: {} cannot be started", cuda.name, nvcc->string()), ""};
  if (!run->good()) {
    CudaFailure failure{"", files.with_name(run->output)};
    failure.line = first_error_line(failure.log);
    if (failure.line.empty()) failure.line = fmt::format("{}: {}", cuda.name, silent_failure("nvcc", *run));
    return failure;
  }
  CompiledCuda compiled;
  compiled.source = cuda.text;
  compiled.ptx = files.read_output();
  if (compiled.ptx.empty()) return CudaFailure{fmt::format("{}: nvcc produced no PTX", cuda.name), ""};
  // ptxas would keep no variables without -g; the PTX has them all.
  if (cuda.kept == KeptSource::unoptimized)
    compiled.cubin.clear();
  else if (auto machine = compile_ptx(compiled.ptx, cuda.name, cuda.compute_capability))
    compiled.cubin = std::move(machine->cubin);
  const auto version = run_child({nvcc->string(), "--version"});
  const std::string release = version ? parse_ptxas_release(version->output) : std::string();
  compiled.compiler = release.empty() ? "nvcc" : "nvcc " + release;
  return compiled;
}

}  // namespace warpwalk::platform
