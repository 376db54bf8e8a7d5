#include <gtest/gtest.h>

#include "core/story/facts/code/dispatch_keys.h"

namespace warpwalk::story::testing {
namespace {

const KeyRow& row_of(const std::vector<KeyRow>& rows, std::string_view key) {
  for (const KeyRow& row : rows)
    if (row.key == key) return row;
  ADD_FAILURE() << "no row " << key;
  static const KeyRow none;
  return none;
}

// The keys whose functions are called, in their turn.
std::string way(const KeyQuestion& question, std::string_view op) {
  const std::vector<KeyRow> rows = key_table(question, op);
  std::string out;
  for (int turn = 1; turn < 10; ++turn)
    for (const KeyRow& row : rows)
      if (row.turn == turn) out += (out.empty() ? "" : " ") + row.key;
  return out;
}

using B = KeyBackend;
using L = KeyLayout;
using M = KeyMode;

TEST(Keys, TheHighestWinsAndIsMaskedOff) {
  EXPECT_EQ(way({B::cuda, L::strided, M::grad}, "aten::mm"), "AutogradCUDA CUDA");
  EXPECT_EQ(way({B::cpu, L::strided, M::grad}, "aten::mm"), "AutogradCPU CPU");
  EXPECT_EQ(way({B::cuda, L::coo, M::grad}, "aten::mm"), "AutogradCUDA SparseCUDA");
  EXPECT_EQ(way({B::cpu, L::csr, M::grad}, "aten::mm"), "AutogradCPU SparseCsrCPU");
  EXPECT_EQ(way({B::cuda, L::strided, M::nested}, "aten::clamp_min"), "CUDA");
  EXPECT_EQ(way({B::cuda, L::strided, M::inference}, "aten::mm"), "CUDA");
}

TEST(Keys, GradientsChangeNoKey) {
  // Every tensor that is not an inference tensor carries its Autograd key; whether a gradient is wanted is asked there.
  EXPECT_EQ(way({B::cuda, L::strided, M::no_grad}, "aten::mm"), "AutogradCUDA CUDA");
}

TEST(Keys, AutocastCastsWhatItKnows) {
  EXPECT_EQ(way({B::cuda, L::strided, M::autocast}, "aten::mm"), "AutocastCUDA AutogradCUDA CUDA");
  EXPECT_EQ(way({B::cuda, L::strided, M::autocast}, "aten::relu"), "AutogradCUDA CUDA");
  EXPECT_EQ(row_of(key_table({B::cuda, L::strided, M::autocast}, "aten::relu"), "AutocastCUDA").effect,
            KeyEffect::skipped);
  EXPECT_EQ(row_of(key_table({B::cuda, L::strided, M::grad}, "aten::mm"), "AutocastCUDA").set, Bit::off);
}

TEST(Keys, InPlaceOpsAndFactoriesHaveAFunctionMore) {
  EXPECT_EQ(way({B::cuda, L::strided, M::grad}, "aten::mul_"), "AutogradCUDA ADInplaceOrView CUDA");
  EXPECT_EQ(way({B::cuda, L::strided, M::grad}, "aten::view"), "AutogradCUDA ADInplaceOrView CUDA");
  EXPECT_EQ(way({B::cuda, L::strided, M::nested}, "aten::mul_"), "CUDA");
  EXPECT_EQ(way({B::cuda, L::strided, M::grad}, "aten::empty"), "AutogradCUDA BackendSelect CUDA");
  EXPECT_FALSE(in_place_or_view("aten::__and__"));
}

TEST(Keys, ACompositeOpEndsWhereItBegins) {
  EXPECT_EQ(way({B::cuda, L::strided, M::grad}, "aten::matmul"), "AutogradCUDA");
  EXPECT_EQ(way({B::cuda, L::strided, M::nested}, "aten::matmul"), "CUDA");
  EXPECT_EQ(row_of(key_table({B::cuda, L::strided, M::nested}, "aten::matmul"), "CUDA").effect, KeyEffect::composite);
}

TEST(Keys, OfTwoBackendsCudaIsHigher) {
  const std::vector<KeyRow> rows = key_table({B::both, L::strided, M::grad}, "aten::copy_");
  EXPECT_EQ(way({B::both, L::strided, M::grad}, "aten::copy_"), "AutogradCUDA ADInplaceOrView CUDA");
  EXPECT_EQ(row_of(rows, "CPU").set, Bit::on);
  EXPECT_EQ(row_of(rows, "CPU").effect, KeyEffect::below);
}

TEST(Keys, WhatIsNotKnownStaysOpen) {
  const std::vector<KeyRow> rows = key_table({B::unknown, L::unknown, M::unknown}, "aten::add");
  EXPECT_EQ(row_of(rows, "CUDA").set, Bit::maybe);
  EXPECT_EQ(row_of(rows, "CPU").set, Bit::maybe);
  EXPECT_EQ(row_of(rows, "CUDA").turn, row_of(rows, "CPU").turn);
  EXPECT_EQ(row_of(rows, "AutogradCUDA").effect, KeyEffect::perhaps);
  EXPECT_EQ(row_of(rows, "SparseCUDA").set, Bit::off);
}

TEST(Keys, TheSetIsTensorsAndThreadLessWhatTheThreadRemoves) {
  for (const B backend : {B::cuda, B::cpu, B::both, B::unknown})
    for (const L layout : {L::strided, L::coo, L::csr, L::unknown})
      for (const M mode : {M::grad, M::no_grad, M::inference, M::autocast, M::nested, M::unknown})
        for (const std::string_view op : {"aten::mm", "aten::matmul", "aten::mul_", "aten::empty", "my::op", ""}) {
          const std::vector<KeyRow> rows = key_table({backend, layout, mode}, op);
          for (const KeyRow& row : rows) {
            const bool in = (row.tensors != Bit::off || row.adds != Bit::off) && row.removes != Bit::on;
            EXPECT_EQ(row.set != Bit::off, in) << op << " " << row.key;
            EXPECT_EQ(row.effect == KeyEffect::none, !in) << op << " " << row.key;
          }
          ASSERT_LT(first_turn(rows), rows.size());
          ASSERT_LT(last_turn(rows), rows.size());
          EXPECT_LE(first_turn(rows), last_turn(rows));
          const KeyEffect end = rows[last_turn(rows)].effect;
          EXPECT_TRUE(end == KeyEffect::kernel || end == KeyEffect::composite) << op;
        }
}

}  // namespace
}  // namespace warpwalk::story::testing
