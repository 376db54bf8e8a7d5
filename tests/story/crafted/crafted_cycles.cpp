// Kernels with cycles: of a simulated run, and simulated beside measured ones.
#include <utility>

#include "core/gpu/timing/launch/time_launch.h"
#include "core/run/replay/history.h"
#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

// The launch call returns at 15 µs.
trace::Trace relu_starting_at(double start) {
  return SmallTrace()
      .h200()
      .op("aten::relu", 0, 15)
      .call("cudaLaunchKernel", 10, 5, 1)
      .kernel("k", start, 40, 1)
      .read();
}

void add_record(trace::Trace& trace, trace::Origin origin,
                std::initializer_list<std::pair<const char*, double>> counters) {
  trace::KernelRecord& record = trace.records.kernels.emplace_back();
  record.entry = "k";
  for (const auto& [name, value] : counters) record.counters.push_back({name, value, origin});
  trace.kernels[0].record = 0;
}

// With the code "ptx", the schedule of its instructions was estimated.
Crafted simulated_run(const char* code) {
  trace::Trace trace = relu_starting_at(15);
  trace.records.sources = {{"times", "a simulated GPU", trace::Origin::simulated}};
  add_record(trace, trace::Origin::simulated,
             {{"cycles", 79200},
              {"achieved_occupancy_pct", 62.5},
              {"l1_hit_pct", 25},
              {"l2_hit_pct", 0},
              {"stall_long_scoreboard", 500},
              {"stall_selected", 300},
              {"stall_wait", 120},
              {"stall_of_the_future", 60},
              {"stall_barrier", 15},
              {"stall_drain", 5}});
  trace.records.kernels.front().code = code;
  const bool estimated = trace.records.kernels.front().code == "ptx";
  Crafted made{estimated ? "cycles: of an estimated schedule" : "cycles: a simulated run", std::move(trace), {}, {}};
  made.sections = {"boardroom.line",
                   "boardroom.company",
                   "boardroom.call.unframed",
                   "boardroom.launch",
                   "boardroom.return.modelled",
                   "boardroom.meanwhile.idle",
                   "map.fold",
                   "map.cpu",
                   "map.launch",
                   "map.queue.modelled",
                   "map.kernel",
                   "map.total.kernel",
                   "map.closing"};
  made.walk = default_walk(made.trace);
  return made;
}

// The host has computed the launch; its counters and cycles are scaled from some of its blocks.
Crafted scaled_run() {
  trace::Trace trace = relu_starting_at(15);
  trace.records.sources = {{"times", "a simulated GPU", trace::Origin::simulated}};
  add_record(trace, trace::Origin::simulated,
             {{"warp_instructions", 8192000},
              {"thread_instructions", 262144000},
              {"cycles", 79200},
              {"sampled_blocks_of", 4096},
              {"sampled_blocks", 27},
              {"timed_blocks", 300},
              {"timed_warp_instructions", 600000},
              {"cycles_of_launch", 3}});
  return crafted_from(
      "cycles: scaled from some blocks", std::move(trace),
      {"map.fold", "map.cpu", "map.launch", "map.queue.modelled", "map.kernel", "map.total.kernel", "map.closing"});
}

enum class Beside : std::uint8_t { nothing, cycles, estimated_cycles };

Crafted beside_measured(Beside simulated) {
  trace::Trace trace = relu_starting_at(15.5);
  add_record(trace, trace::Origin::measured,
             {{"warp_instructions", 1000},
              {"cycles", 80000},
              {"cycles_active", 70000.5},
              {"achieved_occupancy_pct", 60},
              {"l1_hit_pct", 25},
              {"l2_hit_pct", 50},
              {"dram_read_bytes", 64000},
              {"dram_write_bytes", 0}});
  run::History history;
  history.entry = "k";
  history.device.sm_clock.value = 2e9;
  history.ptx = ".version 9.0\n.target sm_90\n.visible .entry k()\n{\n  ret;\n}\n";
  history.simulation.counters.warp_instructions = 1100;  // an estimate
  gpu::LaunchTiming timing;
  timing.cycles = 84000;
  timing.warp_instructions = 1000;
  timing.cycles_active = 70000.5;
  timing.achieved_occupancy = 57.5;
  timing.l1_sectors = 100;
  timing.l1_hits = 25;
  timing.l2_sectors = 100;
  timing.l2_hits = 55;
  timing.dram_read_bytes = 32000;
  timing.estimated = simulated == Beside::estimated_cycles;
  Crafted made{simulated == Beside::cycles    ? "cycles: measured beside simulated"
               : simulated == Beside::nothing ? "cycles: not simulated"
                                              : "cycles: estimated beside measured",
               std::move(trace),
               {},
               {}};
  made.sections = {"map.fold",   "map.cpu",          "map.launch",           "map.queue.together",
                   "map.kernel", "map.total.kernel", "map.simulated.beside", "map.closing"};
  made.history = HistoryView::State::ready;
  made.simulated = std::make_shared<const run::History>(std::move(history));
  if (simulated != Beside::nothing)
    made.timing = std::make_shared<const gpu::LaunchTiming>(std::move(timing));
  else
    made.no_timing = "A reason";
  made.walk = default_walk(made.trace);
  return made;
}

}  // namespace

std::vector<Crafted> crafted_cycles() {
  std::vector<Crafted> all;
  all.push_back(simulated_run("sass sm_90 from cubin"));
  all.push_back(simulated_run("ptx"));
  all.push_back(scaled_run());
  all.push_back(beside_measured(Beside::cycles));
  all.push_back(beside_measured(Beside::estimated_cycles));
  all.push_back(beside_measured(Beside::nothing));
  return all;
}

}  // namespace warpwalk::story::testing
