// What a Triton program does in one block: addresses, masks, loops, shared memory and products, against plain loops.
#include <cmath>
#include <cstring>
#include <map>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/compiled/evaluate/evaluate_block.h"
#include "core/compiled/evaluate/real_numbers.h"
#include "core/compiled/evaluate/whole_numbers.h"

namespace warpwalk::compiled {
namespace {

using ::testing::ElementsAre;
using Kind = EvaluatedOp::Kind;

struct NotedOp {
  std::string name;
  std::vector<std::int64_t> addresses, mask;
  std::vector<double> result;
  std::int64_t buffer = -1;
};

TensorValue argument(std::int64_t number) {
  TensorValue value;
  value.known = true;
  value.numbers = {number};
  return value;
}

/// Memory of one float for each four bytes: the float at address 4 i is i.
bool read_counted(std::uint64_t address, int bytes, std::uint64_t& value) {
  if (bytes != 4 || address % 4 != 0) return false;
  const auto number = static_cast<float>(address / 4);
  value = 0;
  std::memcpy(&value, &number, sizeof number);
  return true;
}

std::vector<NotedOp> evaluated(const std::string& body, std::vector<TensorValue> arguments, std::int64_t program = 0,
                               std::uint64_t work = 1 << 20) {
  const MlirModule module = parse_mlir(
      "module attributes {\"ttg.num-warps\" = 4 : i32} {\n  tt.func public @f(%p: !tt.ptr<f32>, %n: i32) {\n" + body +
      "    tt.return\n  }\n}\n");
  EvaluatedBlock block;
  block.place.program = {program, 0, 0};
  block.arguments = std::move(arguments);
  block.read = read_counted;
  std::vector<NotedOp> noted;
  EXPECT_EQ(module.functions().size(), 1U);
  const auto done = evaluate_block(module, module.functions().at(0), block, work, [&](const EvaluatedOp& op) {
    NotedOp one{std::string(module.ops[static_cast<std::size_t>(op.op)].name), {}, {}, {}, -1};
    if (op.addresses != nullptr) one.addresses = op.addresses->numbers;
    if (op.mask != nullptr) one.mask = op.mask->numbers;
    if (op.memory != nullptr) one.buffer = op.memory->buffer;
    if (op.result != nullptr && op.result->floating) one.result = op.result->reals;
    noted.push_back(std::move(one));
  });
  if (!done) noted.push_back({done.error(), {}, {}, {}, -1});
  return noted;
}

TEST(EvaluatedBlocks, AddressesAndMasks) {
  const auto ops = evaluated(R"(    %c4 = arith.constant 4 : i32
    %id = tt.get_program_id x : i32
    %first = arith.muli %id, %c4 : i32
    %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #b>
    %all = tt.splat %first : i32 -> tensor<4xi32, #b>
    %i = arith.addi %all, %range : tensor<4xi32, #b>
    %end = tt.splat %n : i32 -> tensor<4xi32, #b>
    %mask = arith.cmpi slt, %i, %end : tensor<4xi32, #b>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>, #b>
    %at = tt.addptr %ps, %i : tensor<4x!tt.ptr<f32>, #b>, tensor<4xi32, #b>
    %x = tt.load %at, %mask : tensor<4x!tt.ptr<f32>, #b>
    tt.store %at, %x, %mask : tensor<4x!tt.ptr<f32>, #b>
)",
                             {argument(1000), argument(7)}, 1);
  ASSERT_EQ(ops.size(), 2U);
  EXPECT_EQ(ops[0].name, "tt.load");
  EXPECT_THAT(ops[0].addresses, ElementsAre(1016, 1020, 1024, 1028));
  EXPECT_THAT(ops[0].mask, ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(ops[1].addresses, ElementsAre(1016, 1020, 1024, 1028));
}

TEST(EvaluatedBlocks, LoopsCarryTheirPointers) {
  const auto ops = evaluated(R"(    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p, %k = %c0) -> (!tt.ptr<f32>, i32)  : i32 {
      %odd = arith.andi %i, %c1 : i32
      %is = arith.cmpi eq, %odd, %c1 : i32
      scf.if %is {
        tt.store %q, %k : !tt.ptr<f32>
      }
      %next = tt.addptr %q, %c8 : !tt.ptr<f32>, i32
      scf.yield %next, %i : !tt.ptr<f32>, i32
    }
    tt.store %r#0, %r#1 : !tt.ptr<f32>
)",
                             {argument(0), argument(4)});
  ASSERT_EQ(ops.size(), 3U);
  EXPECT_THAT(ops[0].addresses, ElementsAre(32));
  EXPECT_THAT(ops[1].addresses, ElementsAre(96));
  EXPECT_THAT(ops[2].addresses, ElementsAre(128));
}

