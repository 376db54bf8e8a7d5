// The part of TraceBuilder that the simulated GPU's recordings have alone.
#include <bit>

#include <fmt/format.h>

#include "core/run/record/record_rows.h"
#include "core/run/record/scaled_figures.h"
#include "core/trace/json/json_text.h"
#include "instrumentation/trace_builder.h"

namespace warpwalk::instrumentation {

void TraceBuilder::add_row(const SimulatedRow& row) { account_.simulated_on = row.device; }

void TraceBuilder::add_row(const FindingRow& row) {
  ++account_.findings;
  finding_lines_.emplace_back(row.text);
}

void TraceBuilder::add_row(const SimulatedKernel& row) { simulated_[{row.correlation, row.graph_node}].kernel = row; }

void TraceBuilder::add_row(const LibraryCallRow& row) {
  auto& kernel = simulated_[{row.correlation, row.graph_node}];
  kernel.library_call = row.call;
  kernel.time = name(row.time);
}

void TraceBuilder::add_row(const CounterRow& row) {
  simulated_[{row.correlation, row.graph_node}].counters.push_back(
      {std::string(trace_.text(name(row.name))), std::bit_cast<double>(row.value), trace::Origin::simulated});
}

void TraceBuilder::add_row(const TouchedRow& row) {
  auto& touched = inside_[row.launch].launch.touched;
  if (!touched) touched.emplace();
  touched->push_back({row.address, row.bytes, row.read_first != 0, false});
}

std::string TraceBuilder::scaled_kernels() const {
  std::size_t computed = 0, scaled = 0, repeated = 0;
  for (const trace::KernelRecord& record : trace_.records.kernels) {
    const run::ScaledFigures figures = run::scaled_figures(record);
    computed += figures.blocks_simulated != 0;
    scaled += figures.are_cycles_scaled();
    repeated += figures.cycles_of != 0;
  }
  std::string text;
  if (computed > 0)
    text += fmt::format("; {} launches were computed by the host, their counters scaled from some of their blocks",
                        computed);
  if (scaled > 0) text += fmt::format("; the cycles of {} launches are scaled from their first blocks", scaled);
  if (repeated > 0) text += fmt::format("; {} launches have the cycles of an earlier launch like them", repeated);
  return text;
}

void TraceBuilder::complete_simulated() {
  std::map<std::uint32_t, std::size_t> modules;  // of PTX, by number
  std::vector<std::size_t> slices(trace_.kernels.size());
  for (std::size_t s = 0; s < trace_.slices.size(); ++s)
    if (trace_.slices.kind[s] == trace::SliceKind::kernel) slices[trace_.slices.detail[s]] = s;
  for (std::size_t i = 0; i < trace_.kernels.size(); ++i) {
    trace::KernelDetail& kernel = trace_.kernels[i];
    const std::uint64_t node = kernel.graph_node == trace::absent ? 0 : static_cast<std::uint64_t>(kernel.graph_node);
    const auto found = simulated_.find({static_cast<std::uint32_t>(kernel.correlation), node});
    if (found == simulated_.end()) continue;
    if (!found->second.library_call.empty()) {
      trace::StringId& extra = trace_.slices.extra[slices[i]];
      std::string more(trace_.text(extra));
      more += more.empty() ? "\"library call\": " : ", \"library call\": ";
      trace::append_quoted(more, found->second.library_call);
      if (found->second.time != 0) {
        more += ", \"time\": ";
        trace::append_quoted(more, trace_.text(found->second.time));
      }
      extra = text(more);
    }
    kernel.record = static_cast<std::int64_t>(trace_.records.kernels.size());
    trace::KernelRecord& record = trace_.records.kernels.emplace_back();
    const SimulatedKernel& row = found->second.kernel;
    record.entry = trace_.text(launched_[i].name);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      record.grid[axis] = static_cast<std::uint32_t>(kernel.grid[axis]);
      record.block[axis] = static_cast<std::uint32_t>(kernel.block[axis]);
    }
    record.dynamic_shared_bytes = launched_[i].dynamic_shared_bytes;
    record.registers = static_cast<std::uint32_t>(std::max<std::int64_t>(kernel.registers, 0));
    record.code = trace_.text(name(row.code));
    record.registers_origin = row.ptx == 0 ? "cubin" : "estimated";
    record.counters = std::move(found->second.counters);
    if (row.cycles != 0) {
      record.cycles = static_cast<std::int64_t>(row.cycles);
      record.caches_carried = true;
    }
    record.cycles_origin = record.placement_origin = trace::Origin::simulated;
    record.simulator_version = run::simulator_version;
    if (row.ptx == 0) continue;
    const auto [module, is_new] = modules.try_emplace(row.ptx, trace_.records.modules.size());
    record.module = module->second;
    if (!is_new) continue;
    trace::Module& added = trace_.records.modules.emplace_back();
    added.name = fmt::format("PTX {}", row.ptx);
    added.ptx = ptx_[row.ptx];
  }
}

}  // namespace warpwalk::instrumentation
