// Digests: what is read back is what was written, and the comparison of digests is that of the traces. Damaged ones are
// refused.
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/analysis/ranks/digest_file.h"
#include "core/analysis/ranks/rank_identity.h"
#include "core/analysis/ranks/rank_report.h"
#include "core/trace/read/read_trace.h"
#include "tests/traces/made_traces.h"

namespace warpwalk {
namespace {

using analysis::RankDigest;

std::vector<RankDigest> digests_of_made(const MadeRun& run) {
  std::vector<RankDigest> digests;
  for (const std::string& text : made_traces(run).texts) {
    const trace::ReadResult read = trace::read_trace_text(text);
    digests.push_back(analysis::digest_of(read.trace, analysis::identity_of(read.trace, "trace.json", 0)));
  }
  return digests;
}

std::vector<RankDigest> read_back(const std::vector<RankDigest>& digests) {
  std::vector<RankDigest> result;
  for (const RankDigest& digest : digests) {
    const auto read = analysis::digests_in(analysis::digest_json({digest}, {"/far/rank.json.gz", 1}), "rank.digest");
    EXPECT_TRUE(read) << (read ? "" : read.error());
    if (read) result.push_back(read->front());
  }
  return result;
}

const MadeRun late_run = {.ranks = 4, .steps = 3, .delay = Delay::sleep, .late = 2, .bound_by_gpu = true};

TEST(Digest, IsReadBackAsItWasWritten) {
  std::vector<RankDigest> written = digests_of_made(late_run);
  written.front().collectives.front().ready = std::numeric_limits<std::int64_t>::min();  // not recorded
  written.front().identity.host = "node7";
  const std::vector<RankDigest> read = read_back(written);
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    // Everything that a digest holds is in its JSON.
    EXPECT_EQ(analysis::digest_json({read[i]}, {}), analysis::digest_json({written[i]}, {}));
    EXPECT_EQ(read[i].file, "/far/rank.json.gz");
    EXPECT_EQ(read[i].digest, "rank.digest");
    ASSERT_EQ(read[i].collectives.size(), written[i].collectives.size());
    for (std::size_t c = 0; c < read[i].collectives.size(); ++c) {
      EXPECT_EQ(read[i].collectives[c].arrival, written[i].collectives[c].arrival);
      EXPECT_EQ(read[i].collectives[c].ready, written[i].collectives[c].ready);
      EXPECT_EQ(read[i].collectives[c].costs, written[i].collectives[c].costs);
      if (read[i].collectives[c].costs > 0)
        EXPECT_EQ(read[i].collectives[c].first_cost, written[i].collectives[c].first_cost);
    }
  }
  EXPECT_EQ(read.front().identity.host, "node7");
}

TEST(Digest, TheComparisonIsThatOfTheTraces) {
  const std::vector<RankDigest> digests = digests_of_made(late_run);
  const analysis::RankReport of_traces = analysis::rank_report(digests);
  const analysis::RankReport of_digests = analysis::rank_report(read_back(digests));
  ASSERT_EQ(of_traces.causes.size(), 1u);
  ASSERT_EQ(of_digests.causes.size(), 1u);
  EXPECT_EQ(of_digests.causes.front().rank, 2u);
  EXPECT_EQ(of_digests.causes.front().function, "load_batch");
  EXPECT_EQ(of_digests.causes.front().late, of_traces.causes.front().late);
  EXPECT_EQ(of_digests.causes.front().slice, of_traces.causes.front().slice);
  EXPECT_EQ(of_digests.alignment.uncertainty, of_traces.alignment.uncertainty);
  ASSERT_EQ(of_digests.collectives.size(), of_traces.collectives.size());
  for (std::size_t i = 0; i < of_traces.collectives.size(); ++i)
    EXPECT_EQ(of_digests.collectives[i].wait, of_traces.collectives[i].wait);
}

TEST(Digest, ItsStandInHasItsCollectives) {
  const RankDigest digest = read_back(digests_of_made(late_run)).front();
  const trace::ReadResult read = trace::read_trace_text(analysis::trace_json_of(digest));
  ASSERT_FALSE(read.error) << *read.error;
  EXPECT_EQ(read.trace.kernel_order.size(), digest.collectives.size());
}

std::string error_of(std::string_view json) {
  const auto read = analysis::digests_in(json, "x.digest");
  return read ? "" : read.error();
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(Digest, OtherFilesAndVersionsAreNamed) {
  const std::string json = analysis::digest_json({digests_of_made(late_run).front()}, {"rank.json", 1});
  EXPECT_EQ(error_of(json), "");
  EXPECT_NE(error_of("{}").find("x.digest: is no digest; make one of a trace: warpwalk digest TRACE -o x.digest"),
            std::string::npos);
  EXPECT_NE(error_of(replaced(json, "\"version\":1", "\"version\":7")).find("x.digest: is a digest of version 7"),
            std::string::npos);
  EXPECT_NE(error_of(json.substr(0, json.size() / 2)).find("x.digest: is a damaged digest (at byte "),
            std::string::npos);
  EXPECT_NE(error_of(replaced(json, "\"rows\":", "\"rows\":9")).find("is a damaged digest (collectives.kind)"),
            std::string::npos);
  EXPECT_NE(error_of(replaced(json, "\"world\":4", "\"world\":-4")).find("is a damaged digest (world)"),
            std::string::npos);
  EXPECT_NE(error_of(replaced(json, "\"groups\":[", "\"groups\":[7,")).find("is a damaged digest"), std::string::npos);
}

// Whatever is changed, it is refused, or it is a digest that can be compared.
TEST(Digest, NoDamageCrashes) {
  const std::vector<RankDigest> digests = digests_of_made({.ranks = 2, .steps = 2, .delay = Delay::none});
  const std::string json = analysis::digest_json({digests[0]}, {"rank.json", 1});
  std::uint32_t random = 12345;
  int read = 0;
  for (int i = 0; i < 300; ++i) {
    std::string damaged = json;
    for (int k = 0; k < 3; ++k) {
      random = random * 1664525 + 1013904223;
      const std::size_t at = 40 + random % (json.size() - 40);
      damaged[at] = "0123456789-,[]{}\"x"[(random >> 8) % 18];
    }
    auto result = analysis::digests_in(damaged, "x.digest");
    if (!result) {
      EXPECT_EQ(result.error().find('\n'), std::string::npos);
      continue;
    }
    ++read;
    result->push_back(digests[1]);
    (void)analysis::rank_report(*std::move(result));
  }
  EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace warpwalk
