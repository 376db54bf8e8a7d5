#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

namespace warpwalk::run {

using Json = rapidjson::Value;
/// A one-line message without the file's name: "args[2].count: is -5; ...".
using Error = std::optional<std::string>;

std::string_view view(const Json& text);
/// A value as short text for messages: 5, "iota", a list, an object.
std::string shown(const Json& value);

/// The path of a member: member_path("args[2]", "count") is "args[2].count".
std::string member_path(std::string_view path, std::string_view name);

/// Checks that each member is one of these and appears once. An empty path is the whole file.
Error only_known(const Json& object, std::string_view path, std::initializer_list<std::string_view> known);

/// The member, or null if there is none.
const Json* member(const Json& object, std::string_view name);

/// These functions read one value; `path` is its position in the file.
Error read_text(const Json& value, std::string_view path, std::string& out);
Error read_whole(const Json& value, std::string_view path, std::uint64_t least, std::uint64_t limit, std::uint64_t& out);
/// Reads a finite number that is 0 or more.
Error read_size(const Json& value, std::string_view path, double& out);

/// Parses a whole text of any nesting depth. The error names the line.
Error parse_json(std::string_view text, rapidjson::Document& document);

}  // namespace warpwalk::run
