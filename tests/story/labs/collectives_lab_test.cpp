// The lab "collectives": its plans carried out on numbers, its steps, bytes and times against formulas and counts by
// hand, and what it says with and without measurements.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/collective_times.h"
#include "core/records/hardware.h"
#include "core/story/labs/collectives/cost.h"
#include "core/story/labs/collectives/gradients.h"
#include "core/story/labs/collectives/late.h"
#include "core/story/labs/collectives/pipeline.h"
#include "core/story/labs/collectives/ring.h"
#include "core/story/labs/collectives/tree.h"
#include "core/story/labs/labs.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

constexpr int gpu_counts[] = {2, 3, 4, 5, 6, 7, 8};
constexpr const char* collectives_scene = "lab/collectives";

// Numbers of which no two sums are equal by chance.
std::int64_t value_of(int gpu, int chunk) { return (1 << (3 * gpu)) * (2 * chunk + 1); }

using Buffers = std::vector<std::vector<std::int64_t>>;  // by GPU and place

// Carries out a plan's sends on numbers. `there`: which GPU has which chunk at the start.
Buffers carried_out(const CollectivePlan& plan, const std::function<bool(int gpu, int chunk)>& there) {
  Buffers start(static_cast<std::size_t>(plan.gpus));
  for (int gpu = 0; gpu < plan.gpus; ++gpu)
    for (int chunk = 0; chunk < plan.chunks; ++chunk)
      start[static_cast<std::size_t>(gpu)].push_back(there(gpu, chunk) ? value_of(gpu, chunk) : 0);
  Buffers now = start;
  for (int step = 1; step <= plan.steps; ++step) {
    const Buffers before = now;
    for (const CollectiveSend& send : plan.sends) {
      if (send.step != step) continue;
      const Buffers& read = send.from_input ? start : before;
      const std::int64_t sent = read[static_cast<std::size_t>(send.from)][static_cast<std::size_t>(send.source)];
      std::int64_t& held = now[static_cast<std::size_t>(send.to)][static_cast<std::size_t>(send.target)];
      held = send.adds ? held + sent : sent;
    }
  }
  return now;
}

std::int64_t sum_of(int gpus, int chunk) {
  std::int64_t sum = 0;
  for (int gpu = 0; gpu < gpus; ++gpu) sum += value_of(gpu, chunk);
  return sum;
}

bool everywhere(int, int) { return true; }

void expect_full_sums(const CollectivePlan& plan) {
  const Buffers end = carried_out(plan, everywhere);
  for (const std::vector<std::int64_t>& buffer : end)
    for (int chunk = 0; chunk < plan.chunks; ++chunk)
      EXPECT_EQ(buffer[static_cast<std::size_t>(chunk)], sum_of(plan.gpus, chunk)) << plan.gpus << " GPUs";
  for (const ChunkSum& sum : sums_after(plan, plan.steps)) EXPECT_TRUE(sum.complete(plan.gpus)) << plan.gpus;
}

TEST(RingPlan, AllReduceGivesEveryGpuTheSumInTwoRounds) {
  for (const int n : gpu_counts) {
    const CollectivePlan plan = ring_plan(analysis::CollectiveKind::all_reduce, n);
    expect_full_sums(plan);
    EXPECT_EQ(plan.steps, 2 * (n - 1));
    EXPECT_EQ(plan.chunks, n);
    for (int gpu = 0; gpu < n; ++gpu) EXPECT_EQ(plan.sent_by(gpu), 2 * (n - 1));
    EXPECT_DOUBLE_EQ(plan.busiest_share(), 2.0 * (n - 1) / n);
    // One step less is not enough.
    EXPECT_FALSE(
        std::ranges::all_of(sums_after(plan, plan.steps - 1), [&](const ChunkSum& sum) { return sum.complete(n); }));
  }
}

