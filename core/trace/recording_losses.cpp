#include "core/trace/recording_losses.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <rapidjson/document.h>

namespace warpwalk::trace {
namespace {

constexpr std::pair<const char*, std::string_view> losses[] = {
    {"dropped_records", "records that CUPTI dropped"},
    {"graph_work_missing", "kernels, copies or sets of graph launches that CUPTI did not hand over"},
    {"graph_launches_empty", "graph launches of which CUPTI handed over nothing"},
    {"unwritten_rows", "rows for which the disk had no room"},
    {"left_out_rows", "rows for which the memory had no room"},
    {"unknown_records", "records of an unknown kind"},
    {"damaged_bytes", "bytes at the end that were cut off"},
};

}  // namespace

void tell_recording_losses(const Trace& trace, Problems& problems) {
  for (const auto& [key, json] : trace.metadata) {
    if (trace.text(key) != "warpwalk_recording") continue;
    rapidjson::Document entry;
    const std::string_view text = trace.text(json);
    if (entry.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size()).HasParseError() || !entry.IsObject())
      continue;
    std::string message;
    std::uint64_t all = 0;
    for (const auto& [member, what] : losses) {
      const auto found = entry.FindMember(member);
      if (found == entry.MemberEnd() || !found->value.IsUint64() || found->value.GetUint64() == 0) continue;
      const std::uint64_t count = found->value.GetUint64();
      message += fmt::format("{}{} {}", message.empty() ? "the recording lacks " : ", ", count, what);
      all += std::min(count, std::numeric_limits<std::uint64_t>::max() - all);  // a file can say anything
    }
    if (!message.empty() && problems.count(ProblemKind::incomplete_recording, 0, all))
      problems.rows().back().message = std::move(message);
  }
}

}  // namespace warpwalk::trace
