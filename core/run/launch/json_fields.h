#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

#include "core/base/result.h"

namespace warpwalk::run {

using Json = rapidjson::Value;

std::string_view view(const Json& text);
/// A value as short text for messages: 5, "iota", a list, an object.
std::string shown(const Json& value);

/// The path of a member: member_path("args[2]", "count") is "args[2].count".
std::string member_path(std::string_view path, std::string_view name);

/// Errors of this file name the place but not the file: "args[2].count: is -5; ...".

/// Checks that each member is one of these and appears once. An empty path is the whole file.
base::Result<void> only_known(const Json& object, std::string_view path, std::span<const std::string_view> known);
base::Result<void> only_known(const Json& object, std::string_view path, std::initializer_list<std::string_view> known);

/// The member, or null if there is none.
const Json* member(const Json& object, std::string_view name);

/// These functions read one value; `path` is its position in the file.
base::Result<void> read_text(const Json& value, std::string_view path, std::string& out);
base::Result<void> read_whole(const Json& value, std::string_view path, std::uint64_t least, std::uint64_t limit,
                              std::uint64_t& out);
/// Reads a finite number that is 0 or more.
base::Result<void> read_size(const Json& value, std::string_view path, double& out);

/// Parses a whole text of any nesting depth. The error names the line.
base::Result<void> parse_json(std::string_view text, rapidjson::Document& document);

}  // namespace warpwalk::run
