// Tests of the reader of MLIR's text form, with texts as Triton 3.4 and 3.6 write them.
#include "core/compiled/mlir/mlir.h"

#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

namespace warpwalk::compiled {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr std::string_view module_text = R"(#blocked = #ttg.blocked<{sizePerThread = [1], order = [0]}>
#slice = #ttg.slice<{dim = 0, parent = #blocked}>
#loc = loc("k.py":16:0)
#loc1 = loc(unknown)
#loc23 = loc("out_ptr"(#loc))
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @k(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("out_ptr"(#loc)), %n: i32 loc(#loc)) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<512xf32, #blocked> loc(#loc1)
    %true = arith.constant true loc(#loc1)
    %m = arith.cmpi slt, %a, %b : tensor<512xi32, #slice> loc(#loc3)
    %v = tt.load %p, %m, %cst : tensor<512x!tt.ptr<f32, 1>, #blocked> loc(#loc2)
    %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%x: f32 loc(callsite(#loc1 at #loc3)), %y: f32 loc(unknown)):
      %z = arith.addf %x, %y : f32 loc(#loc9)
      tt.reduce.return %z : f32 loc(#loc8)
    }) : (tensor<512xf32, #blocked>) -> f32 loc(#loc8)
    %t:2 = scf.for %i = %n to %n step %n iter_args(%acc = %cst, %k = %n) -> (tensor<512xf32, #blocked>, i32)  : i32 {
      %h = arith.truncf %acc : tensor<512xf32, #blocked> to tensor<512xf16, #blocked> loc(#loc2)
      scf.yield %acc, %k : tensor<512xf32, #blocked>, i32 loc(#loc2)
    } loc(#loc2)
    %c = scf.if %true -> (f32) {
      scf.yield %s : f32 loc(#loc2)
    } else {
      scf.yield %s : f32 loc(#loc2)
    } loc(#loc2)
    ttg.warp_specialize(%n) attributes {requestedRegisters = array<i32: 24>}
    default {
      ttg.warp_yield loc(#loc2)
    }
    partition0(%q: i32) num_warps(4) {
      ttg.warp_return loc(#loc2)
    } : (i32) -> () loc(#loc2)
    %tok = ttg.async_copy_global_to_local %p, %d mask %m : tensor<512x!tt.ptr<f32>, #blocked> -> <512xf32, #slice> loc(#loc2)
    tt.return loc(#loc2)
  } loc(#loc)
} loc(#loc)
#loc2 = loc("v"(#loc5))
#loc3 = loc("k.py":21:29)
#loc5 = loc("k.py":20:8)
#loc6 = loc("lib.py":191:40)
#loc7 = loc("lib.py":170:27)
#loc8 = loc(callsite(#loc6 at #loc3))
#loc9 = loc(callsite(#loc7 at #loc8))
)";

const MlirOp& op_of(const MlirModule& module, std::string_view name) {
  for (const MlirOp& op : module.ops)
    if (op.name == name) return op;
  ADD_FAILURE() << name;
  return module.ops.front();
}

TEST(Mlir, OperationsHaveTypesOperandsAndLines) {
  const MlirModule module = parse_mlir(module_text);
  EXPECT_EQ(mlir_attribute(module.ops.front(), "ttg.num-warps"), "4 : i32");
  const MlirOp& load = op_of(module, "tt.load");
  EXPECT_EQ(load.line, 11);
  EXPECT_EQ(load.results[0].type, "tensor<512xf32, #blocked>");
  EXPECT_THAT(load.operands, ElementsAre("%p", "%m", "%cst"));
  EXPECT_EQ(op_of(module, "arith.cmpi").results[0].type, "tensor<512xi1, #slice>");
  EXPECT_EQ(module.resolved("tensor<512xi1, #slice>"),
            "tensor<512xi1, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1], order = [0]}>}>>");
  EXPECT_EQ(op_of(module, "arith.truncf").results[0].type, "tensor<512xf16, #blocked>");
  EXPECT_EQ(op_of(module, "ttg.async_copy_global_to_local").results[0].type, "!ttg.async.token");
  const auto shaped = mlir_shaped("!ttg.memdesc<3x64x32xf16, #shared, #smem, mutable>");
  ASSERT_TRUE(shaped);
  EXPECT_THAT(shaped->shape, ElementsAre(3, 64, 32));
  EXPECT_EQ(shaped->element, "f16");
  EXPECT_EQ(shaped->encoding, "#shared");
  EXPECT_THAT(shaped->rest, ElementsAre("#smem", "mutable"));
}

TEST(Mlir, RegionsHaveBlocksWithArguments) {
  const MlirModule module = parse_mlir(module_text);
  const auto blocks = [&](std::string_view name) {
    std::vector<const MlirBlock*> all;
    for (const std::int32_t block : op_of(module, name).blocks) all.push_back(&module.blocks[block]);
    return all;
  };
  ASSERT_THAT(blocks("tt.reduce"), SizeIs(1));
  EXPECT_EQ(blocks("tt.reduce")[0]->label, "^bb0");
  EXPECT_EQ(blocks("tt.reduce")[0]->arguments[1].type, "f32");
  EXPECT_EQ(op_of(module, "tt.reduce").results[0].type, "f32");
  EXPECT_EQ(mlir_attribute(op_of(module, "tt.reduce"), "axis"), "0 : i32");
  const MlirOp& loop = op_of(module, "scf.for");
  EXPECT_EQ(loop.last_line, 20);
  EXPECT_EQ(loop.results[1].pack_index, 1);
  EXPECT_EQ(loop.results[1].type, "i32");
  EXPECT_THAT(loop.operands, ElementsAre("%n", "%n", "%n", "%cst", "%n"));
  const auto& arguments = blocks("scf.for")[0]->arguments;
  ASSERT_THAT(arguments, SizeIs(3));
  EXPECT_EQ(arguments[0].type, "i32");
  EXPECT_EQ(arguments[1].type, "tensor<512xf32, #blocked>");
  EXPECT_THAT(blocks("scf.if"), SizeIs(2));
  EXPECT_EQ(blocks("scf.if")[1]->region, 1);
  ASSERT_THAT(blocks("ttg.warp_specialize"), SizeIs(2));
  EXPECT_EQ(blocks("ttg.warp_specialize")[1]->arguments[0].name, "%q");
  ASSERT_THAT(module.functions(), SizeIs(1));
  const MlirOp& function = module.ops[module.functions()[0]];
  EXPECT_EQ(function.symbol, "k");
  const MlirValue& first = module.blocks[function.blocks[0]].arguments[0];
  EXPECT_EQ(first.type, "!tt.ptr<f32>");
  EXPECT_EQ(module.frames(first.location).front().name, "out_ptr");
}

TEST(Mlir, LocationsAreChainsOfFrames) {
  const MlirModule module = parse_mlir(module_text);
  EXPECT_THAT(module.frames(op_of(module, "tt.load").location), ElementsAre(MlirFrame{"k.py", 20, 8, "v"}));
  EXPECT_THAT(
      module.frames(op_of(module, "arith.addf").location),
      ElementsAre(MlirFrame{"lib.py", 170, 27, ""}, MlirFrame{"lib.py", 191, 40, ""}, MlirFrame{"k.py", 21, 29, ""}));
  EXPECT_TRUE(module.frames(op_of(module, "arith.constant").location).empty());
}

TEST(Mlir, DamagedTextsAreReadInLinearTime) {
  std::string deep, circle = "#a = loc(callsite(#b at #b))\n#b = loc(callsite(#a at #a))\ntt.x loc(#a)\n";
  for (int i = 0; i < 20'000; ++i) deep += "loc(callsite(";
  parse_mlir("tt.x " + deep);
  const MlirModule module = parse_mlir(circle);
  EXPECT_TRUE(module.frames(module.ops[0].location).empty());
  std::string laughs = "#a0 = x\n";
  for (int i = 1; i < 60; ++i)
    laughs += "#a" + std::to_string(i) + " = <#a" + std::to_string(i - 1) + ", #a" + std::to_string(i - 1) + ">\n";
  EXPECT_LT(parse_mlir(laughs).resolved("#a59").size(), std::size_t{1} << 20);
  EXPECT_LT(parse_mlir("%a:99999999,%b:99999999 = tt.x\n").ops[0].results.size(), 100U);
}

}  // namespace
}  // namespace warpwalk::compiled
