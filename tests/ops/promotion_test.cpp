// Compares result types with torch.result_type for all pairs of types (data/views.json, by record_tensors.py).
#include <gtest/gtest.h>

#include "core/ops/library/library.h"
#include "tests/ops/tensor_json.h"

namespace warpwalk::ops {
namespace {

PromotionOperand operand(const rapidjson::Value& recorded) {
  const std::string_view kind = recorded[1].GetString();
  return {*dtype_of(recorded[0].GetString()), kind == "number", kind == "zero_dim"};
}

TEST(Promotion, AllPairsGiveWhatPyTorchGives) {
  const auto data = read_data("views.json");
  ASSERT_EQ(data["promotions"].Size(), 14u * 14u);
  for (const auto& pair : data["promotions"].GetArray())
    EXPECT_EQ(name_of(promoted({operand(pair[0]), operand(pair[1])})), pair[2].GetString()) << json_text(pair);
}

TEST(Promotion, ThreeOperandsAreTakenByRankNotByOrder) {
  const PromotionOperand tensor{DType::i32}, scalar{DType::f16, false, true}, number{DType::f64, true};
  EXPECT_EQ(promoted({number, scalar, tensor}), DType::f16);
  EXPECT_EQ(promoted({tensor, number}), DType::f32);
  EXPECT_EQ(promoted({tensor, {DType::i64, true}}), DType::i32);
}

TEST(Promotion, WhatOnlyFloatsHaveMakesIntegersF32) {
  EXPECT_EQ(floating(DType::i64), DType::f32);
  EXPECT_EQ(floating(DType::bf16), DType::bf16);
  EXPECT_EQ(floating(DType::f64), DType::f64);
}

}  // namespace
}  // namespace warpwalk::ops
