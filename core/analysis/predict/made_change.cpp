#include "core/analysis/predict/made_change.h"

#include <cmath>

#include <rapidjson/document.h>

namespace warpwalk::analysis {
namespace {

std::optional<MadeChange> read_made_change(std::string_view text) {
  rapidjson::Document json;
  json.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (json.HasParseError() || !json.IsObject()) return {};
  if (!json.HasMember("changes") || !json["changes"].IsArray() || json["changes"].Empty()) return {};
  if (!json.HasMember("step_ms") || !json["step_ms"].IsNumber()) return {};
  MadeChange made;
  made.step = json["step_ms"].GetDouble() * 1e6;
  if (!std::isfinite(made.step) || made.step <= 0) return {};
  if (json.HasMember("file") && json["file"].IsString()) made.file = json["file"].GetString();
  for (const auto& one : json["changes"].GetArray()) {
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
