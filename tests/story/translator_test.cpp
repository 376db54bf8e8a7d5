#include "core/story/scenes/translator/translator.h"

#include <limits>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/scenes.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

Stage translator_beat(const Trace& trace, const Walk& walk, std::int64_t beat, double phase, Controls controls = {}) {
  return stage_at_beat(*find_scene("translator"), trace, walk, beat, phase, controls);
}

Walk walk_of(const Trace& trace, std::string_view what) {
  auto walk = follow(trace, what);
  EXPECT_TRUE(walk) << walk.error();
  return *std::move(walk);
}

TEST(Translator, ShapesAndTypesAreRead) {
  EXPECT_EQ(shapes_in("[[1024, 8], [], [7]]"), (std::vector<std::vector<std::int64_t>>{{1024, 8}, {}, {7}}));
  EXPECT_EQ(shapes_in("[[[1, 2], [3]], [4]]"), (std::vector<std::vector<std::int64_t>>{{}, {4}}));
  EXPECT_EQ(types_in(R"(["float", "", "c10::BFloat16"])"), (std::vector<std::string>{"float", "", "c10::BFloat16"}));
  for (const std::string_view hostile : {"", "[", "]]]]", "[[", "[[99999999999999999999999999]]", "[[1,]", "x"})
    shapes_in(hostile);
  EXPECT_EQ(dtype_named("c10::Half"), "float16");
  EXPECT_EQ(dtype_named("quint8"), "quint8");
}

TEST(Translator, NamesThatAreNoOps) {
  EXPECT_EQ(call_kind("aten::mm"), CallKind::op);
  EXPECT_EQ(call_kind("my_ops::nms"), CallKind::op);
  EXPECT_EQ(call_kind("MmBackward0"), CallKind::backward);
  EXPECT_EQ(call_kind("autograd::engine::evaluate_function: MmBackward0"), CallKind::backward);
  EXPECT_EQ(call_kind("torch::autograd::AccumulateGrad"), CallKind::backward);
  EXPECT_EQ(call_kind("detach"), CallKind::range);
  EXPECT_EQ(call_kind("Optimizer.step#Adam.step"), CallKind::range);
  EXPECT_EQ(call_kind("::"), CallKind::range);
}

TEST(Translator, TheRecordsSayHowEachOpWasCalled) {
  const Trace& trace = sample("relu_matmul");
  const Walk matmul = default_walk(trace);
  EXPECT_EQ(decision_of(trace, matmul, 0), Decision::composite);
  EXPECT_EQ(decision_of(trace, matmul, 1), Decision::launches);
  const Walk relu = walk_of(trace, "kernel:1");
  ASSERT_EQ(relu.ops.size(), 2u);
  EXPECT_EQ(decision_of(trace, relu, 0), Decision::through);
  const SceneInput input = {trace, relu, english(), hardware(), {}};
  const Call call = call_of(input);
  EXPECT_EQ(trace.name(call.op), "aten::clamp_min");
  EXPECT_EQ(call.recorded.mode, KeyMode::nested);
  EXPECT_EQ(call.recorded.backend, KeyBackend::cuda);
  EXPECT_EQ(call.recorded.layout, KeyLayout::strided);
  EXPECT_EQ(call.dtype, "float32");
}

TEST(Translator, TheTileGivesTheGrid) {
  // Against arithmetic of its own: every kernel of the samples whose name has a tile and whose op is a matrix product.
  std::size_t checked = 0;
  for (const std::string_view name : sample_names) {
    const Trace& trace = sample(name);
    for (const SliceId kernel : trace.kernel_order) {
      const Walk walk = follow_gpu_work(trace, kernel);
      const analysis::KernelName read = analysis::read_kernel_name(trace.name(kernel));
      const auto check = tile_check(trace, walk, call_of({trace, walk, english(), hardware(), {}}), read);
      if (!check) continue;
      ++checked;
      EXPECT_EQ(check->across, (check->m - 1) / read.tile->m + 1);
      EXPECT_EQ(check->down, (check->n - 1) / read.tile->n + 1);
      const auto& grid = kernel_detail(trace, walk)->grid;
      EXPECT_EQ(check->grid, std::int64_t{grid[0]} * grid[1] * grid[2]);
      EXPECT_GT(check->times(), 0) << trace.name(kernel) << " " << check->m << " " << check->n;
    }
  }
  EXPECT_GE(checked, 5u);
  const Trace& trace = sample("relu_matmul");
  const Stage stage = translator_beat(trace, default_walk(trace), 4, 1);
  EXPECT_EQ(fact_figure(stage, "Blocks needed for these tiles").text(), "8 × 16");
  EXPECT_EQ(fact_figure(stage, "Blocks needed for these tiles").origin(), Origin::derived);
  EXPECT_EQ(fact_figure(stage, "Grid").text(), "8 × 16");
}

