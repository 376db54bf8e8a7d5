#include "core/trace/snapshot/fill_trace.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/trace/json/json_text.h"
#include "core/trace/snapshot/memory_snapshot.h"

namespace warpwalk::trace::snapshot {
namespace {

// Larger ones come from a damaged file.
constexpr std::int64_t largest = std::int64_t{1} << 50;
constexpr std::int64_t longest_us = std::int64_t{1} << 51;  // of a time: 71 years
constexpr std::uint64_t highest_address = std::uint64_t{1} << 62;

/// A sum that a damaged file cannot bring to overflow.
void add(std::int64_t& sum, std::int64_t bytes) {
  constexpr std::int64_t limit = std::int64_t{1} << 61;
  sum = std::clamp(sum + bytes, -limit, limit);
}

bool sane(std::int64_t bytes) { return bytes >= 0 && bytes <= largest; }

std::string_view name_of(Action action) {
  switch (action) {
    case Action::alloc: return "alloc";
    case Action::free_requested: return "free_requested";
    case Action::free_completed: return "free_completed";
    case Action::out_of_memory: return "oom";
    default: return "other";
  }
}

struct Change {
  std::int64_t time;
  std::int64_t device;
  std::uint64_t address;
  std::int64_t bytes;
};

/// The parts of an event that form its extra.
struct Key {
  std::int64_t stream;
  StringId stack;
  Action action;
  bool operator==(const Key&) const = default;
};
struct KeyHash {
  std::size_t operator()(const Key& key) const {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;
    const std::uint64_t mixed = static_cast<std::uint64_t>(key.stream) * golden ^
                                (std::uint64_t{key.stack} << 4 | static_cast<std::uint64_t>(key.action));
    return static_cast<std::size_t>(mixed * golden >> 16);
  }
};

class Filler {
 public:
  Filler(const Store& store, Value top, Trace& trace) : store_(store), top_(top), trace_(trace) {}

  std::uint64_t run() {
    const auto [first, count] = store_.segments_of(top_);
    for (std::uint32_t i = first; i < first + count; ++i) segments_.push_back(i);
    std::ranges::stable_sort(segments_, {}, [&](std::uint32_t i) {
      return std::pair(store_.segments[i].device, store_.segments[i].address);
    });
    used_ += segments_.size();
    const auto histories = store_.histories_of(top_);
    find_base(histories);
    for (std::size_t device = 0; device < histories.size(); ++device)
      history(static_cast<std::int64_t>(device), histories[device].first, histories[device].second);
    add_track();
    add_entry();
    return used_;
  }

 private:
  void find_base(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& histories) {
    std::int64_t base = std::numeric_limits<std::int64_t>::max();
    for (const auto& [first, count] : histories)
      for (std::uint32_t i = first; i < first + count; ++i)
        if (const std::int64_t time = store_.events[i].time_us; time >= 0 && time < longest_us)
          base = std::min(base, time);
    base_us_ = base == std::numeric_limits<std::int64_t>::max() ? 0 : base;
    trace_.base_time_ns = base_us_ * 1000;
  }

  StringId extra_of(const EventRow& event) {
    const Key key = {event.stream, event.stack, event.action};
    if (event.action != Action::out_of_memory)
      if (const auto known = extras_.find(key); known != extras_.end()) return known->second;
    std::string text =
        fmt::format(R"("action": "{}", "stream": {}, "stack": {})", name_of(event.action), event.stream, event.stack);
    if (event.action == Action::out_of_memory && event.address <= highest_address)
      text += fmt::format(R"(, "device free": {})", event.address);
    const StringId id = trace_.strings.intern(text);
    if (event.action != Action::out_of_memory) extras_.emplace(key, id);
    return id;
  }

