#include "core/trace/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace warpwalk::trace {
namespace {

SliceKind kind_of(std::string_view category) {
  struct Row {
    std::string_view category;
    SliceKind kind;
  };
  // The second spellings are those of PyTorch 1.8 and 1.9.
  constexpr Row rows[] = {
      {"python_function", SliceKind::python}, {"cpu_op", SliceKind::op},
      {"cuda_runtime", SliceKind::runtime},   {"kernel", SliceKind::kernel},
      {"gpu_memcpy", SliceKind::memcpy},      {"gpu_memset", SliceKind::memset},
      {"cuda_driver", SliceKind::driver},     {"cuda_sync", SliceKind::sync},
      {"user_annotation", SliceKind::annotation}, {"gpu_user_annotation", SliceKind::gpu_annotation},
      {"overhead", SliceKind::overhead},      {"Trace", SliceKind::profiler},
      {"Operator", SliceKind::op},            {"Runtime", SliceKind::runtime},
      {"Kernel", SliceKind::kernel},          {"Memcpy", SliceKind::memcpy},
      {"Memset", SliceKind::memset},          {"operator", SliceKind::op},
      {"runtime", SliceKind::runtime},
  };
  for (const Row& row : rows)
    if (row.category == category) return row.kind;
  // Other accelerators: xpu_runtime, mtia_runtime, privateuse1_driver ...
  if (category.ends_with("_runtime")) return SliceKind::runtime;
  if (category.ends_with("_driver")) return SliceKind::driver;
  return SliceKind::other;
}

bool on_gpu(SliceKind kind) {
  return is_gpu_work(kind) || kind == SliceKind::sync || kind == SliceKind::gpu_annotation;
}

bool is_launch_flow(std::string_view category) {
  return category == "ac2g" || category == "async_cpu_to_gpu" || category == "async_gpu" || category == "async";
}

std::int64_t number_in(std::string_view text) {
  if (text.starts_with("stream ")) text.remove_prefix(7);
  return whole_number(text).value_or(absent);
}

}  // namespace

void Builder::add(const RawEvent& event, std::uint64_t byte_offset) {
  if ((event.irregular & ~std::uint32_t{non_ascii}) != 0) note_irregular(event.irregular, byte_offset, event);
  switch (event.phase) {
    case 'X': slice(event, byte_offset); break;
    case 'M': describe(event); break;
    case 's':
    case 'f': flow(event); break;
    case 'i':
    case 'I': instant(event); break;
    case 'C': counter(event); break;
    case 0:
      problems_.add(ProblemKind::missing_field, byte_offset,
                    fmt::format("event at byte {} has no phase (\"ph\"); it is counted but not shown", byte_offset));
      break;
    default:
      problems_.add(ProblemKind::unsupported_phase, byte_offset,
                    fmt::format("event at byte {} has phase '{}', which warpwalk does not draw", byte_offset, event.phase));
  }
}

void Builder::note_irregular(std::uint32_t irregular, std::uint64_t byte_offset, const RawEvent& event) {
  const auto note = [&](std::uint32_t bit, ProblemKind kind, std::string_view what) {
    if ((irregular & bit) == 0 || !problems_.count(kind, byte_offset)) return;
    std::uint32_t ignored = 0;
    std::string name;
    append_quoted(name, std::string(decode(event.name, scratch_, ignored)).substr(0, 60));
    problems_.rows().back().message = fmt::format("event {} at byte {} {}", name, byte_offset, what);
  };
  note(irregular_word, ProblemKind::unknown_value, "has inf, nan or N/A where a number belongs; the value is unknown");
  note(irregular_control, ProblemKind::control_character, "has a raw control character in a string; it is kept");
  note(irregular_escape, ProblemKind::bad_escape, "has a backslash that escapes nothing; the backslash is kept");
  note(irregular_utf8, ProblemKind::invalid_utf8, "has bytes that are not UTF-8; they are shown as U+FFFD");
}

