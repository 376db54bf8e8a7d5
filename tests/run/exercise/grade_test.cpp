// Grades of submissions of a small exercise. Its sources are PTX, so that no compiler is needed.
#include "core/run/exercise/grade.h"

#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/gpu/device/device_file.h"
#include "core/platform/temporary_folder.h"
#include "core/run/exercise/grade_report.h"

namespace warpwalk::run {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view description = R"({"order": 1, "title": "Twice", "task": ["y[i] = 2 x[i]"], "kernel": "twice",
  "launch": {"grid": ["(n + 31) / 32", 1, 1], "block": [32, 1, 1],
             "args": [{"buffer": "x", "dtype": "i32", "count": "n", "fill": {"random": 3}},
                      {"buffer": "y", "dtype": "i32", "count": "n"}, {"scalar": "n", "dtype": "i32"}]},
  "outputs": {"y": {}}, "sizes": [{"n": 100}, {"n": 1}, {"n": [33, 90]}], "timed": {"n": 4096},
  "criteria": [{"figure": "cycles", "of": "starter", "at_most": 1.05},
               {"figure": "global_load_sectors", "per": "global_load_requests", "at_most": 4},
               {"figure": "atomic_instructions", "at_most": 0}], "hints": ["Look."]})";

/// A kernel of this body. %r4 is the index of the thread, %r5 is n, %d1 and %d2 are the addresses of x[i] and y[i].
std::string kernel(std::string_view name, std::string_view body, std::string_view guard = "@%p1 bra DONE;\n") {
  return fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry {}(.param .u64 x, .param .u64 y, .param .u32 n)
{{
.reg .b32 %r<12>;
.reg .b64 %d<6>;
.reg .pred %p<4>;
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %ntid.x;
mad.lo.s32 %r4, %r2, %r3, %r1;
ld.param.u32 %r5, [n];
setp.ge.s32 %p1, %r4, %r5;
{}ld.param.u64 %d3, [x];
ld.param.u64 %d4, [y];
mad.wide.s32 %d1, %r4, 4, %d3;
mad.wide.s32 %d2, %r4, 4, %d4;
{}
DONE: ret;
}}
)",
                     name, guard, body);
}

constexpr std::string_view right = "ld.global.u32 %r6, [%d1];\nadd.s32 %r6, %r6, %r6;\nst.global.u32 [%d2], %r6;";

class Grades : public ::testing::Test {
 protected:
  Grades() {
    std::ofstream(folder_.path() / "exercise.json") << description;
    std::ofstream(folder_.path() / "starter.cu") << kernel("twice", right, "");
    // The reference runs with 64 blocks of 256 threads, which is more than any size here.
    std::ofstream(folder_.path() / "reference.cu") << kernel("reference", right);
  }
  GradeOptions options(std::uint64_t seed) {
    GradeOptions how;
    auto device = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
    EXPECT_TRUE(device) << device.error();
    how.how.device = *std::move(device);
    how.how.ask_ptxas = false;
    how.how.compile_cuda = [](const std::string& source, const std::string&, std::string_view,
                              const std::atomic<bool>*) -> platform::CompileResult {
      if (source.starts_with("//"))
        return platform::CudaFailure{"submission.cu: nonsense", "submission.cu(1): error: nonsense\n"};
      return platform::CompiledCuda{source, source, "", "a test", ""};
    };
    how.seed = seed;
    return how;
  }
  Grade grade(const std::string& source, std::uint64_t seed = 7) {
    auto exercise = open_exercise(folder_.path());
    EXPECT_TRUE(exercise) << exercise.error();
    Grader grader(*std::move(exercise), options(seed));
    const auto ready = grader.prepare();
    EXPECT_TRUE(ready) << ready.error();
    return grader.grade(source, "submission");
  }
  static const Verdict& verdict(const Grade& grade, std::string_view criterion) {
    const auto found = std::ranges::find(grade.verdicts, criterion, &Verdict::criterion);
    EXPECT_NE(found, grade.verdicts.end());
    return *found;
  }
  platform::TemporaryFolder folder_;
};

TEST_F(Grades, ARightKernelPasses) {
  const Grade graded = grade(kernel("twice", right));
  EXPECT_TRUE(graded.passed) << report_text({*open_exercise(folder_.path()), "", 7, {}, {{{}, graded, 0}}});
  ASSERT_EQ(graded.verdicts.size(), 7u);
  EXPECT_EQ(graded.passed_criteria(), 7u);
  EXPECT_EQ(verdict(graded, "global_load_sectors/global_load_requests").value, 4);
  EXPECT_GT(graded.figures.at("cycles"), 0);
}

