// Compares the special functions with results of an H200 (data/special_functions.bin).
#include "core/gpu/alu/floating/special_function.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace warpwalk::gpu::alu {
namespace {

template <float (*F)(float)>
u32 bits_from(u32 x) {
  return bits_of(F(f32_of(x)));
}

struct Function {
  const char* name;
  u32 (*of)(u32);
};

// In the order of the file.
constexpr Function functions[] = {
    {"MUFU.RCP", &bits_from<&special::reciprocal>}, {"MUFU.RSQ", &bits_from<&special::inverse_root>},
    {"MUFU.SQRT", &bits_from<&special::root>},      {"MUFU.EX2", &bits_from<&special::power_of_two>},
    {"MUFU.LG2", &bits_from<&special::logarithm>},  {"MUFU.SIN", &bits_from<&special::sine>},
    {"MUFU.COS", &bits_from<&special::cosine>},     {"MUFU.TANH", &bits_from<&special::hyperbolic_tangent>},
    {"MUFU.RCP64H", &special::reciprocal_high},     {"MUFU.RSQ64H", &special::inverse_root_high}};

/// Little-endian 32-bit numbers: for each function a count, then pairs of an argument and the result.
TEST(SpecialFunction, EveryResultIsThatOfAnH200) {
  std::ifstream in(WARPWALK_SOURCE_DIR "/tests/alu/data/special_functions.bin", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::size_t at = 0;
  const auto next = [&] {
    u32 value = 0;
    if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
    at += sizeof value;
    return value;
  };
  for (const Function& function : functions) {
    const u32 count = next();
    EXPECT_GT(count, 1000u) << function.name;
    u32 different = 0;
    for (u32 i = 0; i < count && at < bytes.size(); ++i) {
      const u32 x = next(), expected = next(), found = function.of(x);
      if (found != expected && ++different <= 3)
        ADD_FAILURE() << function.name << " of " << std::hex << x << ": " << found << " instead of " << expected;
    }
    EXPECT_EQ(different, 0u) << function.name;
  }
  EXPECT_EQ(at, bytes.size());
}

}  // namespace
}  // namespace warpwalk::gpu::alu
