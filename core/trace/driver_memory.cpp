#include "core/trace/driver_memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/exact_json.h"

namespace warpwalk::trace {
namespace {

// Names of CUpti_ActivityMemoryKind values. "Device Static" (module variables) is not counted.
constexpr std::array<std::string_view, 2> kinds = {"Device", "Array"};

// More than any machine has: larger values mean a broken file.
constexpr std::int64_t max_bytes = std::int64_t{1} << 60;

// The args of an instant; missing ones are negative.
struct Args {
  std::int64_t address = -1, bytes = -1, device = -1, pool = -1, pool_bytes = -1;
  bool on_gpu = false;  // GPU memory of a kind that is counted
};

std::optional<Args> args_of(std::string_view members) {
  rapidjson::Document json;
  if (base::parse_exact("{" + std::string(members) + "}", json, base::Encoding::as_is).IsError()) return {};
  const auto number = [&](const char* key) -> std::int64_t {
    const auto found = json.FindMember(key);
    return found == json.MemberEnd() || !found->value.IsInt64() ? -1 : found->value.GetInt64();
  };
  Args args{number("Addr"), number("Bytes"), number("device"), number("pool"), number("pool bytes")};
  const auto kind = json.FindMember("kind");
  args.on_gpu = kind != json.MemberEnd() && kind->value.IsString() &&
                std::find(kinds.begin(), kinds.end(), kind->value.GetString()) != kinds.end();
  return args;
}

// The live allocations, by device and address. Every change appends a row.
class LiveAllocations {
 public:
  explicit LiveAllocations(Column<DriverMemory>& rows) : rows_(rows) {}

  // Sets an allocation's size from now on; 0 bytes frees it.
  void set(std::int64_t time, std::int64_t device, std::int64_t address, std::int64_t bytes) {
    if (device < 0 || address < 0 || bytes < 0) return;
    const auto place = std::pair{device, static_cast<std::uint64_t>(address)};
    if (const auto held = held_.find(place); held != held_.end()) {
      if (held->second == bytes) return;
      free(time, held);
    }
    if (bytes == 0 || bytes >= max_bytes || total_ >= max_bytes) return;
    // Frees overlapped allocations: the one before it, and those that start inside it.
    auto other = held_.lower_bound(place);
    if (other != held_.begin())
      if (const auto before = std::prev(other);
          before->first.first == device &&
          place.second - before->first.second < static_cast<std::uint64_t>(before->second))
        free(time, before);
    while (other != held_.end() && other->first.first == device &&
           other->first.second - place.second < static_cast<std::uint64_t>(bytes))
      free(time, other++);
    held_.emplace(place, bytes);
    total_ += bytes;
    rows_.push_back({time, place.second, bytes, device});
  }

 private:
  using Held = std::map<std::pair<std::int64_t, std::uint64_t>, std::int64_t>;

  void free(std::int64_t time, Held::iterator piece) {
    rows_.push_back({time, piece->first.second, -piece->second, piece->first.first});
    total_ -= piece->second;
    held_.erase(piece);
  }

  Column<DriverMemory>& rows_;
  Held held_;
  std::int64_t total_ = 0;
};

}  // namespace

Column<DriverMemory> driver_memory(const Trace& trace) {
  Column<DriverMemory> rows;
  const StringId category = trace.strings.find("cuda_memory");
  if (category == 0) return rows;
  LiveAllocations pieces(rows);
  for (const Instant& instant : trace.instants) {
    if (instant.category != category) continue;
    const std::string_view name = trace.text(instant.name);
    const bool allocated = name == "allocation", freed = name == "release";
    const bool pool = name == "pool created" || name == "pool trimmed", pool_ends = name == "pool destroyed";
    if (!allocated && !freed && !pool && !pool_ends) continue;
    const std::optional<Args> args = args_of(trace.text(instant.extra));
    if (!args) continue;
    if (pool || pool_ends)
      pieces.set(instant.time, args->device, args->address, pool_ends ? 0 : args->bytes);
    else if (!args->on_gpu)
      continue;
    else if (args->pool > 0)
      pieces.set(instant.time, args->device, args->pool, args->pool_bytes);
    else if (freed || args->bytes > 0)
      pieces.set(instant.time, args->device, args->address, freed ? 0 : args->bytes);
  }
  return rows;
}

}  // namespace warpwalk::trace
