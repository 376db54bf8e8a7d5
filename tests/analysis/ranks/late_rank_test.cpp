// The late rank and its cause, in runs that are made (64 ranks) and in runs that were recorded on two H200s
// (record.py).
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/analysis/ranks/rank_identity.h"
#include "core/analysis/ranks/rank_report.h"
#include "core/analysis/ranks/read_ranks.h"
#include "core/trace/read/read_trace.h"
#include "tests/traces/made_traces.h"

namespace warpwalk {
namespace {

analysis::RankReport report_of(const std::vector<std::string>& texts) {
  std::vector<analysis::RankDigest> digests;
  for (const std::string& text : texts) {
    const trace::ReadResult read = trace::read_trace_text(text);
    if (read.error) throw std::runtime_error(*read.error);
    digests.push_back(analysis::digest_of(read.trace, analysis::identity_of(read.trace, "trace.json", 0)));
  }
  return analysis::rank_report(std::move(digests));
}

analysis::RankReport recorded(const std::string& name) {
  const std::filesystem::path data = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/analysis/ranks/data";
  const auto report = analysis::read_ranks({data / (name + "_rank0.json.gz"), data / (name + "_rank1.json.gz")});
  if (!report) throw std::runtime_error(report.error());
  return *report;
}

struct Expected {
  analysis::LateKind kind;
  const char* function;
};

Expected expected_of(Delay delay) {
  switch (delay) {
    case Delay::none: return {analysis::LateKind::unknown, ""};
    case Delay::sleep: return {analysis::LateKind::line, "load_batch"};
    case Delay::python_loop: return {analysis::LateKind::line, "tokenize"};
    case Delay::kernels: return {analysis::LateKind::kernel, "augment"};
    case Delay::synchronize: return {analysis::LateKind::synchronize, "log_metrics"};
    case Delay::more_work: return {analysis::LateKind::more_work, "forward"};
    case Delay::copy: return {analysis::LateKind::copy, "dump"};
  }
  return {};
}

// Counts the runs in which rank, kind and function are right, and those whose cost is within 5 % of the time by which
// the delay made the run longer.
struct Score {
  int runs = 0, right = 0, costs = 0;
  std::string wrong;
};

void try_run(MadeRun run, Score& score) {
  const MadeTraces made = made_traces(run);
  const Expected expected = expected_of(run.delay);
  run.delay = Delay::none;
  const std::int64_t cost = made.duration - made_traces(run).duration;
  const analysis::RankReport report = report_of(made.texts);
  ++score.runs;
  const std::string name = std::string(expected.function) + ", ranks " + std::to_string(run.ranks) + ", seed " +
                           std::to_string(run.seed) + (run.bound_by_gpu ? ", bound by the GPU" : ", bound by the CPU");
  if (report.causes.size() != 1) {
    score.wrong += name + ": " + std::to_string(report.causes.size()) + " causes\n";
    return;
  }
  const analysis::LateCause& cause = report.causes.front();
  const bool right = report.ranks[cause.rank].identity.rank == static_cast<std::int64_t>(run.late) &&
                     cause.kind == expected.kind && cause.function == expected.function && cause.file == "train.py";
  score.right += right;
  if (!right) score.wrong += name + ": " + std::string(name_of(cause.kind)) + " " + cause.function + "\n";
  const double found = static_cast<double>(cause.late) * static_cast<double>(cause.times);
  const bool near = std::abs(found - static_cast<double>(cost)) <= 0.05 * static_cast<double>(cost);
  score.costs += near;
  if (!near) score.wrong += name + ": " + std::to_string(found / 1e6) + " of " + std::to_string(cost / 1e6) + " ms\n";
}

TEST(LateRank, IsFoundWithItsCauseAndItsCost) {
  Score score;
  for (const Delay delay :
       {Delay::sleep, Delay::python_loop, Delay::kernels, Delay::synchronize, Delay::more_work, Delay::copy})
    for (const bool bound_by_gpu : {false, true}) {
      // In a run bound by the CPU, a wait for the GPU and larger kernels delay nobody, and of more kernels only their
      // launches do.
      if (!bound_by_gpu && (delay == Delay::kernels || delay == Delay::synchronize || delay == Delay::more_work))
        continue;
      for (const std::size_t ranks : {2, 3, 8})
        for (unsigned seed = 1; seed <= 3; ++seed)
          try_run({.ranks = ranks, .delay = delay, .late = seed % ranks, .bound_by_gpu = bound_by_gpu, .seed = seed},
                  score);
    }
  EXPECT_GE(score.right, score.runs * 95 / 100) << score.runs << " runs\n" << score.wrong;
  EXPECT_GE(score.costs, score.runs * 95 / 100) << score.runs << " runs\n" << score.wrong;
}

TEST(LateRank, IsFoundAmong64WhoseClocksDiffer) {
  Score score;
  for (const Delay delay : {Delay::sleep, Delay::more_work})
    try_run({.ranks = 64, .steps = 3, .delay = delay, .late = 41, .bound_by_gpu = true, .shifted_clocks = true}, score);
  EXPECT_EQ(score.right, score.runs) << score.wrong;
  EXPECT_EQ(score.costs, score.runs) << score.wrong;
}

TEST(LateRank, NobodyIsBlamedWithoutADelay) {
  for (const bool bound_by_gpu : {false, true})
    for (const bool waits : {false, true})
      for (const std::size_t ranks : {2, 8})
        for (unsigned seed = 1; seed <= 4; ++seed) {
          MadeRun run{.ranks = ranks, .bound_by_gpu = bound_by_gpu, .waits_at_end = waits, .seed = seed};
          run.shifted_clocks = seed % 2 == 0;
          const analysis::RankReport report = report_of(made_traces(run).texts);
          EXPECT_TRUE(report.causes.empty()) << ranks << " " << seed << " " << report.causes.front().function;
        }
}

// Two ranks of a run of more: the one that all wait for may be another.
TEST(LateRank, NobodyIsClearedWhileRanksAreMissing) {
  MadeRun run;
  run.ranks = 4;
  run.delay = Delay::none;
  std::vector<std::string> texts = made_traces(run).texts;
  EXPECT_EQ(report_of(texts).doubt, analysis::RankDoubt::none);
  texts.resize(2);
  const analysis::RankReport report = report_of(texts);
  EXPECT_TRUE(report.causes.empty());
  EXPECT_EQ(report.doubt, analysis::RankDoubt::missing);
}

TEST(LateRank, SleepingLoaderOfARecordedRun) {
  const analysis::RankReport report = recorded("late_loader");
  ASSERT_EQ(report.ranks.size(), 2u);
  EXPECT_EQ(report.ranks[1].identity.rank, 1);
  EXPECT_EQ(report.ranks[1].identity.world, 2);
  ASSERT_EQ(report.causes.size(), 1u);
  const analysis::LateCause& cause = report.causes.front();
  EXPECT_EQ(cause.rank, 1u);
  EXPECT_EQ(cause.kind, analysis::LateKind::line);
  EXPECT_TRUE(cause.slept);
  EXPECT_EQ(cause.function, "load_batch");
  EXPECT_EQ(cause.file, "record.py");
  EXPECT_EQ(cause.times, 3u);                                  // steps
  EXPECT_NEAR(static_cast<double>(cause.late), 8.1e6, 0.1e6);  // time.sleep(0.008)
  EXPECT_EQ(cause.of, 30u);
  EXPECT_EQ(cause.last_in, 30u);
  // One host, one clock.
  for (const analysis::RankClock& clock : report.alignment.clocks) EXPECT_EQ(clock.offset, 0);
  EXPECT_LT(report.alignment.uncertainty, 10'000);
}

TEST(LateRank, NobodyIsBlamedInAHealthyRecordedRun) {
  const analysis::RankReport report = recorded("ok");
  // Large all-reduces end up to 25 us apart on the two GPUs, small ones within a microsecond.
  for (const analysis::RankClock& clock : report.alignment.clocks) EXPECT_EQ(clock.offset, 0);
  for (const analysis::LateCause& cause : report.causes) ADD_FAILURE() << name_of(cause.kind) << " " << cause.function;
}

// Every bucket of the gradients is an all-reduce; their sizes are those of the parameters.
TEST(LateRank, CollectivesOfARecordedRunAreMatched) {
  const analysis::RankReport report = recorded("late_loader");
  // Rank 0 has four more, of the step before, without their group: its GPU is late beside its CPU.
  EXPECT_EQ(report.ranks[0].collectives.size(), 30u);
  EXPECT_EQ(report.ranks[0].launched_before, 4u);
  EXPECT_EQ(report.problems.size(), 1u);
  ASSERT_EQ(report.collectives.size(), 30u);
  std::map<std::int64_t, std::int64_t> bytes_by_step;
  for (const analysis::MatchedCollective& one : report.collectives) {
    EXPECT_EQ(one.kind, analysis::CollectiveKind::all_reduce);
    EXPECT_FALSE(one.mixed);
    ASSERT_EQ(one.members.size(), 2u);
    EXPECT_GT(one.transfer, 0);
    bytes_by_step[one.step] += one.bytes;
  }
  // Six blocks of 512: LayerNorm, qkv, out, up and down with their biases, in bfloat16.
  const std::int64_t block = 2 * 512 + (3 + 1 + 4 + 4) * 512 * 512 + (3 + 1 + 4 + 1) * 512;
  for (const auto& [step, bytes] : bytes_by_step) EXPECT_EQ(bytes, 2 * 6 * block) << step;
  EXPECT_EQ(bytes_by_step.size(), 3u);
}

analysis::RankReport shipped(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (int rank = 0; rank < 4; ++rank)
    files.push_back(std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets/walks" / folder /
                    ("rank" + std::to_string(rank) + ".json.gz"));
  const auto report = analysis::read_ranks(files);
  if (!report) throw std::runtime_error(report.error());
  return *report;
}

void expect_sleeping_loader(const analysis::RankReport& report, std::size_t rank, std::size_t steps) {
  ASSERT_EQ(report.causes.size(), 1u);
  const analysis::LateCause& cause = report.causes.front();
  EXPECT_EQ(cause.rank, rank);
  EXPECT_EQ(cause.kind, analysis::LateKind::line);
  EXPECT_TRUE(cause.slept);
  EXPECT_EQ(cause.function, "load_batch");
  EXPECT_EQ(cause.times, steps);
  EXPECT_NEAR(static_cast<double>(cause.late), 10.3e6, 0.3e6);  // load_batch took 10.3 ms, as measured there
  for (const analysis::RankClock& clock : report.alignment.clocks) EXPECT_EQ(clock.offset, 0) << "one host, one clock";
  EXPECT_LT(report.alignment.uncertainty, 5'000);
  EXPECT_TRUE(report.problems.empty()) << report.problems.front();
}

// record_parallel.py on four H200s. Three of them are far ahead of the late one, which is last everywhere; among those,
// the CPUs differ by more than the loader sleeps.
TEST(LateRank, SleepingLoaderAmongFourGpus) {
  const analysis::RankReport report = shipped("four_h200_late_loader");
  expect_sleeping_loader(report, 3, 3);
  EXPECT_EQ(report.collectives.size(), 6u);
}

// Each of four stages sends 8 microbatches on and their gradients back, in two steps. PyTorch gives the kernels of
// batch_isend_irecv no fields, and some of them both send and receive.
TEST(LateRank, SleepingLoaderOfAPipeline) {
  const analysis::RankReport report = shipped("four_h200_pipeline");
  expect_sleeping_loader(report, 0, 2);
  EXPECT_EQ(report.collectives.size(), 2u * 3 * 2 * 8);
  std::map<std::pair<std::size_t, std::size_t>, int> messages;
  for (const analysis::MatchedCollective& one : report.collectives) {
    EXPECT_EQ(one.kind, analysis::CollectiveKind::send);
    EXPECT_FALSE(one.mixed);
    ASSERT_EQ(one.members.size(), 2u);
    EXPECT_EQ(one.bytes, 2 * 256 * 512 * 2);  // bfloat16
    ++messages[{one.members[0].rank, one.members[1].rank}];
  }
  const std::map<std::pair<std::size_t, std::size_t>, int> expected = {{{0, 1}, 32}, {{1, 2}, 32}, {{2, 3}, 32}};
  EXPECT_EQ(messages, expected);
}

}  // namespace
}  // namespace warpwalk