TEST(RingPlan, EachGpuSendsAndReceivesOneChunkPerStepToItsNeighbour) {
  for (const int n : gpu_counts)
    for (const analysis::CollectiveKind kind :
         {analysis::CollectiveKind::all_reduce, analysis::CollectiveKind::reduce_scatter,
          analysis::CollectiveKind::all_gather}) {
      std::set<std::pair<int, int>> senders, receivers;
      for (const CollectiveSend& send : ring_plan(kind, n).sends) {
        EXPECT_EQ(send.to, (send.from + 1) % n);
        EXPECT_TRUE(senders.emplace(send.step, send.from).second);
        EXPECT_TRUE(receivers.emplace(send.step, send.to).second);
      }
    }
}

TEST(RingPlan, AllReduceIsReduceScatterAndThenAllGather) {
  for (const int n : gpu_counts) {
    const CollectivePlan all = ring_plan(analysis::CollectiveKind::all_reduce, n),
                         scatter = ring_plan(analysis::CollectiveKind::reduce_scatter, n),
                         gather = ring_plan(analysis::CollectiveKind::all_gather, n);
    EXPECT_EQ(all.steps, scatter.steps + gather.steps);
    for (int gpu = 0; gpu < n; ++gpu) EXPECT_EQ(all.sent_by(gpu), scatter.sent_by(gpu) + gather.sent_by(gpu));
    EXPECT_EQ(sums_after(all, n - 1), sums_after(scatter, n - 1));
    // After the first half, GPU i has the complete sum of chunk i and of no other.
    const std::vector<ChunkSum> middle = sums_after(scatter, n - 1);
    for (int gpu = 0; gpu < n; ++gpu)
      for (int chunk = 0; chunk < n; ++chunk)
        EXPECT_EQ(middle[scatter.index(gpu, chunk)].complete(n), gpu == chunk) << gpu << " " << chunk;
  }
}

TEST(RingPlan, OtherCollectivesMoveTheRightChunks) {
  for (const int n : gpu_counts) {
    const auto at = [](const Buffers& all, int gpu, int chunk) {
      return all[static_cast<std::size_t>(gpu)][static_cast<std::size_t>(chunk)];
    };
    const CollectivePlan gather = ring_plan(analysis::CollectiveKind::all_gather, n);
    const Buffers gathered = carried_out(gather, [](int gpu, int chunk) { return gpu == chunk; });
    const CollectivePlan cast = ring_plan(analysis::CollectiveKind::broadcast, n);
    const Buffers copied = carried_out(cast, [](int gpu, int) { return gpu == 0; });
    const CollectivePlan crossing = ring_plan(analysis::CollectiveKind::all_to_all, n);
    const Buffers crossed = carried_out(crossing, everywhere);
    for (int gpu = 0; gpu < n; ++gpu)
      for (int chunk = 0; chunk < n; ++chunk) {
        EXPECT_EQ(at(gathered, gpu, chunk), value_of(chunk, chunk));
        EXPECT_EQ(at(copied, gpu, chunk), value_of(0, chunk));
        EXPECT_EQ(at(crossed, gpu, chunk), value_of(chunk, gpu));
        // The lab's sets say the same.
        EXPECT_EQ(sums_after(gather, gather.steps)[gather.index(gpu, chunk)], own_chunk(chunk, chunk));
        EXPECT_EQ(sums_after(cast, cast.steps)[cast.index(gpu, chunk)], own_chunk(0, chunk));
        EXPECT_EQ(sums_after(crossing, crossing.steps)[crossing.index(gpu, chunk)], own_chunk(chunk, gpu));
      }
    EXPECT_EQ(gather.steps, n - 1);
    EXPECT_EQ(crossing.steps, n - 1);
    EXPECT_EQ(cast.steps, 2 * n - 2);
    EXPECT_DOUBLE_EQ(gather.busiest_share(), (n - 1.0) / n);
    EXPECT_DOUBLE_EQ(crossing.busiest_share(), (n - 1.0) / n);
    EXPECT_DOUBLE_EQ(cast.busiest_share(), 1);
  }
}

