#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "core/ops/tensor/tensor.h"

namespace warpwalk::ops {

/// A file of tests/ops/data. The test fails, and the document is null, where it cannot be read.
rapidjson::Document read_data(const std::string& name);
std::vector<std::uint8_t> bytes_of_hex(std::string_view hex);
Sizes sizes_of(const rapidjson::Value& list);
/// Compact JSON, for messages.
std::string json_text(const rapidjson::Value& value);

}  // namespace warpwalk::ops
