#include "tests/run/compile_cubin.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "core/platform/child_program.h"
#include "core/platform/find_program.h"

namespace warpwalk::testing {

bool has_ptxas() { return platform::find_tool("ptxas").has_value(); }

std::string compile_cubin(std::string_view ptx) {
  const auto ptxas = platform::find_tool("ptxas");
  const platform::TemporaryFile source(ptx);
  const std::string cubin = source.name() + ".cubin";
  const auto run = platform::run_child({ptxas->string(), "-arch=sm_90", source.name(), "-o", cubin});
  EXPECT_TRUE(run && run->good()) << (run ? run->output : "ptxas cannot be started");
  std::ostringstream bytes;
  bytes << std::ifstream(cubin, std::ios::binary).rdbuf();
  std::error_code ignored;
  std::filesystem::remove(cubin, ignored);
  return bytes.str();
}

}  // namespace warpwalk::testing
