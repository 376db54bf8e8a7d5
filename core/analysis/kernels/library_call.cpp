#include "core/analysis/kernels/library_call.h"

#include <fmt/format.h>

#include "core/base/exact_json.h"

namespace warpwalk::analysis {

std::string library_time_source(const trace::Trace& trace, trace::SliceId kernel) {
  const std::string_view extra = trace.text(trace.slices.extra[kernel]);
  if (extra.find("\"library call\"") == std::string_view::npos) return {};
  rapidjson::Document read;
  if (base::parse_exact(fmt::format("{{{}}}", extra), read, base::Encoding::as_is).IsError() || !read.IsObject())
    return {};
  const auto time = read.FindMember("time");
  if (time == read.MemberEnd() || !time->value.IsString()) return {};
  return {time->value.GetString(), time->value.GetStringLength()};
}

}  // namespace warpwalk::analysis