// GPU 0 sends chunk 2 first, GPU 1 chunk 0, GPU 2 chunk 1; then each sends on what it has just received.
TEST(RingPlan, ThreeGpusByHand) {
  const CollectivePlan plan = ring_plan(analysis::CollectiveKind::all_reduce, 3);
  const auto parts = [&](int step) {
    std::string text;
    for (const ChunkSum& sum : sums_after(plan, step)) {
      for (int gpu = 0; gpu < 3; ++gpu)
        if (sum.has(gpu)) text += static_cast<char>('0' + gpu);
      text += ' ';
    }
    return text;
  };
  EXPECT_EQ(parts(0), "0 0 0 1 1 1 2 2 2 ");
  EXPECT_EQ(parts(1), "0 02 0 1 1 01 12 2 2 ");
  EXPECT_EQ(parts(2), "012 02 0 1 012 01 12 2 012 ");
  EXPECT_EQ(parts(3), "012 02 012 012 012 01 12 012 012 ");
  EXPECT_EQ(parts(4), "012 012 012 012 012 012 012 012 012 ");
}

TEST(TreePlan, GivesEveryGpuTheSum) {
  for (const int n : gpu_counts)
    for (const int trees : {1, 2})
      for (const int chunks : {2, 3, 8, n}) {
        const CollectivePlan plan = tree_plan(n, chunks, trees);
        expect_full_sums(plan);
        const int depth = static_cast<int>(std::ceil(std::log2(n)));
        const int per_tree = trees == 1 ? chunks : (chunks + 1) / 2;
        EXPECT_EQ(plan.steps, 2 * depth + per_tree - 1) << n << " GPUs, " << chunks << " chunks, " << trees;
        // Each of the n - 1 edges carries each chunk up once and down once.
        EXPECT_EQ(plan.sends.size(), static_cast<std::size_t>(2 * (n - 1) * chunks));
      }
}

TEST(TreePlan, AnEdgeCarriesOneChunkPerStepAndDirection) {
  for (const int n : gpu_counts) {
    std::set<std::tuple<int, int, int, bool>> used;  // step, from, to, tree
    for (const CollectiveSend& send : tree_plan(n, 8, 2).sends)
      EXPECT_TRUE(used.emplace(send.step, send.from, send.to, send.source < 4).second);
  }
}

TEST(TreePlan, BinaryTreesWithFewSharedInnerGpus) {
  for (const int n : gpu_counts) {
    int inner_in_both = 0;
    std::vector<int> inner(static_cast<std::size_t>(n), 0);
    for (const int number : {0, 1}) {
      const TreeParents tree = binary_tree(n, number);
      EXPECT_EQ(std::ranges::count(tree, -1), 1) << "one root";
      EXPECT_EQ(depth_of(tree), std::ceil(std::log2(n)));
      for (int gpu = 0; gpu < n; ++gpu) {
        const auto children = std::ranges::count(tree, gpu);
        EXPECT_LE(children, 2);
        inner[static_cast<std::size_t>(gpu)] += children > 0;
      }
    }
    for (const int one : inner) inner_in_both += one == 2;
    // With an even number, every GPU is a leaf in one of them.
    EXPECT_LE(inner_in_both, n % 2);
  }
  EXPECT_EQ(binary_tree(4, 0), (TreeParents{-1, 2, 0, 2}));
  EXPECT_EQ(binary_tree(4, 1), (TreeParents{1, 3, 1, -1}));
  EXPECT_EQ(binary_tree(8, 0), (TreeParents{-1, 2, 4, 2, 0, 6, 4, 6}));
}

