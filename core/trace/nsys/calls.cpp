// CUDA runtime and driver calls.
#include <array>
#include <unordered_map>

#include "core/trace/nsys/import.h"

namespace warpwalk::trace::nsys {
namespace {

enum CallColumn : int { call_start, call_end, call_thread, call_correlation, call_name, call_result };
constexpr std::array<std::string_view, 6> call_columns = {"start",         "end",    "globalTid",
                                                          "correlationId", "nameId", "returnValue"};

// The name without the CUDA version that introduced the function: "cudaLaunchKernel" for "cudaLaunchKernel_v7000". The
// "_v2" of a driver call is part of its name.
std::string_view without_version(std::string_view name) {
  const std::size_t suffix = name.rfind("_v");
  if (suffix == std::string_view::npos || name.size() - suffix < 6) return name;
  const bool digits = name.find_first_not_of("0123456789", suffix + 2) == std::string_view::npos;
  return digits ? name.substr(0, suffix) : name;
}

SliceKind kind_of_call(std::string_view name) {
  return name.starts_with("cu") && !name.starts_with("cuda") ? SliceKind::driver : SliceKind::runtime;
}

}  // namespace

void read_calls(Import& in) {
  Trace& trace = in.trace();
  std::unordered_map<StringId, StringId> plain_names;
  const auto visit = [&](const Statement& row) {
    const auto span = in.span(row, call_start, call_end);
    if (!span) return;
    const StringId name = in.strings().text(row, call_name);
    const auto [plain, is_new] = plain_names.try_emplace(name, name);
    if (is_new) plain->second = trace.strings.intern(without_version(trace.text(name)));
    const std::int64_t thread = row.integer(call_thread);
    CallDetail detail;
    detail.correlation = in.places().correlation(in.places().process(thread), row.integer(call_correlation));
    trace.calls.push_back(detail);
    Extra extra;
    if (const std::int64_t result = row.integer(call_result); result != 0) extra.add("return value", result);
    in.slice(kind_of_call(trace.text(plain->second)), plain->second, *span, in.places().thread(thread),
             trace.calls.size() - 1, trace.strings.intern(extra.json()));
  };
  // Since 2021, driver calls are in the table of runtime calls.
  in.for_each_row({"CUPTI_ACTIVITY_KIND_RUNTIME", call_columns}, visit);
  in.for_each_row({"CUPTI_ACTIVITY_KIND_DRIVER", call_columns}, visit);
}

}  // namespace warpwalk::trace::nsys
