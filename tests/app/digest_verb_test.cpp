// `digest`: files, mixed with traces, and what is refused; addresses.
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/parsed_json.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;

std::string late_loader_trace(int rank) {
  return fmt::format("{}/tests/analysis/ranks/data/late_loader_rank{}.json.gz", WARPWALK_SOURCE_DIR, rank);
}

// The JSON of ranks, without the files.
std::string figures_of(const std::string& folder) {
  const Outcome outcome = run({"info", folder, "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  std::string text;
  for (std::size_t at = 0; at < outcome.out.size();) {
    const std::size_t end = std::min(outcome.out.find('\n', at), outcome.out.size());
    const std::string line = outcome.out.substr(at, end - at);
    if (line.find("\"digest\":") == std::string::npos &&
        (line.find("\"file\":") == std::string::npos || line.find("record.py") != std::string::npos))
      text += line + "\n";
    at = end + 1;
  }
  return text;
}

TEST(DigestVerb, DigestsAndTracesAreComparedTogether) {
  const Folder traces, mixed;
  for (const int rank : {0, 1})
    std::filesystem::copy_file(late_loader_trace(rank), traces.path() / fmt::format("rank{}.json.gz", rank));
  std::filesystem::copy_file(late_loader_trace(0), mixed.path() / "rank0.json.gz");
  const Outcome made = run({"digest", traces.at("rank1.json.gz"), "-o", mixed.at("rank1.digest")});
  ASSERT_EQ(made.status, 0) << made.error;
  EXPECT_THAT(made.out, HasSubstr("rank1.digest: rank 1, "));
  EXPECT_LT(std::filesystem::file_size(mixed.path() / "rank1.digest") * 20,
            std::filesystem::file_size(traces.path() / "rank1.json.gz"));
  EXPECT_EQ(figures_of(mixed.path()), figures_of(traces.path()));
  // Without -o, beside the trace, whose digest is then read in its place.
  ASSERT_EQ(run({"digest", mixed.at("rank0.json.gz")}).status, 0);
  EXPECT_TRUE(std::filesystem::exists(mixed.path() / "rank0.digest"));
  EXPECT_EQ(figures_of(mixed.path()), figures_of(traces.path()));
}

TEST(DigestVerb, AScenePicturesTheRanksWhoseTracesAreElsewhere) {
  const Folder digests;
  for (const int rank : {0, 1}) {
    const Outcome made = run({"digest", late_loader_trace(rank), "-o", digests.at(fmt::format("r{}.digest", rank)),
                              "--place", fmt::format("/not/here/rank{}.json.gz", rank)});
    ASSERT_EQ(made.status, 0) << made.error;
  }
  const std::string out = digests.at("who.txt");
  const Outcome drawn = run({"render", digests.path(), "--scene", "ranks", "--at", "who", "--text", "-o", out});
  EXPECT_EQ(drawn.status, 0) << drawn.error;
  const Outcome chosen = run({"render", digests.path(), "--rank", "1", "--scene", "ranks", "--text", "-o", out});
  EXPECT_EQ(chosen.status, 2);
  EXPECT_THAT(chosen.error, HasSubstr("rank 1: its trace /not/here/rank1.json.gz is not on this machine"));
}

TEST(DigestVerb, BadInputIsOneLine) {
  const Folder folder;
  const auto refused = [](const std::vector<std::string>& words, const std::string& line) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 2) << words.back();
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr(line));
  };
  refused({"digest", folder.at("none.json")}, "none.json");
  refused({"digest", folder.path()}, "is a folder; give the trace of one rank");
  refused({"digest", "-"}, "name the file to write, with -o x.digest");
  refused({"digest", folder.file("text.json", "{\"a\": 1}"), "-o", folder.at("x.digest")}, "text.json");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "x.digest"));
  const std::string digest = folder.at("rank0.digest");
  ASSERT_EQ(run({"digest", late_loader_trace(0), "-o", digest}).status, 0);
  refused({"digest", digest}, "is a digest already; give a trace");
  refused({"info", digest}, "is a digest of the trace of one rank; give the folder");
  const std::string second = folder.at("rank1.digest");
  const Outcome plain = run({"digest", late_loader_trace(1), "-o", "-"});
  ASSERT_EQ(plain.status, 0);
  folder.file("rank1.digest", plain.out);
  EXPECT_EQ(run({"info", digest, second}).status, 0);
  folder.file("rank1.digest", "no digest");
  const Outcome damaged = run({"info", digest, second});
  EXPECT_EQ(damaged.status, 2);
  EXPECT_EQ(damaged.error_lines(), 1u);
  refused({"info", second, folder.file("rank2.digest", "{\"format\":\"warpwalk digest\",\"version\":9}")}, "no digest");
}

TEST(DigestVerb, AnAddressThatDoesNotAnswerIsOneLine) {
  const Outcome outcome = run({"info", "http://127.0.0.1:9/trace.json"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr("http://127.0.0.1:9/trace.json: cannot be fetched"));
}

}  // namespace
}  // namespace warpwalk::testing
