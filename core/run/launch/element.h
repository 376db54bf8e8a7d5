#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ops/tensor/dtype.h"
#include "core/run/launch/json_fields.h"

namespace warpwalk::run {

/// Reads one element of a type into the low bytes of `bits`. Accepts a number that the type can represent (floats are
/// rounded to nearest), its bits as "0x3f800000", or, for floats, "nan", "inf" or "-inf".
Error read_element(const Json& value, std::string_view path, ops::DType dtype, std::uint64_t& bits);

/// Reads a struct's bytes from hexadecimal text like "00ff 1e": two digits per byte, spaces allowed anywhere.
Error read_bytes(const Json& value, std::string_view path, std::vector<std::uint8_t>& bytes);

}  // namespace warpwalk::run
