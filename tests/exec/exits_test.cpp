// Lanes that exit before, during and after an instruction that waits for all lanes of its member mask. The PTX ISA
// waits for non-exited threads only; an H200 gave the results (record_exits.py).

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/ptx/parse/parser.h"

namespace warpwalk::gpu {
namespace {

using Words = std::array<std::uint32_t, 64>;

std::string bytes_of(const std::string& file) {
  std::ifstream in(std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/exec" / file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The names of the kernels, in the order of their results.
std::vector<std::string> kernels() {
  const std::string text = bytes_of("kernels/exits.ptx");
  const std::regex entry(R"(\.entry (\w+))");
  std::vector<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), entry), end; at != end; ++at) names.push_back((*at)[1]);
  return names;
}

void expect_recorded(const Program& program, const std::string& name, std::size_t number) {
  const auto device = load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  ASSERT_TRUE(device) << device.error();
  Launch launch;
  launch.block = {32, 1, 1};
  launch.buffers.push_back({"y", std::vector<std::uint8_t>(sizeof(Words))});
  launch.arguments.emplace_back().buffer = 0;
  SimulateOptions options;
  options.sanitize = true;
  const auto simulated = simulate(*device, program, launch, options);
  ASSERT_TRUE(simulated) << name << ": " << simulated.error();
  for (const Finding& finding : simulated->findings) ADD_FAILURE() << name << ": " << finding.message;
  Words got, recorded;
  std::memcpy(got.data(), launch.buffers[0].bytes.data(), sizeof got);
  std::memcpy(recorded.data(), bytes_of("data/exits.bin").data() + number * sizeof recorded, sizeof recorded);
  EXPECT_EQ(got, recorded) << name;
}

TEST(Exits, LanesThatHaveExitedNeedNotArriveFromPtx) {
  auto parsed = ptx::parse(bytes_of("kernels/exits.ptx"));
  ASSERT_TRUE(std::holds_alternative<ptx::Module>(parsed)) << std::get<ptx::Error>(parsed).text();
  const auto module = std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed)));
  const std::vector<std::string> names = kernels();
  ASSERT_EQ(names.size(), 45u);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto program = prepare(module, names[i]);
    ASSERT_TRUE(program) << program.error();
    expect_recorded(**program, names[i], i);
  }
}

TEST(Exits, LanesThatHaveExitedNeedNotArriveAsMachineCode) {
  const std::string cubin = bytes_of("cubins/exits.cubin");
  const std::vector<std::string> names = kernels();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto program = prepare_machine_code(cubin, names[i]);
    ASSERT_TRUE(program) << program.error();
    expect_recorded(**program, names[i], i);
  }
}

}  // namespace
}  // namespace warpwalk::gpu