  /// The rows of one device, and the totals after each: known at the end, so they are filled backwards.
  void history(std::int64_t device, std::uint32_t first, std::uint32_t count) {
    const std::size_t begin = trace_.memory.size();
    std::vector<std::pair<std::size_t, std::int64_t>> reserved;  // before which row, by how much
    std::int64_t time = -1;
    std::uint64_t requested = 0;  // address of the free that was requested last
    bool waiting = false;
    for (std::uint32_t i = first; i < first + count; ++i) {
      const EventRow& event = store_.events[i];
      ++used_;
      // Times have microseconds, and several entries may share one; the order of the entries is what counts.
      const std::int64_t given = event.time_us >= 0 && event.time_us < longest_us ? event.time_us - base_us_ : 0;
      time = std::max(time + 1, given * 1000);
      last_time_ = std::max(last_time_, time);
      if (!sane(event.size) || (event.address > highest_address && event.action != Action::out_of_memory)) continue;
      switch (event.action) {
        case Action::segment_alloc:
        case Action::segment_map:
          reserved.emplace_back(trace_.memory.size(), event.size);
          changes_.push_back({time, device, event.address, event.size});
          continue;
        case Action::segment_free:
        case Action::segment_unmap:
          reserved.emplace_back(trace_.memory.size(), -event.size);
          changes_.push_back({time, device, event.address, -event.size});
          continue;
        case Action::snapshot:
        case Action::other: continue;
        case Action::free_completed:
          // Usually it follows its request at once; only one whose request is not in the history counts by itself.
          if (waiting && requested == event.address) {
            waiting = false;
            continue;
          }
          if (asked_.erase({device, event.address}) != 0) continue;
          break;
        case Action::free_requested:
          if (waiting) asked_.insert({device, requested});
          requested = event.address;
          waiting = true;
          break;
        case Action::alloc:
        case Action::out_of_memory: break;
      }
      MemoryEvent row;
      row.time = time;
      row.device_type = 1;
      row.device = device;
      row.out_of_memory = event.action == Action::out_of_memory;
      if (!row.out_of_memory) row.address = static_cast<std::int64_t>(event.address);
      row.bytes = event.action == Action::alloc || row.out_of_memory ? event.size : -event.size;
      row.extra = extra_of(event);
      trace_.memory.push_back(row);
    }
    std::int64_t allocated = 0, held = 0;
    for (const std::uint32_t i : segments_) {
      const SegmentRow& segment = store_.segments[i];
      if (segment.device != device) continue;
      if (sane(segment.total)) add(held, segment.total);
      for (std::uint32_t b = segment.first_block; b < segment.first_block + segment.blocks; ++b)
        if (const BlockRow& block = store_.blocks[b]; state_of(block) == 0) add(allocated, requested_of(block));
    }
    for (std::size_t row = trace_.memory.size(), change = reserved.size(); row-- > begin;) {
      for (; change > 0 && reserved[change - 1].first > row; --change) add(held, -reserved[change - 1].second);
      MemoryEvent& event = trace_.memory[row];
      event.allocated = std::max<std::int64_t>(0, allocated);
      event.reserved = std::max<std::int64_t>(0, held);
      if (!event.out_of_memory) add(allocated, -event.bytes);
    }
  }

  int state_of(const BlockRow& block) const {
    const std::string_view state = store_.texts[block.state];
    if (state == "active_allocated") return 0;
    return state == "active_pending_free" || state == "active_awaiting_free" ? 1 : 2;
  }
  static std::int64_t requested_of(const BlockRow& block) {
    const std::int64_t bytes = block.requested >= 0 ? block.requested : block.size;
    return sane(bytes) ? bytes : 0;
  }

  /// The span of the history, so that it has a place on the time axis.
  void add_track() {
    Track track;
    track.pid = track.tid = trace_.strings.intern("0");
    track.process_name = trace_.strings.intern("PyTorch");
    track.name = trace_.strings.intern("memory");
    trace_.tracks.push_back(track);
    Slices& rows = trace_.slices;
    rows.start.push_back(0);
    rows.duration.push_back(std::max<std::int64_t>(1, last_time_));
    rows.name.push_back(trace_.strings.intern("memory history"));
    rows.extra.push_back(0);
    rows.track.push_back(0);
    rows.detail.push_back(trace_.strings.intern("memory_snapshot"));
    rows.kind.push_back(SliceKind::other);
  }

