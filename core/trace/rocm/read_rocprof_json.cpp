#include "core/trace/rocm/read_rocprof_json.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include "core/trace/json/numbers.h"
#include "core/trace/rocm/json_fields.h"

namespace warpwalk::trace::rocm {
namespace {

constexpr std::string_view tool_key = "rocprofiler-sdk-tool";

/// The text of a window as a stream of rapidjson. It ends early at an entry that is longer than the cap.
class WindowStream {
 public:
  using Ch = char;
  WindowStream(Window& window, std::uint64_t cap) : window_(window), cap_(cap), text_(window.text()) {}

  char Peek() {
    if (at_ == text_.size() && !refill()) return '\0';
    return text_[at_];
  }
  char Take() {
    const char c = Peek();
    if (at_ < text_.size()) ++at_;
    return c;
  }
  std::size_t Tell() const { return static_cast<std::size_t>(window_.offset()) + at_; }
  /// A value or a key has ended.
  void note_entry() { entry_ = Tell(); }
  bool too_long() const { return too_long_; }
  /// Whether nothing follows, not even an entry that is too long.
  bool ended() { return at_ == text_.size() && !refill() && !too_long_; }

  // Only streams that are written to have these.
  char* PutBegin() { return nullptr; }
  void Put(char) {}
  void Flush() {}
  std::size_t PutEnd(char*) { return 0; }

 private:
  bool refill() {
    too_long_ = too_long_ || Tell() - entry_ > cap_;
    if (too_long_) return false;
    window_.drop(at_);
    at_ = 0;
    window_.more();
    text_ = window_.text();
    return !text_.empty();
  }

  Window& window_;
  std::uint64_t cap_;
  std::string_view text_;
  std::size_t at_ = 0, entry_ = 0;
  bool too_long_ = false;
};

enum class JsonRecord : std::uint8_t { none, metadata, agent, symbol, kind_of_row, message, kernel, copy, call };

// What is read of "buffer_records", and the category of calls if the file does not name it.
struct RecordGroup {
  std::string_view key;
  JsonRecord record;
  std::string_view category;
};
constexpr std::array record_groups = {RecordGroup{"kernel_dispatch", JsonRecord::kernel, ""},
                                      RecordGroup{"memory_copy", JsonRecord::copy, ""},
                                      RecordGroup{"hip_api", JsonRecord::call, "HIP_RUNTIME_API"},
                                      RecordGroup{"hsa_api", JsonRecord::call, "HSA_CORE_API"},
                                      RecordGroup{"rccl_api", JsonRecord::call, "RCCL_API"},
                                      RecordGroup{"marker_api", JsonRecord::call, "MARKER_CORE_API"},
                                      RecordGroup{"rocdecode_api", JsonRecord::call, "ROCDECODE_API"},
                                      RecordGroup{"rocjpeg_api", JsonRecord::call, "ROCJPEG_API"}};

/// Receives the document value by value. What a record has is collected as pairs of a path ("dispatch_info.kernel_id")
/// and a value, and used at the record's end.
class JsonProfile {
 public:
  using Ch = char;
  JsonProfile(Recording& recording, WindowStream& stream) : recording_(recording), stream_(stream) {}

  bool Null() { return value({}); }
  bool Bool(bool) { return value({}); }
  bool Int(int) { return false; }  // numbers come as texts
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) { return value({text, size}); }
  bool String(const char* text, rapidjson::SizeType size, bool) { return value({text, size}); }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    stream_.note_entry();
    levels_.back().key.assign(text, size);
    return true;
  }
  bool StartObject() { return open(false); }
  bool StartArray() { return open(true); }
  bool EndObject(rapidjson::SizeType) { return close(); }
  bool EndArray(rapidjson::SizeType) { return close(); }

  /// Uses what waits for names. Called at the end of each process, and of the document.
  void finish_process();

 private:
  struct Level {
    bool array = false;
    std::string key;     // the last one of an object
    std::size_t prefix;  // length of prefix_ before it
  };
  struct KindOfRow {
    std::string name;
    std::vector<std::string> operations;
  };
  struct WaitingCall {
    HostRow row;
    std::string_view category;
    std::int64_t kind, operation;
  };
  struct WaitingWork {
    SliceId row;
    std::int64_t symbol;
  };
  struct AgentOfJson {
    bool gpu;
    std::int64_t device;
  };

