#include "tests/run/machine_code/compile_cubin.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "core/platform/child_program.h"
#include "core/platform/find_program.h"

namespace warpwalk::testing {

bool has_ptxas() { return platform::find_tool("ptxas").has_value(); }

std::string compile_cubin(std::string_view ptx, std::string_view architecture) {
  const auto ptxas = platform::find_tool("ptxas");
  // PTX for a newer architecture is accepted for an older one if it uses nothing that the older one lacks.
  std::string text =
      std::regex_replace(std::string(ptx), std::regex("\\.target sm_[0-9a]+"), ".target " + std::string(architecture));
  // Targets from sm_100 on need a later version of PTX.
  if (architecture.starts_with("sm_1"))
    text = std::regex_replace(text, std::regex("\\.version [0-9.]+"), ".version 9.0");
  const platform::TemporaryFile source(text);
  const std::string cubin = source.name() + ".cubin";
  const auto run =
      platform::run_child({ptxas->string(), "-arch=" + std::string(architecture), source.name(), "-o", cubin});
  if (!run || !run->good()) return {};
  std::ostringstream bytes;
  bytes << std::ifstream(cubin, std::ios::binary).rdbuf();
  std::error_code ignored;
  std::filesystem::remove(cubin, ignored);
  return bytes.str();
}

}  // namespace warpwalk::testing