StringId Builder::text(const RawText& raw) {
  if (raw.plain) return trace_.strings.intern(raw.text);
  std::uint32_t irregular = 0;
  const StringId id = trace_.strings.intern(decode(raw, scratch_, irregular));
  if ((irregular & irregular_utf8) != 0)
    problems_.add(ProblemKind::invalid_utf8, 0, "a string holds bytes that are not UTF-8; they are shown as U+FFFD");
  if ((irregular & irregular_escape) != 0)
    problems_.add(ProblemKind::bad_escape, 0, "a string has a backslash that escapes nothing; the backslash is kept");
  return id;
}

StringId Builder::text(const RawValue& value) {
  if (value.type == RawValue::Type::null || value.type == RawValue::Type::word) return 0;
  return text(value.text);
}

StringId Builder::json(const RawValue& value) {
  std::string_view raw = value.text.text;
  if (value.type == RawValue::Type::string) raw = {raw.data() - 1, raw.size() + 2};
  if (value.irregular == 0 && (value.type != RawValue::Type::string || value.text.plain)) return trace_.strings.intern(raw);
  std::uint32_t irregular = 0;
  return trace_.strings.intern(strict_json(raw, irregular));
}

bool Builder::whole(const RawArg& arg, std::int64_t& out) {
  if (arg.value.type == RawValue::Type::null || arg.value.type == RawValue::Type::word) return true;
  const auto number = arg.value.type == RawValue::Type::boolean ? std::nullopt : whole_number(arg.value.text.text);
  if (!number) return false;
  out = *number;
  return true;
}

bool Builder::real(const RawArg& arg, double& out) {
  if (arg.value.type == RawValue::Type::null || arg.value.type == RawValue::Type::word) return true;
  const auto number = real_number(arg.value.text.text);
  if (!number || arg.value.type != RawValue::Type::number) return false;
  out = *number;
  return true;
}

void Builder::keep(const RawArg& arg) {
  if (!extra_.empty()) extra_ += ", ";
  std::uint32_t irregular = 0;
  append_quoted(extra_, decode(arg.name, scratch_, irregular));
  extra_ += ": ";
  std::string_view raw = arg.value.text.text;
  if (arg.value.type == RawValue::Type::string) raw = {raw.data() - 1, raw.size() + 2};
  if (arg.value.irregular == 0 && (arg.value.type != RawValue::Type::string || arg.value.text.plain))
    extra_ += raw;
  else
    extra_ += strict_json(raw, irregular);
}

StringId Builder::kept() {
  const StringId id = trace_.strings.intern(extra_);
  extra_.clear();
  return id;
}

TrackId Builder::track_of(const RawEvent& event, bool gpu) {
  const bool pid_is_text = event.pid.type == RawValue::Type::string;
  const bool tid_is_text = event.tid.type == RawValue::Type::string;
  if (const TrackId recent = recent_[gpu]; recent < trace_.tracks.size()) {
    const Track& track = trace_.tracks[recent];
    if (track.pid_is_text == pid_is_text && track.tid_is_text == tid_is_text && event.pid.text.plain &&
        event.tid.text.plain && trace_.text(track.tid) == event.tid.text.text &&
        trace_.text(track.pid) == event.pid.text.text)
      return recent;
  }
  const TrackKey key{text(event.pid), text(event.tid),
                     static_cast<std::uint32_t>(gpu) | pid_is_text * 2u | tid_is_text * 4u};
  const auto [found, is_new] = track_ids_.try_emplace(key, static_cast<TrackId>(trace_.tracks.size()));
  if (is_new) {
    Track track;
    track.pid = key.pid;
    track.tid = key.tid;
    track.gpu = gpu;
    track.pid_is_text = pid_is_text;
    track.tid_is_text = tid_is_text;
    if (gpu) {
      track.device = number_in(trace_.text(key.pid));
      track.stream = number_in(trace_.text(key.tid));
    }
    trace_.tracks.push_back(track);
  }
  recent_[gpu] = found->second;
  return found->second;
}