  bool value(std::string_view text);
  bool open(bool array);
  bool close();
  JsonRecord record_here(std::string_view& category) const;
  std::string_view text_of(std::string_view path) const;
  std::int64_t number(std::string_view path) const { return parse_integer(text_of(path)).value_or(absent); }
  std::array<std::int64_t, 3> three(std::string_view path) const;
  void use_record();
  void use_agent();
  void use_symbol();
  void use_kernel();
  void use_copy();
  std::string_view operation_name(std::int64_t kind, std::int64_t operation) const;
  std::string place() const { return fmt::format("the record that ends at byte {}", stream_.Tell()); }

  Recording& recording_;
  WindowStream& stream_;
  std::vector<Level> levels_;
  std::string prefix_;  // of the paths in the record
  std::size_t record_level_ = 0;
  JsonRecord record_ = JsonRecord::none;
  std::string_view category_;
  std::vector<std::pair<std::string, std::string>> fields_;

  std::int64_t process_ = absent;
  std::unordered_map<std::int64_t, AgentOfJson> agents_;
  std::unordered_map<std::int64_t, std::pair<StringId, std::int64_t>> symbols_;  // names and registers
  std::vector<KindOfRow> kinds_;
  std::unordered_map<std::int64_t, std::string> messages_;  // of ranges, by correlation
  std::vector<WaitingCall> calls_;
  std::vector<WaitingWork> kernels_;
};

bool JsonProfile::value(std::string_view text) {
  constexpr std::size_t most_fields = 8192;
  stream_.note_entry();
  if (record_ == JsonRecord::none || fields_.size() == most_fields) return true;
  const auto object = std::find_if(levels_.rbegin(), levels_.rend(), [](const Level& level) { return !level.array; });
  fields_.emplace_back(prefix_ + object->key, text);
  return true;
}

// The record that begins here, by the keys of what it is in.
JsonRecord JsonProfile::record_here(std::string_view& category) const {
  const auto key = [&](std::size_t level) { return std::string_view(levels_[level].key); };
  const std::size_t depth = levels_.size();
  if (depth < 3 || key(0) != tool_key || !levels_[1].array) return JsonRecord::none;
  if (depth == 3) return key(2) == "metadata" ? JsonRecord::metadata : JsonRecord::none;
  if (!levels_.back().array) return JsonRecord::none;
  if (depth == 4 && key(2) == "agents") return JsonRecord::agent;
  if (depth == 4 && key(2) == "kernel_symbols") return JsonRecord::symbol;
  if (depth != 5 || levels_[3].array) return JsonRecord::none;
  if (key(2) == "strings" && key(3) == "buffer_records") return JsonRecord::kind_of_row;
  if (key(2) == "strings" && key(3) == "marker_api") return JsonRecord::message;
  if (key(2) != "buffer_records") return JsonRecord::none;
  const auto group = std::ranges::find(record_groups, key(3), &RecordGroup::key);
  if (group == record_groups.end()) return JsonRecord::none;
  category = group->category;
  return group->record;
}

bool JsonProfile::open(bool array) {
  constexpr std::size_t deepest = 64;
  stream_.note_entry();
  if (levels_.size() == deepest) return false;
  const std::size_t prefix = prefix_.size();
  if (record_ != JsonRecord::none) {
    if (!array && !levels_.back().array) prefix_ += levels_.back().key + '.';
  } else if (!array) {
    record_ = record_here(category_);
    record_level_ = levels_.size();
    fields_.clear();
  }
  levels_.push_back({array, {}, prefix});
  return true;
}

bool JsonProfile::close() {
  stream_.note_entry();
  prefix_.resize(levels_.back().prefix);
  levels_.pop_back();
  if (record_ != JsonRecord::none && levels_.size() == record_level_) {
    use_record();
    record_ = JsonRecord::none;
  }
  if (levels_.size() == 2) finish_process();
  return !recording_.stopped();
}

