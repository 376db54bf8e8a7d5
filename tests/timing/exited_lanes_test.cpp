// Lanes that exit before, during and after instructions that wait for others, on the timing model. An H200 gave the
// words (tests/exec/record_exits.py).
#include <cstring>
#include <fstream>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/ptx/parse/parser.h"
#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

constexpr std::size_t result_bytes = 256;  // of a kernel

std::string bytes_of_exec(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(timed::tests() / "exec" / file, std::ios::binary).rdbuf();
  return text.str();
}

void expect_words_with_cycles(const Program& program, const std::string& kernel, std::string_view recorded) {
  Launch launch;
  launch.block = {32, 1, 1};
  launch.buffers = {{"y", std::vector<std::uint8_t>(result_bytes)}};
  launch.arguments.emplace_back().buffer = 0;
  const auto timing = time_launch(timed::h200(), program, launch);
  ASSERT_TRUE(timing) << kernel << ": " << timing.error();
  EXPECT_FALSE(timing->stopped) << kernel;
  EXPECT_EQ(std::memcmp(launch.buffers[0].bytes.data(), recorded.data(), result_bytes), 0) << kernel;
}

TEST(ExitedLanes, NeedNotArriveWithCycles) {
  const std::string text = bytes_of_exec("kernels/exits.ptx"), cubin = bytes_of_exec("cubins/exits.cubin"),
                    recorded = bytes_of_exec("data/exits.bin");
  auto parsed = ptx::parse(text);
  ASSERT_TRUE(std::holds_alternative<ptx::Module>(parsed)) << std::get<ptx::Error>(parsed).text();
  const auto module = std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed)));
  const std::regex entry(R"(\.entry (\w+))");
  std::size_t number = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), entry), end; at != end; ++at, ++number) {
    const std::string kernel = (*at)[1];
    const std::string_view words = std::string_view(recorded).substr(number * result_bytes, result_bytes);
    const auto machine_code = prepare_machine_code(cubin, kernel), from_ptx = prepare(module, kernel);
    ASSERT_TRUE(machine_code) << machine_code.error();
    ASSERT_TRUE(from_ptx) << from_ptx.error();
    expect_words_with_cycles(**machine_code, kernel + " as machine code", words);
    expect_words_with_cycles(**from_ptx, kernel + " from PTX", words);
  }
  EXPECT_EQ(number, 45u);
}

}  // namespace
}  // namespace warpwalk::gpu