TEST(Translator, ElementsAThread) {
  const Trace& trace = sample("relu_matmul");
  const Stage stage = translator_beat(trace, walk_of(trace, "kernel:1"), 4, 1);
  EXPECT_EQ(fact_figure(stage, "Elements per thread").value(), 1024.0 * 1024 / (1024 * 128));
}

TEST(Translator, OpsWithIntegerKernelsOfferThem) {
  EXPECT_EQ(instance_dtypes("aten::relu").back(), "int64");
  for (const std::string_view op : {"aten::mm", "aten::addmm", "aten::bmm", "aten::_softmax", "aten::gelu"})
    EXPECT_EQ(instance_dtypes(op).back(), "bfloat16") << op;
}

TEST(Translator, AnotherDeviceTakesTheOtherDoor) {
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  Controls controls;
  controls.set("translator.device", 1);
  const Stage stage = translator_beat(trace, walk, 3, 1, controls);
  EXPECT_EQ(stage.title, "The other way: CPU");
  const KeysPane& pane = *shared_picture<TranslatorPicture>(stage).keys;
  ASSERT_EQ(pane.doors.size(), 2u);
  EXPECT_FALSE(pane.doors[0].taken);
  EXPECT_TRUE(pane.doors[1].taken);
  EXPECT_TRUE(pane.set_by_person);
  EXPECT_THAT(pane.what_if, ::testing::HasSubstr("ended at CUDA"));
  // The beat about the recorded run does not change.
  EXPECT_EQ(translator_beat(trace, walk, 4, 1, controls).title, translator_beat(trace, walk, 4, 1).title);
  controls = {};
  controls.set("translator.layout", 2);
  EXPECT_THAT(translator_beat(trace, walk, 3, 1, controls).title, ::testing::HasSubstr("SparseCsrCUDA"));
  // A dtype moves nothing but the instance.
  controls = {};
  controls.set("translator.dtype", 3);
  const Stage half = translator_beat(trace, walk, 3, 1, controls);
  EXPECT_EQ(half.title, translator_beat(trace, walk, 3, 1).title);
  for (const auto& [dtype, chosen] : shared_picture<TranslatorPicture>(half).keys->instances)
    EXPECT_EQ(chosen, dtype == "bfloat16") << dtype;
  // mm has no instance for integers on a GPU, so the control does not offer it.
  controls.set("translator.dtype", 4);
  const Stage last = translator_beat(trace, walk, 3, 1, controls);
  for (const auto& [dtype, chosen] : shared_picture<TranslatorPicture>(last).keys->instances) {
    EXPECT_NE(dtype, "int64");
    EXPECT_EQ(chosen, dtype == "bfloat16") << dtype;
  }
}

TEST(Translator, SettingsOutOfRangeAreHeldInIt) {
  const auto check = [](const Trace& trace, const Walk& walk) {
    const auto beats = static_cast<std::int64_t>(find_scene("translator")->beats(trace, walk).size());
    for (const std::string_view control : {"device", "layout", "mode", "dtype", "line", "nonsense"})
      for (const double value : {-1e300, -1.0, 0.0, 0.5, 2.0, 7.0, 1e300, std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()}) {
        Controls controls;
        controls.set(fmt::format("translator.{}", control), value);
        for (std::int64_t beat = 1; beat <= beats; ++beat)
          for (const Control& shown : translator_beat(trace, walk, beat, 1, controls).controls) {
            if (shown.words.empty()) continue;
            EXPECT_GE(shown.value, 0);
            EXPECT_LT(shown.value, static_cast<double>(shown.words.size())) << shown.name;
            EXPECT_EQ(shown.shown, shown.words[static_cast<std::size_t>(shown.value)]);
          }
      }
  };
  check(sample("relu_matmul"), default_walk(sample("relu_matmul")));
  if (sanitized) return;
  for (const Crafted& made : crafted_translator()) check(made.trace, made.walk);
}

