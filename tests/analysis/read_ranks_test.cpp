// Reading the traces of ranks: several at once within a budget of memory, progress, cancelling, and what is left out.
#include "core/analysis/ranks/read_ranks.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/platform/temporary_folder.h"

namespace warpwalk::analysis {
namespace {

using ::testing::HasSubstr;

/// Traces of ranks with an all-reduce at the same times.
class ReadRanks : public ::testing::Test {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path() / name) << text;
    return folder.path() / name;
  }
  std::filesystem::path trace(int rank, int world, const std::string& name) const {
    return file(name, fmt::format(R"({{"distributedInfo": {{"backend": "nccl", "rank": {0}, "world_size": {1}}},
      "traceEvents": [
      {{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": {2}, "dur": 3,
        "args": {{"correlation": 1}}}},
      {{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "pid": 0, "tid": 7, "ts": {3},
        "dur": {4}, "args": {{"device": 0, "stream": 7, "correlation": 1, "Collective name": "allreduce",
        "Process Group Name": "0", "Group size": {1}, "In msg nelems": 256, "Out msg nelems": 256,
        "dtype": "Float"}}}}]}})",
                                  rank, world, 100 + 10 * rank, 110 + 10 * rank, 100 - 10 * rank));
  }

  const platform::TemporaryFolder folder;
};

TEST_F(ReadRanks, AFolderIsReadAsItsFiles) {
  for (const int rank : {2, 0, 1, 3}) trace(rank, 4, fmt::format("t{}.json", 9 - rank));
  file("notes.txt", "text");
  file(".hidden.json", "{}");
  file("t9.json.notes.json", "{}");
  std::filesystem::create_directory(folder.path() / "deeper.json");
  const auto files = rank_files(folder.path());
  ASSERT_EQ(files.size(), 4u);
  for (const int threads : {1, 3}) {
    RanksOptions options;
    options.threads = threads;
    const auto report = read_ranks(files, options);
    ASSERT_TRUE(report) << report.error();
    ASSERT_EQ(report->ranks.size(), 4u);
    for (std::size_t rank = 0; rank < 4; ++rank) {
      EXPECT_EQ(report->ranks[rank].identity.rank, static_cast<std::int64_t>(rank));
      EXPECT_EQ(report->ranks[rank].file.filename().string(), fmt::format("t{}.json", 9 - rank));
      EXPECT_EQ(report->ranks[rank].collectives.size(), 1u);
    }
    EXPECT_TRUE(report->problems.empty());
  }
}

TEST_F(ReadRanks, AFileThatNeedsMoreThanTheBudgetIsReadAlone) {
  for (const int rank : {0, 1, 2}) trace(rank, 3, fmt::format("t{}.json", rank));
  RanksOptions options;
  options.threads = 3;
  options.memory = 1;
  const auto report = read_ranks(rank_files(folder.path()), options);
  ASSERT_TRUE(report) << report.error();
  EXPECT_EQ(report->ranks.size(), 3u);
}

TEST_F(ReadRanks, ProgressEndsWithAllFilesAndTheirBytes) {
  std::uint64_t bytes = 0;
  for (const int rank : {0, 1, 2}) bytes += std::filesystem::file_size(trace(rank, 3, fmt::format("t{}.json", rank)));
  RanksOptions options;
  options.threads = 2;
  RanksProgress last;
  std::atomic<bool> inside = false, together = false;
  options.on_progress = [&](const RanksProgress& progress) {
    if (inside.exchange(true)) together = true;
    EXPECT_GE(progress.bytes, last.bytes);
    EXPECT_GE(progress.done, last.done);
    last = progress;
    inside = false;
    return true;
  };
  ASSERT_TRUE(read_ranks(rank_files(folder.path()), options));
  EXPECT_FALSE(together) << "called by one thread at a time";
  EXPECT_EQ(last.done, 3u);
  EXPECT_EQ(last.files, 3u);
  EXPECT_EQ(last.bytes, bytes);
  EXPECT_EQ(last.total, bytes);
}

TEST_F(ReadRanks, CancellingEndsItWithALine) {
  for (const int rank : {0, 1, 2}) trace(rank, 3, fmt::format("t{}.json", rank));
  for (const std::uint64_t memory : {std::uint64_t{1}, std::uint64_t{1} << 30}) {
    RanksOptions options;
    options.threads = 3;
    options.memory = memory;
    options.on_progress = [](const RanksProgress& progress) { return progress.done == 0; };
    const auto report = read_ranks(rank_files(folder.path()), options);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error(), "reading was cancelled");
  }
}

TEST_F(ReadRanks, RanksWithoutANumberGetThoseThatAreFree) {
  const std::string text = R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0,
    "tid": 7, "ts": 10, "dur": 5, "args": {"device": 0, "stream": 7}}]})";
  const auto report = read_ranks({file("b.json", text), file("a_rank1.json", text), file("c.json", text)});
  ASSERT_TRUE(report) << report.error();
  ASSERT_EQ(report->ranks.size(), 3u);
  EXPECT_EQ(report->ranks[0].file.filename(), "b.json");
  EXPECT_EQ(report->ranks[1].file.filename(), "a_rank1.json");
  EXPECT_EQ(report->ranks[2].file.filename(), "c.json");
}

TEST_F(ReadRanks, OneTraceAmongOtherFilesIsAlone) {
  const auto one = trace(1, 2, "one.json");
  const auto report = read_ranks({file("config.json", R"({"some": 1})"), one, folder.path() / "none.json"});
  ASSERT_TRUE(report) << report.error();
  EXPECT_TRUE(report->empty());
  ASSERT_EQ(report->ranks.size(), 1u);
  EXPECT_EQ(report->ranks[0].file, one);
  EXPECT_EQ(report->problems.size(), 2u);
}

TEST_F(ReadRanks, TracesOfDifferentRunsAreRefused) {
  const auto report = read_ranks({trace(0, 2, "a.json"), trace(1, 4, "b.json")});
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error(), HasSubstr("not of one distributed run"));
  EXPECT_THAT(report.error(), HasSubstr("b.json: is of a run of 4 ranks, the others of 2"));
  EXPECT_EQ(report.error().find('\n'), std::string::npos);
}

// facebookresearch/param, et_replay: PyTorch before 2.2 wrote no fields, and all-to-all is NCCL's kernel for messages.
TEST_F(ReadRanks, NamesAndShapesAroundTheLaunchTellWhatACollectiveIs) {
  std::ifstream in(std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/trace/data/wild/25_old_collectives.json");
  std::string text(std::istreambuf_iterator<char>(in), {});
  file("rank0.json", text);
  const std::string own = R"("rank": 0)";
  file("rank1.json", text.replace(text.find(own), own.size(), R"("rank": 1)"));
  const auto report = read_ranks(rank_files(folder.path()), {});
  ASSERT_TRUE(report) << report.error();
  ASSERT_EQ(report->collectives.size(), 4u);
  for (const MatchedCollective& one : report->collectives) {
    EXPECT_EQ(one.kind, CollectiveKind::all_to_all);
    EXPECT_EQ(one.bytes, 6144 * 4);
  }
}

}  // namespace
}  // namespace warpwalk::analysis