// Starter, reference and submission in PTX: no compiler is asked.
TEST_F(Grades, PtxNeedsNoCompiler) {
  GradeOptions how = options(7);
  how.language = DraftLanguage::ptx;
  how.how.compile_cuda = [](const std::string&, const std::string&, std::string_view,
                            const std::atomic<bool>*) -> platform::CompileResult {
    ADD_FAILURE() << "the compiler was asked";
    return platform::CudaFailure{"", ""};
  };
  Grader without(*open_exercise(folder_.path()), how);
  EXPECT_THAT(without.prepare().error(), HasSubstr("submissions in PTX need starter.ptx and reference.ptx"));
  std::ofstream(folder_.path() / "starter.ptx") << "// Twice.\n" << kernel("twice", right, "");
  std::ofstream(folder_.path() / "reference.ptx") << kernel("reference", right);
  Grader grader(*open_exercise(folder_.path()), how);
  ASSERT_TRUE(grader.prepare());
  EXPECT_TRUE(grader.starter_figures().contains("cycles"));
  EXPECT_TRUE(grader.grade(kernel("twice", right), "submission").passed);
  // The words of files that CUDA C++ may not name are no matter in PTX.
  EXPECT_TRUE(grader.grade("/* import */ " + kernel("twice", right), "submission").passed);
  const Grade wrong = grader.grade("// one\n" + kernel("twice", "ld.global.u33 %r6, [%d1];"), "submission");
  EXPECT_FALSE(verdict(wrong, "compiles").passed);
  EXPECT_THAT(verdict(wrong, "compiles").reason, HasSubstr("line 21, column 1"));
  EXPECT_EQ(verdict(wrong, "compiles").line, 21u);
  const Grade other = grader.grade(kernel("thrice", right), "submission");
  EXPECT_THAT(verdict(other, "compiles").reason, HasSubstr("twice"));
}

TEST(Languages, PtxBeginsWithItsVersion) {
  EXPECT_EQ(language_of("// a\n/* b */\r\n\t.version 8.0\n"), DraftLanguage::ptx);
  for (const char* const cuda : {"", "/", "/*", "// .version 8.0", "__global__ void k() {}\n.version", "/* */ x"})
    EXPECT_EQ(language_of(cuda), DraftLanguage::cuda) << cuda;
}

TEST_F(Grades, AMissingGuardIsFoundAtItsLine) {
  const Grade graded = grade(kernel("twice", right, ""));
  EXPECT_FALSE(graded.passed);
  EXPECT_FALSE(verdict(graded, "findings").passed);
  EXPECT_THAT(verdict(graded, "findings").reason, HasSubstr("With n = 100: "));
  EXPECT_THAT(verdict(graded, "findings").reason, HasSubstr("just past the end of buffer `x`"));
  EXPECT_EQ(verdict(graded, "findings").finding, "out_of_bounds");
  EXPECT_FALSE(verdict(graded, "cycles").judged);
}

// The starter has no guard: it is as fast as a right kernel, but its results are no place to begin from.
TEST_F(Grades, AStarterIsRightOrNot) {
  const auto starter_is_right = [&] {
    Grader grader(*open_exercise(folder_.path()), options(7));
    EXPECT_TRUE(grader.prepare());
    EXPECT_TRUE(grader.starter_figures().contains("cycles"));
    const bool right = grader.starter_is_right();
    EXPECT_EQ(grader.starter_is_right(), right);
    return right;
  };
  EXPECT_FALSE(starter_is_right());
  std::ofstream(folder_.path() / "starter.cu") << kernel("twice", right);
  EXPECT_TRUE(starter_is_right());
  std::ofstream(folder_.path() / "starter.cu")
      << kernel("twice", "ld.global.u32 %r6, [%d1];\nst.global.u32 [%d2], %r6;");
  EXPECT_FALSE(starter_is_right());
}

TEST_F(Grades, WrongAndUnwrittenElementsAreNamed) {
  const Grade wrong = grade(kernel("twice", "ld.global.u32 %r6, [%d1];\nst.global.u32 [%d2], %r6;"));
  EXPECT_THAT(verdict(wrong, "correct").reason, HasSubstr("With n = 100: y[0] is "));
  EXPECT_FALSE(wrong.passed);
  const Grade nothing = grade(kernel("twice", ""));
  EXPECT_THAT(verdict(nothing, "correct").reason, HasSubstr("y[0] was never written; it has to be "));
  EXPECT_THAT(verdict(nothing, "correct").reason, HasSubstr("100 elements are wrong in all"));
  const Grade input = grade(kernel("twice", std::string(right) + "\nst.global.u32 [%d1], %r6;"));
  EXPECT_THAT(verdict(input, "correct").reason, HasSubstr("changes x, which is an input"));
}

