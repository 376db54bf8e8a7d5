// The conditions of `info --fail-if`.
#include "app/verbs/info/conditions.h"

#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"

namespace warpwalk::verbs {
namespace {

using Operator = Condition::Operator;

TEST(Conditions, AreANameAnOperatorAndANumber) {
  const struct {
    const char* text;
    Operator op;
    double limit;
  } cases[] = {{"idle_pct>20", Operator::more, 20},     {"idle_pct >= 20.5", Operator::at_least, 20.5},
               {" idle_pct<1e2 ", Operator::less, 100}, {"idle_pct<=-3", Operator::at_most, -3},
               {"idle_pct == 0", Operator::equal, 0},   {"idle_pct!=0", Operator::unequal, 0}};
  for (const auto& [text, op, limit] : cases) {
    const auto condition = parse_condition(text);
    ASSERT_TRUE(condition) << text << ": " << condition.error();
    EXPECT_EQ(condition->figure->name, "idle_pct");
    EXPECT_EQ(condition->op, op) << text;
    EXPECT_EQ(condition->limit, limit) << text;
  }
  for (const char* const text : {"", ">", "idle_pct", "idle_pct>", ">20", "idle_pct=20", "idle_pct>20 30", "idle_pct>x",
                                 "idle_pct>nan", "idle_pct>inf", "idle_pct>>20", "idle_pct!20", "no_such_figure>1"})
    EXPECT_FALSE(parse_condition(text)) << text;
}

TEST(Conditions, HoldAsTheirOperatorSays) {
  const struct {
    const char* op;
    bool below, same, above;
  } cases[] = {{">", false, false, true}, {">=", false, true, true},  {"<", true, false, false},
               {"<=", true, true, false}, {"==", false, true, false}, {"!=", true, false, true}};
  for (const auto& [op, below, same, above] : cases) {
    const auto condition = parse_condition(fmt::format("kernels{}5", op));
    ASSERT_TRUE(condition);
    EXPECT_EQ(condition->holds(4.9), below) << op;
    EXPECT_EQ(condition->holds(5), same) << op;
    EXPECT_EQ(condition->holds(5.1), above) << op;
  }
  EXPECT_EQ(condition_text(*parse_condition("kernels>5"), 1234567), "kernels>5: it is 1234567");
  EXPECT_EQ(condition_text(*parse_condition("idle_pct>5"), 43.21987), "idle_pct>5: it is 43.22");
}

// A kernel of 60 us and one of NCCL of 20 us in 100 us: 20 % idle.
TEST(Conditions, FiguresAreThoseOfTheTrace) {
  LoadedTrace loaded;
  loaded.result = trace::read_trace_text(
      R"({"traceEvents": [)"
      R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 60, "args": {"device": 0, "stream": 7}},)"
      R"({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 7, "ts": 81, "dur": 20, "args": {"device": 0, "stream": 7}}]})");
  InfoFigures figures(loaded);
  const auto value = [&](std::string_view name) {
    for (const NamedFigure& figure : named_figures())
      if (figure.name == name) return figure.value(figures).value_or(-1);
    ADD_FAILURE() << name;
    return -1.0;
  };
  EXPECT_DOUBLE_EQ(value("idle_pct"), 20);
  EXPECT_DOUBLE_EQ(value("gpu_busy_pct"), 80);
  EXPECT_DOUBLE_EQ(value("computing_pct"), 60);
  EXPECT_DOUBLE_EQ(value("communication_pct"), 20);
  EXPECT_DOUBLE_EQ(value("communication_alone_pct"), 20);
  EXPECT_DOUBLE_EQ(value("copying_pct"), 0);
  EXPECT_DOUBLE_EQ(value("gpu_span_ms"), 0.1);
  EXPECT_DOUBLE_EQ(value("gaps"), 1);
  EXPECT_DOUBLE_EQ(value("kernels"), 2);
  EXPECT_DOUBLE_EQ(value("kernels_without_launch"), 2);
  EXPECT_DOUBLE_EQ(value("gpus"), 1);
  EXPECT_DOUBLE_EQ(value("events"), 2);
  EXPECT_DOUBLE_EQ(value("steps"), 0);
  EXPECT_DOUBLE_EQ(value("step_median_ms"), -1) << "there is none";
  double causes = 0, path = 0;
  for (const NamedFigure& figure : named_figures()) {
    if (figure.name.starts_with("gaps.")) causes += *figure.value(figures);
    if (figure.name.starts_with("path.")) path += *figure.value(figures);
  }
  EXPECT_NEAR(causes, 20, 1e-9);
  EXPECT_NEAR(path, 100, 1e-9);
}

// 20 us of a kernel, then one that begins 180 us after it although it was launched before: the GPU may have worked.
TEST(Conditions, TimeThatTheTraceMayLackFailsNothing) {
  LoadedTrace loaded;
  loaded.result = trace::read_trace_text(
      R"({"traceEvents": [)"
      R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}},)"
      R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "args": {"correlation": 1}},)"
      R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 4, "dur": 2, "args": {"correlation": 2}},)"
      R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 210, "dur": 0.1, "args": {"device": 0, "stream": 7, "correlation": 2}}]})");
  InfoFigures figures(loaded);
  const auto value = [&](std::string_view name, bool at_best) {
    for (const NamedFigure& figure : named_figures())
      if (figure.name == name) return (at_best ? figure.at_best : figure.value)(figures).value_or(-1);
    ADD_FAILURE() << name;
    return -1.0;
  };
  EXPECT_NEAR(value("idle_pct", false), 100 * 180 / 200.1, 1e-9);
  EXPECT_DOUBLE_EQ(value("idle_pct", true), 0);
  EXPECT_DOUBLE_EQ(value("known_idle_pct", false), 0);
  EXPECT_NEAR(value("gpu_busy_pct", true), 100, 1e-9);
  EXPECT_NEAR(value("computing_pct", true), 100, 1e-9);
  EXPECT_EQ(doubtful_text(*parse_condition("idle_pct>20"), 89.96, 0),
            "idle_pct>20: not counted: it is 89.96, but 0 without the time of which the trace may lack work");
}

TEST(Conditions, EveryFigureHasItsOwnNameAndIsDocumented) {
  std::ifstream in(WARPWALK_SOURCE_DIR "/docs/verbs.md");
  const std::string page(std::istreambuf_iterator<char>(in), {});
  std::set<std::string> names;
  for (const NamedFigure& figure : named_figures()) {
    EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
    EXPECT_NE(figure.meaning, "") << figure.name;
    EXPECT_NE(page.find("`" + figure.name + "`"), std::string::npos) << figure.name;
  }
}

}  // namespace
}  // namespace warpwalk::verbs
