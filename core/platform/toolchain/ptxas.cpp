#include "core/platform/toolchain/ptxas.h"

#include <charconv>

#include <fmt/format.h>

#include "core/platform/child_program.h"
#include "core/platform/find_program.h"

namespace warpwalk::platform {

int parse_ptxas_registers(std::string_view printed, std::string_view entry) {
  const std::size_t begin = printed.find(fmt::format("entry function '{}'", entry));
  if (begin == std::string_view::npos) return 0;
  printed.remove_prefix(begin + 1);
  printed = printed.substr(0, printed.find("entry function '"));
  constexpr std::string_view used = "Used ";
  const std::size_t at = printed.find(used);
  if (at == std::string_view::npos) return 0;
  int registers = 0;
  std::from_chars(printed.data() + at + used.size(), printed.data() + printed.size(), registers);
  return registers;
}

std::variant<int, std::string> registers_by_ptxas(std::string_view ptx, std::string_view entry,
                                                  std::string_view compute_capability) {
  const auto ptxas = find_tool("ptxas");
  if (!ptxas)
    return "ptxas is neither in PATH nor in /usr/local/cuda/bin; set \"registers\" in the launch file, or "
           "omit --ptxas to use an estimate";
  std::string architecture = "-arch=sm_";
  for (const char c : compute_capability)
    if (c != '.') architecture += c;
  const TemporaryFile file(ptx);
  if (!file.written()) return "the PTX for ptxas cannot be written to the temporary folder";
  const auto run = run_child({ptxas->string(), "-v", architecture, file.name(), "-o", "/dev/null"});
  if (!run) return fmt::format("{} cannot be started", ptxas->string());
  if (!run->good()) return fmt::format("{}: {}", ptxas->string(), run->output.substr(0, run->output.find('\n')));
  const int registers = parse_ptxas_registers(run->output, entry);
  if (registers == 0) return fmt::format("{} does not report the register count of {}", ptxas->string(), entry);
  return registers;
}

}  // namespace warpwalk::platform
