#include "core/run/launch/json_fields.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <rapidjson/error/en.h>

#include "core/base/exact_json.h"

namespace warpwalk::run {

std::string_view view(const Json& text) { return {text.GetString(), text.GetStringLength()}; }

std::string shown(const Json& value) {
  constexpr std::size_t limit = 40;
  if (value.IsString()) {
    const std::string_view text = view(value);
    return text.size() > limit ? fmt::format("\"{}...\"", text.substr(0, limit)) : fmt::format("\"{}\"", text);
  }
  if (value.IsUint64()) return fmt::format("{}", value.GetUint64());
  if (value.IsInt64()) return fmt::format("{}", value.GetInt64());
  if (value.IsNumber()) return fmt::format("{}", value.GetDouble());
  if (value.IsBool()) return value.GetBool() ? "true" : "false";
  if (value.IsArray()) return "a list";
  return value.IsObject() ? "an object" : "null";
}

std::string member_path(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

base::Result<void> only_known(const Json& object, std::string_view path,
                              std::initializer_list<std::string_view> known) {
  return only_known(object, path, std::span<const std::string_view>(known.begin(), known.size()));
}

base::Result<void> only_known(const Json& object, std::string_view path, std::span<const std::string_view> known) {
  std::set<std::string_view> seen;
  for (const auto& entry : object.GetObject()) {
    const std::string_view name = view(entry.name);
    if (std::ranges::find(known, name) == known.end())
      return base::Error{fmt::format("{}: is not known here; known names are {}", member_path(path, shown(entry.name)),
                                     fmt::join(known, ", "))};
    if (!seen.insert(name).second) return base::Error{fmt::format("{}: appears twice", member_path(path, name))};
  }
  return {};
}

const Json* member(const Json& object, std::string_view name) {
  for (const auto& entry : object.GetObject())
    if (view(entry.name) == name) return &entry.value;
  return nullptr;
}

base::Result<void> read_text(const Json& value, std::string_view path, std::string& out) {
  if (!value.IsString() || value.GetStringLength() == 0)
    return base::Error{fmt::format("{}: is {}; expected a string", path, shown(value))};
  out = view(value);
  if (out.find('\0') != std::string::npos) return base::Error{fmt::format("{}: contains a zero byte", path)};
  return {};
}

base::Result<void> read_whole(const Json& value, std::string_view path, std::uint64_t least, std::uint64_t limit,
                              std::uint64_t& out) {
  if (!value.IsUint64() || value.GetUint64() < least || value.GetUint64() > limit)
    return base::Error{fmt::format("{}: is {}; expected an integer from {} to {}", path, shown(value), least, limit)};
  out = value.GetUint64();
  return {};
}

base::Result<void> read_size(const Json& value, std::string_view path, double& out) {
  if (!value.IsNumber() || !(value.GetDouble() >= 0) || !std::isfinite(value.GetDouble()))
    return base::Error{fmt::format("{}: is {}; expected a number of 0 or more", path, shown(value))};
  out = value.GetDouble();
  return {};
}

base::Result<void> parse_json(std::string_view text, rapidjson::Document& document) {
  const rapidjson::ParseResult result = base::parse_exact(text, document);
  if (!result.IsError()) return {};
  const std::string_view before = text.substr(0, std::min(result.Offset(), text.size()));
  return base::Error{
      fmt::format("line {}: {}", 1 + std::ranges::count(before, '\n'), rapidjson::GetParseError_En(result.Code()))};
}

}  // namespace warpwalk::run
