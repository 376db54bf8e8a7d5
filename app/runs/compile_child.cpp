#include "app/runs/compile_child.h"

#include <chrono>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/platform/child_program.h"
#include "core/platform/read_file.h"
#include "core/platform/temporary_folder.h"

namespace warpwalk::runs {
namespace {

constexpr auto time_limit = std::chrono::seconds(30);

std::string text_of(const std::filesystem::path& file) {
  auto read = platform::read_text_file(file);
  return read ? std::move(read->text) : std::string();
}

using Result = std::variant<platform::CompiledCuda, platform::CudaFailure>;

Result compile(const std::filesystem::path& program, const std::filesystem::path& includes, const std::string& source,
               const std::string& name, std::string_view compute_capability, const std::atomic<bool>* cancel) {
  const auto failed = [&](std::string_view why) { return platform::CudaFailure{fmt::format("{}: {}", name, why), ""}; };
  const platform::TemporaryFolder folder, out;
  const std::filesystem::path file = folder.path() / name;
  std::ofstream(file, std::ios::binary) << source;
  platform::ChildLimits limits;
  limits.deadline = std::chrono::steady_clock::now() + time_limit;
  limits.cancel = cancel;
  std::vector<std::string> words = {
      program.string(), "compile",          file.string(), "--for", std::string(compute_capability),
      "--into",         out.path().string()};
  std::error_code ignored;
  if (!includes.empty()) words.insert(words.end(), {"-I", std::filesystem::absolute(includes, ignored).string()});
  const auto ran = platform::run_child(std::move(words), limits);
  if (!ran) return failed("the compiler could not be started");
  if (ran->cancelled) return failed("cancelled");
  if (!ran->in_time) return failed(fmt::format("the compiler took more than {} s and was stopped", time_limit.count()));
  platform::CompiledCuda compiled;
  compiled.ptx = text_of(out.path() / compiled_ptx);
  if (ran->exit_status == 0 && ran->signal == 0 && !compiled.ptx.empty()) {
    compiled.source = source;
    compiled.cubin = text_of(out.path() / compiled_cubin);
    compiled.compiler = text_of(out.path() / compiled_by);
    compiled.note = text_of(out.path() / compile_note);
    return compiled;
  }
  platform::CudaFailure failure{text_of(out.path() / compile_error), text_of(out.path() / compile_log)};
  if (failure.line.empty())
    return failed(ran->signal != 0 ? fmt::format("the compiler was ended by signal {}; the source may need more memory "
                                                 "or time than the Kernel lab allows",
                                                 ran->signal)
                                   : "the compiler failed without a message; it may need more memory");
  return failure;
}

}  // namespace

run::CudaCompiler compiler_in_child(std::filesystem::path program, std::filesystem::path includes) {
  return [program = std::move(program), includes = std::move(includes)](
             const std::string& source, const std::string& name, std::string_view compute_capability,
             const std::atomic<bool>* cancel) {
    return compile(program, includes, source, name, compute_capability, cancel);
  };
}

}  // namespace warpwalk::runs