bool Builder::read_time(const RawEvent& event, std::int64_t& out, std::uint64_t byte_offset) {
  if (!event.has_ts || event.ts.type == RawValue::Type::word || event.ts.type == RawValue::Type::null) {
    problems_.add(ProblemKind::missing_field, byte_offset,
                  fmt::format("event at byte {} has no time (\"ts\"); it is counted but not shown", byte_offset));
    return false;
  }
  const auto time = nanoseconds(event.ts.text.text);
  if (!time) {
    problems_.add(ProblemKind::time_out_of_range, byte_offset,
                  fmt::format("event at byte {} has the time {}, which is no time of this era; it is counted but not shown",
                              byte_offset, event.ts.text.text.substr(0, 40)));
    return false;
  }
  out = *time;
  return true;
}

void Builder::slice(const RawEvent& event, std::uint64_t byte_offset) {
  std::int64_t start = 0;
  if (!read_time(event, start, byte_offset)) return;
  if (!event.has_name)
    problems_.add(ProblemKind::missing_field, byte_offset,
                  fmt::format("event at byte {} has no name; it is shown without one", byte_offset));
  std::int64_t duration = 0;
  if (event.has_dur && event.dur.type != RawValue::Type::word && event.dur.type != RawValue::Type::null) {
    const auto read = nanoseconds(event.dur.text.text);
    constexpr std::int64_t latest = std::int64_t{1} << 62;
    if (!read || *read < 0 || *read > latest - start)
      problems_.add(ProblemKind::time_out_of_range, byte_offset,
                    fmt::format("event at byte {} has the duration {}; it is shown with none", byte_offset,
                                event.dur.text.text.substr(0, 40)));
    else
      duration = *read;
  }

  const SliceKind kind = event.category.plain ? kind_of(event.category.text) : SliceKind::other;
  std::uint32_t detail = 0;
  switch (kind) {
    case SliceKind::op:
    case SliceKind::annotation: detail = op(event); break;
    case SliceKind::python: detail = python(event); break;
    case SliceKind::runtime:
    case SliceKind::driver: detail = call(event); break;
    case SliceKind::kernel: detail = kernel(event, byte_offset); break;
    case SliceKind::memcpy:
    case SliceKind::memset: detail = transfer(event); break;
    case SliceKind::sync: detail = sync(event); break;
    default:
      for (const RawArg& arg : event.args) keep(arg);
      detail = text(event.category);
  }
  Slices& rows = trace_.slices;
  rows.start.push_back(start);
  rows.duration.push_back(duration);
  rows.name.push_back(text(event.name));
  rows.extra.push_back(extra_.empty() ? 0 : kept());
  rows.track.push_back(track_of(event, on_gpu(kind)));
  rows.detail.push_back(detail);
  rows.parent.push_back(no_slice);
  rows.kind.push_back(kind);
}

std::uint32_t Builder::op(const RawEvent& event) {
  OpDetail row;
  for (const RawArg& arg : event.args) {
    bool taken = true;
    switch (arg.key) {
      case ArgKey::external_id: taken = whole(arg, row.external_id); break;
      case ArgKey::sequence: taken = whole(arg, row.sequence); break;
      case ArgKey::forward_thread: taken = whole(arg, row.forward_thread); break;
      case ArgKey::record_function: taken = whole(arg, row.record_function); break;
      case ArgKey::event_index: taken = whole(arg, row.event_index); break;
      case ArgKey::dispatch: taken = whole(arg, row.dispatch); break;
      case ArgKey::input_dims: row.input_dims = json(arg.value); break;
      case ArgKey::input_strides: row.input_strides = json(arg.value); break;
      case ArgKey::input_types: row.input_types = json(arg.value); break;
      case ArgKey::concrete_inputs: row.concrete_inputs = json(arg.value); break;
      case ArgKey::call_stack: row.call_stack = json(arg.value); break;
      case ArgKey::module_hierarchy: row.module_hierarchy = json(arg.value); break;
      default: taken = false;
    }
    if (!taken) keep(arg);
  }
  trace_.ops.push_back(row);
  return static_cast<std::uint32_t>(trace_.ops.size() - 1);
}