TEST(EvaluatedBlocks, ProductsOfWhatIsLoaded) {
  const auto ops = evaluated(R"(    %zero = arith.constant dense<0.0> : tensor<2x2xf32, #m>
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #b>
    %i = tt.reshape %range : tensor<4xi32, #b> -> tensor<2x2xi32, #b>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<2x2x!tt.ptr<f32>, #b>
    %at = tt.addptr %ps, %i : tensor<2x2x!tt.ptr<f32>, #b>, tensor<2x2xi32, #b>
    %m = ttg.local_alloc : () -> !ttg.memdesc<2x2x2xf32, #s, #smem, mutable>
    %b1 = ttg.memdesc_index %m[%c1] : !ttg.memdesc<2x2x2xf32, #s, #smem, mutable> -> !ttg.memdesc<2x2xf32, #s, #smem, mutable>
    %t = ttg.async_copy_global_to_local %at, %b1 : tensor<2x2x!tt.ptr<f32>, #b> -> <2x2xf32, #s, #smem, mutable>
    %x = tt.load %at : tensor<2x2x!tt.ptr<f32>, #b>
    %d = ttng.warp_group_dot %x, %b1, %zero : tensor<2x2xf32, #b> * !ttg.memdesc<2x2xf32, #s, #smem, mutable> -> tensor<2x2xf32, #m>
)",
                             {argument(4), argument(0)});
  ASSERT_EQ(ops.size(), 3U);
  EXPECT_EQ(ops[0].buffer, 1);
  EXPECT_THAT(ops[0].addresses, ElementsAre(4, 8, 12, 16));
  // [[1, 2], [3, 4]] squared.
  EXPECT_THAT(ops[2].result, ElementsAre(7, 10, 15, 22));
}

TEST(EvaluatedBlocks, WhatIsNotKnownIsReportedWithoutAddresses) {
  const auto ops = evaluated(R"(    %f = tt.load %p : !tt.ptr<f32>
    %i = tt.elementwise_inline_asm "mov" %f : f32 -> i32
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    tt.store %q, %f : !tt.ptr<f32>
)",
                             {argument(4), argument(0)});
  ASSERT_EQ(ops.size(), 2U);
  EXPECT_THAT(ops[0].addresses, ElementsAre(4));
  EXPECT_TRUE(ops[1].addresses.empty());
}

constexpr std::string_view load_four =
    R"(    %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #b>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>, #b>
    %at = tt.addptr %ps, %range : tensor<4x!tt.ptr<f32>, #b>, tensor<4xi32, #b>
    %x = tt.load %at : tensor<4x!tt.ptr<f32>, #b>
)";

TEST(EvaluatedBlocks, ReductionsKeepTheOrderOfTheElements) {
  // The values are 1, 2, 3, 4. a - b of neighbours, and again: (1 - 2) - (3 - 4) = 0; the largest with its index.
  const auto ops = evaluated(std::string(load_four) + R"(    %d = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.subf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<4xf32, #b>) -> f32
    tt.store %p, %d : !tt.ptr<f32>
    %m:2 = "tt.reduce"(%x, %range) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
      %g = arith.cmpf ogt, %a, %b : f32
      %v = arith.select %g, %a, %b : f32
      %k = arith.select %g, %i, %j : i32
      tt.reduce.return %v, %k : f32, i32
    }) : (tensor<4xf32, #b>, tensor<4xi32, #b>) -> (f32, i32)
    %f = arith.sitofp %m#1 : i32 to f32
    tt.store %p, %f : !tt.ptr<f32>
)",
                             {argument(4), argument(0)});
  ASSERT_EQ(ops.size(), 3U);
  EXPECT_THAT(ops[1].result, ElementsAre(0));
  EXPECT_THAT(ops[2].result, ElementsAre(3));
}

TEST(EvaluatedBlocks, ScansAlongAnAxis) {
  const auto ops =
      evaluated(std::string(load_four) + R"(    %y = tt.reshape %x : tensor<4xf32, #b> -> tensor<2x2xf32, #b>
    %q = tt.reshape %at : tensor<4x!tt.ptr<f32>, #b> -> tensor<2x2x!tt.ptr<f32>, #b>
    %s = "tt.scan"(%y) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tt.scan.return %t : f32
    }) : (tensor<2x2xf32, #b>) -> tensor<2x2xf32, #b>
    tt.store %q, %s : tensor<2x2x!tt.ptr<f32>, #b>
)",
                {argument(4), argument(0)});
  ASSERT_EQ(ops.size(), 2U);
  EXPECT_THAT(ops[1].result, ElementsAre(4, 6, 3, 4));
}

