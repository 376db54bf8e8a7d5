#include "core/gpu/device/device_file.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include "core/base/exact_json.h"
#include "core/base/text.h"
#include "core/gpu/device/parameters.h"
#include "core/platform/read_file.h"

namespace warpwalk::gpu {
namespace {

using Json = rapidjson::Value;
using Error = std::optional<std::string>;

std::string_view view(const Json& text) { return {text.GetString(), text.GetStringLength()}; }

/// Reads one value into `out`. Returns what is wrong with it, or nullopt on success.
Error read(const Json& json, std::int64_t& out, double minimum) {
  if (!json.IsInt64()) return "must be an integer";
  out = json.GetInt64();
  if (static_cast<double>(out) < minimum) return fmt::format("is {}; it must be {} or more", out, minimum);
  return {};
}
Error read(const Json& json, double& out, double minimum) {
  if (!json.IsNumber() || !std::isfinite(json.GetDouble())) return "must be a number";
  out = json.GetDouble();
  if (!(out >= minimum)) return fmt::format("is {}; it must be {} or more", out, minimum);
  return {};
}
Error read(const Json& json, std::string& out, double) {
  if (!json.IsString() || json.GetStringLength() == 0) return "must be a non-empty string";
  out = view(json);
  return {};
}
template <class T>
Error read(const Json& json, std::vector<T>& out, double minimum) {
  if (!json.IsArray() || json.Empty()) return "must be a non-empty list";
  for (const Json& element : json.GetArray()) {
    if (Error error = read(element, out.emplace_back(), minimum)) return fmt::format("[{}] {}", out.size() - 1, *error);
  }
  return {};
}

/// Reads a text member of an object. Returns an error if it is missing, empty or not text.
Error read_text(const Json& object, const char* name, std::string& out) {
  const auto found = object.FindMember(name);
  if (found == object.MemberEnd()) return fmt::format("{} is missing", name);
  if (Error error = read(found->value, out, 0)) return fmt::format("{} {}", name, *error);
  return {};
}

Error read_status(const Json& object, Status& out) {
  std::string name;
  if (Error error = read_text(object, "status", name)) return error;
  for (const Status status : {Status::spec, Status::measured, Status::fitted, Status::assumed})
    if (name == name_of(status)) {
      out = status;
      return {};
    }
  return fmt::format("status is \"{}\"; it must be spec, measured, fitted or assumed", name);
}

template <class T>
Error read_parameter(const Json& json, const ParameterInfo& info, Parameter<T>& out) {
  if (!json.IsObject()) return "must be an object with value, unit, status and source";
  for (const auto& member : json.GetObject()) {
    const std::string_view name = view(member.name);
    if (name != "value" && name != "unit" && name != "status" && name != "source")
      return fmt::format("unknown member \"{}\"; expected value, unit, status or source", name);
  }
  const auto value = json.FindMember("value");
  if (value == json.MemberEnd()) return "value is missing";
  Parameter<T> read_one;
  if (Error error = read(value->value, read_one.value.emplace(), info.minimum)) return "value " + *error;
  if (!info.unit.empty()) {
    std::string unit;
    if (Error error = read_text(json, "unit", unit)) return error;
    if (unit != info.unit) return fmt::format("unit is \"{}\"; it must be \"{}\"", unit, info.unit);
  }
  if (Error error = read_status(json, read_one.status)) return error;
  if (Error error = read_text(json, "source", read_one.source)) return error;
  out = std::move(read_one);
  return {};
}

/// `has_base`: null removes a parameter that the base defines.
Error read_parameters(const Json& json, bool has_base, Device& device) {
  if (!json.IsObject()) return "parameters: must be an object";
  std::vector<std::string_view> seen;
  for (const auto& member : json.GetObject()) {
    const std::string_view name = view(member.name);
    const auto wrong = [&](std::string_view what) { return fmt::format("parameters.{}: {}", name, what); };
    const ParameterInfo* info = find_parameter(name);
    if (info == nullptr) return wrong("is not a device parameter; see core/gpu/device/parameters.cpp for the names");
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) return wrong("is listed twice");
    seen.push_back(name);
    if (has_base && member.value.IsNull()) {
      std::visit([&](auto field) { device.*field = {}; }, info->field);
      continue;
    }
    const auto read_into = [&](auto field) { return read_parameter(member.value, *info, device.*field); };
    if (Error error = std::visit(read_into, info->field)) return wrong(*error);
  }
  return {};
}

Error read_device(std::string_view text, std::string_view file_name, const ReadBase* read_base, Device& device);

Error read_base_of(const Json& json, std::string_view file_name, const ReadBase* read_base, Device& device) {
  std::string base;
  if (Error error = read(json, base, 0)) return fmt::format("{}: base {}", file_name, *error);
  if (read_base == nullptr)
    return fmt::format("{}: base: the base of another device must not have a base itself", file_name);
  if (base.find_first_of("/\\") != std::string::npos)
    return fmt::format("{}: base: \"{}\" must be the id of a file in the same folder", file_name, base);
  const std::optional<std::string> text = (*read_base)(base);
  if (!text) return fmt::format("{}: base: there is no {}.json in the same folder", file_name, base);
  return read_device(*text, base + ".json", nullptr, device);
}

Error read_device(std::string_view text, std::string_view file_name, const ReadBase* read_base, Device& device) {
  rapidjson::Document document;
  const rapidjson::ParseResult parsed = base::parse_exact(text, document);
  if (parsed.IsError()) {
    const auto offset = std::min(parsed.Offset(), text.size());
    return fmt::format("{}: line {}: {}", file_name, 1 + std::count(text.begin(), text.begin() + offset, '\n'),
                       rapidjson::GetParseError_En(parsed.Code()));
  }
  const auto wrong = [&](std::string_view what) { return fmt::format("{}: {}", file_name, what); };
  const Json& root = document;  // const, because clang finds rapidjson's non-const iterators ambiguous in C++20
  if (!root.IsObject()) return wrong("must be an object with id, name and parameters");
  for (const auto& member : root.GetObject()) {
    const std::string_view name = view(member.name);
    if (name != "id" && name != "name" && name != "note" && name != "base" && name != "parameters")
      return wrong(fmt::format("unknown member \"{}\"; expected id, name, note, base or parameters", name));
  }
  const auto base = root.FindMember("base");
  const bool has_base = base != root.MemberEnd();
  if (has_base)
    if (Error error = read_base_of(base->value, file_name, read_base, device)) return error;
  device.note.clear();
  if (Error error = read_text(root, "id", device.id)) return wrong(*error);
  if (Error error = read_text(root, "name", device.name)) return wrong(*error);
  if (root.HasMember("note"))
    if (Error error = read_text(root, "note", device.note)) return wrong(*error);
  const auto parameters = root.FindMember("parameters");
  if (parameters == root.MemberEnd()) return wrong("parameters is missing");
  if (Error error = read_parameters(parameters->value, has_base, device)) return wrong(*error);
  return {};
}

constexpr std::uint64_t max_file_bytes = std::uint64_t{1} << 20;

}  // namespace

