#include "core/trace/driver_memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/json/exact_json.h"

namespace warpwalk::trace {
namespace {

// As CUpti_ActivityMemoryKind is written. "Device Static" comes with the code of a module.
constexpr std::array<std::string_view, 2> kinds = {"Device", "Array"};

// More than any machine has: of a broken file.
constexpr std::int64_t most_bytes = std::int64_t{1} << 60;

std::optional<DriverMemory> row_of(const Trace& trace, const Instant& instant, bool taken) {
  rapidjson::Document args;
  const std::string text = "{" + std::string(trace.text(instant.extra)) + "}";
  if (json::parse_exact(text, args, json::Encoding::as_is).IsError()) return {};
  const auto number = [&](const char* key) -> std::optional<std::int64_t> {
    const auto found = args.FindMember(key);
    if (found == args.MemberEnd() || !found->value.IsInt64() || found->value.GetInt64() < 0) return {};
    return found->value.GetInt64();
  };
  const auto address = number("Addr"), bytes = number("Bytes"), device = number("device");
  const auto kind = args.FindMember("kind");
  if (!address || !bytes || !device || kind == args.MemberEnd() || !kind->value.IsString()) return {};
  if (std::find(kinds.begin(), kinds.end(), kind->value.GetString()) == kinds.end()) return {};
  return DriverMemory{instant.time, static_cast<std::uint64_t>(*address), taken ? *bytes : -*bytes, *device};
}

}  // namespace

Column<DriverMemory> driver_memory(const Trace& trace) {
  Column<DriverMemory> rows;
  const StringId category = trace.strings.find("cuda_memory");
  const StringId taken = trace.strings.find("allocation"), returned = trace.strings.find("release");
  if (category == 0 || taken == 0) return rows;
  std::map<std::pair<std::int64_t, std::uint64_t>, std::int64_t> held;  // bytes by device and address
  std::int64_t total = 0;
  for (const Instant& instant : trace.instants) {
    if (instant.category != category || (instant.name != taken && instant.name != returned)) continue;
    std::optional<DriverMemory> row = row_of(trace, instant, instant.name == taken);
    if (!row) continue;
    const std::pair place{row->device, row->address};
    if (instant.name == taken) {
      const bool sane = row->bytes > 0 && row->bytes < most_bytes && total < most_bytes;
      if (!sane || !held.emplace(place, row->bytes).second) continue;
    } else {
      const auto found = held.find(place);
      if (found == held.end()) continue;
      row->bytes = -found->second;  // all of it, whatever the record says
      held.erase(found);
    }
    total += row->bytes;
    rows.push_back(*row);
  }
  return rows;
}

}  // namespace warpwalk::trace