TEST(CollectiveCosts, AreThoseOfTheFormulas) {
  for (const int n : gpu_counts) {
    EXPECT_EQ(ring_cost(n).steps, 2 * (n - 1));
    EXPECT_DOUBLE_EQ(ring_cost(n).share, 2.0 * (n - 1) / n);
    EXPECT_EQ(tree_cost(n, 2).steps, 2 * std::ceil(std::log2(n)));
  }
  // A GPU with two children in one tree sends up once and down twice there, and up once in the other: 3/2 + 1/2.
  EXPECT_DOUBLE_EQ(tree_cost(4, 2).share, 2);
  EXPECT_DOUBLE_EQ(tree_cost(8, 2).share, 2);
  EXPECT_DOUBLE_EQ(tree_cost(8, 1).share, 3);
  EXPECT_DOUBLE_EQ(tree_cost(2, 2).share, 1);
  const LinkModel link{5000, 100};
  // The ring's time is that of its steps, one after the other: 6 x (5 µs + 4 MB / 4 / 100 GB/s).
  EXPECT_DOUBLE_EQ(ring_cost(4).ns(4e6, link), 6 * (5000 + 1e6 / 100));
  // 2 (n - 1 - d) α B / (2 - 2 (n - 1) / n) with n = 4, d = 2, and n = 8, d = 3.
  EXPECT_DOUBLE_EQ(*crossover_bytes(ring_cost(4), tree_cost(4, 2), link), 4 * 5000.0 * 100);
  EXPECT_DOUBLE_EQ(*crossover_bytes(ring_cost(8), tree_cost(8, 2), link), 32 * 5000.0 * 100);
  EXPECT_FALSE(crossover_bytes(ring_cost(2), tree_cost(2, 2), link));
  EXPECT_FALSE(crossover_bytes(ring_cost(3), tree_cost(3, 2), link));
}

constexpr const char* collectives_head = "gpus,kind,bytes,time_ns,algorithm_gb_s,bus_gb_s\n";
// Made up for this test.
constexpr const char* collectives_rows =
    "2,all_reduce,8,14000,0.001,0.001\n"
    "2,all_reduce,1073741824,5382709.12,199.5,199.5\n"
    "4,all_reduce,8,30000,0.0003,0.0004\n"
    "4,all_reduce,16777216,200000,83.9,125.8\n"
    "4,all_reduce,1073741824,5398709.12,198.9,298.3\n"
    "4,broadcast,8,1,0.01,0.01\n";

std::vector<records::CollectiveTime> made_up_times() {
  const auto read = records::parse_collective_times(std::string(collectives_head) + collectives_rows);
  EXPECT_TRUE(read) << read.error();
  return read ? *read : std::vector<records::CollectiveTime>{};
}

TEST(CollectiveTimes, AreReadOrSaidToBeWrong) {
  const std::vector<records::CollectiveTime> times = made_up_times();
  ASSERT_EQ(times.size(), 6u);
  EXPECT_EQ(times[3].gpus, 4);
  EXPECT_EQ(times[3].kind, "all_reduce");
  EXPECT_EQ(times[3].bytes, 16777216);
  EXPECT_EQ(times[3].ns, 200000);
  EXPECT_EQ(times[3].bus, 125.8);
  EXPECT_EQ(find_collective(times, 4, "all_reduce", 16777216), &times[3]);
  EXPECT_EQ(find_collective(times, 8, "all_reduce", 8), nullptr);
  const auto bad = [](const std::string& rows) {
    return records::parse_collective_times(collectives_head + rows).error();
  };
  EXPECT_EQ(records::parse_collective_times("gpus,bytes\n").error(),
            "line 1: expected gpus,kind,bytes,time_ns,algorithm_gb_s,bus_gb_s");
  EXPECT_EQ(records::parse_collective_times("").error(),
            "line 1: expected gpus,kind,bytes,time_ns,algorithm_gb_s,bus_gb_s");
  EXPECT_EQ(bad("2,all_reduce,8,1\n"), "line 2: expected 6 cells");
  EXPECT_EQ(bad("2,all_reduce,8,1,1,1\n1,all_reduce,8,1,1,1\n"), "line 3: \"1\" is not a number of GPUs from 2 on");
  EXPECT_EQ(bad("2.5,all_reduce,8,1,1,1\n"), "line 2: \"2.5\" is not a number of GPUs from 2 on");
  EXPECT_EQ(bad("2,reduce,8,1,1,1\n"),
            "line 2: \"reduce\" is not a kind; expected all_reduce, all_gather, "
            "reduce_scatter, all_to_all, broadcast");
  EXPECT_EQ(bad("2,all_reduce,8,0,1,1\n"), "line 2: expected bytes and a time above 0, and two bandwidths");
  EXPECT_EQ(bad("2,all_reduce,8,1,x,1\n"), "line 2: expected bytes and a time above 0, and two bandwidths");
  EXPECT_TRUE(records::parse_collective_times(collectives_head)->empty());
}

