// Tests plans (which kernels with which shapes for which inputs) and that every entry of the catalogue's modules is
// used by some plan.
#include "core/run/catalogue/catalogue.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/ops/library/library.h"
#include "core/ptx/parse/parser.h"
#include "tests/run/catalogue_plans.h"

namespace warpwalk::run {
namespace {

using ops::DType;
using ops::Geometry;
using ops::Sizes;

using testing::row_major;
using testing::tensor_dtypes;
using testing::turned;

Plan planned(std::string_view op, const std::vector<Operand>& inputs, const std::vector<double>& numbers = {}) {
  auto made = plan(op, inputs, numbers);
  EXPECT_TRUE(made) << made.error();
  return made ? *made : Plan{};
}

std::string refused_plan(std::string_view op, const std::vector<Operand>& inputs,
                         const std::vector<double>& numbers = {}) {
  const auto made = plan(op, inputs, numbers);
  return made ? "" : made.error();
}

std::int32_t int_of(const PlannedArgument& argument) {
  std::int32_t value = 0;
  std::memcpy(&value, argument.bytes.data(), std::min<std::size_t>(4, argument.bytes.size()));
  return value;
}

TEST(Catalogue, KnowsWhatTheLibraryLeavesToABackend) {
  const std::set<std::string_view> planned_ones = [] {
    const auto ops = planned_ops();
    return std::set<std::string_view>(ops.begin(), ops.end());
  }();
  ops::Dispatcher dispatcher;
  register_library(dispatcher);
  register_cpu(dispatcher);
  for (const auto& [name, op] : dispatcher.operators()) {
    const bool on_cpu = op.table[static_cast<std::size_t>(ops::Key::CPU)].kind == ops::Registration::Kind::kernel;
    // aten::sum calls sum.dim_IntList here, but is a separate kernel in PyTorch's traces.
    const bool planned_one = planned_ones.contains(name) && name != "aten::sum";
    EXPECT_EQ(on_cpu, planned_one || name == "aten::empty.memory_format") << name;
  }
}

TEST(Catalogue, ReluOfFloatsIsTheTeachingKernel) {
  const Plan one = planned("aten::relu", {row_major(DType::f32, {1000})});
  ASSERT_EQ(one.launches.size(), 1u);
  const PlannedLaunch& launch = one.launches[0];
  EXPECT_EQ(launch.module, "relu");
  EXPECT_EQ(launch.entry, "relu");
  EXPECT_EQ(launch.grid, (std::array<std::uint32_t, 3>{4, 1, 1}));
  EXPECT_EQ(launch.block, (std::array<std::uint32_t, 3>{256, 1, 1}));
  ASSERT_EQ(launch.arguments.size(), 3u);
  EXPECT_EQ(launch.arguments[0].operand, 0);
  EXPECT_EQ(launch.arguments[1].operand, 1);
  EXPECT_EQ(launch.arguments[2].dtype, "i32");
  EXPECT_EQ(int_of(launch.arguments[2]), 1000);
  EXPECT_EQ(one.result, 1u);
  EXPECT_FALSE(launch.why.empty());
}

TEST(Catalogue, PicksByLayout) {
  const auto entry = [](std::string_view op, const std::vector<Operand>& inputs) {
    return planned(op, inputs).launches.at(0).entry;
  };
  const Operand a = row_major(DType::f32, {8, 8});
  EXPECT_EQ(entry("aten::add.Tensor", {a, a}), "vecadd");
  EXPECT_EQ(entry("aten::add.Tensor", {a, turned(DType::f32, {8, 8})}), "add_strided_f32");
  EXPECT_EQ(entry("aten::add.Tensor", {a, row_major(DType::f32, {8})}), "add_strided_f32");
  EXPECT_EQ(entry("aten::add.Tensor", {a, row_major(DType::f32, {1, 8, 8})}), "vecadd");
  EXPECT_EQ(entry("aten::mm", {a, a}), "matmul_tiled");
  EXPECT_EQ(entry("aten::mm", {a, turned(DType::f32, {8, 8})}), "mm_f32");
  EXPECT_EQ(entry("aten::mm", {row_major(DType::f16, {8, 8}), row_major(DType::f16, {8, 8})}), "mm_f16");
  EXPECT_EQ(entry("aten::mm", {row_major(DType::f32, {1024, 64}), row_major(DType::f32, {64, 1024})}),
            "matmul_registers");
  EXPECT_EQ(entry("aten::sum", {a}), "reduce_shuffle");
}

TEST(Catalogue, AStrideOfADimensionOfOneDoesNotMatter) {
  Operand column = row_major(DType::f32, {5, 1});
  column.geometry.strides = {1, 77};
  EXPECT_EQ(planned("aten::exp", {column}).launches.at(0).entry, "exp_f32");
}

TEST(Catalogue, ResultsInPlaceAreTheFirstInput) {
  const Operand a = turned(DType::f32, {4, 6});
  for (const auto& [op, inputs, numbers] :
       std::initializer_list<std::tuple<std::string_view, std::vector<Operand>, std::vector<double>>>{
           {"aten::relu_", {a}, {}}, {"aten::copy_", {a, a}, {}}, {"aten::fill_.Scalar", {a}, {1}}}) {
    const Plan one = planned(op, inputs, numbers);
    EXPECT_EQ(one.result, 0u) << op;
    EXPECT_EQ(one.operands.size(), inputs.size()) << op;
  }
}

TEST(Catalogue, NothingIsLaunchedForNoElement) {
  EXPECT_TRUE(planned("aten::neg", {row_major(DType::f32, {0, 4})}).launches.empty());
  EXPECT_TRUE(planned("aten::mm", {row_major(DType::f32, {0, 4}), row_major(DType::f32, {4, 3})}).launches.empty());
  // An empty sum or product over an empty dimension is 0, which a kernel must write.
  EXPECT_EQ(planned("aten::sum", {row_major(DType::f32, {0, 4})}).launches.size(), 1u);
  EXPECT_EQ(planned("aten::mm", {row_major(DType::f32, {2, 0}), row_major(DType::f32, {0, 3})}).launches.size(), 1u);
}

TEST(Catalogue, LargeTensorsStayWithinTheGridOrAreRefused) {
  const std::int64_t limit = (std::int64_t{1} << 31) - 1024;
  EXPECT_EQ(planned("aten::neg", {row_major(DType::f32, {limit})}).launches.at(0).grid[0], 8388604u);
  EXPECT_THAT(refused_plan("aten::neg", {row_major(DType::f32, {limit + 1})}), ::testing::HasSubstr("32 bits"));
  EXPECT_THAT(
      refused_plan("aten::add.Tensor", {row_major(DType::f32, {1 << 16, 1}), row_major(DType::f32, {1, 1 << 16})}),
      ::testing::HasSubstr("32 bits"));
  // 2 million rows exceed the grid's y limit for tiles; the general kernel puts its tiles in x.
  EXPECT_EQ(
      planned("aten::mm", {row_major(DType::f32, {2000000, 4}), row_major(DType::f32, {4, 4})}).launches.at(0).entry,
      "mm_f32");
  for (const PlannedLaunch& launch :
       planned("aten::bmm", {row_major(DType::f32, {100000, 2, 2}), row_major(DType::f32, {100000, 2, 2})}).launches)
    EXPECT_LE(launch.grid[2], 65535u);
}

TEST(Catalogue, RefusesInOneLine) {
  const Operand f = row_major(DType::f32, {4}), i = row_major(DType::i32, {4}), u = row_major(DType::u8, {4});
  for (const std::string& line :
       {refused_plan("aten::conv2d", {f}), refused_plan("aten::add.Tensor", {f, i}), refused_plan("aten::exp", {i}),
        refused_plan("aten::div.Tensor", {i, i}), refused_plan("aten::neg", {u}), refused_plan("aten::neg", {f, f}),
        refused_plan("aten::add.Tensor", {f}), refused_plan("aten::mul.Tensor", {i}, {0.5}),
        refused_plan("aten::mm", {f, f}), refused_plan("aten::add.Tensor", {f, row_major(DType::f32, {3})}),
        refused_plan("aten::fill_.Scalar", {i}, {1e10}), refused_plan("aten::sum.dim_IntList", {f}, {3, 0}),
        refused_plan("aten::add_.Tensor", {f, row_major(DType::f32, {2, 4})}),
        refused_plan("aten::mm", {row_major(DType::f32, {2, 3}), row_major(DType::f32, {2, 3})})}) {
    EXPECT_TRUE(line.starts_with("aten::")) << line;
    EXPECT_THAT(line, ::testing::Not(::testing::HasSubstr("\n")));
  }
}

std::string file_text(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(Catalogue, EveryLaunchFitsItsKernelAndEveryKernelHasALaunch) {
  std::map<std::string, ptx::Module> modules;
  std::map<std::string, std::set<std::string>> used;
  std::vector<PlannedLaunch> launches;
  for (const Plan& one : testing::plans_of_every_kernel())
    launches.insert(launches.end(), one.launches.begin(), one.launches.end());
  for (const PlannedLaunch& launch : launches) {
    SCOPED_TRACE(launch.entry);
    used[launch.module].insert(launch.entry);
    if (!modules.contains(launch.module)) {
      auto parsed = ptx::parse(file_text(std::string(WARPWALK_SOURCE_DIR "/assets/ptx/") + launch.module + ".ptx"));
      ASSERT_TRUE(std::holds_alternative<ptx::Module>(parsed)) << launch.module;
      modules.emplace(launch.module, std::move(std::get<ptx::Module>(parsed)));
    }
    const ptx::Function* const entry = modules.at(launch.module).entry(launch.entry);
    ASSERT_NE(entry, nullptr);
    ASSERT_EQ(entry->parameters.size(), launch.arguments.size());
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
      EXPECT_EQ(entry->parameters[i].bytes, launch.arguments[i].operand >= 0 ? 8 : launch.arguments[i].bytes.size())
          << "argument " << i;
    EXPECT_THAT(launch.why, ::testing::Not(::testing::HasSubstr("\n")));
    EXPECT_FALSE(launch.why.empty());
  }
  for (const auto& [name, module] : modules)
    for (const ptx::Function& function : module.functions)
      EXPECT_TRUE(!function.is_entry || used[name].contains(function.name)) << name << "/" << function.name;
}

}  // namespace
}  // namespace warpwalk::run