std::string_view JsonProfile::text_of(std::string_view path) const {
  const auto found = std::ranges::find(fields_, path, &std::pair<std::string, std::string>::first);
  return found == fields_.end() ? std::string_view() : std::string_view(found->second);
}

std::array<std::int64_t, 3> JsonProfile::three(std::string_view path) const {
  return {number(fmt::format("{}.x", path)), number(fmt::format("{}.y", path)), number(fmt::format("{}.z", path))};
}

void JsonProfile::use_record() {
  switch (record_) {
    case JsonRecord::metadata:
      process_ = number("pid");
      if (process_ != absent) recording_.name_process(process_, recording_.intern(text_of("command")));
      break;
    case JsonRecord::agent: use_agent(); break;
    case JsonRecord::symbol: use_symbol(); break;
    case JsonRecord::kind_of_row: {
      KindOfRow& kind = kinds_.emplace_back();
      kind.name = text_of("kind");
      for (const auto& [path, text] : fields_)
        if (path == "operations") kind.operations.push_back(text);
      break;
    }
    case JsonRecord::message: messages_[number("key")] = text_of("value"); break;
    case JsonRecord::kernel: use_kernel(); break;
    case JsonRecord::copy: use_copy(); break;
    case JsonRecord::call:
      calls_.push_back({{process_, number("thread_id"), number("correlation_id.internal"), number("start_timestamp"),
                         number("end_timestamp")},
                        category_,
                        number("kind"),
                        number("operation")});
      recording_.go_on(place());
      break;
    case JsonRecord::none: break;
  }
}

// GPUs have the number that HIP has for them.
void JsonProfile::use_agent() {
  constexpr std::int64_t gpu_agent = 2;
  const std::int64_t handle = number("id.handle");
  const bool gpu = number("type") == gpu_agent;
  std::int64_t index = number("logical_node_type_id");
  if (index == absent || index < 0) index = handle;
  agents_[handle] = {gpu, gpu ? index : absent};
  std::vector<Device>& devices = recording_.trace().devices;
  constexpr std::size_t most_devices = 1024;
  if (!gpu || devices.size() == most_devices || std::ranges::find(devices, index, &Device::id) != devices.end()) return;
  Device device;
  device.id = index;
  for (const char* const name : {"product_name", "model_name", "name"})
    if (device.name == 0) device.name = recording_.intern(text_of(name));
  for (const char* const member :
       {"cu_count", "wave_front_size", "workgroup_max_size", "lds_size_in_kb", "max_waves_per_cu"})
    set_device_member(device, member, number(member));
  devices.push_back(device);
}

void JsonProfile::use_symbol() {
  std::string_view name;
  for (const char* const member : {"formatted_kernel_name", "demangled_kernel_name", "kernel_name"})
    if (name.empty()) name = text_of(member);
  constexpr std::int64_t most_registers = 1 << 16;
  std::int64_t registers = number("arch_vgpr_count");
  const std::int64_t more = number("accum_vgpr_count");
  if (registers < 0 || registers > most_registers)
    registers = absent;
  else if (more > 0 && more < most_registers)
    registers += more;
  symbols_[number("kernel_id")] = {recording_.intern(name), registers};
}

void JsonProfile::use_kernel() {
  const std::int64_t agent = number("dispatch_info.agent_id.handle");
  const auto known = agents_.find(agent);
  const Work work{process_,
                  known == agents_.end() ? agent : known->second.device,
                  number("dispatch_info.queue_id.handle"),
                  number("stream_id.handle"),
                  number("correlation_id.internal"),
                  number("start_timestamp"),
                  number("end_timestamp")};
  KernelDetail detail;
  const std::array<std::int64_t, 3> block = three("dispatch_info.workgroup_size");
  detail.block = checked_block(block);
  detail.grid = blocks_of(three("dispatch_info.grid_size"), block);
  detail.shared_bytes = number("dispatch_info.group_segment_size");
  if (const auto row = recording_.kernel(work, detail, 0, place()))
    kernels_.push_back({*row, number("dispatch_info.kernel_id")});
  recording_.go_on(place());
}

