#include "core/story/labs/sweep/sweep_data.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/trace/metadata_entry.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t most_points = 10'000, most_launches = 1'000, most_parameters = 500;

double swept_number(const rapidjson::Value& object, const char* key) {
  const auto at = object.FindMember(key);
  if (at == object.MemberEnd() || !at->value.IsNumber()) return 0;
  const double value = at->value.GetDouble();
  return std::isfinite(value) ? value : 0;
}

std::string swept_text(const rapidjson::Value& object, const char* key) {
  const auto at = object.FindMember(key);
  if (at == object.MemberEnd() || !at->value.IsString()) return {};
  return {at->value.GetString(), at->value.GetStringLength()};
}

std::vector<SweptPoint> swept_points(const rapidjson::Value& list) {
  std::vector<SweptPoint> points;
  if (!list.IsArray()) return points;
  for (const rapidjson::Value& one : list.GetArray()) {
    if (!one.IsObject() || points.size() == most_points) continue;
    SweptPoint point{swept_number(one, "value"), swept_number(one, "cycles"), swept_text(one, "gpu"), false};
    if (const auto front = one.FindMember("front"); front != one.MemberEnd() && front->value.IsBool())
      point.front = front->value.GetBool();
    if (point.cycles > 0) points.push_back(std::move(point));
  }
  return points;
}

SweptLaunch swept_launch(const rapidjson::Value& json) {
  SweptLaunch launch;
  launch.name = swept_text(json, "name");
  if (const auto points = json.FindMember("points"); points != json.MemberEnd() && points->value.IsObject())
    for (const auto& parameter : points->value.GetObject())
      if (launch.points.size() < most_parameters)
        if (auto read = swept_points(parameter.value); !read.empty())
          launch.points.emplace(parameter.name.GetString(), std::move(read));
  if (const auto rows = json.FindMember("sensitivity"); rows != json.MemberEnd() && rows->value.IsArray())
    for (const rapidjson::Value& row : rows->value.GetArray())
      if (row.IsObject() && launch.sensitivity.size() < most_parameters)
        launch.sensitivity.push_back({swept_text(row, "parameter"), swept_number(row, "elasticity"),
                                      swept_number(row, "base"), swept_number(row, "from"), swept_number(row, "to"),
                                      swept_number(row, "cycles_from"), swept_number(row, "cycles_to"),
                                      static_cast<std::size_t>(std::max(0.0, swept_number(row, "gpus")))});
  if (const auto cheaper = json.FindMember("cheaper"); cheaper != json.MemberEnd() && cheaper->value.IsObject())
    for (const auto& one : cheaper->value.GetObject())
      if (one.value.IsString() && std::string_view(one.value.GetString()) == "larger")
        launch.larger_is_cheaper.insert(one.name.GetString());
  return launch;
}

}  // namespace

Sweep sweep_of(const trace::Trace& trace) {
  Sweep sweep;
  const auto entry = trace::metadata_entry(trace, "warpwalk_sweep");
  if (!entry || swept_number(*entry, "version") != 1) return sweep;
  sweep.base = swept_text(*entry, "base");
  if (const auto launches = entry->FindMember("launches"); launches != entry->MemberEnd() && launches->value.IsArray())
    for (const rapidjson::Value& one : launches->value.GetArray())
      if (one.IsObject() && sweep.launches.size() < most_launches)
        if (SweptLaunch launch = swept_launch(one); !launch.points.empty()) sweep.launches.push_back(std::move(launch));
  if (const auto units = entry->FindMember("units"); units != entry->MemberEnd() && units->value.IsObject())
    for (const auto& unit : units->value.GetObject())
      if (unit.value.IsString()) sweep.units.emplace(unit.name.GetString(), unit.value.GetString());
  return sweep;
}

}  // namespace warpwalk::story
