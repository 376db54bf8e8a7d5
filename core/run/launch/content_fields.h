#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ops/tensor/dtype.h"
#include "core/run/launch/json_fields.h"
#include "core/run/launch/launch_file.h"

namespace warpwalk::run {

/// Reads the member "dtype", which is required.
base::Result<void> read_dtype(const Json& object, std::string_view path, ops::DType& out);

/// Reads "file" or "fill", but not both. Without either, the content is Unwritten.
base::Result<void> read_content(const Json& object, std::string_view path, ops::DType dtype, Content& out);

/// Reads "written", if it is there: the number of elements at the start that the contents give, or a list of parts,
/// [first element, number of elements]. `buffer` has its count and contents already.
base::Result<void> read_written(const Json& object, std::string_view path, BufferSpec& buffer);

/// Reads one element of a type into the low bytes of `bits`. Accepts a number that the type can represent (floats are
/// rounded to nearest), its bits as "0x3f800000", or, for floats, "nan", "inf" or "-inf".
base::Result<void> read_element(const Json& value, std::string_view path, ops::DType dtype, std::uint64_t& bits);

/// Reads a struct's bytes from hexadecimal text like "00ff 1e": two digits per byte, spaces allowed anywhere.
base::Result<void> read_bytes(const Json& value, std::string_view path, std::vector<std::uint8_t>& bytes);

/// Reads {"texture": name, ...} or {"surface": name, ...} (docs/simulate.md, "Textures and surfaces"). `buffer` becomes
/// the buffer that holds the texels; the caller adds it to the launch file.
base::Result<void> read_texture(const Json& object, const std::string& path, BufferSpec& buffer, TextureSpec& texture);

}  // namespace warpwalk::run
