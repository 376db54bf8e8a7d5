// The part of Builder that reads rows without a category, as profilers other than PyTorch's current one write them:
// their process and thread say what they are. The names of processes and threads can come last in the file, so the rows
// are kept as `other` and read here, at the end.
#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <rapidjson/document.h>

#include "core/trace/chrome/builder.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"

namespace warpwalk::trace {
namespace {

using JsonValue = rapidjson::Value;

constexpr std::string_view ascend_device = "Ascend Hardware";  // torch_npu
constexpr std::string_view ascend_calls = "CANN";              // torch_npu: calls of the runtime
constexpr std::string_view xla_device = "/device:";            // JAX and XLA, e.g. "/device:GPU:0"
constexpr std::string_view xla_host = "/host:";
constexpr std::string_view legacy_cpu = "CPU functions";  // PyTorch's legacy autograd profiler
constexpr std::string_view legacy_cuda = "CUDA functions";
constexpr std::string_view stream_thread = "Stream";

std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// The first number at or after `from`, e.g. 16 in "Stream #16(Compute)".
std::int64_t number_from(std::string_view text, std::size_t from) {
  const std::size_t first = std::min(text.find_first_of("0123456789", from), text.size());
  const std::size_t end = std::min(text.find_first_not_of("0123456789", first), text.size());
  return parse_integer(text.substr(first, end - first)).value_or(absent);
}

// "/device:GPU:1 (pid 3)": 1.
std::int64_t device_number(std::string_view process) {
  const std::size_t colon = process.find(':', xla_device.size());
  return colon == std::string_view::npos ? absent : number_from(process, colon);
}

// A process whose name, in an unknown form, says that it is a device.
bool looks_like_device(std::string_view process) {
  const std::string name = lower_ascii(process);
  const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  if (has("host") || has("cpu")) return false;
  return has("gpu") || has("npu") || has("tpu") || has("xpu") || has("cuda") || has("device") || has("hardware");
}

// The args of a row by name.
class RowArgs {
 public:
  explicit RowArgs(std::string_view extra) {
    const std::string text = fmt::format("{{{}}}", extra);
    document_.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  }

  std::string_view text(const char* name) const {
    const JsonValue* const value = find(name);
    if (value == nullptr || !value->IsString()) return {};
    return {value->GetString(), value->GetStringLength()};
  }
  /// A number, also as a text, as XLA writes it.
  std::int64_t whole(const char* name) const {
    const JsonValue* const value = find(name);
    if (value == nullptr) return absent;
    return value->IsInt64() ? value->GetInt64() : parse_integer(text(name)).value_or(absent);
  }

