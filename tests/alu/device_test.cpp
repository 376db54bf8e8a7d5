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
T get(const std::string& bytes, std::size_t at) {
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
      result[get<std::uint32_t>(bytes, at)].push_back(get<std::uint32_t>(bytes, at + 4 + 4 * i));
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

/// Returns the value of f16, bf16, f32 or f64 bits as a double.
double value_of(std::uint64_t bits, ptx::Type type) {
  const auto of_f32 = [](std::uint32_t word) {
    float value;
    std::memcpy(&value, &word, sizeof value);
    return static_cast<double>(value);
  };
  if (type == ptx::Type::f64) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (type == ptx::Type::f32) return of_f32(static_cast<std::uint32_t>(bits));
  if (type == ptx::Type::bf16) return of_f32(static_cast<std::uint32_t>(bits) << 16);
  const auto fraction = static_cast<double>(bits & 0x3ff);
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double magnitude = exponent == 31  ? (fraction == 0 ? HUGE_VAL : NAN)
                           : exponent == 0 ? std::ldexp(fraction, -24)
                                           : std::ldexp(1024 + fraction, exponent - 25);
  return (bits >> 15 & 1) != 0 ? -magnitude : magnitude;
}

/// Both values are within the bound of the exact value, so they differ by at most twice the bound.
void expect_near(double gpu, double ours, const ApproximationBound& bound, double ulp, const std::string& what) {
  if (std::isnan(gpu) || std::isnan(ours)) {
    EXPECT_TRUE(std::isnan(gpu) && std::isnan(ours)) << what << ": " << gpu << " and " << ours;
    return;
  }
  if (std::isinf(gpu) || std::isinf(ours)) {
    EXPECT_EQ(gpu, ours) << what;
    return;
  }
  const double allowed = std::max({bound.absolute, bound.relative * std::fabs(gpu), bound.ulp * ulp, ulp});
  EXPECT_LE(std::fabs(gpu - ours), 2 * allowed) << what << ": " << gpu << " and " << ours;
}

TEST(AluDevice, ApproximationsAreWithinTheManualsBoundOfAnH200) {
  const std::string bytes = file("approximations.bin");
  const DeviceModule module = device_module();
  std::map<std::uint32_t, std::size_t> recorded;
  for (std::size_t at = 0; at + 12 <= bytes.size();) {
    recorded[get<std::uint32_t>(bytes, at)] = at;
    at += 12 + std::size_t{get<std::uint32_t>(bytes, at + 4)} * get<std::uint32_t>(bytes, at + 8);
  }
  int compared = 0;
  for (std::size_t i = 0; i < module.forms.size(); ++i) {
    const device_forms::Form& form = module.forms[i];
    if (!form.approximate) continue;
    const ptx::Instruction& instruction = *module.instructions[i];
    const bool pair = instruction.type() == ptx::Type::f16x2 || instruction.type() == ptx::Type::bf16x2;
    const bool bf16 = instruction.type() == ptx::Type::bf16 || instruction.type() == ptx::Type::bf16x2;
    const bool f16 = instruction.type() == ptx::Type::f16 || instruction.type() == ptx::Type::f16x2;
    const ptx::Type type = bf16 ? ptx::Type::bf16 : f16 ? ptx::Type::f16 : instruction.type();
    const auto bound = approximation_bound(instruction.opcode, instruction.type());
    const auto inputs = device_forms::inputs_of(form);
    const FormResults results = results_of(form, inputs, *module.functions[i], instruction, host_isa());
    const auto found = recorded.find(device_forms::hash_of(form.name));
    ASSERT_NE(found, recorded.end()) << form.name;
    const std::size_t at = found->second + 12;
    const std::size_t width = get<std::uint32_t>(bytes, found->second + 8);
    const int precision = bf16 ? 8 : f16 ? 11 : type == ptx::Type::f32 ? 24 : 21;
    for (std::size_t n = 0; n < results.d.size(); ++n) {
      std::uint64_t gpu_bits = 0;
      std::memcpy(&gpu_bits, bytes.data() + at + n * width, width);
      // Far from zero, the argument reduction limits the accuracy of sin and cos, and the manual states no bound.
      const bool periodic = instruction.opcode == ptx::Opcode::sin || instruction.opcode == ptx::Opcode::cos;
      if (periodic && std::fabs(value_of(inputs.slots[0][n], type)) > 6.28) continue;
      for (int half = 0; half < (pair ? 2 : 1); ++half) {
        const std::uint64_t mask = width == 8 ? ~std::uint64_t{0} : pair || width == 2 ? 0xffffU : 0xffffffffU;
        const double gpu = value_of(gpu_bits >> (16 * half) & mask, type);
        const double ours = value_of(results.d[n] >> (16 * half) & mask, type);
        int exponent = 0;
        std::frexp(gpu, &exponent);
        const int least = f16 ? -24 : type == ptx::Type::f64 ? -1043 : -149;
        const double ulp = std::ldexp(1.0, std::max(exponent - precision, bf16 ? -133 : least));
        expect_near(gpu, ours, bound.value_or(ApproximationBound{}), ulp, form.name + " of input " + std::to_string(n));
      }
    }
    ++compared;
  }
  EXPECT_EQ(compared, 30);
}

}  // namespace
}  // namespace warpwalk::gpu
