#pragma once

#include <string>

#include "core/run/launch/json_fields.h"
#include "core/run/launch/launch_file.h"

namespace warpwalk::run {

/// Reads {"texture": name, ...} or {"surface": name, ...} (docs/simulate.md, "Textures and surfaces"). `buffer` becomes
/// the buffer that holds the texels; the caller adds it to the launch file.
Error read_texture(const Json& object, const std::string& path, BufferSpec& buffer, TextureSpec& texture);

}  // namespace warpwalk::run
