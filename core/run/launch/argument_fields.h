#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/run/launch/json_fields.h"
#include "core/run/launch/launch_file.h"

namespace warpwalk::run {

/// The row of the buffer, texture, surface or variable with this name.
std::optional<std::size_t> find_buffer(const LaunchFile& launch, std::string_view name);

/// Reads an argument of any form (docs/simulate.md, "The launch file"). Buffers and textures that it describes are
/// added to the launch.
base::Result<void> read_argument(const Json& value, const std::string& path, LaunchFile& launch,
                                 ArgumentSpec& argument);

/// Reads a texture or surface object and adds it to the launch: its texels are a buffer, its name is that buffer's.
base::Result<void> read_texture_object(const Json& object, const std::string& path, LaunchFile& launch);

/// Reads an entry of "variables": the contents of a variable of the module, or one value in the form of an argument.
base::Result<void> read_variable(std::string_view name, const Json& value, LaunchFile& launch);

}  // namespace warpwalk::run
