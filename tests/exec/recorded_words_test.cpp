// Kernels that leave the words of an H200 (record_exits.py, record_simd.py).

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/ptx/parse/parser.h"

namespace warpwalk::gpu {
namespace {

std::string bytes_of(const std::string& file) {
  std::ifstream in(std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/exec" / file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The names of the kernels in a source, in the order of their results.
std::vector<std::string> kernels(const std::string& file, const std::regex& entry) {
  const std::string text = bytes_of(file);
  std::vector<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), entry), end; at != end; ++at) names.push_back((*at)[1]);
  return names;
}

// A launch of one block whose last buffer is the result.
struct Block {
  std::uint32_t threads = 32;
  std::vector<std::string> buffers;
  std::optional<std::uint32_t> number;  // the last argument
};

void expect_recorded(const Program& program, const Block& block, const std::string& name, std::string_view recorded) {
  const auto device = load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  ASSERT_TRUE(device) << device.error();
  Launch launch;
  launch.block = {block.threads, 1, 1};
  for (const std::string& bytes : block.buffers) {
    launch.arguments.emplace_back().buffer = static_cast<std::int32_t>(launch.buffers.size());
    launch.buffers.push_back({"b", std::vector<std::uint8_t>(bytes.begin(), bytes.end())});
  }
  if (block.number) {
    std::vector<std::uint8_t>& bytes = launch.arguments.emplace_back().bytes;
    bytes.resize(4);
    std::memcpy(bytes.data(), &*block.number, 4);
  }
  SimulateOptions options;
  options.sanitize = true;
  const auto simulated = simulate(*device, program, launch, options);
  ASSERT_TRUE(simulated) << name << ": " << simulated.error();
  for (const Finding& finding : simulated->findings) ADD_FAILURE() << name << ": " << finding.message;
  const std::vector<std::uint8_t>& bytes = launch.buffers.back().bytes;
  ASSERT_EQ(recorded.size(), bytes.size());
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    std::uint32_t got = 0, expected = 0;
    std::memcpy(&got, bytes.data() + i, 4);
    std::memcpy(&expected, recorded.data() + i, 4);
    EXPECT_EQ(got, expected) << name << ", word " << i / 4;
  }
}

class Exits : public ::testing::Test {
 protected:
  static constexpr std::size_t bytes = 256;
  void expect_as_recorded(const Program& program, std::size_t number) const {
    expect_recorded(program, {.buffers = {std::string(bytes, '\0')}, .number = {}}, names_[number],
                    std::string_view(recorded_).substr(number * bytes, bytes));
  }
  const std::vector<std::string> names_ = kernels("kernels/exits.ptx", std::regex(R"(\.entry (\w+))"));
  const std::string recorded_ = bytes_of("data/exits.bin");
};

// The PTX ISA waits for non-exited threads only.
TEST_F(Exits, LanesThatHaveExitedNeedNotArriveFromPtx) {
  auto parsed = ptx::parse(bytes_of("kernels/exits.ptx"));
  ASSERT_TRUE(std::holds_alternative<ptx::Module>(parsed)) << std::get<ptx::Error>(parsed).text();
  const auto module = std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed)));
  ASSERT_EQ(names_.size(), 45u);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto program = prepare(module, names_[i]);
    ASSERT_TRUE(program) << program.error();
    expect_as_recorded(**program, i);
  }
}

TEST_F(Exits, LanesThatHaveExitedNeedNotArriveAsMachineCode) {
  const std::string cubin = bytes_of("cubins/exits.cubin");
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto program = prepare_machine_code(cubin, names_[i]);
    ASSERT_TRUE(program) << program.error();
    expect_as_recorded(**program, i);
  }
}

// VIMNMX3, VIADDMNMX and VIADD of every type, UBMSK.
TEST(SimdIntrinsics, AsMachineCodeGiveTheBitsOfAnH200) {
  constexpr std::size_t bytes = 512;
  const std::string cubin = bytes_of("cubins/simd.cubin"), recorded = bytes_of("data/simd.bin");
  const std::vector<std::string> names =
      kernels("kernels/simd.cu", std::regex(R"(^KERNEL\((\w+))", std::regex::multiline));
  ASSERT_EQ(names.size(), 21u);
  ASSERT_EQ(recorded.size(), (3 + names.size()) * bytes);
  const Block block{128,
                    {recorded.substr(0, bytes), recorded.substr(bytes, bytes), recorded.substr(2 * bytes, bytes),
                     std::string(bytes, '\0')},
                    5};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto program = prepare_machine_code(cubin, names[i]);
    ASSERT_TRUE(program) << program.error();
    expect_recorded(**program, block, names[i], std::string_view(recorded).substr((3 + i) * bytes, bytes));
  }
}

}  // namespace
}  // namespace warpwalk::gpu
