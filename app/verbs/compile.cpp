#include "app/verbs/compile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/runs/compile_child.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/terminal.h"
#include "core/platform/limit_resources.h"
#include "core/platform/read_file.h"
#include "core/platform/toolchain/compile_cuda.h"
#include "core/platform/toolchain/cuda_program.h"
#include "core/run/kernel_lab/source_file.h"

namespace warpwalk::verbs {
namespace {

constexpr std::uint64_t max_address_space = std::uint64_t{8} << 30;
constexpr std::uint64_t max_cpu_seconds = 30;

/// Options that are passed on to clang.
struct ClangOption {
  std::string name;
  const char* meaning;
};
const ClangOption clang_options[] = {{"-I", "a folder with headers"},
                                     {"-D", "a macro"},
                                     {"-O", "optimization of the host code"},
                                     {"-L", "a folder with libraries"},
                                     {"-l", "a library"}};

struct CompileOptions {
  platform::CudaProgram program;
  std::filesystem::path into;  ///< of the Kernel lab: the folder for PTX and machine code of the first file
  bool object_only = false;
};

/// Compiles one file for the Kernel lab, with bounded memory and time.
int compile_draft(const CompileOptions& options) {
  platform::limit_resources(max_address_space, max_cpu_seconds);
  const std::filesystem::path& file = options.program.files.front();
  auto read = platform::read_text_file(file);
  if (!read) return refuse(read.error());
  // The name without its folder, so that neither messages nor line tables depend on a temporary folder.
  const std::string name = file.filename().string();
  const std::string& capability = options.program.compute_capability;
  // The source is in a temporary folder; -I names that of the program.
  std::filesystem::path includes = file.parent_path();
  for (const std::string& option : options.program.options)
    if (option.starts_with("-I")) includes = option.substr(2);
  // Of a whole program, the compiler is the one that compiles it to run, so that its launches can be compared.
  const auto compiled = run::has_main(read->text)
                            ? platform::compile_device_code({read->text, name, includes, capability})
                            : platform::compile_cuda_text(std::move(read->text), name, includes, capability);
  const auto write = [&](const char* part, const std::string& text) { return write_file(options.into / part, text); };
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

int compile(const CompileOptions& options) {
  if (!options.into.empty()) return compile_draft(options);
  if (options.program.output.empty()) return refuse("compile: name the program to write, with -o");
  platform::CudaProgram program = options.program;
  program.link = !options.object_only;
  // After --, options are among the files.
  const auto first = std::ranges::stable_partition(
      program.files, [](const std::filesystem::path& file) { return !file.string().starts_with('-'); });
  for (const std::filesystem::path& option : first) program.options.push_back(option.string());
  program.files.erase(first.begin(), first.end());
  if (program.files.empty()) return refuse("compile: name a file");
  if (const char* const wanted = std::getenv("WARPWALK_CUDA_COMPILER"); wanted != nullptr && *wanted != '\0')
    program.compiler = wanted;
  const auto done = platform::compile_program(program);
  if (!done && done.error().find('\n') != std::string::npos) {  // clang's messages, as it wrote them
    fmt::print(stderr, "{}\n", done.error());
    return 2;
  }
  if (!done) return refuse(done.error());
  fmt::print(stderr, "{}", *done);
  return 0;
}

}  // namespace

Verb add_compile(CLI::App& app) {
  const auto options = std::make_shared<CompileOptions>();
  CLI::App* const verb = app.add_subcommand(
      "compile", "Compile a CUDA program with clang, without NVIDIA's toolkit, for the simulated GPU");
  verb->add_option("FILE", options->program.files, "CUDA C++ (.cu), and C++, objects or libraries")->required();
  verb->add_option("OPTION", options->program.options, "after --: further options for clang");
  verb->add_option("--for", options->program.compute_capability, "compute capability, for example 9.0");
  verb->add_option("-o,--output", options->program.output, "the program to write");
  verb->add_flag("-c", options->object_only, "write an object, without linking");
  for (const ClangOption& option : clang_options)
    verb->add_option_function<std::vector<std::string>>(
            option.name,
            [options, option](const std::vector<std::string>& values) {
              for (const std::string& value : values) options->program.options.push_back(option.name + value);
            },
            option.meaning)
        ->allow_extra_args(false);
  verb->add_option("--into", options->into, "the folder for the Kernel lab's compiled code")->group("");
  return {verb, [options] { return compile(*options); }};
}

}  // namespace warpwalk::verbs