TEST_F(Grades, TheOrderOfBlocksMustNotMatter) {
  // The first thread of each later block believes that block 0 has stored y[0] already.
  const Grade graded = grade(kernel("twice", R"(ld.global.u32 %r6, [%d1];
add.s32 %r6, %r6, %r6;
st.volatile.global.u32 [%d2], %r6;
setp.ne.s32 %p2, %r1, 0;
@%p2 bra DONE;
setp.eq.s32 %p3, %r2, 0;
@%p3 bra DONE;
ld.volatile.global.u32 %r7, [%d4];
ld.global.u32 %r8, [%d3];
add.s32 %r8, %r8, %r8;
setp.eq.s32 %p2, %r7, %r8;
@%p2 bra DONE;
add.s32 %r9, %r6, 1;
st.volatile.global.u32 [%d2], %r9;)"));
  EXPECT_TRUE(verdict(graded, "correct").passed) << verdict(graded, "correct").reason;
  EXPECT_TRUE(verdict(graded, "findings").passed) << verdict(graded, "findings").reason;
  EXPECT_FALSE(verdict(graded, "block_order").passed);
  EXPECT_THAT(verdict(graded, "block_order").reason, HasSubstr("if the thread blocks and warps run side by side"));
  EXPECT_FALSE(graded.passed);
}

TEST_F(Grades, AKernelThatNeverEndsIsStopped) {
  const Grade graded = grade(kernel("twice", "LOOP: add.s32 %r6, %r6, 1;\nbra LOOP;"));
  EXPECT_FALSE(graded.passed);
  EXPECT_FALSE(verdict(graded, "findings").reason.empty() && verdict(graded, "correct").reason.empty());
}

TEST_F(Grades, ErrorsOfTheSourceComeFirst) {
  const Grade graded = grade("// no kernel\n");
  EXPECT_FALSE(verdict(graded, "compiles").passed);
  EXPECT_THAT(verdict(graded, "compiles").reason,
              HasSubstr("The source has no kernel: it needs a function __global__ void twice"));
  EXPECT_FALSE(verdict(graded, "correct").judged);
  const Grade included = grade("#include \"reference.cu\"\n");
  EXPECT_THAT(verdict(included, "compiles").reason, HasSubstr("the word `include`"));
  const Grade other = grade(kernel("thrice", right));
  EXPECT_THAT(verdict(other, "compiles").reason, HasSubstr("twice"));
}

TEST_F(Grades, SpeedIsThatOfTheStarterInTheSameRun) {
  std::string slow(right);
  for (int i = 0; i < 200; ++i)
    slow += "\nld.volatile.global.u32 %r7, [%d1];\nadd.s32 %r6, %r6, %r7;\nsub.s32 %r6, %r6, %r7;";
  slow += "\nst.global.u32 [%d2], %r6;";
  const Grade graded = grade(kernel("twice", slow));
  const Verdict& cycles = verdict(graded, "cycles");
  EXPECT_TRUE(cycles.judged);
  EXPECT_FALSE(cycles.passed);
  EXPECT_GT(*cycles.value, 1.05);
  EXPECT_THAT(cycles.reason, HasSubstr("times the starter's"));
}

TEST_F(Grades, ReportsAreCsvAndJson) {
  const auto exercise = open_exercise(folder_.path());
  const GradeReport report{*exercise,
                           "H200",
                           7,
                           {{"cycles", 5000}},
                           {{{"", "=1+1", "", "", "a,b.cu"}, grade(kernel("twice", right)), 1},
                            {{"", "Bob", "2026-11-28T10:15:00Z", "", "b.cu"}, grade(kernel("twice", "")), 1}}};
  const std::string csv = report_csv(report);
  EXPECT_THAT(csv, HasSubstr("\n'=1+1,"));
  EXPECT_THAT(csv, HasSubstr(",yes,7,7,"));
  EXPECT_THAT(csv, HasSubstr("\"a,b.cu\""));
  EXPECT_THAT(csv, HasSubstr("\nBob,"));
  rapidjson::Document json;
  json.Parse(report_json(report).c_str());
  ASSERT_FALSE(json.HasParseError());
  EXPECT_TRUE(json["attempts"][0]["passed"].GetBool());
  EXPECT_STREQ(json["attempts"][1]["criteria"][1]["criterion"].GetString(), "correct");
  EXPECT_FALSE(json["attempts"][1]["criteria"][1]["passed"].GetBool());
}

TEST_F(Grades, BadExercisesAreRefusedWithTheirPlace) {
  const auto error_of = [&](std::string_view from, std::string_view to) {
    std::string text(description);
    text.replace(text.find(from), from.size(), to);
    std::ofstream(folder_.path() / "exercise.json") << text;
    const auto exercise = open_exercise(folder_.path());
    if (!exercise) return exercise.error();
    Grader grader(*exercise, options(1));
    const auto ready = grader.prepare();
    return ready ? std::string() : ready.error();
  };
  EXPECT_EQ(error_of("Twice", "Twice"), "");
  EXPECT_THAT(error_of("\"cycles\"", "\"speed\""), HasSubstr("criteria[0].figure: speed is not a figure"));
  EXPECT_THAT(error_of("{\"n\": 1}", "{\"m\": 1}"), HasSubstr("sizes[1]: has no n, which `timed` has"));
  EXPECT_THAT(error_of("[33, 90]", "[90, 33]"), HasSubstr("expected low <= high"));
  EXPECT_THAT(error_of("{\"y\": {}}", "{\"z\": {}}"), HasSubstr("outputs.z: is no buffer"));
  EXPECT_THAT(error_of("(n + 31) / 32", "(n + 31 / 32"), HasSubstr("launch.grid[0]: "));
  EXPECT_THAT(error_of("\"hints\"", "\"hint\""), HasSubstr("hint"));
}

}  // namespace
}  // namespace warpwalk::run