std::uint32_t Builder::python(const RawEvent& event) {
  PythonDetail row;
  for (const RawArg& arg : event.args) {
    bool taken = true;
    switch (arg.key) {
      case ArgKey::python_id: taken = whole(arg, row.id); break;
      case ArgKey::python_parent: taken = whole(arg, row.parent_id); break;
      case ArgKey::python_module: taken = whole(arg, row.module_id); break;
      case ArgKey::python_thread: taken = whole(arg, row.thread); break;
      case ArgKey::event_index: taken = whole(arg, row.event_index); break;
      default: taken = false;
    }
    if (!taken) keep(arg);
  }
  trace_.python.push_back(row);
  return static_cast<std::uint32_t>(trace_.python.size() - 1);
}

std::uint32_t Builder::call(const RawEvent& event) {
  CallDetail row;
  for (const RawArg& arg : event.args) {
    bool taken = true;
    switch (arg.key) {
      case ArgKey::external_id: taken = whole(arg, row.external_id); break;
      case ArgKey::cbid: taken = whole(arg, row.cbid); break;
      case ArgKey::correlation: taken = whole(arg, row.correlation); break;
      default: taken = false;
    }
    if (!taken) keep(arg);
  }
  trace_.calls.push_back(row);
  return static_cast<std::uint32_t>(trace_.calls.size() - 1);
}

std::uint32_t Builder::kernel(const RawEvent& event, std::uint64_t byte_offset) {
  KernelDetail row;
  const auto shape = [&](const RawArg& arg, std::array<std::int32_t, 3>& out) {
    JsonCursor cursor(arg.value.text.text, true);
    std::array<std::int32_t, 3> read{};
    bool good = arg.value.type == RawValue::Type::array && cursor.take('[');
    for (std::size_t i = 0; good && i < 3; ++i) {
      RawValue element;
      good = (i == 0 || cursor.take(',')) && cursor.value(element) && element.type == RawValue::Type::number;
      const auto number = good ? whole_number(element.text.text) : std::nullopt;
      good = number && *number > 0 && *number <= 0x7fffffff;
      if (good) read[i] = static_cast<std::int32_t>(*number);
    }
    if (good && cursor.take(']')) {
      out = read;
    } else {
      problems_.add(ProblemKind::bad_shape, byte_offset,
                    fmt::format("kernel at byte {} has the {} {}, not three positive numbers; it counts as not recorded",
                                byte_offset, arg.name.text, arg.value.text.text.substr(0, 40)));
    }
  };
  for (const RawArg& arg : event.args) {
    bool taken = true;
    switch (arg.key) {
      case ArgKey::external_id: taken = whole(arg, row.external_id); break;
      case ArgKey::correlation: taken = whole(arg, row.correlation); break;
      case ArgKey::queued: taken = whole(arg, row.queued); break;
      case ArgKey::submitted: taken = whole(arg, row.submitted); break;
      case ArgKey::device: taken = whole(arg, row.device); break;
      case ArgKey::context: taken = whole(arg, row.context); break;
      case ArgKey::stream: taken = whole(arg, row.stream); break;
      case ArgKey::registers: taken = whole(arg, row.registers); break;
      case ArgKey::shared_bytes: taken = whole(arg, row.shared_bytes); break;
      case ArgKey::graph_id: taken = whole(arg, row.graph_id); break;
      case ArgKey::graph_node: taken = whole(arg, row.graph_node); break;
      case ArgKey::priority: taken = whole(arg, row.priority); break;
      case ArgKey::record: taken = whole(arg, row.record); break;
      case ArgKey::blocks_per_sm: taken = real(arg, row.blocks_per_sm); break;
      case ArgKey::warps_per_sm: taken = real(arg, row.warps_per_sm); break;
      case ArgKey::occupancy: taken = real(arg, row.occupancy_pct); break;
      case ArgKey::grid: shape(arg, row.grid); break;
      case ArgKey::block: shape(arg, row.block); break;
      default: taken = false;
    }
    if (!taken) keep(arg);
  }
  trace_.kernels.push_back(row);
  return static_cast<std::uint32_t>(trace_.kernels.size() - 1);
}

