// `render --compare`: two traces, and files that cannot be compared.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

TEST(RenderCompare, ShowsWhatDiffers) {
  const Outcome outcome = run({"render", walk("mlp_train"), "--compare", walk("two_streams"), "--at", "b6", "--text"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_TRUE(outcome.out.starts_with("lab/overview 6/8")) << outcome.out;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("two_streams.json.gz"));
}

TEST(RenderCompare, SaysThatNothingChanged) {
  const Outcome outcome = run({"render", walk("mlp_train"), "--compare", walk("mlp_train"), "--at", "b6", "--text"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("Nothing changed"));
}

TEST(RenderCompare, RefusesWhatIsNoTraceInOneLine) {
  const Folder folder;
  const std::string empty = folder.file("empty.json", "");
  for (const std::string& other : {folder.at("none.json"), empty, folder.path().string()}) {
    const Outcome outcome = run({"render", walk("relu_matmul"), "--compare", other, "--text"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_THAT(outcome.error, ::testing::HasSubstr("--compare"));
    EXPECT_THAT(outcome.error, ::testing::HasSubstr(other));
  }
}

}  // namespace
}  // namespace warpwalk::testing