base::Result<Device> parse_device(std::string_view text, std::string_view file_name, const ReadBase& read_base) {
  Device device;
  if (Error error = read_device(text, file_name, &read_base, device))
    return base::Error{base::one_line(std::move(*error))};
  for (const ParameterInfo& info : parameter_infos()) {
    const bool known = std::visit([&](auto field) { return static_cast<bool>(device.*field); }, info.field);
    if (info.required && !known) return base::Error{fmt::format("{}: parameters.{} is missing", file_name, info.name)};
  }
  if (Error error = consistency_error(device)) return base::Error{fmt::format("{}: parameters.{}", file_name, *error)};
  return device;
}

base::Result<Device> load_device(const std::filesystem::path& file) {
  auto read = platform::read_text_file(file, max_file_bytes);
  if (!read) return base::Error{read.error()};
  const std::filesystem::path folder = file.parent_path();
  auto device = parse_device(read->text, file.string(), [&](std::string_view base) {
    auto text = platform::read_text_file(folder / fmt::format("{}.json", base), max_file_bytes);
    return text ? std::optional(std::move(text->text)) : std::nullopt;
  });
  std::error_code failure;
  if (device)
    device->compared = std::filesystem::exists(folder / fmt::format("{}_validation.csv", device->id), failure);
  return device;
}

std::vector<std::string> device_ids(const std::filesystem::path& folder) {
  std::vector<std::string> ids;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure))
    if (entry.path().extension() == ".json") ids.push_back(entry.path().stem().string());
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace warpwalk::gpu
