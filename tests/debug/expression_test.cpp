#include "core/debug/expression.h"

#include <gtest/gtest.h>

namespace warpwalk::debug {
namespace {

/// A few names, and memory in which element i holds 10 i.
class SomeNames final : public Names {
 public:
  base::Result<Value> find(std::string_view name) override {
    if (name == "threadIdx.x") return Value::of(37);
    if (name == "R4") return Value::of(0x3fc00000, 4);
    if (name == "%f1") return Value::of_real(1.5);
    if (name == "a") return Value::pointer_to(0x1000, ops::DType::i32, Value::Space::global);
    return base::Error{"no such name"};
  }
  base::Result<Value> load(const Value& pointer, std::int64_t index) override {
    if (pointer.kind != Value::Kind::pointer) return base::Error{"only an address can be read"};
    const std::size_t bytes = ops::bytes_of(pointer.element);
    return Value::of(static_cast<std::int64_t>((pointer.address - 0x1000) / bytes + static_cast<std::uint64_t>(index)) *
                     10);
  }
};

std::string result_of(std::string_view text) {
  const auto parsed = Expression::parse(text);
  if (!parsed) return "syntax: " + parsed.error();
  SomeNames names;
  const auto value = parsed->evaluate(names);
  return value ? text_of(*value) : "error: " + value.error();
}

TEST(DebugExpression, ComputesAsC) {
  EXPECT_EQ(result_of("1 + 2 * 3"), "7");
  EXPECT_EQ(result_of("(1 + 2) * 3"), "9");
  EXPECT_EQ(result_of("10 - 4 - 3"), "3");
  EXPECT_EQ(result_of("7 / 2 + 7 % 4"), "6");
  EXPECT_EQ(result_of("1 << 3 | 1"), "9");
  EXPECT_EQ(result_of("-2 < 1 && !0"), "1");
  EXPECT_EQ(result_of("0 || 0 ? 4 : 5"), "5");
  EXPECT_EQ(result_of("0x10 == 16"), "1");
  EXPECT_EQ(result_of("1.5f * 2"), "3");
  EXPECT_EQ(result_of("threadIdx.x == 37 && %f1 > 1"), "1");
}

TEST(DebugExpression, ReadsMemoryAndRegisters) {
  EXPECT_EQ(result_of("a[3]"), "30 (0x1e)");
  EXPECT_EQ(result_of("*(a + 2)"), "20 (0x14)");
  EXPECT_EQ(result_of("((double*)a)[1]"), "10 (0xa)");
  EXPECT_EQ(result_of("f32(R4)"), "1.5");
  EXPECT_EQ(result_of("(float)3 / 2"), "1.5");
  EXPECT_EQ(result_of("(int)%f1"), "1");
  EXPECT_EQ(result_of("a"), "i32* 0x1000");
}

TEST(DebugExpression, SaysWhatIsWrong) {
  EXPECT_EQ(result_of("1 +"), "syntax: the expression ends too early");
  EXPECT_EQ(result_of("a[1"), "syntax: `]` expected at the end");
  EXPECT_EQ(result_of("1 2"), "syntax: unexpected `2`");
  EXPECT_EQ(result_of("1 / 0"), "error: division by zero");
  EXPECT_EQ(result_of("sum"), "error: no such name");
  EXPECT_EQ(result_of("0 && sum"), "0");
  EXPECT_EQ(result_of(std::string(500, '(')), "syntax: nested too deeply");
  EXPECT_EQ(result_of(std::string(500, '-')), "syntax: nested too deeply");
}

}  // namespace
}  // namespace warpwalk::debug
