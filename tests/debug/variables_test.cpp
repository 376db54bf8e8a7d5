// Variables of the source, as nvcc 13.0 -G and clang 14 -g describe them, against what tests/debug/variables/kernel.cu
// computes with the inputs of its launch files.
#include <fstream>
#include <stdexcept>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/debug/session.h"
#include "core/sass/elf/single_function.h"
#include "tests/timing/timed.h"

namespace warpwalk::debug {
namespace {

using gpu::timed::h200;
using gpu::timed::tests;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::unique_ptr<Session> session_of_launch(const std::string& file) {
  auto loaded = run::load_launch(tests() / "debug/variables" / file, h200());
  if (!loaded) throw std::runtime_error(loaded.error());
  auto recording = Recording::make(std::move(*loaded), h200(), {});
  if (!recording) throw std::runtime_error(recording.error());
  return std::make_unique<Session>(std::move(*recording));
}

std::uint32_t source_line_with(std::string_view text) {
  std::ifstream source(tests() / "debug/variables/kernel.cu");
  std::string line;
  for (std::uint32_t number = 1; std::getline(source, line); ++number)
    if (line.find(text) != std::string::npos) return number;
  throw std::runtime_error("no such line");
}

std::string value_of(Session& session, std::string_view expression, std::size_t frame = 0) {
  const auto value = session.evaluate(expression, session.focus(), frame);
  return value ? text_of(*value) : "error: " + value.error();
}

/// The kernel of cubin.json alone, as recordings keep it.
std::unique_ptr<Session> session_of_recorded_code() {
  const run::LoadedLaunch whole = *run::load_launch(tests() / "debug/variables/cubin.json", h200());
  run::LoadedLaunch loaded;
  loaded.path = whole.path;
  loaded.file = whole.file;
  loaded.module_file = whole.module_file;
  run::CubinSource machine{sass::single_function(whole.cubin, whole.program->entry->name), "kernel", "recorded"};
  EXPECT_LE(machine.cubin.size(), whole.cubin.size());
  auto alone = run::load_launch(std::move(loaded), std::move(machine), h200());
  if (!alone) throw std::runtime_error(alone.error());
  auto recording = Recording::make(std::move(*alone), h200(), {});
  if (!recording) throw std::runtime_error(recording.error());
  return std::make_unique<Session>(std::move(*recording));
}

// In this PTX, `sum` is in registers, and `scale` is a function that returns its value through memory.
TEST(VariablesOfPtx, InRegistersHaveWritersAndCanBeWatched) {
  const auto session = session_of_launch("ptx.json");
  ASSERT_TRUE(session->add_line("kernel.cu", source_line_with("sum += scale"), "i == 69 && k == 3", "").verified);
  ASSERT_EQ(session->run(true).reason, StopReason::breakpoint);
  ASSERT_EQ(value_of(*session, "sum"), "17496");
  const auto sum = session->who_wrote({WriterRequest::Kind::value, "sum", 0});
  ASSERT_TRUE(sum) << sum.error();
  EXPECT_THAT(sum->steps[sum->found].value, HasSubstr(" 17496f"));
  ASSERT_FALSE(sum->reads.empty());
  const auto result = session->who_wrote({WriterRequest::Kind::read, "", sum->reads.size() - 1});
  ASSERT_TRUE(result) << result.error();
  std::string steps;
  for (const WriterPlace& step : result->steps) steps += session->code().text_of(step.instruction) + "\n";
  EXPECT_THAT(steps, HasSubstr("ret"));

  session->remove(Breakpoint::Kind::line);
  ASSERT_TRUE(session->add_data("%f2", 0, Breakpoint::Access::change, "", "").verified);
  ASSERT_EQ(session->run(true).reason, StopReason::data);
  EXPECT_EQ(session->stop().text, "%f2 changes from 17496 to 32706");
  ASSERT_EQ(session->run(false).reason, StopReason::data);
  EXPECT_EQ(session->stop().text, "%f2 changes from 7067 to 17496");
  EXPECT_FALSE(session->add_data("%f2", 0, Breakpoint::Access::read, "", "").verified);
}

TEST(VariablesOfRecordedCode, AreThoseOfTheWholeModule) {
  const auto stop = [](Session& session) {
    session.add_line("kernel.cu", source_line_with("sum += scale"), "i == 69 && k == 3", "");
    session.run(true);
    std::vector<std::string> shown;
    for (const SourceVariables& scope : session.moment().source_variables())
      for (const SourceVariable& variable : scope.variables)
        shown.push_back(variable.type + " " + variable.name + " = " +
                        (variable.value ? text_of(*variable.value) : variable.note));
    return shown;
  };
  const auto whole = session_of_launch("cubin.json"), alone = session_of_recorded_code();
  const auto shown = stop(*whole);
  EXPECT_GT(shown.size(), 8U);
  EXPECT_EQ(stop(*alone), shown);
}

class Variables : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(FromNvcc, Variables, ::testing::Values("ptx.json", "cubin.json"), [](const auto& made) {
  return std::string(made.param, 0, std::string(made.param).find('.'));
});

// Thread 5 of block 1: i is 69, x[i] is 69, and tile[k] is 64 + k.
TEST_P(Variables, InRegistersMemoryAndParameters) {
  const auto session = session_of_launch(GetParam());
  const std::uint32_t line = source_line_with("sum += scale");
  ASSERT_TRUE(session->add_line("kernel.cu", line, "i == 69 && k == 3", "").verified);
  ASSERT_EQ(session->run(true).reason, StopReason::breakpoint);
  EXPECT_EQ(value_of(*session, "i"), "69 (0x45)");
  EXPECT_EQ(value_of(*session, "threadIdx.x"), "5");
  EXPECT_EQ(value_of(*session, "n"), "20 (0x14)");
  EXPECT_EQ(value_of(*session, "k"), "3");
  EXPECT_EQ(value_of(*session, "here"), "67");
  EXPECT_EQ(value_of(*session, "tile"), "{64, 65, 66, 67, 68, 69, 70, 71, ...}");
  EXPECT_EQ(value_of(*session, "tile[k] - here"), "0");
  for (int k = 0; k < 8; ++k) EXPECT_EQ(session->evaluate("weights[" + std::to_string(k) + "]")->integer, k * 69 + 20);
  float sum = 0;
  for (int k = 0; k < 3; ++k) sum += static_cast<float>(64 + k) * static_cast<float>(k * 69 + 20) + 1.0F;
  EXPECT_EQ(session->evaluate("sum")->as_real(), sum);
  EXPECT_EQ(value_of(*session, "pair"), "{a = 0.5, b = {3, 4, 5}}");
  EXPECT_EQ(value_of(*session, "pair.b[i & 1]"), "4");
  EXPECT_EQ(value_of(*session, "x[i]"), "69");
  EXPECT_THAT(value_of(*session, "x"), HasSubstr("const float* 0x7f"));
  EXPECT_THAT(value_of(*session, "pair.c"), HasSubstr("Pair has no member `c`"));
  // All blocks of the function, the innermost first.
  Moment moment = session->moment();
  const auto scopes = moment.source_variables();
  ASSERT_EQ(scopes.size(), 4U);
  EXPECT_EQ(scopes.back().scope, "weighted");
  EXPECT_EQ(scopes.back().variables.size(), 4U);
  EXPECT_EQ(moment.members(*session->evaluate("pair")).size(), 2U);
  // Another lane has its own.
  Focus other = session->focus();
  other.lane = 6;
  EXPECT_EQ(session->evaluate("i", other)->integer, 70);
}

TEST_P(Variables, SayWhereTheyAreInstead) {
  const auto session = session_of_launch(GetParam());
  ASSERT_TRUE(session->add_line("kernel.cu", source_line_with("tile[threadIdx.x] ="), "", "").verified);
  ASSERT_EQ(session->run(true).reason, StopReason::breakpoint);
  EXPECT_THAT(value_of(*session, "sum"), AllOf(HasSubstr("optimized out here; it is in "), HasSubstr(" line")));
}

TEST(VariablesOfFrames, CallersHaveTheirOwn) {
  const auto session = session_of_launch("ptx.json");
  ASSERT_TRUE(
      session->add_line("kernel.cu", source_line_with("return doubled"), "factor == 69 * 2 + 20 && blockIdx.x == 1", "")
          .verified);
  ASSERT_EQ(session->run(true).reason, StopReason::breakpoint);
  const auto stack = session->stack();
  ASSERT_EQ(stack.size(), 2U);
  EXPECT_EQ(stack[0].code.function, "scale");
  EXPECT_EQ(stack[1].code.function, "weighted");
  EXPECT_EQ(session->evaluate("doubled")->as_real(), 66.0 * (69 * 2 + 20));
  EXPECT_EQ(value_of(*session, "x"), "66");
  EXPECT_EQ(value_of(*session, "k", 1), "2");
  EXPECT_EQ(value_of(*session, "weights[2]", 1), "158 (0x9e)");
}

TEST(VariablesOfFrames, OptimisedCodeHasNamesOfInlinedFunctions) {
  const auto session = session_of_launch("optimised.json");
  ASSERT_TRUE(session->add_line("kernel.cu", source_line_with("float doubled"), "", "").verified);
  ASSERT_EQ(session->run(true).reason, StopReason::breakpoint);
  const auto stack = session->stack();
  ASSERT_EQ(stack.size(), 2U);
  EXPECT_EQ(stack[0].code.function, "scale");
  EXPECT_TRUE(stack[0].code.inlined);
  EXPECT_EQ(stack[1].code.function, "weighted");
  EXPECT_EQ(value_of(*session, "pair.b[2]", 1), "5");
  EXPECT_EQ(value_of(*session, "n", 1), "20 (0x14)");
  EXPECT_THAT(value_of(*session, "doubled"), HasSubstr("optimized out"));
}

TEST(VariablesOfFrames, CodeWithoutThemSaysSo) {
  auto loaded = run::load_launch(tests() / "history/wrong_output/stale_tile/launch.json", h200());
  ASSERT_TRUE(loaded);
  auto recording = Recording::make(std::move(*loaded), h200(), {});
  ASSERT_TRUE(recording);
  Session session(std::move(*recording));
  EXPECT_TRUE(session.moment().source_variables().empty());
  EXPECT_THAT(session.recording().source().absence(), HasSubstr("no debug information of variables"));
}

}  // namespace
}  // namespace warpwalk::debug