void JsonProfile::use_copy() {
  const auto target = agents_.find(number("dst_agent_id.handle")), source = agents_.find(number("src_agent_id.handle"));
  std::int64_t device = absent;
  if (source != agents_.end() && source->second.gpu) device = source->second.device;
  if (target != agents_.end() && target->second.gpu) device = target->second.device;
  const Work work{process_,
                  device,
                  absent,
                  number("stream_id.handle"),
                  number("correlation_id.internal"),
                  number("start_timestamp"),
                  number("end_timestamp")};
  const std::string name = copy_name(operation_name(number("kind"), number("operation")));
  recording_.copy(work, number("bytes"), recording_.intern(name.empty() ? "Memcpy" : name), place());
  recording_.go_on(place());
}

std::string_view JsonProfile::operation_name(std::int64_t kind, std::int64_t operation) const {
  if (kind < 0 || static_cast<std::size_t>(kind) >= kinds_.size()) return {};
  const std::vector<std::string>& names = kinds_[static_cast<std::size_t>(kind)].operations;
  if (operation < 0 || static_cast<std::size_t>(operation) >= names.size()) return {};
  return names[static_cast<std::size_t>(operation)];
}

void JsonProfile::finish_process() {
  Trace& trace = recording_.trace();
  for (const WaitingWork& work : kernels_) {
    const auto known = symbols_.find(work.symbol);
    if (known == symbols_.end()) {
      recording_.problems().add(ProblemKind::missing_field, 0,
                                [&] { return fmt::format("the kernel {} has no name in the file", work.symbol); });
      continue;
    }
    trace.slices.name[work.row] = known->second.first;
    trace.kernels[trace.slices.detail[work.row]].registers = known->second.second;
  }
  for (const WaitingCall& call : calls_) {
    std::string_view category = call.category;
    if (call.kind >= 0 && static_cast<std::size_t>(call.kind) < kinds_.size())
      category = kinds_[static_cast<std::size_t>(call.kind)].name;
    std::string name(operation_name(call.kind, call.operation));
    if (const auto message = messages_.find(call.row.correlation);
        category.starts_with("MARKER") && message != messages_.end())
      name = message->second;
    if (name.empty()) name = fmt::format("{} {}", category, call.operation);
    recording_.host(call.row, category, recording_.intern(name), "a call");
  }
  kernels_.clear();
  calls_.clear();
  agents_.clear();
  symbols_.clear();
  kinds_.clear();
  messages_.clear();
  process_ = absent;
}

}  // namespace

bool is_rocprof_json(std::string_view first_bytes) {
  constexpr std::string_view space = " \t\r\n";
  const auto skip_space = [&] {
    first_bytes.remove_prefix(std::min(first_bytes.find_first_not_of(space), first_bytes.size()));
  };
  skip_space();
  if (!first_bytes.starts_with('{')) return false;
  first_bytes.remove_prefix(1);
  skip_space();
  return first_bytes.starts_with(fmt::format("\"{}\"", tool_key));
}

Result read_rocprof_json(Window& window, std::uint64_t entry_cap_bytes, const Options& options, Trace& trace,
                         Problems& problems) {
  Recording recording(options, trace, problems);
  WindowStream stream(window, entry_cap_bytes);
  JsonProfile profile(recording, stream);
  rapidjson::Reader reader;
  reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag |
               rapidjson::kParseStopWhenDoneFlag>(stream, profile);
  if (reader.HasParseError() && !recording.stopped()) {
    const bool ended = stream.ended();
    problems.add(ended ? ProblemKind::truncated : ProblemKind::lost_event, stream.Tell(),
                 fmt::format("the JSON {} at byte {}; what was read before is kept",
                             ended               ? "ends"
                             : stream.too_long() ? "has an entry that is too long"
                                                 : "is damaged",
                             stream.Tell()));
  }
  profile.finish_process();
  recording.finish();
  Result result{recording.events(), recording.stopped(), {}};
  if (result.events != 0) return result;
  result.error =
      "is a profile of rocprofv3 without a kernel, copy or call; record with rocprofv3 --sys-trace --output-format "
      "json";
  if (!problems.rows().empty()) result.error = problems.rows().front().message;
  return result;
}

}  // namespace warpwalk::trace::rocm