TEST(CollectiveTimes, TheLinkIsFittedBySmallestAndLargest) {
  const std::vector<records::CollectiveTime> times = made_up_times();
  // 14 µs for 2 steps; 2^30 bytes, of which each GPU sends all, in 5,368,709.12 ns more: 200 GB/s.
  const auto two = fit_link(times, 2);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->gpus, 2);
  EXPECT_DOUBLE_EQ(two->link.latency, 7000);
  EXPECT_NEAR(two->link.bandwidth, 200, 1e-9);
  // 30 µs for 6 steps; 3/2 of 2^30 bytes.
  const auto four = fit_link(times, 4);
  ASSERT_TRUE(four);
  EXPECT_DOUBLE_EQ(four->link.latency, 5000);
  EXPECT_NEAR(four->link.bandwidth, 300, 1e-9);
  // The model goes through both of them.
  EXPECT_NEAR(ring_cost(4).ns(1073741824, four->link), 5398709.12, 1);
  // Other numbers of GPUs take that of the most GPUs.
  EXPECT_EQ(fit_link(times, 8)->gpus, 4);
  EXPECT_FALSE(fit_link({}, 4));
  EXPECT_FALSE(fit_link({times[0]}, 2)) << "one size";
  EXPECT_FALSE(fit_link({{2, "all_reduce", 8, 900, 0, 0}, {2, "all_reduce", 4096, 800, 0, 0}}, 2)) << "faster";
  EXPECT_NEAR(all_reduce_bus_bandwidth(4, 16777216, 200000), 125.83, 0.01);
}

TEST(LateGpu, WithoutOneNobodyWaits) {
  for (const int n : gpu_counts) {
    const std::vector<ArrivedGpu> all = run_with_arrivals(ring_plan(analysis::CollectiveKind::all_reduce, n),
                                                          std::vector<double>(static_cast<std::size_t>(n), 500), 10);
    for (const ArrivedGpu& gpu : all) {
      EXPECT_EQ(gpu.end, 500 + 2 * (n - 1) * 10);
      EXPECT_EQ(gpu.waited, 0);
      EXPECT_EQ(gpu.busy.size(), 1u);
    }
  }
}

TEST(LateGpu, EveryoneWaitsForIt) {
  for (const int n : gpu_counts)
    for (int late = 0; late < n; ++late) {
      std::vector<double> arrivals(static_cast<std::size_t>(n), 100);
      const double transfer = 2.0 * (n - 1) * 10;
      arrivals[static_cast<std::size_t>(late)] += 1000;
      const std::vector<ArrivedGpu> all =
          run_with_arrivals(ring_plan(analysis::CollectiveKind::all_reduce, n), arrivals, 10);
      for (int gpu = 0; gpu < n; ++gpu) {
        const ArrivedGpu& one = all[static_cast<std::size_t>(gpu)];
        EXPECT_EQ(one.end, 1100 + transfer);
        if (gpu == late) {
          EXPECT_EQ(one.waited, 0);
        } else {
          EXPECT_LE(one.waited, 1000);
          EXPECT_GE(one.waited, 1000 - transfer);  // at best, it sent all that it could before
        }
        double busy = 0;
        for (const auto& [from, to] : one.busy) busy += to - from;
        EXPECT_DOUBLE_EQ(busy + one.waited, one.end - one.arrival);
      }
    }
}

