#include "core/run/exercise/exercise_launch.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "core/run/kernel_lab/diagnostic.h"
#include "core/run/launch/generate.h"
#include "core/run/launch/json_fields.h"

namespace warpwalk::run {
namespace {

constexpr std::string_view launch_mark = "launch:";

/// The parts of a text between separators.
std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(trimmed(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

/// The text of the comment behind "launch:", with its line; empty if there is none.
std::string_view launch_comment(std::string_view source, std::uint32_t& line) {
  std::uint32_t number = 0;
  while (!source.empty()) {
    const std::size_t end = source.find('\n');
    std::string_view text = trimmed(source.substr(0, end));
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
    ++number;
    if (!text.starts_with("//")) continue;
    text = trimmed(text.substr(2));
    if (!text.starts_with(launch_mark)) continue;
    line = number;
    return trimmed(text.substr(launch_mark.size()));
  }
  line = 0;
  return {};
}

base::Result<void> read_part(std::string_view part, LaunchChoice& choice) {
  const std::size_t space = part.find(' ');
  const std::string_view word = part.substr(0, space);
  const std::string_view rest = space == std::string_view::npos ? "" : trimmed(part.substr(space));
  if (word == "shared" && !rest.empty()) {
    choice.shared = rest;
    return {};
  }
  if ((word == "grid" || word == "block") && !rest.empty()) {
    std::vector<std::string>& extents = word == "grid" ? choice.grid : choice.block;
    extents.clear();
    for (const std::string_view extent : split(rest, " x ")) extents.emplace_back(extent);
    if (extents.size() > 3) return base::Error{fmt::format("{}: has more than three extents", word)};
    return {};
  }
  return base::Error{
      fmt::format("`{}` is not a part of a launch; write grid, block or shared with an expression", part)};
}

/// Replaces expressions by their numbers in a launch's template.
class Instance {
 public:
  Instance(rapidjson::Document& document, const SizeNumbers& sizes, std::uint64_t seed)
      : document_(document), sizes_(sizes), seed_(seed) {}

  base::Result<void> number(Json& value, const std::string& path) {
    if (!value.IsString()) return {};
    const auto result = evaluate(view(value), sizes_);
    if (!result) return base::Error{fmt::format("{}: {}", path, result.error())};
    if (result->whole)
      value.SetInt64(static_cast<std::int64_t>(result->value));
    else
      value.SetDouble(result->value);
    return {};
  }

  base::Result<void> numbers(Json& list, const std::string& path) {
    if (!list.IsArray()) return {};
    for (rapidjson::SizeType i = 0; i < list.Size(); ++i)
      if (auto done = number(list[i], fmt::format("{}[{}]", path, i)); !done) return done;
    return {};
  }

  /// Of an argument, or a member of a struct.
  base::Result<void> argument(Json& value, const std::string& path) {
    if (!value.IsObject()) return {};
    for (auto& entry : value.GetObject()) {
      const std::string_view name = view(entry.name);
      const std::string place = member_path(path, name);
      // "0x3f800000", "nan" and "inf" are values of a launch file.
      const bool value_text = entry.value.IsString() && name == "scalar" && is_value(view(entry.value));
      if ((name == "count" || name == "scalar" || name == "offset") && !value_text)
        if (auto done = number(entry.value, place); !done) return done;
      if (name == "struct" && entry.value.IsArray())
        for (rapidjson::SizeType i = 0; i < entry.value.Size(); ++i)
          if (auto done = argument(entry.value[i], fmt::format("{}[{}]", place, i)); !done) return done;
      if (name == "fill" && seed_ != 0) mix_seed(entry.value);
    }
    return {};
  }

  /// Three extents from expressions.
  base::Result<void> extents(std::string_view name, const std::vector<std::string>& expressions) {
    Json list(rapidjson::kArrayType);
    for (const std::string& expression : expressions) {
      Json text;
      text.SetString(expression.data(), static_cast<rapidjson::SizeType>(expression.size()), document_.GetAllocator());
      list.PushBack(text, document_.GetAllocator());
    }
    if (auto done = numbers(list, std::string(name)); !done) return done;
    set(name, list);
    return {};
  }

  void set(std::string_view name, Json& value) {
    document_.RemoveMember(Json(rapidjson::StringRef(name.data(), name.size())));
    document_.AddMember(Json(name.data(), static_cast<rapidjson::SizeType>(name.size()), document_.GetAllocator()),
                        value, document_.GetAllocator());
  }

 private:
  static bool is_value(std::string_view text) {
    return text.starts_with("0x") || text == "nan" || text == "inf" || text == "-inf";
  }
  void mix_seed(Json& fill) {
    if (!fill.IsObject() || !fill.HasMember("random") || !fill["random"].IsUint64()) return;
    fill["random"].SetUint64(splitmix64(seed_, fill["random"].GetUint64()));
  }

  rapidjson::Document& document_;
  const SizeNumbers& sizes_;
  std::uint64_t seed_;
};

base::Result<void> instantiate(rapidjson::Document& launch, const SizeNumbers& sizes, std::uint64_t seed,
                               const LaunchChoice& choice) {
  Instance instance(launch, sizes, seed);
  if (!choice.grid.empty())
    if (auto done = instance.extents("grid", choice.grid); !done) return done;
  if (!choice.block.empty())
    if (auto done = instance.extents("block", choice.block); !done) return done;
  if (!choice.shared.empty()) {
    Json shared(choice.shared.data(), static_cast<rapidjson::SizeType>(choice.shared.size()), launch.GetAllocator());
    instance.set("dynamic_shared_bytes", shared);
  }
  for (const char* const name : {"grid", "block", "cluster"})
    if (launch.HasMember(name))
      if (auto done = instance.numbers(launch[name], name); !done) return done;
  if (launch.HasMember("dynamic_shared_bytes"))
    if (auto done = instance.number(launch["dynamic_shared_bytes"], "dynamic_shared_bytes"); !done) return done;
  if (launch.HasMember("args") && launch["args"].IsArray())
    for (rapidjson::SizeType i = 0; i < launch["args"].Size(); ++i)
      if (auto done = instance.argument(launch["args"][i], fmt::format("args[{}]", i)); !done) return done;
  return {};
}

}  // namespace

base::Result<LaunchChoice> launch_choice(std::string_view source, std::uint32_t& line) {
  LaunchChoice choice;
  const std::string_view text = launch_comment(source, line);
  choice.line = line;
  if (line == 0) return choice;
  // Commas also stand between the arguments of min and max.
  std::vector<std::string> parts;
  for (const std::string_view part : split(text, ",")) {
    const bool begins =
        parts.empty() || part.starts_with("grid ") || part.starts_with("block ") || part.starts_with("shared ");
    if (begins)
      parts.emplace_back(part);
    else
      parts.back().append(", ").append(part);
  }
  for (const std::string& part : parts)
    if (auto done = read_part(part, choice); !done) return base::Error{done.error()};
  return choice;
}

SizeNumbers drawn_sizes(const SizeSpec& spec, std::uint64_t seed, std::uint64_t launch) {
  SizeNumbers sizes;
  std::uint64_t index = launch << 8;
  for (const SizeRange& range : spec) {
    const double steps = std::floor((range.high - range.low) / range.step);
    const auto choices = static_cast<std::uint64_t>(std::clamp(steps, 0.0, 1e9)) + 1;
    const std::uint64_t chosen = splitmix64(seed, index++) % choices;
    sizes[range.name] = {range.low + range.step * static_cast<double>(chosen), range.whole};
  }
  return sizes;
}

std::string text_of(const SizeNumbers& sizes) {
  std::string text;
  for (const auto& [name, number] : sizes)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, number.value);
  return text;
}

base::Result<LaunchFile> exercise_launch(const Exercise& exercise, const std::string& kernel, const SizeNumbers& sizes,
                                         std::uint64_t seed, const LaunchChoice& choice) {
  rapidjson::Document launch;
  if (auto done = parse_json(exercise.launch, launch); !done) return base::Error{done.error()};
  if (auto done = instantiate(launch, sizes, seed, choice); !done) return base::Error{done.error()};
  launch.AddMember("kernel", Json(kernel.c_str(), launch.GetAllocator()), launch.GetAllocator());
  launch.AddMember("cuda", "submission.cu", launch.GetAllocator());
  rapidjson::StringBuffer text;
  rapidjson::Writer writer(text);
  launch.Accept(writer);
  constexpr std::string_view name = "launch";
  auto read = parse_launch_file({text.GetString(), text.GetSize()}, name);
  if (!read) return base::Error{read.error().substr(name.size() + 2)};
  read->cuda.clear();
  return read;
}

}  // namespace warpwalk::run
