#include "instrumentation/graph_losses.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "instrumentation/trace_builder.h"

namespace warpwalk::instrumentation {
namespace {

constexpr std::uint64_t graphs_start = 1'700'000'000'000'000'000;

// The CUPTI rows of a program that launches graphs.
class GraphRecording {
 public:
  GraphRecording() {
    maker_.add(Begin{4711, 130001, graphs_start, "./graphs"});
    maker_.add(Name{1, "_Z5scalePf"});
    maker_.add(Name{2, "cudaGraphLaunch_v10000"});
    maker_.add(Name{3, "cudaLaunchKernel_v7000"});
  }

  void call(std::uint32_t name, std::uint32_t correlation, std::uint32_t result = 0) {
    CallRow row;
    row.start = now_ += 1000, row.end = row.start + 500;
    row.name = name, row.thread = 4711, row.correlation = correlation, row.result = result;
    maker_.add(row);
  }
  void kernels(std::uint32_t correlation, std::uint32_t graph, int count, bool timed = true) {
    for (int k = 0; k < count; ++k) {
      KernelRow row;
      row.start = timed ? now_ += 10 : 0, row.end = timed ? row.start + 5 : 0;
      row.name = 1, row.stream = 7, row.correlation = correlation, row.graph = graph;
      row.grid = {1, 1, 1}, row.block = {32, 1, 1};
      maker_.add(row);
    }
  }
  void graph_launch(std::uint32_t correlation, std::uint32_t graph, int kernels_of_it) {
    call(2, correlation);
    kernels(correlation, graph, kernels_of_it);
  }
  void copy(std::uint32_t correlation, std::uint32_t graph) {
    MemcpyRow row;
    row.start = now_ += 10, row.end = row.start + 5;
    row.correlation = correlation, row.graph = graph, row.bytes = 64;
    maker_.add(row);
  }

  RecordingSummary finish() {
    RecordingSummary account;
    trace_ = maker_.finish(account);
    return account;
  }
  // The problem that is reported when the walk is opened.
  std::string losses() const {
    const trace::ReadResult read = trace::read_trace_text(trace::write_trace_text(trace_));
    for (const trace::Problem& problem : read.problems.rows())
      if (problem.kind == trace::ProblemKind::incomplete_recording)
        return fmt::format("{}: {}", problem.count, problem.message);
    return "";
  }
  LossRow loss;
  void lose() { maker_.add(loss); }

 private:
  TraceBuilder maker_;
  trace::Trace trace_;
  std::uint64_t now_ = graphs_start;
};

TEST(GraphLosses, NoneWhereEachLaunchHasItsWork) {
  GraphRecording recording;
  recording.graph_launch(1, 5, 10);
  recording.graph_launch(2, 6, 3);
  recording.graph_launch(3, 5, 10);
  recording.call(3, 4);
  recording.kernels(4, 0, 1);
  recording.call(3, 5);       // captured into a graph: no kernel
  recording.call(2, 6, 999);  // failed
  const RecordingSummary account = recording.finish();
  EXPECT_EQ(account.graphs.work, 0u);
  EXPECT_EQ(account.graphs.empty_launches, 0u);
  EXPECT_EQ(account.untimed, 0u);
  EXPECT_EQ(recording.losses(), "");
}

TEST(GraphLosses, GraphsOfCopiesAloneAreToldApart) {
  GraphRecording recording;
  for (const std::uint32_t correlation : {1u, 2u}) {
    recording.call(2, correlation);
    for (std::uint32_t copies = 0; copies < 3 * correlation; ++copies) recording.copy(correlation, correlation + 4);
  }
  EXPECT_EQ(recording.finish().graphs.work, 0u);
}

TEST(GraphLosses, OfOneSizeOfGraphAllAreCounted) {
  GraphRecording recording;
  recording.graph_launch(1, 5, 9);
  recording.copy(1, 5);
  recording.graph_launch(2, 5, 8);  // and no copy
  recording.graph_launch(3, 5, 0);
  recording.call(3, 4);
  recording.kernels(4, 0, 1, false);
  const RecordingSummary account = recording.finish();
  EXPECT_EQ(account.graphs.work, 2u + 10u);
  EXPECT_EQ(account.graphs.empty_launches, 0u);
  EXPECT_EQ(account.untimed, 1u);
  EXPECT_EQ(recording.losses(),
            "12: the recording lacks 12 kernels, copies or sets of graph launches that CUPTI did not report");
}

TEST(GraphLosses, OfTwoSizesTheEmptyLaunchesAreCounted) {
  GraphRecording recording;
  recording.graph_launch(1, 5, 10);
  recording.graph_launch(2, 6, 3);
  recording.graph_launch(3, 6, 2);
  recording.graph_launch(4, 5, 0);
  recording.graph_launch(5, 5, 0);
  recording.loss.dropped = 7;
  recording.lose();
  const RecordingSummary account = recording.finish();
  EXPECT_EQ(account.graphs.work, 1u);
  EXPECT_EQ(account.graphs.empty_launches, 2u);
  EXPECT_EQ(
      recording.losses(),
      "10: the recording lacks 7 records that CUPTI dropped, 1 kernels, copies or sets of graph launches that CUPTI "
      "did not report, 2 graph launches for which CUPTI reported nothing");
}

}  // namespace
}  // namespace warpwalk::instrumentation
