// Tests `simulate --values` with the real program: the buffers after a launch.
#include <cstring>
#include <filesystem>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/parsed_json.h"
#include "tests/app/program.h"
#include "tests/run/kernels.h"

namespace warpwalk::testing {
namespace {

/// `threads` threads add: a[i] = i, b[i] = 2, so c[i] = i + 2. c has as many elements as `room` says.
std::string sums_launch(int threads, int room, std::string_view output = "c") {
  return R"({"kernel": "vecadd", "ptx": "vecadd.ptx", "grid": [4, 1, 1], "block": [256, 1, 1],
  "args": [ {"buffer": "a", "dtype": "f32", "count": 1000, "fill": "iota"},
            {"buffer": "b", "dtype": "f32", "count": 1000, "fill": 2},
            {"buffer": ")" +
         std::string(output) + R"(", "dtype": "f32", "count": )" + std::to_string(room) + R"(, "fill": -1},
            {"scalar": )" +
         std::to_string(threads) + R"(, "dtype": "i32"} ]})";
}

std::vector<float> floats_in(const std::string& file) {
  const std::string text = text_of(file);
  std::vector<float> elements(text.size() / sizeof(float));
  std::memcpy(elements.data(), text.data(), elements.size() * sizeof(float));
  return elements;
}

class SimulateValues : public ::testing::Test {
 protected:
  SimulateValues() { folder_.file("vecadd.ptx", vecadd_ptx); }

  Folder folder_;
};

TEST_F(SimulateValues, AreTheWholeBuffers) {
  const std::string launch = folder_.file("launch.json", sums_launch(900, 1000));
  const Outcome outcome = run({"simulate", launch, "--values", folder_.at("out/after"), "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(folder_.names("out/after"), (std::vector<std::string>{"a.bin", "b.bin", "c.bin"}));
  const std::vector<float> a = floats_in(folder_.at("out/after/a.bin")), c = floats_in(folder_.at("out/after/c.bin"));
  EXPECT_EQ(floats_in(folder_.at("out/after/b.bin")), std::vector<float>(1000, 2));
  ASSERT_EQ(a.size(), 1000u);
  ASSERT_EQ(c.size(), 1000u);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(a[static_cast<std::size_t>(i)], static_cast<float>(i));
    EXPECT_EQ(c[static_cast<std::size_t>(i)], i < 900 ? static_cast<float>(i) + 2 : -1.0F);
  }
  const rapidjson::Document report = parsed_json(outcome.out);
  ASSERT_EQ(report["values"].MemberCount(), 3u);
  EXPECT_EQ(report["values"]["c"]["file"].GetString(), folder_.at("out/after/c.bin"));
  EXPECT_STREQ(report["values"]["c"]["dtype"].GetString(), "f32");
  EXPECT_EQ(report["values"]["c"]["count"].GetUint64(), 1000u);
}

// Room for 992 sums, a multiple of 32 bytes: the 993rd is past the end.
TEST_F(SimulateValues, AreWrittenWithFindingsToo) {
  const std::string launch = folder_.file("launch.json", sums_launch(1000, 992));
  const Outcome outcome = run({"simulate", launch, "--values", folder_.at("v")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("findings"));
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("992 f32 in " + folder_.at("v/c.bin")));
  EXPECT_EQ(floats_in(folder_.at("v/c.bin")).size(), 992u);
}

TEST_F(SimulateValues, WithoutThemTheReportHasNone) {
  const std::string launch = folder_.file("launch.json", sums_launch(1000, 1000));
  const Outcome outcome = run({"simulate", launch, "--json", "-"});
  EXPECT_FALSE(parsed_json(outcome.out).HasMember("values"));
}

TEST_F(SimulateValues, ANameThatIsNoFileNameGetsItsLine) {
  const std::string long_name(250, 'c');
  for (const auto& [name, words] : std::initializer_list<std::pair<std::string, std::string>>{
           {"../c", "the buffer \"../c\" cannot be written as a file: its name contains a slash"},
           {"..", "the buffer \"..\" cannot be written as a file: its name means a folder"},
           {".", "the buffer \".\" cannot be written as a file: its name means a folder"},
           {"c\\u0001d", "its name contains a control character"},
           {long_name, "its name has 250 bytes"}}) {
    const std::string launch = folder_.file("launch.json", sums_launch(1000, 1000, name));
    EXPECT_EQ(run({"simulate", launch}).status, 0) << name;
    const Outcome outcome = run({"simulate", launch, "--values", folder_.at("v")});
    EXPECT_EQ(outcome.status, 2) << name;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_THAT(outcome.error, ::testing::HasSubstr(words));
    EXPECT_THAT(outcome.error, ::testing::HasSubstr("rename it in the launch file"));
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "v"));
  }
}

TEST_F(SimulateValues, NoFileOfTheLaunchIsOverwritten) {
  std::string text = sums_launch(1000, 1000);
  const std::string fill = R"("fill": 2)";
  folder_.file("b.bin", std::string(4000, '\0'));
  const std::string launch =
      folder_.file("launch.json", text.replace(text.find(fill), fill.size(), R"("file": "b.bin")"));
  const Outcome outcome = run({"simulate", launch, "--values", folder_.path().string()});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error, "warpwalk: --values " + folder_.path().string() +
                               ": b.bin would overwrite the file of b in the launch file; give another folder\n");
  EXPECT_EQ(run({"simulate", launch, "--values", folder_.at("v")}).status, 0);
}

TEST_F(SimulateValues, AFileIsNoFolder) {
  const std::string launch = folder_.file("launch.json", sums_launch(1000, 1000));
  const Outcome outcome = run({"simulate", launch, "--values", launch});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error, "warpwalk: --values " + launch + ": " + launch + " is not a folder; give another\n");
}

TEST_F(SimulateValues, ALaunchOfAWalkIsRefused) {
  const Outcome outcome =
      run({"simulate", walk("h200_relu_matmul_inside"), "--launch", "1", "--values", folder_.at("v")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("--values: works for launch files only"));
}

}  // namespace
}  // namespace warpwalk::testing