std::uint32_t Builder::transfer(const RawEvent& event) {
  TransferDetail row;
  for (const RawArg& arg : event.args) {
    bool taken = true;
    switch (arg.key) {
      case ArgKey::external_id: taken = whole(arg, row.external_id); break;
      case ArgKey::correlation: taken = whole(arg, row.correlation); break;
      case ArgKey::device: taken = whole(arg, row.device); break;
      case ArgKey::context: taken = whole(arg, row.context); break;
      case ArgKey::stream: taken = whole(arg, row.stream); break;
      case ArgKey::bytes: taken = whole(arg, row.bytes); break;
      case ArgKey::bandwidth: taken = real(arg, row.bandwidth_gb_s); break;
      default: taken = false;
    }
    if (!taken) keep(arg);
  }
  trace_.transfers.push_back(row);
  return static_cast<std::uint32_t>(trace_.transfers.size() - 1);
}

std::uint32_t Builder::sync(const RawEvent& event) {
  SyncDetail row;
  for (const RawArg& arg : event.args) {
    bool taken = true;
    switch (arg.key) {
      case ArgKey::external_id: taken = whole(arg, row.external_id); break;
      case ArgKey::correlation: taken = whole(arg, row.correlation); break;
      case ArgKey::device: taken = whole(arg, row.device); break;
      case ArgKey::context: taken = whole(arg, row.context); break;
      case ArgKey::stream: taken = whole(arg, row.stream); break;
      case ArgKey::wait_on_stream: taken = whole(arg, row.wait_on_stream); break;
      case ArgKey::wait_on_record: taken = whole(arg, row.wait_on_record); break;
      case ArgKey::sync_kind: row.kind = text(arg.value); break;
      default: taken = false;
    }
    if (!taken) keep(arg);
  }
  trace_.syncs.push_back(row);
  return static_cast<std::uint32_t>(trace_.syncs.size() - 1);
}

void Builder::instant(const RawEvent& event) {
  std::int64_t time = 0;
  if (!read_time(event, time, 0)) return;
  const bool out_of_memory = event.name.text == "[OutOfMemory]";
  if (event.name.text != "[memory]" && !out_of_memory) {
    for (const RawArg& arg : event.args) keep(arg);
    trace_.instants.push_back(
        {time, text(event.name), text(event.category), kept(), track_of(event, false), event.scope});
    return;
  }
  MemoryEvent row;
  row.time = time;
  row.track = track_of(event, false);
  row.out_of_memory = out_of_memory;
  for (const RawArg& arg : event.args) {
    bool taken = true;
    switch (arg.key) {
      case ArgKey::address: taken = whole(arg, row.address); break;
      case ArgKey::bytes: taken = whole(arg, row.bytes); break;
      case ArgKey::total_allocated: taken = whole(arg, row.allocated); break;
      case ArgKey::total_reserved: taken = whole(arg, row.reserved); break;
      case ArgKey::device_type: taken = whole(arg, row.device_type); break;
      case ArgKey::device_id: taken = whole(arg, row.device); break;
      case ArgKey::event_index: taken = whole(arg, row.event_index); break;
      default: taken = false;
    }
    if (!taken) keep(arg);
  }
  row.extra = kept();
  trace_.memory.push_back(row);
}

