#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "core/ops/tensor/tensor.h"

namespace warpwalk::ops {

using Json = rapidjson::Value;

/// Reads a file of tests/ops/data. If it cannot be read, the test fails and the document is null.
rapidjson::Document read_data(const std::string& name);
std::vector<std::uint8_t> bytes_of_hex(std::string_view hex);
Sizes sizes_of(const Json& list);
/// Compact JSON, for messages.
std::string json_text(const Json& value);

}  // namespace warpwalk::ops
