// Parts of exercises that run no kernel: expressions on sizes, launches, the comment that chooses a launch, what a
// submission may include, the files of attempts and of work in progress.
#include <fstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/platform/temporary_folder.h"
#include "core/run/exercise/allowed_source.h"
#include "core/run/exercise/attempt.h"
#include "core/run/exercise/exercise_launch.h"
#include "core/run/exercise/exercise_work.h"

namespace warpwalk::run {
namespace {

using ::testing::HasSubstr;

const SizeNumbers sizes = {{"n", {1000, true}}, {"rows", {7, true}}, {"scale", {2.5, false}}};

double value_of(std::string_view expression) {
  const auto value = evaluate(expression, sizes);
  EXPECT_TRUE(value) << value.error();
  return value ? value->value : -1;
}

TEST(SizeExpression, ComputesAsInC) {
  EXPECT_EQ(value_of("(n + 255) / 256"), 4);
  EXPECT_EQ(value_of("n / rows * rows"), 994);
  EXPECT_EQ(value_of("n - 3 - 2"), 995);
  EXPECT_EQ(value_of("2 + 3 * -rows"), -19);
  EXPECT_EQ(value_of("-7 / 2"), -3);
  EXPECT_EQ(value_of("scale / 2"), 1.25);
  EXPECT_EQ(value_of("min(n, rows * 2) + max(3, 4)"), 18);
  EXPECT_EQ(value_of("1e3"), 1000);
  EXPECT_TRUE(evaluate("n", sizes)->whole);
  EXPECT_FALSE(evaluate("n * scale", sizes)->whole);
}

TEST(SizeExpression, SaysWhatIsWrong) {
  const auto error = [](std::string_view expression) {
    const auto value = evaluate(expression, sizes);
    EXPECT_FALSE(value);
    return value ? std::string() : value.error();
  };
  EXPECT_THAT(error("m + 1"), HasSubstr("m is not a size of this launch; known are n, rows, scale"));
  EXPECT_THAT(error("n / 0"), HasSubstr("divides by 0"));
  EXPECT_THAT(error("(n"), HasSubstr("`)` is missing"));
  EXPECT_THAT(error("n n"), HasSubstr("left over"));
  EXPECT_THAT(error(""), HasSubstr("ends too early"));
  EXPECT_THAT(error("n & 3"), HasSubstr("left over"));
  EXPECT_THAT(error("1e400"), HasSubstr("too large"));
  EXPECT_THAT(error("n * n * n * n * n * n"), HasSubstr("too large"));
  EXPECT_THAT(error(std::string(100'000, '(')), HasSubstr("parentheses"));
  EXPECT_THAT(error(std::string(100'000, '-')), HasSubstr("minus"));
}

TEST(LaunchChoice, ReadsTheCommentOfASource) {
  std::uint32_t line = 0;
  const auto choice =
      launch_choice("// A kernel.\n  // launch: grid (n + 3) / 4 x min(n, 2), block 32 x 8, shared 4 * 256\n", line);
  ASSERT_TRUE(choice) << choice.error();
  EXPECT_EQ(line, 2u);
  EXPECT_EQ(choice->grid, (std::vector<std::string>{"(n + 3) / 4", "min(n, 2)"}));
  EXPECT_EQ(choice->block, (std::vector<std::string>{"32", "8"}));
  EXPECT_EQ(choice->shared, "4 * 256");
  const auto none = launch_choice("int launch;\n", line);
  ASSERT_TRUE(none);
  EXPECT_EQ(line, 0u);
  EXPECT_FALSE(launch_choice("// launch: 256 threads\n", line));
  EXPECT_FALSE(launch_choice("// launch: grid 1 x 2 x 3 x 4\n", line));
}

Exercise made() {
  Exercise exercise;
  exercise.launch = R"({"grid": ["(n + 63) / 64", 1, 1], "block": [64, 1, 1], "dynamic_shared_bytes": "8 * rows",
    "args": [{"buffer": "x", "dtype": "f32", "count": "n * rows", "fill": {"random": 1}},
             {"struct": [{"scalar": "rows", "dtype": "i32"}]}, {"scalar": "scale", "dtype": "f32"}]})";
  return exercise;
}

TEST(ExerciseLaunch, ReplacesExpressionsByNumbers) {
  const auto launch = exercise_launch(made(), "k", sizes, 0, {});
  ASSERT_TRUE(launch) << launch.error();
  EXPECT_EQ(launch->grid, (std::array<std::uint32_t, 3>{16, 1, 1}));
  EXPECT_EQ(launch->dynamic_shared_bytes, 56u);
  EXPECT_EQ(launch->buffers.front().count, 7000u);
  EXPECT_EQ(launch->arguments[1].bytes, (std::vector<std::uint8_t>{7, 0, 0, 0}));
  EXPECT_EQ(launch->kernel, "k");
}

TEST(ExerciseLaunch, TakesTheShapeThatASubmissionChooses) {
  LaunchChoice choice;
  choice.grid = {"rows", "2"};
  choice.shared = "n";
  const auto launch = exercise_launch(made(), "k", sizes, 0, choice);
  ASSERT_TRUE(launch) << launch.error();
  EXPECT_EQ(launch->grid, (std::array<std::uint32_t, 3>{7, 2, 1}));
  EXPECT_EQ(launch->block, (std::array<std::uint32_t, 3>{64, 1, 1}));
  EXPECT_EQ(launch->dynamic_shared_bytes, 1000u);
  choice.grid = {"0"};
  const auto wrong = exercise_launch(made(), "k", sizes, 0, choice);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error(), HasSubstr("grid[0]"));
}

TEST(ExerciseLaunch, InputsAndSizesFollowFromTheSeed) {
  const auto fill = [](std::uint64_t seed) {
    const auto launch = exercise_launch(made(), "k", sizes, seed, {});
    return std::get<FillRandom>(std::get<Fill>(launch->buffers.front().content)).seed;
  };
  EXPECT_EQ(fill(0), 1u);
  EXPECT_NE(fill(5), 1u);
  EXPECT_EQ(fill(5), fill(5));
  EXPECT_NE(fill(5), fill(6));
  const SizeSpec range = {{"n", 16, 128, 16, true}};
  std::set<double> seen;
  for (std::uint64_t seed = 1; seed <= 64; ++seed) {
    const double n = drawn_sizes(range, seed, 0).at("n").value;
    EXPECT_TRUE(n >= 16 && n <= 128 && static_cast<int>(n) % 16 == 0) << n;
    seen.insert(n);
  }
  EXPECT_EQ(seen.size(), 8u);
  EXPECT_EQ(drawn_sizes({{"n", 5, 5, 1, true}}, 9, 3).at("n"), (SizeNumber{5, true}));
}

TEST(AllowedSource, TakesHeadersByNameOnly) {
  EXPECT_FALSE(
      forbidden_text("#include <cuda_fp16.h>\n  #  include <cooperative_groups/reduce.h>  // sums\n"
                     "__global__ void k() {\n#pragma unroll 4\n}\n"));
  EXPECT_FALSE(forbidden_text("int included, importance;  // an inclusive scan\r\n"));
  const auto line_of = [](std::string_view source) {
    const auto forbidden = forbidden_text(source);
    return forbidden ? static_cast<int>(forbidden->line) : -1;
  };
  EXPECT_EQ(line_of("\n#include \"reference.cu\"\n"), 2);
  EXPECT_EQ(line_of("#include </etc/passwd>\n"), 1);
  EXPECT_EQ(line_of("#include <../reference.cu>\n"), 1);
  EXPECT_EQ(line_of("#include <a> <b>\n"), 1);
  EXPECT_EQ(line_of("#define F \"a\"\n#include F\n"), 2);
  EXPECT_EQ(line_of("#inc\\\nlude \"a\"\n"), 1);
  EXPECT_EQ(line_of("int x;\n#inc\\  \nlude \"a\"\n"), 2);
  EXPECT_EQ(line_of("%:include \"a\"\n"), 1);
  EXPECT_EQ(line_of("?\?=include \"a\"\n"), 1);
  EXPECT_EQ(line_of("int y; // ?\?/\n#define z\n"), 1);
  EXPECT_EQ(line_of("/* x\n */ # /* */ include /* */ \"a\"\n"), 2);
  EXPECT_EQ(line_of("\f#include \"a\"\n"), 1);
  EXPECT_EQ(line_of("\v#include \"a\"\n"), 1);
  EXPECT_EQ(line_of("int a = 1'0; /*\n*/ #include \"a\"\n"), 2);
  EXPECT_EQ(line_of("/\\\n* */ #include \"a\"\n"), 1);
  EXPECT_EQ(line_of("// \\\n/*\n#include \"a\"\n// */\n"), 3);
  EXPECT_EQ(line_of("// */ #include \"a\"\n"), 1);
  EXPECT_EQ(line_of("#include_next <stdio.h>\n"), 1);
  EXPECT_EQ(line_of("#import \"a\"\n"), 1);
  EXPECT_EQ(line_of("#embed \"a\"\n"), 1);
  EXPECT_EQ(line_of("#if __has_include(\"/etc/hostname\")\n#endif\n"), 1);
  EXPECT_EQ(line_of("#pragma GCC dependency \"/etc/hostname\"\n"), 1);
  EXPECT_EQ(line_of("_Pragma(\"once\")\n"), 1);
  EXPECT_EQ(line_of("const char* s = R\\\n\"(\n)\";\n"), 1);
}

TEST(Attempts, AreReadFromSourcesAndExports) {
  const platform::TemporaryFolder folder;
  const std::filesystem::path source = folder.path() / "ada.cu", exported = folder.path() / "bob.json";
  std::ofstream(source) << "__global__ void k() {}\n";
  Grade grade;
  grade.verdicts.emplace_back().criterion = "compiles";
  std::ofstream(exported) << attempt_json({"race", "Bob \"B\"", "2026-11-28T10:15:00Z", "// \xc3\xa9\n", {}}, grade);
  EXPECT_EQ(read_attempt(source)->student, "ada");
  const auto read = read_attempt(exported);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->student, "Bob \"B\"");
  EXPECT_EQ(read->exercise, "race");
  EXPECT_EQ(read->time, "2026-11-28T10:15:00Z");
  EXPECT_EQ(read->source, "// \xc3\xa9\n");
  std::ofstream(exported) << "{\"source\": 1}";
  EXPECT_THAT(read_attempt(exported).error(), HasSubstr("is no attempt"));
}

TEST(ExerciseWork, IsKeptAsText) {
  ExerciseWork work;
  work.source = "line\n\"two\"\n";
  work.hints = 2;
  work.add({"2026-11-28T10:15:00Z", false, 3, 5, {}, "a"});
  EXPECT_FALSE(work.solved());
  work.add({"2026-11-28T10:16:00Z", true, 5, 5, 900, "b"});
  work.add({"2026-11-28T10:17:00Z", true, 5, 5, 800, "c"});
  const auto again = parse_exercise_work(text_of(work));
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(text_of(*again), text_of(work));
  EXPECT_EQ(again->hints, 2u);
  EXPECT_TRUE(again->solved());
  EXPECT_EQ(again->best_cycles(), 800);
  for (std::size_t i = 0; i < 2 * max_past_attempts; ++i) work.add({});
  EXPECT_EQ(work.attempts.size(), max_past_attempts);
  EXPECT_FALSE(parse_exercise_work("{}"));
  EXPECT_FALSE(parse_exercise_work("["));
}

}  // namespace
}  // namespace warpwalk::run
