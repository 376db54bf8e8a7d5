#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

namespace warpwalk::run {

using Json = rapidjson::Value;
/// One line without the file's name: "args[2].count: is -5; ...".
using Error = std::optional<std::string>;

std::string_view view(const Json& text);
/// A value for messages, short: 5, "iota", a list, an object.
std::string shown(const Json& value);

/// The path of a member: member_path("args[2]", "count") is "args[2].count".
std::string member_path(std::string_view path, std::string_view name);

/// Each member is one of these and appears once. An empty path is the whole file.
Error only_known(const Json& object, std::string_view path, std::initializer_list<std::string_view> known);

/// The member, or null if there is none.
const Json* member(const Json& object, std::string_view name);

/// These read one value; `path` names its place in the file.
Error read_text(const Json& value, std::string_view path, std::string& out);
Error read_whole(const Json& value, std::string_view path, std::uint64_t least, std::uint64_t most, std::uint64_t& out);
/// A finite number, 0 or more.
Error read_size(const Json& value, std::string_view path, double& out);

/// Parses a whole text, however deep it is nested. The error names the line.
Error parse_json(std::string_view text, rapidjson::Document& document);

}  // namespace warpwalk::run
