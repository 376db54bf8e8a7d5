// Runs the instruction forms of tests/alu/device as the machine code that ptxas makes of them, each in a kernel of its
// own, and compares with the results of an NVIDIA H200 (tests/alu/data).
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "tests/alu/device/inputs.h"
#include "tests/run/machine_code/compile_cubin.h"

namespace warpwalk::gpu {
namespace {

constexpr std::size_t forms_per_module = 50;
constexpr std::size_t word = 8;  // bytes of an input or output

std::string file(const std::string& name) {
  std::ifstream in(WARPWALK_SOURCE_DIR "/tests/alu/data/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::uint32_t number(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// The digests of each exact form, by the hash of its name.
std::map<std::uint32_t, std::vector<std::uint32_t>> recorded_digests() {
  const std::string bytes = file("digests.bin");
  std::map<std::uint32_t, std::vector<std::uint32_t>> digests;
  constexpr std::size_t record = 4 * (1 + device_forms::groups);
  for (std::size_t at = 0; at + record <= bytes.size(); at += record)
    for (std::size_t i = 0; i < device_forms::groups; ++i)
      digests[number(bytes, at)].push_back(number(bytes, at + 4 + 4 * i));
  return digests;
}

/// The forms that ptxas accepts for an architecture: later ones have more types and modifiers.
bool exists_on(const device_forms::Form& form, int architecture) {
  const auto mentions = [&](std::string_view part) { return form.instruction.find(part) != std::string::npos; };
  const bool is_fma = form.instruction.starts_with("fma");
  if (architecture < 90 && mentions("bf16") && !(is_fma && architecture >= 80)) return false;
  for (const std::string_view part : {"u16x2", "s16x2", "tf32", "relu.s32"})
    if (architecture < 90 && mentions(part)) return false;
  if (architecture < 89 && (mentions("e4m3") || mentions("e5m2"))) return false;
  if (architecture < 86 && mentions("xorsign")) return false;
  if (architecture >= 80) return true;
  const bool extreme = mentions("min.") || mentions("max.");
  return !mentions("relu") && !mentions("NaN") && !mentions("f16x2.f32") && !(extreme && mentions("f16"));
}

/// The results of a form: d and the flags, as in module_text(). Empty, with a failure, if the kernel does not run.
std::vector<std::uint64_t> results_of(const Device& device, const Program& program,
                                      const device_forms::Inputs& inputs) {
  const auto count = static_cast<std::size_t>(inputs.count);
  Launch launch;
  launch.block = {256, 1, 1};
  launch.grid = {static_cast<std::uint32_t>((count + 255) / 256), 1, 1};
  std::vector<std::uint8_t> in(inputs.slots.size() * count * word);
  for (std::size_t s = 0; s < inputs.slots.size(); ++s)
    std::memcpy(in.data() + s * count * word, inputs.slots[s].data(), inputs.slots[s].size() * word);
  launch.buffers = {{"in", std::move(in)}, {"out", std::vector<std::uint8_t>(2 * count * word)}};
  launch.arguments.resize(3);
  launch.arguments[0].buffer = 0;
  launch.arguments[1].buffer = 1;
  launch.arguments[2].bytes.resize(4);
  std::memcpy(launch.arguments[2].bytes.data(), &inputs.count, 4);
  const auto result = simulate(device, program, launch);
  if (!result) {
    ADD_FAILURE() << result.error();
    return {};
  }
  for (const Finding& finding : result->findings) ADD_FAILURE() << finding.message;
  std::vector<std::uint64_t> out(2 * count);
  std::memcpy(out.data(), launch.buffers[1].bytes.data(), launch.buffers[1].bytes.size());
  return out;
}

/// The number of groups whose digest differs from the recorded one.
int different_groups(const std::vector<std::uint64_t>& results, const std::vector<std::uint32_t>& recorded) {
  const std::size_t count = results.size() / 2;
  int different = 0;
  for (std::size_t group = 0; group < device_forms::groups; ++group) {
    std::uint64_t digest = device_forms::first_digest;
    for (std::size_t i = group * count / device_forms::groups; i < (group + 1) * count / device_forms::groups; ++i)
      digest = device_forms::digested(digest, results[i], results[count + i]);
    if (device_forms::folded(digest) != recorded[group]) ++different;
  }
  return different;
}

class InstructionForms : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Gpu, InstructionForms, ::testing::Values(75, 80, 86, 89, 90, 100, 120),
                         [](const auto& form) { return fmt::format("sm_{}", form.param); });

TEST_P(InstructionForms, GiveTheBitsOfAnH200) {
  if (!testing::has_ptxas()) GTEST_SKIP() << "ptxas is not installed";
  const auto device = load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  ASSERT_TRUE(device) << device.error();
  const auto recorded = recorded_digests();
  std::vector<device_forms::Form> all;
  for (device_forms::Form& form : device_forms::forms())
    if (!form.approximate && exists_on(form, GetParam())) all.push_back(std::move(form));
  EXPECT_GT(all.size(), 1000U);
  for (std::size_t first = 0; first < all.size(); first += forms_per_module) {
    const std::vector<device_forms::Form> some(
        all.begin() + static_cast<std::ptrdiff_t>(first),
        all.begin() + static_cast<std::ptrdiff_t>(std::min(first + forms_per_module, all.size())));
    std::vector<int> lines;
    const std::string cubin =
        testing::compile_cubin(device_forms::module_text(some, lines), fmt::format("sm_{}", GetParam()));
    ASSERT_FALSE(cubin.empty()) << some.front().name << " to " << some.back().name;
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto program = prepare_machine_code(cubin, fmt::format("k{}", i));
      if (!program) {
        // sm_75 has two instructions for this that are not executed.
        const bool narrows = some[i].name.starts_with("cvt") && some[i].name.ends_with("f16.f32");
        EXPECT_TRUE(GetParam() == 75 && narrows) << some[i].name << ": " << program.error();
        continue;
      }
      const auto digests = recorded.find(device_forms::hash_of(some[i].name));
      ASSERT_NE(digests, recorded.end()) << some[i].name;
      const auto results = results_of(*device, **program, device_forms::inputs_of(some[i]));
      EXPECT_EQ(different_groups(results, digests->second), 0) << some[i].name;
    }
  }
}

}  // namespace
}  // namespace warpwalk::gpu
