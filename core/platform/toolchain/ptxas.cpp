#include "core/platform/toolchain/ptxas.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "core/platform/child_program.h"
#include "core/platform/find_program.h"
#include "core/platform/toolchain/architecture.h"

namespace warpwalk::platform {
namespace {

/// The first line that reports an error, else the first line, with the temporary file's name replaced.
std::string first_error(std::string_view printed, std::string_view temporary, std::string_view name) {
  std::string line(printed.substr(0, printed.find('\n')));
  for (std::string_view rest = printed; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    if (one.find("error") == std::string_view::npos && one.find("fatal") == std::string_view::npos) continue;
    line = one;
    break;
  }
  if (const std::size_t at = line.find(temporary); at != std::string::npos) line.replace(at, temporary.size(), name);
  return line;
}

}  // namespace

std::string parse_ptxas_release(std::string_view printed) {
  constexpr std::string_view release = "release ";
  const std::size_t at = printed.find(release);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = printed.substr(at + release.size());
  return std::string(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

base::Result<CompiledPtx> compile_ptx(std::string_view ptx, std::string_view name, std::string_view compute_capability,
                                      const ChildLimits& limits) {
  if (const std::string why = target_mismatch(target_of(ptx), compute_capability); !why.empty())
    return base::Error{fmt::format("{}: {}", name, why)};
  const auto ptxas = find_tool("ptxas");
  if (!ptxas)
    return base::Error{
        "--ptxas: ptxas is neither in PATH nor in /usr/local/cuda/bin; install the CUDA toolkit or omit --ptxas"};
  const std::string architecture = architecture_for(ptx, compute_capability);
  const TemporaryFile text(ptx), code("");
  if (!text.written() || !code.written()) return base::Error{"--ptxas: the temporary folder cannot be written"};
  const auto run = run_child(
      {ptxas->string(), "-arch=" + architecture, "--generate-line-info", text.name(), "-o", code.name()}, limits);
  if (!run) return base::Error{fmt::format("{} cannot be started", ptxas->string())};
  if (run->cancelled) return base::Error{"cancelled"};
  if (!run->in_time) return base::Error{fmt::format("{}: {} took too long and was stopped", name, ptxas->string())};
  if (!run->good())
    return base::Error{
        fmt::format("{}: not compiled for {}: {}", name, architecture, first_error(run->output, text.name(), name))};
  CompiledPtx compiled;
  std::ostringstream bytes;
  bytes << std::ifstream(code.name(), std::ios::binary).rdbuf();
  compiled.cubin = std::move(bytes).str();
  if (compiled.cubin.empty())
    return base::Error{fmt::format("{}: wrote no machine code for {}", ptxas->string(), name)};
  const auto version = run_child({ptxas->string(), "--version"});
  const std::string release = version ? parse_ptxas_release(version->output) : std::string();
  compiled.compiler = release.empty() ? "ptxas" : "ptxas " + release;
  return compiled;
}

}  // namespace warpwalk::platform
