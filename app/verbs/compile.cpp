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
#include "core/platform/toolchain/compile_cuda.h"

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
  if (!read) return refuse(read.error());
  // The name without its folder, so that neither messages nor line tables depend on a temporary folder.
  const auto compiled = platform::compile_cuda_text(std::move(read->text), options.file.filename().string(),
                                                    options.file.parent_path(), options.compute_capability);
  const auto write = [&](const char* name, const std::string& text) { return write_file(options.output / name, text); };
  if (const auto* const failure = std::get_if<platform::CudaFailure>(&compiled)) {
    if (const auto done = write(runs::compile_log, failure->log); !done) return refuse(done.error());
    if (const auto done = write(runs::compile_error, failure->line); !done) return refuse(done.error());
    return refuse(failure->line);
  }
  const auto& code = std::get<platform::CompiledCuda>(compiled);
  if (const auto done = write(runs::compiled_cubin, code.cubin); !done) return refuse(done.error());
  if (const auto done = write(runs::compile_note, code.note); !done) return refuse(done.error());
  if (const auto done = write(runs::compiled_by, code.compiler); !done) return refuse(done.error());
  if (const auto done = write(runs::compiled_ptx, code.ptx); !done) return refuse(done.error());
  return 0;
}

}  // namespace

Verb add_compile(CLI::App& app) {
  const auto options = std::make_shared<CompileOptions>();
  CLI::App* const verb = app.add_subcommand("compile", "Compile CUDA C++ with bounded memory and time");
  verb->group("");  // not in --help: it is part of the Kernel lab
  verb->add_option("FILE", options->file, "a CUDA C++ file")->required();
  verb->add_option("--for", options->compute_capability, "compute capability, for example 9.0");
  verb->add_option("-o,--output", options->output, "the folder to write into")->required();
  return {verb, [options] { return compile(*options); }};
}

}  // namespace warpwalk::verbs