TEST(Translator, ALineIsFollowedThroughAllThreeTexts) {
  for (const Crafted& made : crafted_translator()) {
    if (made.name != "source, PTX and SASS") continue;
    Controls controls;
    controls.set("translator.line", 3);
    const Stage stage = translator_beat(made.trace, made.walk, 5, 1, controls);
    const CodePicture& pane = *shared_picture<TranslatorPicture>(stage).code;
    EXPECT_EQ(pane.line, 3);
    EXPECT_EQ(pane.columns[0].window.lit_lines, 1);
    EXPECT_EQ(pane.columns[1].window.lit_lines, 4);  // two by the map, the others by their .loc
    EXPECT_EQ(pane.columns[2].window.lit_lines, 2);
    EXPECT_EQ(fact_figure(stage, "SASS instructions made from it").value(), 2);
    // The order names its arguments: an allocation by its name and offset, a number by its value.
    const Stage ordering = translator_beat(made.trace, made.walk, 4, 1);
    const OrderPane& order = *shared_picture<TranslatorPicture>(ordering).order;
    EXPECT_THAT(order.command, ::testing::HasSubstr("(x + 16, 7)"));
    return;
  }
  FAIL() << "no crafted trace with code";
}

TEST(Translator, RecordedStepsAreShownWithTheirOwnOrigin) {
  for (const Crafted& made : crafted_translator()) {
    if (made.name != "dispatch steps on record") continue;
    const Stage stage = translator_beat(made.trace, made.walk, 2, 1);
    EXPECT_EQ(fact_figure(stage, "Keys whose function is called").value(), 4);
    EXPECT_EQ(fact_figure(stage, "Ends at").text(), "CUDA");
    EXPECT_EQ(fact_figure(stage, "Ends at").origin(), Origin::simulated);
    EXPECT_TRUE(stage.missing.empty());
    // Settings ask another question, which the record does not answer.
    Controls controls;
    controls.set("translator.device", 1);
    const Stage other = translator_beat(made.trace, made.walk, 2, 1, controls);
    EXPECT_EQ(fact_figure(other, "Highest key").origin(), Origin::derived);
    return;
  }
  FAIL() << "no crafted trace with dispatch steps";
}

TEST(Translator, DispatchRecordsThatMakeNoSenseAreShownAsFarAsTheyDo) {
  for (const std::string_view steps :
       {R"({"key": "", "function": "", "effect": "", "key_set": []})",
        R"({"key": "CUDA", "function": "f", "effect": "fallthrough", "key_set": ["CUDA"]})",
        R"({"key": "CPU", "function": "f", "effect": "kernel", "key_set": []}, {"key": "CPU", "effect": "kernel"})"}) {
    const std::string text = SmallTrace().op("aten::relu", 0, 100, R"("warpwalk dispatch": 0)").text();
    const std::size_t at_key = text.find(R"("schemaVersion")");
    ASSERT_NE(at_key, std::string::npos);
    trace::ReadResult read = trace::read_trace_text(
        text.substr(0, at_key) +
        fmt::format(
            R"("warpwalk": {{"format": 1, "dispatches": [{{"op": "o", "origin": "measured", "steps": [{}]}}]}}, )",
            steps) +
        text.substr(at_key));
    ASSERT_FALSE(read.error) << *read.error;
    ASSERT_EQ(read.trace.records.dispatches.size(), 1u);
    const Walk walk = default_walk(read.trace);
    for (std::int64_t beat = 1; beat <= 3; ++beat)
      for (const double phase : {0.0, 0.5, 1.0})
        EXPECT_FALSE(translator_beat(read.trace, walk, beat, phase).title.empty());
  }
}

}  // namespace
}  // namespace warpwalk::story::testing