  void add_entry() {
    std::string json = "{\"segments\": [";
    std::string_view comma;
    for (const std::uint32_t i : segments_) {
      const SegmentRow& segment = store_.segments[i];
      if (!sane(segment.total) || segment.address > highest_address) continue;
      json += fmt::format("{}[{},{},{},{},{},{},[", std::exchange(comma, ","), segment.device, segment.address,
                          segment.total, segment.stream, store_.texts[segment.type] == "small" ? 1 : 0,
                          segment.expandable ? 1 : 0);
      std::string_view between;
      for (std::uint32_t b = segment.first_block; b < segment.first_block + segment.blocks; ++b) {
        const BlockRow& block = store_.blocks[b];
        ++used_;
        if (!sane(block.size)) continue;
        const int state = state_of(block);
        json += fmt::format("{}[{},{},{},{}]", std::exchange(between, ","), block.size,
                            state == 2 ? 0 : requested_of(block), state, block.stack);
      }
      json += "]]";
    }
    json += "], \"frames\": [";
    comma = {};
    json += "[\"\",0,\"\"]";
    for (StringId id = 1; id < store_.frames.size(); ++id) {
      const FrameRow frame = store_.frame(id);
      json += ",[";
      append_quoted(json, store_.texts[frame.file]);
      json += fmt::format(",{},", frame.line);
      append_quoted(json, store_.texts[frame.name]);
      json += "]";
    }
    json += "], \"stacks\": [";
    for (StringId id = 1; id < store_.stacks.size(); ++id) {
      json += std::exchange(comma, ",");
      json += '[';
      std::string_view between;
      for (const StringId frame : store_.stack(id)) {
        json += std::exchange(between, ",");
        fmt::format_to(std::back_inserter(json), "{}", frame);
      }
      json += ']';
    }
    json += "], \"changes\": [";
    comma = {};
    std::ranges::stable_sort(changes_, {}, &Change::time);
    for (const Change& change : changes_)
      fmt::format_to(std::back_inserter(json), "{}[{},{},{},{}]", std::exchange(comma, ","), change.time, change.device,
                     change.address, change.bytes);
    json += "], \"settings\": [";
    comma = {};
    for (const auto& [key, value] : store_.settings_of(top_)) {
      json += std::exchange(comma, ",");
      json += '[';
      append_quoted(json, store_.texts[static_cast<StringId>(key.bits)]);
      json += ',';
      append_quoted(json, text_of(value));
      json += ']';
    }
    json += "]}";
    std::uint32_t ignored = 0;
    json = strict_json(json, ignored);  // as the reader of trace files keeps it
    trace_.metadata.emplace_back(trace_.strings.intern(MemorySnapshot::key), trace_.strings.intern(json));
  }

  std::string text_of(const Value& value) const {
    switch (value.kind) {
      case Value::Kind::text: return std::string(store_.texts[static_cast<StringId>(value.bits)]);
      case Value::Kind::integer: return fmt::to_string(value.number());
      case Value::Kind::boolean: return value.bits != 0 ? "True" : "False";
      case Value::Kind::real: return fmt::format("{}", std::bit_cast<double>(value.bits));
      default: return "None";
    }
  }

  const Store& store_;
  const Value top_;
  Trace& trace_;
  std::vector<std::uint32_t> segments_;
  std::vector<Change> changes_;
  std::unordered_map<Key, StringId, KeyHash> extras_;
  std::set<std::pair<std::int64_t, std::uint64_t>> asked_;  // frees that were requested and not yet completed
  std::int64_t base_us_ = 0, last_time_ = 0;
  std::uint64_t used_ = 0;
};

}  // namespace

std::uint64_t fill_trace(const Store& store, Value top, Trace& trace) { return Filler(store, top, trace).run(); }

}  // namespace warpwalk::trace::snapshot
