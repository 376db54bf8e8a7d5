#include "instrumentation/trace_builder.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"
#include "core/trace/link.h"
#include "instrumentation/cupti_names.h"

namespace warpwalk::instrumentation {
namespace {

constexpr std::uint64_t ns_per_s = 1'000'000'000;

std::string quoted_json(std::string_view text) {
  std::string out;
  trace::append_quoted(out, text);
  return out;
}

// The first word of a command line, without its folder.
std::string_view base_name(std::string_view command) {
  command = command.substr(0, command.find(' '));
  return command.substr(command.rfind('/') + 1);
}

}  // namespace

void TraceBuilder::add(const Row& row) {
  std::visit([this](const auto& r) { add_row(r); }, row);
}

std::int64_t TraceBuilder::since_base(std::uint64_t time) {
  // The base lies one to two seconds before the first row, because rows are not sorted by time.
  if (base_ == 0) base_ = std::max(time / ns_per_s, std::uint64_t{2}) * ns_per_s - ns_per_s;
  const auto distance = static_cast<std::int64_t>(time - base_);
  constexpr std::int64_t far = trace::time_limit / 2;  // so that the difference of two times fits too
  return std::clamp(distance, -far, far);
}

trace::StringId TraceBuilder::name(std::uint32_t id) const { return id < names_.size() ? names_[id] : 0; }

trace::TrackId TraceBuilder::thread_track(std::uint32_t thread) {
  const auto [found, is_new] = thread_tracks_.try_emplace(thread, static_cast<trace::TrackId>(trace_.tracks.size()));
  if (is_new) trace_.tracks.emplace_back().tid = text(std::to_string(thread));
  return found->second;
}

trace::TrackId TraceBuilder::stream_track(std::uint32_t device, std::int64_t stream) {
  const std::uint64_t key = (std::uint64_t{device} << 32) | static_cast<std::uint32_t>(stream);
  const auto [found, is_new] = stream_tracks_.try_emplace(key, static_cast<trace::TrackId>(trace_.tracks.size()));
  if (is_new) {
    trace::Track& track = trace_.tracks.emplace_back();
    track.gpu = true;
    track.pid = text(std::to_string(device));
    track.tid = text(std::to_string(stream));
    track.device = device;
    track.stream = stream;
  }
  return found->second;
}

trace::TrackId TraceBuilder::side_track(std::string_view name) {
  const auto [found, is_new] =
      side_tracks_.try_emplace(std::string(name), static_cast<trace::TrackId>(trace_.tracks.size()));
  if (is_new) {
    trace::Track& track = trace_.tracks.emplace_back();
    track.tid = text(name);
    track.tid_is_text = true;
  }
  return found->second;
}

void TraceBuilder::slice(trace::SliceKind kind, trace::StringId name, Span span, trace::TrackId track,
                         std::size_t detail, trace::StringId extra) {
  trace::Slices& rows = trace_.slices;
  // Untimed slices start at 0; link() counts them. Unfinished slices have duration 0.
  const std::int64_t start = span.start == 0 && span.end == 0 ? 0 : since_base(span.start);
  rows.start.push_back(start);
  rows.duration.push_back(span.end > span.start ? since_base(span.end) - start : 0);
  rows.name.push_back(name);
  rows.extra.push_back(extra);
  rows.track.push_back(track);
  rows.detail.push_back(static_cast<std::uint32_t>(detail));
  rows.kind.push_back(kind);
}

void TraceBuilder::instant(std::uint64_t time, std::string_view category, trace::StringId name, trace::TrackId track,
                           const std::string& extra) {
  trace::Instant row;
  row.time = since_base(time);
  row.category = text(category);
  row.name = name;
  row.track = track;
  row.extra = text(extra);
  trace_.instants.push_back(row);
}

void TraceBuilder::add_row(const Begin& row) {
  pid_ = row.pid;
  since_base(row.time);
  account_.program = row.program;
  account_.pid = row.pid;
  account_.cupti_api = row.cupti_api;
}

void TraceBuilder::add_row(const Name& row) {
  // Numbers are consecutive. A lost frame leaves a gap; a larger gap means the row is corrupt.
  constexpr std::size_t max_gap = std::size_t{1} << 20;
  if (row.id > names_.size() + max_gap) return;
  if (row.id >= names_.size()) names_.resize(row.id + std::size_t{1}, 0);
  names_[row.id] = text(row.text);
}

void TraceBuilder::add_row(const RankRow& row) {
  if (row.rank < row.world && !account_.rank) account_.rank = ProcessRank{row.rank, row.world};
}

void TraceBuilder::add_row(const ClockRow& row) { account_.boot_id = row.boot_id; }

void TraceBuilder::add_row(const ThreadRow& row) { threads_[row.thread] = row.text; }

void TraceBuilder::add_row(const LossRow& row) {
  account_.dropped += row.dropped;
  account_.unwritten += row.unwritten;
  account_.unknown += row.unknown;
}

void TraceBuilder::add_row(const ErrorRow& row) {
  if (row.fatal != 0)
    account_.fatal_error = row.text;
  else
    account_.warnings.emplace_back(row.text);
}

void TraceBuilder::add_row(const End& row) {
  last_ = std::max(last_, row.time);
  account_.closed = true;
  account_.signal = row.signal;
}

void TraceBuilder::add_row(const CubinRow& row) { cubins_[row.number] = row; }

void TraceBuilder::add_row(const CubinPart& row) { code_[row.number] += row.bytes; }

LoadedCode TraceBuilder::release_code() {
  LoadedCode out;
  out.recorded = code_recorded_;
  out.late = late_;
  out.launched = std::move(launched_);
  for (auto& [number, inside] : inside_)
    if (inside.complete) out.inside.push_back(std::move(inside.launch));
  for (const auto& [number, row] : cubins_) {
    std::string& code = code_[number];
    if (row.kept != 0 && code.size() == row.bytes)
      out.cubins.push_back(std::move(code));
    else
      ++out.cubins_missing;
  }
  return out;
}

void TraceBuilder::apply_external_ids() {
  if (external_ids_.empty()) return;
  const auto apply = [&](auto& details) {
    for (std::size_t i = 0; i < details.size(); ++i)
      if (const auto found = external_ids_.find(static_cast<std::uint32_t>(details[i].correlation));
          found != external_ids_.end())
        details[i].external_id = static_cast<std::int64_t>(found->second);
  };
  apply(trace_.calls);
  apply(trace_.kernels);
  apply(trace_.transfers);
}

// Names as in PyTorch's profiler: "python", "GPU 0", "stream 7", "thread 4711 (python)"; of a rank "rank 1 python".
void TraceBuilder::name_tracks() {
  const std::string_view program = base_name(account_.program);
  const trace::StringId process =
      text(account_.rank ? fmt::format("rank {} {}", account_.rank->rank, program) : std::string(program));
  const trace::StringId pid = text(std::to_string(pid_));
  for (trace::Track& track : trace_.tracks) {
    track.process_name = process;
    if (track.gpu) {
      track.process_labels = text(fmt::format("GPU {}", track.device));
      track.name = text(track.stream < 0 ? "no stream" : fmt::format("stream {}", track.stream));
      track.process_sort_index = 5'000'000 + track.device;  // below the threads
      continue;
    }
    track.pid = pid;
    track.process_labels = text("CPU");
    if (track.tid_is_text) track.name = track.tid;
  }
  for (const auto& [thread, track] : thread_tracks_) {
    const auto named = threads_.find(thread);
    trace_.tracks[track].name =
        text(named == threads_.end() || named->second.empty() ? fmt::format("thread {}", thread)
                                                              : fmt::format("thread {} ({})", thread, named->second));
  }
}

void TraceBuilder::add_metadata(const RecordingSummary& account) {
  const bool simulated = !account.simulated_on.empty();
  const std::string cupti = simulated ? std::string() : cupti_version_name(account.cupti_api);
  std::string by = simulated
                       ? fmt::format("the GPU's: a simulated {}; the host's: its clock; by warpwalk record --on sim",
                                     account.simulated_on)
                       : cupti + ", by warpwalk record";
  const bool without_cycles =
      std::ranges::any_of(simulated_, [](const auto& one) { return one.second.kernel.cycles == 0; });
  if (simulated && without_cycles) by += "; kernels take at least these times: their cycles were not simulated";
  if (simulated) by += scaled_kernels();
  if (account.cut_out_ns > 0)
    by += fmt::format("; pauses for recording inside ({:.1f} ms) are left out",
                      static_cast<double>(account.cut_out_ns) / 1e6);
  trace_.records.sources.push_back(
      {"times", std::move(by), simulated ? trace::Origin::simulated : trace::Origin::measured});
  // Traces with equal clocks share one time base.
  const std::string clock = account.boot_id.empty() ? "CLOCK_REALTIME" : "CLOCK_REALTIME, boot " + account.boot_id;
  std::string json = fmt::format(
      "{{\"program\": {}, \"cupti\": {}, \"clock\": {}, \"closed\": {}, \"signal\": {}, \"dropped_records\": {}, "
      "\"unwritten_rows\": {}, \"unknown_records\": {}, \"untimed_kernels\": {}, \"graph_work_missing\": {}, "
      "\"graph_launches_empty\": {}, \"unfinished\": {}, \"damaged_bytes\": {}, \"left_out_rows\": "
      "{}, \"troubles\": [",
      quoted_json(account.program), quoted_json(cupti), quoted_json(clock), account.closed, account.signal,
      account.dropped, account.unwritten, account.unknown, account.untimed, account.graphs.work,
      account.graphs.empty_launches, account.unfinished, account.damaged_bytes, account.left_out);
  for (std::size_t i = 0; i < account.warnings.size(); ++i)
    json += (i > 0 ? ", " : "") + quoted_json(account.warnings[i]);
  json += "]";
  if (!account.simulated_on.empty()) {
    json += fmt::format(", \"simulated_on\": {}, \"findings\": [", quoted_json(account.simulated_on));
    for (std::size_t i = 0; i < finding_lines_.size(); ++i)
      json += (i > 0 ? ", " : "") + quoted_json(finding_lines_[i]);
    json += "]";
  }
  trace_.metadata.emplace_back(text("warpwalk_recording"), text(json + "}"));
}

void TraceBuilder::link_trace() {
  // A launch is one kernel, or a graph of them, each node on one stream.
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  const auto key = [&](trace::SliceId s) {
    const trace::KernelDetail& kernel = trace_.kernels[trace_.slices.detail[s]];
    return Key{kernel.correlation, kernel.graph_node, kernel.stream, trace_.slices.start[s]};
  };
  std::map<Key, LaunchedFunction> functions;
  for (trace::SliceId s = 0; s < trace_.slices.size(); ++s)
    if (trace_.slices.kind[s] == trace::SliceKind::kernel)
      functions.emplace(key(s), launched_[trace_.slices.detail[s]]);
  trace::Problems problems;  // discarded: the reader of the file finds and reports them again
  trace::link(trace_, problems);
  for (trace::SliceId s = 0; s < trace_.slices.size(); ++s)
    if (trace_.slices.kind[s] == trace::SliceKind::kernel) launched_[trace_.slices.detail[s]] = functions.at(key(s));
}

trace::Trace TraceBuilder::finish(RecordingSummary& account) {
  add_held_back();
  close_ranges();
  apply_external_ids();
  complete_kernels();
  complete_waits();
  complete_simulated();
  complete_nccl();
  name_tracks();
  account_.graphs = graph_losses(trace_, transfer_graphs_);
  account_.rows = account.rows;
  account_.damaged_bytes = account.damaged_bytes;
  account_.left_out = account.left_out;
  account = account_;
  add_metadata(account);
  add_distributed_info();
  trace_.base_time_ns = static_cast<std::int64_t>(base_);
  link_trace();
  return std::move(trace_);
}

}  // namespace warpwalk::instrumentation