TEST(PipelineSchedule, TheBubbleIsThatOfTheFormula) {
  for (const PipelineOrder order : {PipelineOrder::gpipe, PipelineOrder::one_forward})
    for (int stages = 1; stages <= 8; ++stages)
      for (int microbatches = 1; microbatches <= 16; ++microbatches)
        for (const int backward : {1, 2, 3}) {
          const PipelineRun run = run_pipeline(order, stages, microbatches, backward);
          EXPECT_EQ(run.end, (microbatches + stages - 1) * (1 + backward))
              << static_cast<int>(order) << " " << stages << " " << microbatches << " " << backward;
          EXPECT_NEAR(run.bubble, (stages - 1.0) / (microbatches + stages - 1), 1e-12);
          EXPECT_EQ(run.most_held, order == PipelineOrder::gpipe ? microbatches : std::min(microbatches, stages));
        }
  EXPECT_DOUBLE_EQ(bubble_formula(4, 8), 3.0 / 11);
}

TEST(PipelineSchedule, NothingRunsBeforeWhatItNeeds) {
  for (const PipelineOrder order : {PipelineOrder::gpipe, PipelineOrder::one_forward}) {
    constexpr int stages = 4, microbatches = 7;
    const PipelineRun run = run_pipeline(order, stages, microbatches, 2);
    EXPECT_EQ(run.work.size(), 2u * stages * microbatches);
    std::map<std::tuple<int, int, bool>, const PipelineWork*> by_key;
    for (const PipelineWork& work : run.work)
      EXPECT_TRUE(by_key.emplace(std::tuple{work.stage, work.microbatch, work.backward}, &work).second);
    for (const PipelineWork& work : run.work) {
      EXPECT_EQ(work.end - work.start, work.backward ? 2 : 1);
      if (!work.backward && work.stage > 0) {
        EXPECT_GE(work.start, (by_key[{work.stage - 1, work.microbatch, false}]->end));
      }
      if (work.backward) {
        EXPECT_GE(work.start, (by_key[{work.stage, work.microbatch, false}]->end));
        if (work.stage + 1 < stages) {
          EXPECT_GE(work.start, (by_key[{work.stage + 1, work.microbatch, true}]->end));
        }
      }
      for (const PipelineWork& other : run.work)
        if (&other != &work && other.stage == work.stage) {
          EXPECT_TRUE(other.end <= work.start || work.end <= other.start);
        }
    }
  }
}

TEST(DataParallel, TheMeanOfTheGpusIsTheGradientOfTheWholeBatch) {
  std::set<std::array<double, 4>> different;
  for (const int n : gpu_counts) {
    const DataParallelGradients all = data_parallel_gradients(n);
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(all.mean[j], all.whole[j], 1e-12) << n;
    different.insert(all.by_gpu.begin(), all.by_gpu.end());
    for (const double one : all.sum) EXPECT_NE(one, 0) << "each weight has a gradient";
  }
  EXPECT_EQ(different.size(), 8u) << "each GPU has a gradient of its own";
}

// A beat of the lab with these measurements.
Stage collectives_beat(std::int64_t beat, const std::vector<records::CollectiveTime>& times,
                       std::initializer_list<std::pair<const char*, double>> settings = {}, double phase = 1) {
  Hardware gpus;
  gpus.devices = hardware().devices;
  gpus.collectives = times;
  const Trace& trace = sample("relu_matmul");
  Controls controls;
  for (const auto& [name, value] : settings) controls.set(fmt::format("{}.{}", collectives_scene, name), value);
  return collectives_lab().stage(
      {trace, default_walk(trace), english(), gpus, {Moment::Kind::beat, beat, phase}, controls});
}