TEST(EvaluatedBlocks, WhileLoopsAndRounding) {
  // 16 is halved four times. f16 cannot represent 2049.
  const auto ops = evaluated(R"(    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %r:2 = scf.while (%a = %n, %k = %c0) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi sgt, %a, %c1 : i32
      scf.condition(%more) %a, %k : i32, i32
    } do {
    ^bb0(%a: i32, %k: i32):
      %half = arith.divsi %a, %c2 : i32
      %next = arith.addi %k, %c1 : i32
      scf.yield %half, %next : i32, i32
    }
    %f = arith.sitofp %r#1 : i32 to f32
    %big = arith.constant 2.049000e+03 : f32
    %h = arith.truncf %big : f32 to f16
    %w = arith.extf %h : f16 to f32
    %sum = arith.addf %f, %w : f32
    tt.store %p, %sum : !tt.ptr<f32>
)",
                             {argument(4), argument(16)});
  ASSERT_EQ(ops.size(), 1U);
  EXPECT_THAT(ops[0].result, ElementsAre(2052));
}

TEST(EvaluatedBlocks, ElementsThatAreNotReadAreUndefined) {
  const MlirModule module = parse_mlir("tt.func public @f(%p: !tt.ptr<f32>) {\n" + std::string(load_four) +
                                       R"(    %end = arith.constant dense<2> : tensor<4xi32, #b>
    %mask = arith.cmpi slt, %range, %end : tensor<4xi32, #b>
    %y = tt.load %at, %mask : tensor<4x!tt.ptr<f32>, #b>
    %z = arith.mulf %y, %x : tensor<4xf32, #b>
    tt.return
}
)");
  EvaluatedBlock block;
  block.arguments = {argument(4)};
  block.read = read_counted;
  TensorValue last;
  block.value = [&](std::int32_t, std::size_t, const SharedValue& value) { last = *value; };
  std::uint64_t work = 1 << 20;
  ASSERT_TRUE(evaluate_block(module, module.functions().at(0), block, work, [](const EvaluatedOp&) {}));
  ASSERT_EQ(last.size(), 4U);
  EXPECT_EQ(last.reals[1], 4);
  EXPECT_FALSE(last.is_undefined(1));
  EXPECT_TRUE(last.is_undefined(2));
}

TEST(EvaluatedBlocks, SmallFloatsHaveTheirBits) {
  // Checks every bit pattern that is a number.
  for (const auto& [type, count] : {std::pair{"f16", 65536}, {"bf16", 65536}, {"f8E5M2", 256}, {"f8E4M3FN", 256}})
    for (int bits = 0; bits < count; ++bits) {
      const double value = read_real(type, static_cast<std::uint64_t>(bits));
      if (!std::isfinite(value)) continue;
      ASSERT_EQ(real_bits(type, value), static_cast<std::uint64_t>(bits)) << type;
      ASSERT_EQ(rounded_real(type, value), value) << type;
    }
}

TEST(EvaluatedBlocks, EndlessLoopsEnd) {
  const std::string body = R"(    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %end = arith.constant 9223372036854775807 : i64
    scf.for %i = %c0 to %end step %c1  : i64 {
    }
)";
  const auto ops = evaluated(body, {argument(4), argument(0)});
  ASSERT_EQ(ops.size(), 1U);
  EXPECT_EQ(ops[0].name, "the program takes too long to evaluate");
}

TEST(EvaluatedBlocks, WholeNumbers) {
  const auto result = [](std::string_view op, std::int64_t a, std::int64_t b, int bits = 32,
                         std::string_view word = "") { return whole_number_result(op, word, bits, a, b); };
  EXPECT_EQ(result("arith.divsi", -7, 2), -3);
  EXPECT_EQ(result("arith.floordivsi", -7, 2), -4);
  EXPECT_EQ(result("arith.ceildivsi", 7, 2), 4);
  EXPECT_EQ(result("arith.remsi", -7, 2), -1);
  EXPECT_EQ(result("arith.divui", -1, 2), 0x7fffffff);
  EXPECT_EQ(result("arith.shrui", -1, 28), 15);
  EXPECT_EQ(result("arith.shrsi", -16, 2), -4);
  EXPECT_EQ(result("arith.cmpi", -1, 1, 32, "ult"), 0);
  EXPECT_EQ(result("arith.cmpi", -1, 1, 32, "slt"), 1);
  EXPECT_EQ(result("arith.divsi", 1, 0), std::nullopt);
  EXPECT_EQ(result("arith.shli", 1, 40), std::nullopt);
  EXPECT_EQ(result("math.exp", 1, 1), std::nullopt);
}

}  // namespace
}  // namespace warpwalk::compiled
