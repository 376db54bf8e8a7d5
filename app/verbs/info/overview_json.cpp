#include "app/verbs/info/overview_json.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/analysis/kernels/kernel_category.h"
#include "core/analysis/modules/code_place.h"
#include "core/trace/link.h"

namespace warpwalk::verbs {
namespace {

using trace::no_slice;
using trace::SliceId;
using trace::Trace;

/// The name of a slice, null if there is none.
void write_name(JsonWriter& json, const char* key, const Trace& trace, SliceId slice) {
  if (slice == no_slice)
    json.null(key);
  else
    json.text(key, trace.name(slice));
}

std::uint64_t unsigned_ns(std::int64_t ns) { return static_cast<std::uint64_t>(ns); }

/// ns by cause or kind; without those of which there is nothing.
template <class Kind, std::size_t Kinds>
void write_times(JsonWriter& json, const char* key, const std::array<std::int64_t, Kinds>& times) {
  json.object(key, [&] {
    for (std::size_t i = 0; i < Kinds; ++i)
      if (times[i] != 0) json.number(std::string(name_of(static_cast<Kind>(i))).c_str(), unsigned_ns(times[i]));
  });
}

void write_gaps(JsonWriter& json, InfoFigures& figures) {
  const Trace& trace = figures.trace();
  json.array("idle_gaps", figures.longest_gaps(), [&](const LongGap& one) {
    const analysis::IdleGap& gap = one.gap;
    json.object([&] {
      json.integer("device", one.device);
      json.integer("start_ns", gap.from - trace.begin_ns);
      json.number("duration_ns", unsigned_ns(gap.length()));
      json.text("cause", name_of(gap.cause));
      json.array("parts", one.parts, [&](const analysis::IdlePart& part) {
        json.object([&] {
          json.text("cause", name_of(part.cause));
          json.number("duration_ns", unsigned_ns(part.length()));
          write_name(json, "seen_in", trace, part.seen_in);
        });
      });
      write_name(json, "work", trace, gap.work);
      write_name(json, "op", trace, gap.work == no_slice ? no_slice : trace::op_of(trace, gap.work));
      const std::string line = gap.work == no_slice ? "" : figures.places().line_text(gap.work);
      if (line.empty())
        json.null("line");
      else
        json.text("line", line);
    });
  });
}

/// Kernels by the name of the innermost op around their launch; 0: outside of ops.
std::unordered_map<trace::StringId, std::uint64_t> kernels_by_op(const Trace& trace) {
  std::unordered_map<trace::StringId, std::uint64_t> kernels;
  for (const SliceId kernel : trace.kernel_order) {
    if (trace.slices.duration[kernel] <= 0) continue;  // as in analysis::OpCost
    const SliceId op = trace::op_of(trace, kernel);
    ++kernels[op == no_slice ? 0 : trace.slices.name[op]];
  }
  return kernels;
}

void write_op_costs(JsonWriter& json, const Trace& trace) {
  const auto kernels = kernels_by_op(trace);
  json.array("op_costs", analysis::op_costs(trace), [&](const analysis::OpCost& cost) {
    json.object([&] {
      write_name(json, "name", trace, cost.example);
      const auto found = kernels.find(cost.example == no_slice ? 0 : trace.slices.name[cost.example]);
      const std::uint64_t of_it = found == kernels.end() ? 0 : found->second;
      json.number("count", cost.count);
      json.number("gpu_ns", unsigned_ns(cost.gpu));
      json.integer("self_cpu_ns", cost.self);
      json.number("kernels", of_it);
      json.number("copies_and_fills", cost.works - std::min<std::uint64_t>(of_it, cost.works));
    });
  });
}

void write_work_costs(JsonWriter& json, const Trace& trace) {
  json.array("gpu_work", analysis::work_costs(trace), [&](const analysis::WorkCost& cost) {
    json.object([&] {
      json.text("name", trace.name(cost.longest_one));
      json.number("count", cost.count);
      json.number("total_ns", unsigned_ns(cost.total));
      json.number("shortest_ns", unsigned_ns(cost.shortest));
      json.number("longest_ns", unsigned_ns(cost.longest));
    });
  });
}

// What the GPUs' work is for.
void write_categories(JsonWriter& json, const Trace& trace) {
  json.array("categories", analysis::category_sums(trace), [&](const analysis::CategorySum& sum) {
    json.object([&] {
      json.text("name", name_of(sum.category));
      json.number("ns", unsigned_ns(sum.time));
      json.number("launches", sum.launches);
      json.real_or_null("flops", sum.flops);
      json.real_or_null("bytes", sum.bytes);
    });
  });
}

void write_breakdowns(JsonWriter& json, InfoFigures& figures) {
  json.array("gpu_breakdown", figures.breakdowns(), [&](const analysis::GpuBreakdown& gpu) {
    json.object([&] {
      json.integer("device", gpu.device);
      json.number("span_ns", unsigned_ns(gpu.to - gpu.from));
      json.number("idle_ns", unsigned_ns(gpu.idle));
      json.number("compute_ns", unsigned_ns(gpu.compute));
      json.number("non_compute_ns", unsigned_ns(gpu.non_compute));
      json.number("communication_ns", unsigned_ns(gpu.communication));
      json.number("communication_alone_ns", unsigned_ns(gpu.communication_alone));
    });
  });
}

// Kernels that exchange data with other GPUs, by name, for each GPU that has some.
void write_communication(JsonWriter& json, InfoFigures& figures) {
  const Trace& trace = figures.trace();
  const analysis::Communication communication(trace);
  std::vector<analysis::GpuBreakdown> with_some;
  std::ranges::copy_if(figures.breakdowns(), std::back_inserter(with_some),
                       [](const analysis::GpuBreakdown& gpu) { return gpu.communication > 0; });
  json.array("communication", with_some, [&](const analysis::GpuBreakdown& gpu) {
    json.object([&] {
      json.integer("device", gpu.device);
      json.number("ns", unsigned_ns(gpu.communication));
      json.number("alone_ns", unsigned_ns(gpu.communication_alone));
      json.number("overlapped_ns", unsigned_ns(gpu.communication - gpu.communication_alone));
      std::vector<analysis::WorkCost> costs = analysis::work_costs(trace, gpu.device);
      std::erase_if(costs, [&](const analysis::WorkCost& cost) { return !communication.is(cost.longest_one); });
      json.array("kernels", costs, [&](const analysis::WorkCost& cost) {
        json.object([&] {
          json.text("name", trace.name(cost.longest_one));
          json.number("count", cost.count);
          json.number("total_ns", unsigned_ns(cost.total));
        });
      });
    });
  });
}

void write_path_row(JsonWriter& json, const Trace& trace, const analysis::PathRow& row) {
  json.object([&] {
    json.integer("start_ns", row.from - trace.begin_ns);
    json.number("duration_ns", unsigned_ns(row.length()));
    json.text("kind", name_of(row.kind));
    write_name(json, "name", trace, row.slice);
    json.number("name_ns", unsigned_ns(row.name_time));
    json.number("pieces", row.pieces);
    write_times<analysis::PathKind>(json, "kinds", row.time);
  });
}

void write_path(JsonWriter& json, InfoFigures& figures) {
  const PathFigures& path = figures.path();
  const Trace& trace = figures.trace();
  json.object("critical_path", [&] {
    for (std::size_t k = 0; k < analysis::path_kinds; ++k)
      json.number(std::string(name_of(static_cast<analysis::PathKind>(k))).c_str(), unsigned_ns(path.time[k]));
  });
  const auto row = [&](const analysis::PathRow& one) { write_path_row(json, trace, one); };
  json.array("critical_path_rows", path.rows, row);
  json.array("critical_path_longest", path.longest, row);
  json.array("critical_path_names", path.names, [&](const analysis::PathRow& one) {
    json.object([&] {
      json.text("kind", name_of(one.kind));
      write_name(json, "name", trace, one.slice);
      json.number("duration_ns", unsigned_ns(one.name_time));
      json.number("pieces", one.pieces);
    });
  });
}

// What the CPU did in the idle times of the GPU with the most kernels, by line of the program.
void write_idle_lines(JsonWriter& json, InfoFigures& figures) {
  json.array("idle_lines", figures.idle_lines(), [&](const analysis::IdleLine& one) {
    json.object([&] {
      json.text("line", one.line);
      json.number("duration_ns", unsigned_ns(one.time));
      json.text("cause", name_of(one.cause));
    });
  });
}

void write_steps(JsonWriter& json, InfoFigures& figures) {
  const Trace& trace = figures.trace();
  json.array("steps", figures.steps().steps, [&](const analysis::TrainingStep& step) {
    json.object([&] {
      json.text("name", step.name);
      json.integer("start_ns", step.from - trace.begin_ns);
      json.number("duration_ns", unsigned_ns(step.duration()));
      json.number("computing_ns", unsigned_ns(step.computing));
      json.number("communicating_ns", unsigned_ns(step.communicating));
      json.number("copying_ns", unsigned_ns(step.copying));
      json.number("idle_ns", unsigned_ns(step.idle_time()));
      json.number("outside_ns", unsigned_ns(step.outside));
      json.number("kernels", step.kernels);
      write_times<analysis::IdleCause>(json, "idle", step.idle);
      write_times<analysis::PathKind>(json, "critical_path", step.path_time);
    });
  });
}

}  // namespace

void write_idle(JsonWriter& json, InfoFigures& figures) {
  // What needs the most memory comes first, and does not stay for the rest.
  figures.path();
  figures.steps();
  figures.advice();
  figures.release_paths();
  json.array("gpu_idle", figures.idle_sums(), [&](const analysis::IdleReport& report) {
    json.object([&] {
      json.integer("device", report.device);
      json.text("verdict", name_of(report.verdict()));
      json.number("span_ns", unsigned_ns(report.span()));
      json.number("computing_ns", unsigned_ns(report.computing));
      json.number("communicating_ns", unsigned_ns(report.communicating));
      json.number("copying_ns", unsigned_ns(report.copying));
      json.object("causes", [&] {
        for (std::size_t i = 0; i < analysis::idle_causes; ++i)
          json.object(std::string(name_of(static_cast<analysis::IdleCause>(i))).c_str(), [&] {
            json.number("ns", unsigned_ns(report.time[i]));
            json.number("gaps", report.counts[i]);
          });
      });
    });
  });
  write_gaps(json, figures);
}

void write_overview(JsonWriter& json, InfoFigures& figures) {
  write_breakdowns(json, figures);
  write_communication(json, figures);
  write_work_costs(json, figures.trace());
  write_categories(json, figures.trace());
  write_op_costs(json, figures.trace());
  write_idle_lines(json, figures);
  write_advice(json, figures);
  write_path(json, figures);
  write_steps(json, figures);
}

}  // namespace warpwalk::verbs
