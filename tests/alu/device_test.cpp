// Compares with the results of an NVIDIA H200 (tests/alu/data, written by device/record.cpp).
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include <gtest/gtest.h>

#include "tests/alu/approximations.h"
#include "tests/alu/device/inputs.h"
#include "tests/alu/device_mma.h"
#include "tests/alu/device_run.h"

namespace warpwalk::gpu {
namespace {

std::string file(const std::string& name) {
  std::ifstream in(WARPWALK_SOURCE_DIR "/tests/alu/data/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

template <class T>
T value_at(const std::string& bytes, std::size_t at) {
  T value{};
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Reads `count` digests for each name hash.
std::map<std::uint32_t, std::vector<std::uint32_t>> digests(const std::string& name, std::size_t count) {
  const std::string bytes = file(name);
  std::map<std::uint32_t, std::vector<std::uint32_t>> result;
  const std::size_t record = 4 * (1 + count);
  for (std::size_t at = 0; at + record <= bytes.size(); at += record)
    for (std::size_t i = 0; i < count; ++i)
      result[value_at<std::uint32_t>(bytes, at)].push_back(value_at<std::uint32_t>(bytes, at + 4 + 4 * i));
  return result;
}

std::uint32_t digest_of(const FormResults& results, std::size_t first, std::size_t end) {
  std::uint64_t digest = device_forms::first_digest;
  for (std::size_t i = first; i < end; ++i) digest = device_forms::digested(digest, results.d[i], results.flags[i]);
  return device_forms::folded(digest);
}

/// The instruction sets that this processor supports.
std::vector<Isa> isas() {
  if (host_isa() == Isa::baseline) return {Isa::baseline};
  return {Isa::baseline, host_isa()};
}

TEST(AluDevice, EveryExactFormGivesTheBitsOfAnH200OnEachInstructionSet) {
  const auto recorded = digests("digests.bin", device_forms::groups);
  const DeviceModule module = device_module();
  int compared = 0;
  for (std::size_t i = 0; i < module.forms.size(); ++i) {
    const device_forms::Form& form = module.forms[i];
    if (form.approximate) continue;
    const auto found = recorded.find(device_forms::hash_of(form.name));
    ASSERT_NE(found, recorded.end()) << form.name;
    const auto inputs = device_forms::inputs_of(form);
    for (const Isa isa : isas()) {
      const FormResults results = results_of(form, inputs, *module.functions[i], *module.instructions[i], isa);
      ASSERT_EQ(results.refusal, "") << form.name;
      for (std::size_t group = 0; group < device_forms::groups; ++group) {
        const std::size_t first = group * results.d.size() / device_forms::groups;
        const std::size_t end = (group + 1) * results.d.size() / device_forms::groups;
        EXPECT_EQ(digest_of(results, first, end), found->second[group])
            << form.name << ", inputs " << first << " to " << end - 1 << ", instruction set " << static_cast<int>(isa);
      }
    }
    ++compared;
  }
  EXPECT_EQ(compared, 1470);
}

TEST(AluDevice, ApproximationsAreTheSameOnEachInstructionSet) {
  const DeviceModule module = device_module();
  for (std::size_t i = 0; i < module.forms.size(); ++i) {
    const device_forms::Form& form = module.forms[i];
    if (!form.approximate) continue;
    const auto inputs = device_forms::inputs_of(form);
    const auto best = results_of(form, inputs, *module.functions[i], *module.instructions[i], host_isa());
    const auto baseline = results_of(form, inputs, *module.functions[i], *module.instructions[i], Isa::baseline);
    EXPECT_EQ(best.d, baseline.d) << form.name;
  }
}

TEST(AluDevice, EveryMatrixFormGivesTheBitsOfAnH200) {
  const auto recorded = digests("matrix_digests.bin", device_forms::trials);
  const DeviceMatrices matrices = device_matrices();
  for (std::size_t i = 0; i < matrices.forms.size(); ++i) {
    const device_forms::MatrixForm& form = matrices.forms[i];
    const auto found = recorded.find(device_forms::hash_of(device_forms::name_of(form)));
    ASSERT_NE(found, recorded.end()) << form.instruction;
    std::string refusal;
    const auto results = matrix_results(form, *matrices.instructions[i], refusal);
    ASSERT_EQ(refusal, "") << form.instruction;
    const std::size_t a_trial = results.size() / device_forms::trials;
    for (std::size_t trial = 0; trial < device_forms::trials; ++trial) {
      std::uint64_t digest = device_forms::first_digest;
      for (std::size_t r = trial * a_trial; r < (trial + 1) * a_trial; ++r)
        digest = device_forms::digested(digest, results[r], 0);
      EXPECT_EQ(device_forms::folded(digest), found->second[trial]) << form.instruction << ", trial " << trial;
    }
  }
}

TEST(AluDevice, ApproximationsGiveTheBitsOfAnH200) {
  const std::string bytes = file("approximations.bin");
  const DeviceModule module = device_module();
  std::map<std::uint32_t, std::size_t> recorded;
  for (std::size_t at = 0; at + 12 <= bytes.size();) {
    recorded[value_at<std::uint32_t>(bytes, at)] = at;
    at += 12 + std::size_t{value_at<std::uint32_t>(bytes, at + 4)} * value_at<std::uint32_t>(bytes, at + 8);
  }
  int compared = 0;
  for (std::size_t i = 0; i < module.forms.size(); ++i) {
    const device_forms::Form& form = module.forms[i];
    if (!form.approximate) continue;
    const ptx::Instruction& instruction = *module.instructions[i];
    const auto inputs = device_forms::inputs_of(form);
    const FormResults results = results_of(form, inputs, *module.functions[i], instruction, host_isa());
    const auto found = recorded.find(device_forms::hash_of(form.name));
    ASSERT_NE(found, recorded.end()) << form.name;
    const std::size_t at = found->second + 12;
    const std::size_t width = value_at<std::uint32_t>(bytes, found->second + 8);
    int different = 0;
    for (std::size_t n = 0; n < results.d.size(); ++n) {
      std::uint64_t gpu = 0;
      std::memcpy(&gpu, bytes.data() + at + n * width, width);
      const std::uint64_t mask = width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width)) - 1;
      if ((results.d[n] & mask) != gpu && ++different <= 3)
        ADD_FAILURE() << form.name << " of input " << n << ": " << std::hex << (results.d[n] & mask) << " instead of "
                      << gpu;
    }
    EXPECT_EQ(different, 0) << form.name;
    ++compared;
  }
  EXPECT_EQ(compared, 30);
}

}  // namespace
}  // namespace warpwalk::gpu
