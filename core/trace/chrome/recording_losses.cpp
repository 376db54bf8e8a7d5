#include "core/trace/chrome/recording_losses.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/trace/metadata_entry.h"

namespace warpwalk::trace {
namespace {

struct Loss {
  const char* member;
  std::string_view what;
  bool is_number_of_events = true;
};
constexpr Loss losses[] = {
    {"dropped_records", "records that CUPTI dropped"},
    {"graph_work_missing", "kernels, copies or sets of graph launches that CUPTI did not report"},
    {"graph_launches_empty", "graph launches for which CUPTI reported nothing"},
    {"unwritten_rows", "rows that did not fit on the disk"},
    {"left_out_rows", "rows that did not fit in memory"},
    {"unknown_records", "records of an unknown kind"},
    {"damaged_bytes", "bytes at the end that were cut off", false},
};

/// The errors that the simulated GPU found while the program ran.
void report_findings(const rapidjson::Value& entry, Problems& problems) {
  const auto findings = entry.FindMember("findings");
  if (findings == entry.MemberEnd() || !findings->value.IsArray() || findings->value.Empty()) return;
  const auto& first = findings->value[0];
  if (problems.count(ProblemKind::program_error, 0, findings->value.Size()) && first.IsString())
    problems.rows().back().message = first.GetString();
}

}  // namespace

void report_recording_losses(const Trace& trace, Problems& problems) {
  const auto entry = metadata_entry(trace, "warpwalk_recording");
  if (!entry) return;
  report_findings(*entry, problems);
  std::string message;
  std::uint64_t all = 0;
  for (const auto& [member, what, is_number_of_events] : losses) {
    const auto found = entry->FindMember(member);
    if (found == entry->MemberEnd() || !found->value.IsUint64() || found->value.GetUint64() == 0) continue;
    const std::uint64_t count = found->value.GetUint64();
    message += fmt::format("{}{} {}", message.empty() ? "the recording lacks " : ", ", count, what);
    // The file's counts are untrusted: saturate instead of overflowing.
    if (is_number_of_events) all += std::min(count, std::numeric_limits<std::uint64_t>::max() - all);
  }
  if (!message.empty() && problems.count(ProblemKind::incomplete_recording, 0, std::max<std::uint64_t>(all, 1)))
    problems.rows().back().message = std::move(message);
}

}  // namespace warpwalk::trace