 private:
  const JsonValue* find(const char* name) const {
    if (document_.HasParseError()) return nullptr;
    const auto found = document_.FindMember(name);
    return found == document_.MemberEnd() ? nullptr : &found->value;
  }
  rapidjson::Document document_;
};

// The value of a key in XLA's details, e.g. "grid" in "regs:32 grid:40,20,1 block:256,1,1".
std::string_view detail_value(std::string_view details, std::string_view key) {
  for (std::size_t at = 0; at < details.size();) {
    const std::size_t end = std::min(details.find(' ', at), details.size());
    const std::string_view word = details.substr(at, end - at);
    if (word.starts_with(key) && word.substr(key.size()).starts_with(':')) return word.substr(key.size() + 1);
    at = end + 1;
  }
  return {};
}

void read_shape(std::string_view text, std::array<std::int32_t, 3>& out) {
  std::array<std::int32_t, 3> read{};
  for (std::int32_t& one : read) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto number = parse_integer(text.substr(0, comma));
    if (!number || *number <= 0 || *number > 0x7fffffff) return;
    one = static_cast<std::int32_t>(*number);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  if (text.empty()) out = read;
}

SliceKind kind_of_work(std::string_view name, bool only_copies) {
  const std::string lower = lower_ascii(name);
  if (lower.starts_with("memset")) return SliceKind::memset;
  if (lower.starts_with("memcpy") || only_copies) return SliceKind::memcpy;
  // Ascend's streams also hold the events that they record and wait for.
  if (lower.starts_with("event_") || lower.starts_with("notify")) return SliceKind::sync;
  return SliceKind::kernel;
}

}  // namespace

std::string_view Builder::process_name(const FileTrack& track) const {
  const auto named = processes_.find(track.pid);
  if (named != processes_.end() && named->second.name != 0) return trace_.text(named->second.name);
  return track.pid_is_text ? trace_.text(track.pid) : std::string_view();
}

std::string_view Builder::thread_name(FileTrack track) const {
  track.gpu = false;  // names are by pid and tid only
  const auto named = threads_.find(track);
  if (named != threads_.end() && named->second.name != 0) return trace_.text(named->second.name);
  return track.tid_is_text ? trace_.text(track.tid) : std::string_view();
}

bool Builder::has_stream_threads(StringId pid) const {
  return std::ranges::any_of(threads_, [&](const auto& entry) {
    return entry.first.pid == pid && trace_.text(entry.second.name).starts_with(stream_thread);
  });
}

Builder::RowReading Builder::row_reading(const FileTrack& track) const {
  RowReading reading;
  const std::string_view process = process_name(track);
  const std::string_view thread = thread_name(track);
  reading.process = trace_.strings.find(process);
  const bool stream = thread.starts_with(stream_thread);
  if (stream) reading.stream = number_from(thread, stream_thread.size());
  if (process == legacy_cpu) {
    reading.how = Reading::op;
  } else if (process == legacy_cuda) {
    reading.how = Reading::work;  // the thread is the device; streams are not recorded
    reading.device = track.tid_is_text ? absent : parse_integer(trace_.text(track.tid)).value_or(absent);
  } else if (process == ascend_calls) {
    reading.how = Reading::call;
  } else if (process.starts_with(ascend_device)) {
    reading.how = stream ? Reading::work : Reading::unread;
    // The label is e.g. "NPU 3"; without a number, row_readings() counts the devices.
    const auto named = processes_.find(track.pid);
    if (named != processes_.end()) reading.device = number_from(trace_.text(named->second.labels), 0);
  } else if (process.starts_with(xla_host)) {
    reading.how = Reading::host;
  } else if (process.starts_with(xla_device) && lower_ascii(process).find("cpu") == std::string::npos) {
    // A TPU has no streams; its ops are the work. The other threads repeat the work by module, step and source.
    const bool work = stream || (thread == "XLA Ops" && !has_stream_threads(track.pid));
    reading.how = work ? Reading::work : Reading::gpu_annotation;
    reading.device = device_number(process);
    const std::size_t kinds = thread.find('(');
    reading.copies = stream && kinds != std::string_view::npos &&
                     thread.find("Memcpy", kinds) != std::string_view::npos &&
                     thread.find("Compute", kinds) == std::string_view::npos &&
                     thread.find("Kernel", kinds) == std::string_view::npos;
  } else if (looks_like_device(process)) {
    reading.how = Reading::unread;
  }
  return reading;
}

std::vector<Builder::RowReading> Builder::row_readings() {
  std::vector<RowReading> readings(trace_.tracks.size());
  std::unordered_map<StringId, std::int64_t> device_of_pid;
  for (TrackId id = 0; id < readings.size(); ++id) {
    if (file_tracks_[id].gpu) continue;
    RowReading& reading = readings[id] = row_reading(file_tracks_[id]);
    reading.to = id;
    if (reading.how == Reading::work && reading.device == absent)
      reading.device = device_of_pid.try_emplace(file_tracks_[id].pid, static_cast<std::int64_t>(device_of_pid.size()))
                           .first->second;
  }
  return readings;
}

TrackId Builder::stream_twin(TrackId id) {
  FileTrack twin = file_tracks_[id];
  twin.gpu = true;
  const auto [found, is_new] = track_ids_.try_emplace(twin, static_cast<TrackId>(trace_.tracks.size()));
  if (is_new) {
    trace_.tracks.emplace_back();
    file_tracks_.push_back(twin);
  }
  return found->second;
}

void Builder::read_rows_without_category() {
  std::vector<RowReading> readings = row_readings();
  if (std::ranges::all_of(readings, [](const RowReading& r) { return r.how == Reading::as_other; })) return;
  std::vector<std::uint64_t> unread(readings.size());
  Slices& rows = trace_.slices;
  const std::size_t count = rows.size();
  for (std::size_t s = 0; s < count; ++s) {
    if (rows.kind[s] != SliceKind::other || rows.detail[s] != 0) continue;
    const TrackId track = rows.track[s];
    RowReading& reading = readings[track];
    const bool on_stream = reading.how == Reading::work || reading.how == Reading::gpu_annotation;
    if (on_stream && reading.to == track) reading.to = stream_twin(track);
    if (reading.how == Reading::unread)
      ++unread[track];
    else if (reading.how != Reading::as_other)
      read_row(static_cast<SliceId>(s), reading);
  }
  std::sort(unlinked_.begin(), unlinked_.end());
  report_unread(readings, unread);
}

void Builder::read_row(SliceId s, const RowReading& reading) {
  Slices& rows = trace_.slices;
  const auto become = [&](SliceKind kind, auto& table, const auto& detail) {
    rows.kind[s] = kind;
    table.push_back(detail);
    rows.detail[s] = static_cast<std::uint32_t>(table.size() - 1);
  };
  switch (reading.how) {
    case Reading::op: become(SliceKind::op, trace_.ops, OpDetail{}); break;
    case Reading::call:
      if (trace_.name(s).find('@') != std::string_view::npos)  // e.g. AscendCL@aclnnMatmul, Node@launch
        become(SliceKind::runtime, trace_.calls, CallDetail{});
      break;
    case Reading::host: {
      // jax.profiler.StepTraceAnnotation
      if (trace_.text(rows.extra[s]).find("\"step_num\"") != std::string_view::npos) {
        become(SliceKind::annotation, trace_.ops, OpDetail{});
        break;
      }
      // The calls of the CUDA driver are those with a correlation.
      if (trace_.text(rows.extra[s]).find("\"correlation_id\"") == std::string_view::npos) break;
      CallDetail call;
      call.correlation = RowArgs(trace_.text(rows.extra[s])).whole("correlation_id");
      if (call.correlation != absent) become(SliceKind::driver, trace_.calls, call);
      break;
    }
    case Reading::gpu_annotation: rows.kind[s] = SliceKind::gpu_annotation; break;
    case Reading::work: read_work(s, reading); break;
    case Reading::as_other:
    case Reading::unread: break;
  }
  rows.track[s] = reading.to;
}

void Builder::read_work(SliceId s, const RowReading& reading) {
  Slices& rows = trace_.slices;
  const TrackId track = rows.track[s];
  const SliceKind kind = kind_of_work(trace_.name(s), reading.copies);
  const RowArgs args(trace_.text(rows.extra[s]));
  const auto become = [&](auto& table, auto& detail) {
    detail.device = reading.device;
    detail.stream = args.whole("Stream Id");  // Ascend
    if (detail.stream == absent) detail.stream = reading.stream;
    detail.correlation = args.whole("correlation_id");  // XLA
    if (is_gpu_work(kind) && detail.correlation == absent) unlinked_.push_back({track, rows.start[s], s});
    table.push_back(detail);
    rows.kind[s] = kind;
    rows.detail[s] = static_cast<std::uint32_t>(table.size() - 1);
  };
  if (kind == SliceKind::kernel) {
    KernelDetail kernel;
    const std::string_view details = args.text("kernel_details");
    read_shape(detail_value(details, "grid"), kernel.grid);
    read_shape(detail_value(details, "block"), kernel.block);
    kernel.registers = parse_integer(detail_value(details, "regs")).value_or(absent);
    const auto fixed = parse_integer(detail_value(details, "static_shared"));
    const auto dynamic = parse_integer(detail_value(details, "dynamic_shared"));
    constexpr std::int64_t most = std::int64_t{1} << 40;
    if (fixed && dynamic && *fixed >= 0 && *fixed < most && *dynamic >= 0 && *dynamic < most)
      kernel.shared_bytes = *fixed + *dynamic;
    become(trace_.kernels, kernel);
  } else if (kind == SliceKind::sync) {
    SyncDetail sync;
    become(trace_.syncs, sync);
  } else {
    TransferDetail transfer;
    transfer.bytes = parse_integer(detail_value(args.text("memcpy_details"), "size")).value_or(absent);
    become(trace_.transfers, transfer);
  }
}

void Builder::report_unread(const std::vector<RowReading>& readings, const std::vector<std::uint64_t>& counts) {
  std::uint64_t sum = 0;
  std::size_t most = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += counts[i];
    if (counts[i] > counts[most]) most = i;
  }
  if (sum == 0) return;
  if (problems_.count(ProblemKind::unread_device_rows, 0, sum))
    problems_.rows().back().message = fmt::format(
        "{} events without a category are in processes that look like devices, first of all {}; they are shown, but "
        "not as GPU work, because warpwalk does not know this profiler",
        sum, excerpt(trace_.text(readings[most].process)));
}

}  // namespace warpwalk::trace
