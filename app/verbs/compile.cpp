#include "app/verbs/compile.h"

#include <filesystem>
#include <memory>
#include <utility>
#include <variant>

#include <CLI/CLI.hpp>

#include "app/runs/compile_child.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/terminal.h"
#include "core/platform/limit_resources.h"
#include "core/platform/read_file.h"
#include "core/platform/toolchain/nvrtc.h"

namespace warpwalk::verbs {
namespace {

constexpr std::uint64_t max_address_space = std::uint64_t{8} << 30;
constexpr std::uint64_t max_cpu_seconds = 30;

struct CompileOptions {
  std::filesystem::path file, output;
  std::string compute_capability = "9.0";
};

int compile(const CompileOptions& options) {
  platform::limit_resources(max_address_space, max_cpu_seconds);
  auto read = platform::read_text_file(options.file);
  if (const auto* const error = std::get_if<std::string>(&read)) return refuse(*error);
  // The name without its folder, so that neither messages nor line tables depend on a temporary folder.
  const auto compiled =
      platform::compile_cuda_text(std::move(std::get<platform::Text>(read).text), options.file.filename().string(),
                                  options.file.parent_path(), options.compute_capability);
  const auto write = [&](const char* name, const std::string& text) { return write_file(options.output / name, text); };
  if (const auto* const failure = std::get_if<platform::CudaFailure>(&compiled)) {
    if (const auto error = write(runs::compile_log, failure->log)) return refuse(*error);
    if (const auto error = write(runs::compile_error, failure->line)) return refuse(*error);
    return refuse(failure->line);
  }
  const auto& done = std::get<platform::CompiledCuda>(compiled);
  if (const auto error = write(runs::compiled_cubin, done.cubin)) return refuse(*error);
  if (const auto error = write(runs::compiled_by, done.compiler)) return refuse(*error);
  if (const auto error = write(runs::compiled_ptx, done.ptx)) return refuse(*error);
  return 0;
}

}  // namespace

Verb add_compile(CLI::App& app) {
  const auto options = std::make_shared<CompileOptions>();
  CLI::App* const verb = app.add_subcommand("compile", "Compile CUDA C++ with NVRTC, with bounded memory and time");
  verb->group("");  // not in --help: it is part of the Kernel lab
  verb->add_option("FILE", options->file, "a CUDA C++ file")->required();
  verb->add_option("--for", options->compute_capability, "compute capability, for example 9.0");
  verb->add_option("-o,--output", options->output, "the folder to write into")->required();
  return {verb, [options] { return compile(*options); }};
}

}  // namespace warpwalk::verbs
