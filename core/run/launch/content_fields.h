#pragma once

#include <string_view>

#include "core/ops/tensor/dtype.h"
#include "core/run/launch/json_fields.h"
#include "core/run/launch/launch_file.h"

namespace warpwalk::run {

/// Reads the member "dtype", which is required.
Error read_dtype(const Json& object, std::string_view path, ops::DType& out);

/// Reads "file" or "fill", but not both. Without either, the content is Unwritten.
Error read_content(const Json& object, std::string_view path, ops::DType dtype, Content& out);

}  // namespace warpwalk::run
