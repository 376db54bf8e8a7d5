#include "app/verbs/info.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "app/verbs/common/files.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/info_overview.h"
#include "core/run/replay/load_recorded.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/analysis/idle.h"
#include "core/story/facts/names/names.h"
#include "core/story/facts/words/rows.h"
#include "core/trace/link.h"
#include "core/trace/snapshot/memory_snapshot.h"

namespace warpwalk::verbs {
namespace {

using trace::SliceId;
using trace::SliceKind;
using trace::Trace;

struct Summary {
  std::uint64_t by_kind[trace::slice_kinds] = {};
  std::uint64_t launches = 0;
  std::uint64_t streams = 0;
  std::uint64_t synchronisations = 0;  // cuda_sync records, and calls that wait for the GPU without such a record
  std::uint64_t linked_to_launch = 0;
  std::uint64_t linked_to_op = 0;
  std::vector<trace::Device> devices;  // described in the trace, or only used by its work
  std::uint64_t of(SliceKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
};

// A profiler that records cuda_sync events records the call too, under the same correlation number.
std::uint64_t synchronisations_in(const Trace& trace) {
  std::set<std::int64_t> recorded;
  for (const trace::SyncDetail& sync : trace.syncs) recorded.insert(sync.correlation);
  std::uint64_t count = trace.syncs.size();
  for (SliceId s = 0; s < trace.slices.size(); ++s) {
    if (!story::is_wait(trace, s)) continue;
    const std::int64_t correlation = trace.calls[trace.slices.detail[s]].correlation;
    count += correlation == trace::absent || !recorded.contains(correlation);
  }
  return count;
}

Summary summary_of(const Trace& trace) {
  Summary summary;
  summary.synchronisations = synchronisations_in(trace);
  std::set<trace::TrackId> streams;
  std::set<std::int64_t> seen;
  const auto& rows = trace.slices;
  for (SliceId s = 0; s < rows.size(); ++s) {
    const SliceKind kind = rows.kind[s];
    ++summary.by_kind[static_cast<std::size_t>(kind)];
    if (!trace::is_gpu_work(kind)) continue;
    streams.insert(rows.track[s]);
    seen.insert(trace.tracks[rows.track[s]].device);
    if (kind != SliceKind::kernel) continue;
    summary.linked_to_launch += trace::launch_of(trace, s) != trace::no_slice;
    summary.linked_to_op += trace::op_of(trace, s) != trace::no_slice;
  }
  SliceId last = trace::no_slice;
  for (const auto& [launch, work] : trace.launched) {
    if (rows.kind[work] != SliceKind::kernel || launch == last) continue;
    last = launch;
    ++summary.launches;
  }
  summary.streams = streams.size();
  summary.devices = trace.devices;
  for (const trace::Device& device : trace.devices) seen.erase(device.id);
  for (const std::int64_t id : seen)
    if (id != trace::absent) {
      trace::Device device;
      device.id = id;
      summary.devices.push_back(device);
    }
  return summary;
}

// The kernels by name, with their times.
std::string kernel_table(const Trace& trace) {
  struct Total {
    std::int64_t ns = 0;
    std::uint64_t count = 0;
  };
  std::map<trace::StringId, Total> totals;
  std::int64_t all = 0;
  for (const SliceId s : trace.kernel_order) {
    Total& total = totals[trace.slices.name[s]];
    total.ns += trace.slices.duration[s];
    ++total.count;
    all += trace.slices.duration[s];
  }
  std::vector<std::pair<trace::StringId, Total>> sorted(totals.begin(), totals.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
  std::string out = all == 0 ? "\nkernels, without times\n" : "\nkernels by GPU time\n";
  std::vector<std::string_view> names;
  for (const auto& [name, total] : sorted) names.push_back(trace.text(name));
  const std::vector<std::string> labels = story::kernel_labels(names);
  constexpr std::size_t limit = 8;
  for (std::size_t i = 0; i < std::min(sorted.size(), limit); ++i) {
    const Total& total = sorted[i].second;
    if (all != 0) {
      out += fmt::format("  {:>12} {:>6.1f} %", story::time_text(static_cast<double>(total.ns)),
                         100.0 * static_cast<double>(total.ns) / static_cast<double>(all));
    }
    out += fmt::format("  {:>8} x  {}\n", story::with_thousands(static_cast<std::int64_t>(total.count)),
                       story::shortened(labels[i], 60));
  }
  if (sorted.size() > limit) out += fmt::format("  and {} more names\n", sorted.size() - limit);
  return out;
}

std::string percent(std::int64_t part, std::int64_t whole) {
  return fmt::format("{:>6.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// The GPU's time between its first and its last work, and the causes of its idle time.
std::string idle_table(const story::IdleReport& report) {
  std::string out = fmt::format("\nGPU {}, from its first to its last work: {}\n",
                                report.device == trace::absent ? std::string("?") : std::to_string(report.device),
                                name_of(report.verdict()));
  const auto line = [&](std::int64_t time, std::string_view what, std::size_t gaps) {
    if (time == 0) return;
    out += fmt::format("  {:>12} {}  {}{}\n", story::time_text(static_cast<double>(time)), percent(time, report.span()),
                       what, gaps == 0 ? "" : fmt::format(" ({})", gaps == 1 ? "1 gap" : fmt::format("{} gaps", gaps)));
  };
  line(report.computing, "kernels", 0);
  line(report.copying, "only copies and fills", 0);
  std::vector<std::size_t> order(story::idle_causes);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t cause) { return report.time[cause]; });
  for (const std::size_t i : order) {
    const auto cause = static_cast<story::IdleCause>(i);
    line(report.time[i], fmt::format("idle: {}", story::name_of(cause)), report.counts[i]);
  }
  return out;
}

}  // namespace

// The content of a memory snapshot of PyTorch.
std::string snapshot_table(const trace::MemorySnapshot& snapshot) {
  std::int64_t reserved = 0, allocated = 0, awaiting = 0;
  std::size_t blocks = 0, in_use = 0;
  for (const auto& segment : snapshot.segments) {
    reserved += segment.bytes;
    for (const auto& block : segment.blocks) {
      ++blocks;
      in_use += block.state == trace::MemorySnapshot::State::allocated;
      if (block.state == trace::MemorySnapshot::State::allocated) allocated += block.bytes;
      if (block.state == trace::MemorySnapshot::State::awaiting_free) awaiting += block.bytes;
    }
  }
  std::string out = "\nmemory snapshot (lab/allocator shows it)\n";
  const auto line = [&](std::string_view label, const std::string& value) {
    out += fmt::format("  {:<26}{}\n", label, value);
  };
  const auto number = [](std::size_t n) { return story::with_thousands(static_cast<std::int64_t>(n)); };
  const auto bytes = [](std::int64_t n) { return story::bytes_text(static_cast<double>(n)); };
  line("segments", fmt::format("{}, {}", number(snapshot.segments.size()), bytes(reserved)));
  line("blocks in use", fmt::format("{} of {}, {}", number(in_use), number(blocks), bytes(allocated)));
  if (awaiting > 0) line("awaiting free", bytes(awaiting));
  line("call stacks", number(snapshot.stacks.size() - 1));
  return out;
}

std::string info_text(const LoadedTrace& loaded, std::string_view name) {
  const Trace& trace = loaded.result.trace;
  const Summary summary = summary_of(trace);
  std::string out = fmt::format("{}\n", name);
  const auto line = [&](std::string_view label, const std::string& value) {
    out += fmt::format("  {:<26}{}\n", label, value);
  };
  const auto number = [](std::uint64_t n) { return story::with_thousands(static_cast<std::int64_t>(n)); };
  line("events", number(loaded.result.events));
  line("time", trace.end_ns == trace.begin_ns && !trace.kernel_order.empty()
                   ? "none"
                   : story::time_text(static_cast<double>(trace.end_ns - trace.begin_ns)));
  line("Python frames", number(summary.of(SliceKind::python)));
  line("ops", number(summary.of(SliceKind::op)));
  line("runtime, driver calls",
       fmt::format("{}, {}", number(summary.of(SliceKind::runtime)), number(summary.of(SliceKind::driver))));
  line("launches", number(summary.launches));
  line("kernels", number(summary.of(SliceKind::kernel)));
  line("  with their launch", number(summary.linked_to_launch));
  line("  with their op", number(summary.linked_to_op));
  line("copies, fills",
       fmt::format("{}, {}", number(summary.of(SliceKind::memcpy)), number(summary.of(SliceKind::memset))));
  line("synchronisations", number(summary.synchronisations));
  line("memory events", number(trace.memory.size()));
  if (!trace.driver_memory.empty()) {
    std::size_t taken = 0;
    for (const trace::DriverMemory& change : trace.driver_memory) taken += change.bytes > 0;
    line("GPU memory taken, freed", fmt::format("{}, {}", number(taken), number(trace.driver_memory.size() - taken)));
  }
  line("streams", number(summary.streams));
  if (const std::size_t inside = run::recorded_launches(trace).size(); inside > 0)
    line("launches with memory", number(inside));
  for (const trace::Device& device : summary.devices)
    line(fmt::format("GPU {}", device.id),
         device.name == 0 ? "not described"
                          : fmt::format("{}, {} SMs", trace.text(device.name),
                                        device.sms == trace::absent ? std::string("?") : std::to_string(device.sms)));
  line("read",
       fmt::format("{} in {:.3f} s, peak memory {}", story::bytes_text(static_cast<double>(loaded.result.bytes)),
                   loaded.seconds, story::bytes_text(static_cast<double>(peak_memory_bytes()))));

  if (const auto snapshot = trace::memory_snapshot(trace)) out += snapshot_table(*snapshot);
  if (!trace.kernel_order.empty()) out += kernel_table(trace);
  for (const story::IdleReport& report : story::idle_reports(trace)) out += idle_table(report);
  std::string absent;
  const auto lacks = [&](bool lacking, std::string_view what) {
    if (lacking) absent += fmt::format("  {}\n", what);
  };
  lacks(trace.kernel_order.empty() && summary.streams == 0,
        "GPU work: a CPU-only run, or a profile without ProfilerActivity.CUDA");
  lacks(summary.of(SliceKind::op) == 0, "ops");
  lacks(summary.of(SliceKind::python) == 0, "Python frames: torch.profiler records them if with_stack=True");
  lacks(trace.memory.empty() && trace.driver_memory.empty(),
        "memory events: torch.profiler records them if profile_memory=True");
  if (!absent.empty()) out += "\nnot in this trace\n" + absent;
  if (!loaded.result.problems.rows().empty()) out += "\nproblems\n";
  for (const trace::Problem& problem : loaded.result.problems.rows())
    out += fmt::format("  {:<22}{:>8}  {}{}\n", trace::name_of(problem.kind), number(problem.count),
                       problem.count > 1 ? "the first: " : "", problem.message);
  return out;
}

std::string info_json(const LoadedTrace& loaded) {
  const Trace& trace = loaded.result.trace;
  const Summary summary = summary_of(trace);
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  const auto text = [&](std::string_view value) {
    writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  };
  const auto number = [&](const char* key, std::uint64_t value) {
    writer.Key(key);
    writer.Uint64(value);
  };
  writer.StartObject();
  number("events", loaded.result.events);
  number("ops", summary.of(SliceKind::op));
  number("launches", summary.launches);
  number("kernels", summary.of(SliceKind::kernel));
  number("memcpys", summary.of(SliceKind::memcpy));
  number("memsets", summary.of(SliceKind::memset));
  number("syncs", summary.of(SliceKind::sync));
  number("streams", summary.streams);
  number("recorded_inside", run::recorded_launches(trace).size());
  writer.Key("devices");
  writer.StartArray();
  for (const trace::Device& device : summary.devices) {
    writer.StartObject();
    writer.Key("id");
    writer.Int64(device.id);
    writer.Key("name");
    text(trace.text(device.name));
    writer.Key("sms");
    if (device.sms == trace::absent)
      writer.Null();
    else
      writer.Int64(device.sms);
    writer.EndObject();
  }
  writer.EndArray();
  number("kernels_linked_to_launch", summary.linked_to_launch);
  number("kernels_linked_to_op", summary.linked_to_op);
  number("time_span_ns", static_cast<std::uint64_t>(trace.end_ns - trace.begin_ns));
  writer.Key("gpu_idle");
  writer.StartArray();
  for (const story::IdleReport& report : story::idle_reports(trace)) {
    writer.StartObject();
    writer.Key("device");
    writer.Int64(report.device);
    writer.Key("verdict");
    text(story::name_of(report.verdict()));
    number("span_ns", static_cast<std::uint64_t>(report.span()));
    number("computing_ns", static_cast<std::uint64_t>(report.computing));
    number("copying_ns", static_cast<std::uint64_t>(report.copying));
    writer.Key("causes");
    writer.StartObject();
    for (std::size_t i = 0; i < story::idle_causes; ++i) {
      writer.Key(std::string(story::name_of(static_cast<story::IdleCause>(i))).c_str());
      writer.StartObject();
      number("ns", static_cast<std::uint64_t>(report.time[i]));
      number("gaps", report.counts[i]);
      writer.EndObject();
    }
    writer.EndObject();
    writer.EndObject();
  }
  writer.EndArray();
  write_overview(writer, trace);
  writer.Key("problems");
  writer.StartArray();
  for (const trace::Problem& problem : loaded.result.problems.rows()) {
    writer.StartObject();
    writer.Key("kind");
    text(trace::name_of(problem.kind));
    number("count", problem.count);
    number("byte_offset", problem.byte_offset);
    writer.Key("message");
    text(problem.message);
    writer.EndObject();
  }
  writer.EndArray();
  writer.Key("load_seconds");
  writer.Double(loaded.seconds);
  number("bytes", loaded.result.bytes);
  number("peak_memory_bytes", peak_memory_bytes());
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

int info(const InfoOptions& options) {
  const LoadedTrace loaded = load(options.file, options.memory_cap_bytes);
  if (loaded.result.error) return refuse(*loaded.result.error);
  if (options.json != "-") print_report(info_text(loaded, options.file.string()));
  if (!options.json.empty())
    if (const auto done = write_file(options.json, info_json(loaded)); !done) return refuse(done.error());
  return 0;
}

Verb add_info(CLI::App& app) {
  const auto options = std::make_shared<InfoOptions>();
  const auto cap_gb = std::make_shared<double>(0);
  CLI::App* const verb =
      app.add_subcommand("info", "Show what a trace contains, how its events are linked, and its problems");
  verb->add_option("FILE", options->file, "a torch.profiler or warpwalk trace or a memory snapshot, plain or gzip")
      ->required();
  verb->add_option("--json", options->json, "write the summary as JSON to this file (- for stdout)");
  verb->add_option("--memory-cap", *cap_gb, "stop reading at this many GB of memory (default: 8)")
      ->check(CLI::PositiveNumber);
  return {verb, [options, cap_gb] {
            options->memory_cap_bytes = static_cast<std::uint64_t>(*cap_gb * 1e9);
            return info(*options);
          }};
}

}  // namespace warpwalk::verbs