TEST(CollectivesLab, SaysWhatIsNotMeasured) {
  const Stage without = collectives_beat(4, {});
  ASSERT_EQ(without.missing.size(), 1u);
  EXPECT_THAT(without.missing[0], ::testing::HasSubstr("on 4 GPUs: not measured"));
  EXPECT_EQ(panel_picture<TablePicture>(without, 1).rows.at(2).cells.at(3).text, "not measured");
  EXPECT_EQ(find_fact(without, "NCCL, measured"), nullptr);
  EXPECT_EQ(fact_figure(without, "Latency of a step, α").formula(), "an example");
  // Four GPUs were measured, eight not: their link is that of four.
  EXPECT_TRUE(collectives_beat(4, made_up_times()).missing.empty());
  const Stage eight = collectives_beat(4, made_up_times(), {{"gpus", 8}});
  EXPECT_EQ(eight.missing.size(), 1u);
  EXPECT_EQ(fact_text(eight, "Latency of a step, α"), time_text(5000));
  EXPECT_THAT(fact_figure(eight, "Latency of a step, α").formula(), ::testing::HasSubstr("on 4 H200s"));
}

TEST(CollectivesLab, ShowsMeasuredPointsBesideTheModel) {
  const Stage stage = collectives_beat(4, made_up_times());
  EXPECT_EQ(fact_text(stage, "NCCL, measured"), time_text(200000));
  EXPECT_EQ(fact_figure(stage, "NCCL, measured").origin(), Origin::measured);
  EXPECT_EQ(fact_text(stage, "Bandwidth of a GPU, B"), "300 GB/s");
  // 6 x 5 µs + 3/2 x 16 MiB / 300 GB/s
  EXPECT_EQ(fact_text(stage, "Time of the chosen algorithm"), time_text(30000 + 1.5 * 16777216 / 300));
  const auto& chart = panel_picture<ScatterPicture>(stage);
  std::vector<double> measured;
  for (const ScatterPoint& point : chart.points)
    if (point.group == 2) measured.push_back(point.y);
  EXPECT_EQ(measured, (std::vector<double>{30000, 200000, 5398709.12}));
  for (const ScatterPoint& point : chart.points) {
    EXPECT_GE(point.y, chart.up.from);
    EXPECT_LE(point.y, chart.up.to);
  }
  // A value that a person sets replaces the fitted one.
  const Stage set = collectives_beat(4, made_up_times(), {{"latency", 1000}, {"bandwidth", 100}});
  EXPECT_EQ(fact_figure(set, "Latency of a step, α").formula(), "as set");
  EXPECT_EQ(fact_text(set, "Time of the chosen algorithm"), time_text(6000 + 1.5 * 16777216 / 100));
}

TEST(CollectivesLab, TheGridHasTheSetsOfTheChosenStep) {
  const auto labels = [](const Stage& stage) {
    std::string text;
    for (const Cell& cell : panel_picture<CellGrid>(stage).cells)
      if (cell.tone != Tone::quiet) text += (cell.label.empty() ? "-" : cell.label) + " ";
    return text;
  };
  EXPECT_EQ(labels(collectives_beat(2, {}, {{"gpus", 2}, {"ring_step", 0}})), "0 0 1 1 ");
  // GPU 0 sends chunk 1, and GPU 1 sends chunk 0.
  EXPECT_EQ(labels(collectives_beat(2, {}, {{"gpus", 2}, {"ring_step", 1}})), "01 0 1 01 ");
  EXPECT_EQ(labels(collectives_beat(2, {}, {{"gpus", 2}})), "01 01 01 01 ");
  EXPECT_EQ(labels(collectives_beat(5, {}, {{"gpus", 2}, {"collective", 2}})), "0.0 1.0 0.1 1.1 ");
  EXPECT_EQ(labels(collectives_beat(5, {}, {{"gpus", 2}, {"collective", 3}, {"other_step", 1}})), "0 0 0 - ");
  // Without a chosen step, the motion goes through all of them.
  std::set<std::string> seen;
  for (double phase = 0; phase <= 1; phase += 0.05) seen.insert(labels(collectives_beat(2, {}, {}, phase)));
  EXPECT_EQ(seen.size(), 7u) << "the start and six steps";
}

