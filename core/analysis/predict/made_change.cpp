#include "core/analysis/predict/made_change.h"

#include <cmath>

#include <rapidjson/document.h>

namespace warpwalk::analysis {
namespace {

std::optional<MadeChange> read_made_change(std::string_view text) {
  rapidjson::Document json;
  json.Parse(text.data(), text.size());
  if (json.HasParseError() || !json.IsObject()) return {};
  const auto changes = json.FindMember("changes"), step = json.FindMember("step_ms"), file = json.FindMember("file");
  if (changes == json.MemberEnd() || !changes->value.IsArray() || changes->value.Empty()) return {};
  if (step == json.MemberEnd() || !step->value.IsNumber()) return {};
  MadeChange made;
  made.step = step->value.GetDouble() * 1e6;
  if (!std::isfinite(made.step) || made.step <= 0) return {};
  if (file != json.MemberEnd() && file->value.IsString()) made.file = file->value.GetString();
  for (const auto& one : changes->value.GetArray()) {
    if (!one.IsString()) return {};
    auto change = parse_change({one.GetString(), one.GetStringLength()});
    if (!change) return {};
    made.changes.push_back(*std::move(change));
  }
  return made;
}

}  // namespace

std::optional<MadeChange> made_change(const trace::Trace& trace) {
  for (const auto& [key, value] : trace.metadata)
    if (trace.text(key) == "made_change") return read_made_change(trace.text(value));
  return {};
}

}  // namespace warpwalk::analysis
