#include "core/trace/snapshot/memory_snapshot.h"

#include <charconv>

#include "core/base/exact_json.h"
#include "core/trace/metadata_entry.h"

namespace warpwalk::trace {
namespace {

using rapidjson::Value;

std::int64_t number(const Value& value) {
  if (value.IsInt64()) return value.GetInt64();
  return 0;
}
std::uint64_t address(const Value& value) { return value.IsUint64() ? value.GetUint64() : 0; }
std::string text(const Value& value) {
  return value.IsString() ? std::string(value.GetString(), value.GetStringLength()) : std::string();
}

const Value* list(const Value& json, const char* key) {
  const auto found = json.FindMember(key);
  return found == json.MemberEnd() || !found->value.IsArray() ? nullptr : &found->value;
}

bool has_items(const Value& row, rapidjson::SizeType items) { return row.IsArray() && row.Size() >= items; }

void read_segments(const Value& rows, MemorySnapshot& snapshot) {
  for (const Value& row : rows.GetArray()) {
    if (!has_items(row, 7) || !row[6].IsArray()) continue;
    MemorySnapshot::Segment& segment = snapshot.segments.emplace_back();
    segment.device = number(row[0]);
    segment.address = address(row[1]);
    segment.bytes = number(row[2]);
    segment.stream = number(row[3]);
    segment.small = number(row[4]) != 0;
    segment.expandable = number(row[5]) != 0;
    std::uint64_t at = segment.address;
    for (const Value& one : row[6].GetArray()) {
      if (!has_items(one, 4) || number(one[0]) <= 0) continue;
      const auto stack = static_cast<std::uint64_t>(number(one[3]));
      segment.blocks.push_back({at, number(one[0]), number(one[1]),
                                number(one[2]) == 0   ? MemorySnapshot::State::allocated
                                : number(one[2]) == 1 ? MemorySnapshot::State::awaiting_free
                                                      : MemorySnapshot::State::inactive,
                                stack < snapshot.stacks.size() ? static_cast<std::uint32_t>(stack) : 0});
      at += static_cast<std::uint64_t>(number(one[0]));
    }
  }
}

void read_stacks(const Value& json, MemorySnapshot& snapshot) {
  if (const Value* const rows = list(json, "frames"))
    for (const Value& row : rows->GetArray())
      if (has_items(row, 3)) snapshot.frames.push_back({text(row[0]), text(row[2]), number(row[1])});
  snapshot.stacks.emplace_back();
  if (const Value* const rows = list(json, "stacks"))
    for (const Value& row : rows->GetArray()) {
      std::vector<std::uint32_t>& stack = snapshot.stacks.emplace_back();
      if (!row.IsArray()) continue;
      for (const Value& frame : row.GetArray())
        if (const auto at = static_cast<std::uint64_t>(number(frame)); at < snapshot.frames.size())
          stack.push_back(static_cast<std::uint32_t>(at));
    }
}

}  // namespace

bool has_memory_snapshot(const Trace& trace) {
  const StringId key = trace.strings.find(MemorySnapshot::key);
  if (key == 0) return false;
  for (const auto& [name, json] : trace.metadata)
    if (name == key) return true;
  return false;
}

std::optional<MemorySnapshot> memory_snapshot(const Trace& trace) {
  if (!has_memory_snapshot(trace)) return {};
  const auto json = metadata_entry(trace, MemorySnapshot::key);
  if (!json || !json->IsObject()) return {};
  MemorySnapshot snapshot;
  read_stacks(*json, snapshot);
  if (const Value* const rows = list(*json, "segments")) read_segments(*rows, snapshot);
  if (const Value* const rows = list(*json, "changes"))
    for (const Value& row : rows->GetArray())
      if (has_items(row, 4))
        snapshot.changes.push_back({number(row[0]), number(row[1]), address(row[2]), number(row[3])});
  if (const Value* const rows = list(*json, "settings"))
    for (const Value& row : rows->GetArray())
      if (has_items(row, 2)) snapshot.settings.emplace_back(text(row[0]), text(row[1]));
  return snapshot;
}

SnapshotEvent snapshot_event(const Trace& trace, const MemoryEvent& event) {
  SnapshotEvent out;
  const std::string_view extra = trace.text(event.extra);
  // The text is what fill_trace wrote: no space inside texts, each key once.
  const auto after = [&](std::string_view key) -> std::string_view {
    const std::size_t at = extra.find(key);
    return at == std::string_view::npos ? std::string_view() : extra.substr(at + key.size());
  };
  const auto whole = [&](std::string_view key, auto& value) {
    const std::string_view from = after(key);
    std::from_chars(from.data(), from.data() + from.size(), value);
  };
  const std::string_view action = after("\"action\": \"");
  out.action = action.substr(0, action.find('"'));
  whole("\"stream\": ", out.stream);
  whole("\"stack\": ", out.stack);
  whole("\"device free\": ", out.device_free);
  return out;
}

}  // namespace warpwalk::trace