TEST(CollectivesLab, FactsByHand) {
  const Stage ring = collectives_beat(2, {}, {{"gpus", 8}, {"size", 30}});
  EXPECT_EQ(fact_text(ring, "Steps"), "14");
  EXPECT_EQ(fact_text(ring, "Sent by each GPU"), bytes_text(1.75 * 1073741824));
  const Stage late = collectives_beat(6, {}, {{"gpus", 4}, {"size", 3}, {"late", 5000}, {"latency", 1000}});
  EXPECT_EQ(fact_text(late, "From then to the end"), time_text(6 * (1000 + 2.0 / 100)));
  EXPECT_EQ(fact_text(late, "The last GPU arrives after"), time_text(7e6));
  const Stage pipeline = collectives_beat(7, {}, {{"stages", 8}, {"microbatches", 8}, {"order", 1}});
  EXPECT_EQ(fact_figure(pipeline, "Idle, counted").value(), fact_figure(pipeline, "Idle, by the formula").value());
  EXPECT_NEAR(fact_figure(pipeline, "Idle, counted").value(), 100 * 7.0 / 15, 1e-9);
  EXPECT_EQ(collectives_beat(6, {}, {{"late", 0}}).title, "All GPUs arrive together, and nobody waits");
}

TEST(CollectivesLab, ItsTimelineIsInOrder) {
  for (const double late : {0.0, 10.0, 2000.0})
    for (const double phase : {0.2, 0.6, 1.0}) {
      const Stage stage = collectives_beat(6, {}, {{"late", late}}, phase);
      const auto& picture = panel_picture<TimelinePicture>(stage);
      EXPECT_EQ(picture.groups.at(0).rows.size(), 4u);
      for (const Row& row : picture.groups[0].rows)
        for (std::size_t i = 1; i < row.bars.size(); ++i) EXPECT_LE(row.bars[i - 1].end, row.bars[i].start);
    }
}

TEST(CollectivesLab, AsksThreeQuestions) {
  Predictions asking;
  asking.asking = true;
  const Trace& trace = sample("relu_matmul");
  const auto asked = [&](std::int64_t beat, double gpus) {
    Controls controls;
    controls.set("lab/collectives.gpus", gpus);
    SceneInput input{trace, default_walk(trace), english(), hardware(), {Moment::Kind::beat, beat, 1}, controls};
    input.predictions = asking;
    const Stage before = collectives_lab().stage(input);
    EXPECT_TRUE(before.question && before.question->asked()) << beat;
    if (!before.question) return std::string();
    input.predictions.skip(before.question->key, before.question->about);
    const Question after = *collectives_lab().stage(input).question;
    return after.options.at(after.right.value_or(0));
  };
  for (const int n : gpu_counts) EXPECT_EQ(asked(2, n), fmt::format("{} steps", 2 * (n - 1)));
  EXPECT_EQ(asked(4, 2), "they take the same time");
  EXPECT_EQ(asked(4, 3), "the ring is faster");
  EXPECT_EQ(asked(7, 4), "25 to 50 %");  // 3 of 11
}

TEST(CollectivesLab, TasksAreDoneByTheSettings) {
  const auto done = [](std::initializer_list<std::pair<const char*, double>> settings) {
    const Stage stage = collectives_beat(8, {}, settings);
    std::string text;
    for (const TableRow& row : panel_picture<TablePicture>(stage).rows)
      text += row.cells.back().tone == Tone::work ? 'x' : '-';
    return text;
  };
  EXPECT_EQ(done({}), "-----");
  EXPECT_EQ(done({{"gpus", 8}, {"size", 12}, {"late", 0}}), "x----");
  EXPECT_EQ(done({{"size", 30}, {"late", 0}}), "-x---");
  EXPECT_EQ(done({{"late", 10}}), "--x--");
  EXPECT_EQ(done({{"stages", 2}, {"microbatches", 10}}), "---x-");
  EXPECT_EQ(done({{"microbatches", 16}}), "----x");
}

}  // namespace
}  // namespace warpwalk::story::testing
