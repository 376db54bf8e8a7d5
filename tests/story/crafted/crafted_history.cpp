// Kernels that the simulated GPU runs again, or warpwalk's own kernels in their place.
#include <utility>

#include "core/run/replay/history.h"
#include "core/run/replay/time_travel.h"
#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {

HistoryView Crafted::view() const {
  HistoryView view;
  view.state = history;
  view.history = simulated.get();
  view.done = 0.4;
  view.reason = "a reason";
  view.timing = timing.get();
  view.no_timing = no_timing;
  view.travel = travel.get();
  view.changed = changed.get();
  view.what_if = what_if;
  if (travel != nullptr) view.take_timing();
  return view;
}

namespace {

using HistoryState = HistoryView::State;

trace::Trace one_mm() {
  return SmallTrace().h200().op("aten::mm", 0, 50).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 100, 1).read();
}

run::History counted_history() {
  run::History history;
  history.entry = "matmul_tiled";
  history.device.name = "NVIDIA H200";
  history.ptx = ".version 9.0\n.target sm_90\n.visible .entry matmul_tiled()\n{\n  ret;\n}\n";
  gpu::Counters& counters = history.simulation.counters;
  counters.ptx_warp_instructions = 1500;
  counters.warp_instructions = 1000;
  counters.thread_instructions = 24000;
  counters.global_load_requests = 100;
  counters.global_load_sectors = 400;
  counters.global_store_requests = 10;
  counters.global_store_sectors = 40;
  counters.shared_load_wavefronts = 64;
  counters.shared_store_wavefronts = 32;
  return history;
}

Crafted with_history(std::string name, trace::Trace trace, HistoryState state, std::vector<std::string> ends,
                     std::shared_ptr<const run::History> simulated = {}) {
  std::vector<std::string> sections = {"translator.op.single",
                                       "translator.keys.off",
                                       "translator.row",
                                       "translator.order",
                                       std::move(ends[0]),
                                       "map.fold",
                                       "map.cpu",
                                       "map.launch",
                                       "map.queue",
                                       "map.kernel",
                                       "map.total.kernel",
                                       std::move(ends[1]),
                                       "map.closing"};
  // Code of the kernel itself has a beat about its lines, which needs cycles.
  if (sections[4] == "translator.code.ptx") sections.insert(sections.begin() + 5, "translator.lines.missing");
  Crafted made{std::move(name), std::move(trace), {}, std::move(sections), {}, state, std::move(simulated)};
  made.walk = default_walk(made.trace);
  return made;
}

// A record of the kernel itself, with its PTX; `counters` as a profiler measured them.
trace::Trace recorded_kernel(std::initializer_list<std::pair<const char*, double>> counters) {
  trace::Trace trace = one_mm();
  trace::KernelRecord record;
  record.module = 0;
  record.entry = "matmul_tiled";
  for (const auto& [name, value] : counters) record.counters.push_back({name, value, trace::Origin::measured});
  trace.records.kernels.push_back(std::move(record));
  trace.records.modules.push_back({"m.ptx", "", "", counted_history().ptx, "", {}, {}});
  trace.kernels[0].record = 0;
  return trace;
}

// A trace of `warpwalk record` without the kernel's machine code.
trace::Trace left_out() {
  trace::Trace trace = one_mm();
  trace.metadata.emplace_back(
      trace.strings.intern("warpwalk_code"),
      trace.strings.intern(R"({"kernels": 1, "with_code": 0, "left_out": ["too much of it"]})"));
  return trace;
}

}  // namespace

std::vector<Crafted> crafted_history() {
  std::vector<Crafted> all;
  all.push_back(with_history("history: under way", one_mm(), HistoryState::building,
                             {"translator.code.building", "map.simulated.building", "map.closing"}));
  all.push_back(with_history("history: impossible", one_mm(), HistoryState::impossible,
                             {"translator.code.none", "map.simulated.impossible", "map.closing"}));
  all.push_back(with_history("history: machine code left out", left_out(), HistoryState::impossible,
                             {"translator.code.none", "map.simulated.impossible", "map.closing"}));
  trace::Trace unknown = recorded_kernel({});
  unknown.records.modules[0].ptx =
      ".version 9.0\n.target sm_90\n.visible .entry matmul_tiled(.param .u64 out)\n{\n  ret;\n}\n";
  all.push_back(with_history("history: the arguments were not recorded", std::move(unknown), HistoryState::impossible,
                             {"translator.code.ptx", "map.simulated.impossible", "map.closing"}));
  run::History stand_in = counted_history();
  stand_in.stand_in = true;
  stand_in.entry = "matmul_tiled";
  stand_in.replaced = {"aten::mm", {{64, 64}, {64, 64}}};
  all.push_back(with_history("history: a stand-in", one_mm(), HistoryState::ready,
                             {"translator.code.stand_in", "map.simulated.stand_in", "map.closing"},
                             std::make_shared<const run::History>(std::move(stand_in))));
  run::History own = counted_history();
  own.digests = run::History::Digests::different;
  own.announced = "simulated again, it leaves something else";
  all.push_back(with_history("history: the kernel itself, never counted", recorded_kernel({}), HistoryState::ready,
                             {"translator.code.ptx", "map.simulated", "map.closing"},
                             std::make_shared<const run::History>(std::move(own))));
  all.push_back(with_history("history: the kernel itself, beside what was measured",
                             recorded_kernel({{"warp_instructions", 1000},
                                              {"thread_instructions", 25000},
                                              {"global_load_sectors", 401},
                                              {"global_store_sectors", 0},
                                              {"ptx_warp_instructions", 1500},
                                              {"shared_bank_conflicts", 0}}),
                             HistoryState::ready, {"translator.code.ptx", "map.simulated.beside", "map.closing"},
                             std::make_shared<const run::History>(counted_history())));
  return all;
}

}  // namespace warpwalk::story::testing
