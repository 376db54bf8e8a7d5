// Tests `run --input` and `run --values` with the real program, as a script calls it.
#include <cstring>
#include <filesystem>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/parsed_json.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

std::string raw(const std::vector<float>& elements) {
  return {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(float)};
}

std::vector<float> floats_of(const std::string& file) {
  const std::string text = text_of(file);
  std::vector<float> elements(text.size() / sizeof(float));
  std::memcpy(elements.data(), text.data(), elements.size() * sizeof(float));
  return elements;
}

class RunValues : public ::testing::Test {
 protected:
  std::vector<std::string> product(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"run",     "relu(a @ b)", "--shape", "a=2x3",   "--shape",    "b=3x2",
                                          "--input", "a=" + a_,     "--input", "b=" + b_, "--gradients"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  Folder folder_;
  std::string a_ = folder_.file("a.bin", raw({1, 2, 3, -4, -5, -6})),
              b_ = folder_.file("b=.bin", raw({1, 0, 2, -1, 0, 3}));
};

// By hand: a @ b is [[5, 7], [-14, -13]]; only its first row has gradients.
TEST_F(RunValues, GoInAndOutOfFiles) {
  for (const char* const on : {"sim", "cpu"}) {
    const std::filesystem::path values = folder_.path() / "made" / on;
    const Outcome outcome = run(product({"--on", on, "--values", values.string(), "--json", "-"}));
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(floats_of(values / "result.bin"), (std::vector<float>{5, 7, 0, 0}));
    EXPECT_EQ(floats_of(values / "grad_a.bin"), (std::vector<float>{1, 1, 3, 0, 0, 0}));
    EXPECT_EQ(floats_of(values / "grad_b.bin"), (std::vector<float>{1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(folder_.names(std::string("made/") + on),
              (std::vector<std::string>{"grad_a.bin", "grad_b.bin", "result.bin"}));
    const rapidjson::Document report = parsed_json(outcome.out);
    EXPECT_EQ(report["inputs"][0]["file"].GetString(), a_);
    EXPECT_EQ(report["inputs"][1]["file"].GetString(), b_);
    EXPECT_EQ(report["result"]["file"].GetString(), (values / "result.bin").string());
    EXPECT_STREQ(report["result"]["dtype"].GetString(), "f32");
    EXPECT_EQ(report["result"]["shape"][0].GetInt(), 2);
    EXPECT_STREQ(report["gradients"][1]["of"].GetString(), "b");
    EXPECT_EQ(report["gradients"][1]["file"].GetString(), (values / "grad_b.bin").string());
    EXPECT_EQ(report["gradients"][1]["shape"][0].GetInt(), 3);
  }
}

TEST_F(RunValues, TheTextNamesTheFiles) {
  const Outcome outcome = run(product({"--values", folder_.at("v")}));
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("values written to " + folder_.at("v/result.bin") + ", " +
                                                folder_.at("v/grad_a.bin") + ", " + folder_.at("v/grad_b.bin") + "\n"));
}

TEST_F(RunValues, WithoutThemTheReportIsAsBefore) {
  const rapidjson::Document report =
      parsed_json(run({"run", "a + 1", "--shape", "a=4", "--gradients", "--json", "-"}).out);
  EXPECT_FALSE(report["inputs"][0].HasMember("file"));
  EXPECT_FALSE(report["result"].HasMember("file"));
  EXPECT_FALSE(report["gradients"][0].HasMember("file"));
}

// The followed element is 1 * 1 + 2 * 2 + 3 * 0.
TEST_F(RunValues, AreWhatTheStagesOfTheWalkShow) {
  ASSERT_EQ(run({"run", "relu(a @ b)", "--shape", "a=2x3", "--shape", "b=3x2", "--input", "a=" + a_, "--input",
                 "b=" + b_, "-o", folder_.at("walk.json.gz")})
                .status,
            0);
  ASSERT_EQ(run({"render", folder_.at("walk.json.gz"), "--text", "-o", folder_.at("walk.txt")}).status, 0);
  const std::string text = text_of(folder_.at("walk.txt"));
  for (const std::string_view words :
       {"matrix a: 2 × 3, marked 1.00, 2.00, 3.00\n", "matrix b: 3 × 2, marked 1.00, 2.00, 0.00\n",
        "A corner of each matrix, from the memory that was recorded before the kernel ran.",
        "holds it when it is stored: 5.00. (simulated)"})
    EXPECT_NE(text.find(words), std::string::npos) << words;
  EXPECT_EQ(text.find("random ones of seed"), std::string::npos);
}

TEST_F(RunValues, TheWalkOfALargerInputSaysWhyAStandInRuns) {
  const std::string large = folder_.file("large.bin", std::string(4 * 262145, '\0'));
  ASSERT_EQ(run({"run", "relu(a)", "--shape", "a=262145", "--input", "a=" + large, "--cycles", "off", "-o",
                 folder_.at("walk.json.gz")})
                .status,
            0);
  const Outcome outcome = run({"render", folder_.at("walk.json.gz"), "--scene", "lanes", "--text"});
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("Why not the kernel itself: the contents of buffer a before relu are "
                                                "larger than 1 MiB, so only their digest is recorded"));
}

TEST_F(RunValues, OfAnotherRunCanGoIn) {
  ASSERT_EQ(run(product({"--values", folder_.at("first")})).status, 0);
  const Outcome outcome = run({"run", "c * 2", "--shape", "c=2x2", "--input", "c=" + folder_.at("first/result.bin"),
                               "--values", folder_.at("second")});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(floats_of(folder_.at("second/result.bin")), (std::vector<float>{10, 14, 0, 0}));
}

TEST_F(RunValues, BadFilesGetTheirLine) {
  const std::string short_file = folder_.file("short.bin", std::string(23, 'x')), folder = folder_.path().string();
  const auto expect_line = [](const std::vector<std::string>& more, const std::string& words) {
    std::vector<std::string> arguments = {"run", "a + 1", "--shape", "a=2x3"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << words;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_THAT(outcome.error, ::testing::HasSubstr(words));
  };
  expect_line({"--input", "a=" + short_file},
              "--input a=" + short_file + ": the file has 23 bytes, but 2x3 f32 takes 24; write its elements raw");
  expect_line({"--input", "a=" + a_, "--dtype", "f64"}, "the file has 24 bytes, but 2x3 f64 takes 48");
  expect_line({"--input", "a=/nowhere/a.bin"}, "--input a=/nowhere/a.bin: /nowhere/a.bin: ");
  expect_line({"--input", "a=" + folder}, "--input a=" + folder + ": ");
  expect_line({"--input", "a=/dev/zero"}, "--input a=/dev/zero: ");
  expect_line({"--input", "c=" + a_}, "c has no shape; add --shape c=SIZExSIZE");
  expect_line({"--input", "c=" + a_, "--shape", "c=2x3"}, "c has a shape, but is not in a + 1");
  expect_line({"--input", "a=" + a_, "--input", "a=" + b_}, "--input a=" + b_ + ": a already has the file " + a_);
  for (const char* const text : {"a", "=a.bin", "a="})
    expect_line({"--input", text}, std::string("--input ") + text + ": write NAME=FILE, for example --input a=a.bin");
  expect_line({"--input", ""}, "--input: the value is empty");

  expect_line({"--values", short_file}, short_file + " is not a folder; give another");
  expect_line({"--values", short_file + "/below"}, short_file + " is not a folder; give another");
  expect_line({"--values", "/proc/values"}, "--values /proc/values: the folder cannot be created in /proc");
  expect_line({"--values", "-"}, "--values -: values are written to files; give a folder");
  expect_line({"--values", ""}, "--values: the value is empty");
  expect_line({"--values", folder, "--json", folder + "/result.bin"},
              "--values " + folder + ": result.bin would overwrite the report (--json); give another folder");
  expect_line({"--values", folder, "--gradients", "-o", folder + "/grad_a.bin"},
              "grad_a.bin would overwrite the walk (-o); give another folder");
  const std::string before = folder_.file("result.bin", raw({1, 2, 3, -4, -5, -6}));
  expect_line({"--values", folder, "--input", "a=" + before}, "result.bin would overwrite the file of --input a");
  std::filesystem::remove(before);
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"a.bin", "b=.bin", "short.bin"}));
}

TEST_F(RunValues, ARefusedExpressionLeavesNoFolder) {
  EXPECT_EQ(run({"run", "a @ a", "--shape", "a=2x3", "--values", folder_.at("v")}).status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "v"));
}

}  // namespace
}  // namespace warpwalk::testing