void Builder::counter(const RawEvent& event) {
  std::int64_t time = 0;
  if (!read_time(event, time, 0)) return;
  for (const RawArg& arg : event.args) keep(arg);
  trace_.counters.push_back({time, text(event.name), text(event.category), kept(), track_of(event, false)});
}

void Builder::flow(const RawEvent& event) {
  std::int64_t time = 0;
  if (!read_time(event, time, 0)) return;
  const auto id = event.id.type == RawValue::Type::number ? whole_number(event.id.text.text) : std::nullopt;
  const StringId category = text(event.category);
  // The end on the GPU names the stream's track; a launch flow is only counted, so its track is not looked up.
  const bool launch = is_launch_flow(trace_.text(category));
  flow_ends_.push_back({id.value_or(0), time, id ? 0 : text(event.id), launch ? 0 : text(event.name), category,
                        launch ? 0 : track_of(event, false), event.phase});
}

void Builder::describe(const RawEvent& event) {
  const StringId pid = text(event.pid);
  const std::uint32_t pid_flag = event.pid.type == RawValue::Type::string ? 2u : 0u;
  const std::uint32_t tid_flag = event.tid.type == RawValue::Type::string ? 4u : 0u;
  const bool of_thread = event.name.text.starts_with("thread_");
  Named& named = of_thread ? threads_[{pid, text(event.tid), pid_flag | tid_flag}] : processes_[pid];
  for (const RawArg& arg : event.args) {
    switch (arg.key) {
      case ArgKey::name: named.name = text(arg.value); break;
      case ArgKey::labels: named.labels = text(arg.value); break;
      case ArgKey::sort_index: whole(arg, named.sort_index); break;
      default: break;
    }
  }
}

void Builder::finish() {
  for (Track& track : trace_.tracks) {
    if (const auto process = processes_.find(track.pid); process != processes_.end()) {
      track.process_name = process->second.name;
      track.process_labels = process->second.labels;
      track.process_sort_index = process->second.sort_index;
    }
    const std::uint32_t flags = track.pid_is_text * 2u | track.tid_is_text * 4u;
    if (const auto thread = threads_.find({track.pid, track.tid, flags}); thread != threads_.end()) {
      track.name = thread->second.name;
      track.sort_index = thread->second.sort_index;
    }
  }

  // A flow's ends share category, name and id; starts come before finishes here, the earliest first.
  std::vector<FlowEnd> ends(flow_ends_.begin(), flow_ends_.end());
  const auto key = [](const FlowEnd& e) { return std::tie(e.category, e.name, e.text_id, e.id); };
  std::sort(ends.begin(), ends.end(), [&](const FlowEnd& a, const FlowEnd& b) {
    return key(a) != key(b) ? key(a) < key(b) : a.phase != b.phase ? a.phase == 's' : a.time < b.time;
  });
  const FlowEnd* start = nullptr;
  for (const FlowEnd& end : ends) {
    const bool same = start != nullptr && key(*start) == key(end);
    if (end.phase == 's') {
      if (same)
        problems_.add(ProblemKind::duplicate_flow, 0,
                      fmt::format("flow {} starts twice; the first start is kept", end.id));
      else
        start = &end;
      continue;
    }
    if (!same) {
      problems_.add(ProblemKind::unmatched_flow, 0, fmt::format("flow {} ends but never starts; it is not drawn", end.id));
      continue;
    }
    if (is_launch_flow(trace_.text(end.category))) continue;
    const StringId id = end.text_id != 0 ? end.text_id : trace_.strings.intern(std::to_string(end.id));
    trace_.flows.push_back({start->time, end.time, id, end.name, end.category, start->track, end.track});
  }
  flow_ends_.clear();
}

}  // namespace warpwalk::trace
