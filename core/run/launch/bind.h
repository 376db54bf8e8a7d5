#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/run/launch/launch_file.h"

namespace warpwalk::run {

/// Whether grid, block and buffers are within what the GPU and this machine have, before anything is read or allocated.
/// One line, or none. `host_bytes`: memory that this machine can give.
std::optional<std::string> check_limits(const LaunchFile& file, const gpu::Device& device, std::uint64_t host_bytes);

/// Whether the arguments fit the entry's parameters in number and size. One line, or none.
std::optional<std::string> check_arguments(const LaunchFile& file, const ptx::Module& module,
                                           const ptx::Function& entry);

/// The bytes of a buffer's contents: read, generated, or zeros for Unwritten. Files lie in `folder` and have exactly
/// the buffer's size.
std::variant<std::vector<std::uint8_t>, std::string> content_of(const BufferSpec& buffer, const Content& content,
                                                                const std::filesystem::path& folder);

/// The launch with its buffers filled. A checked file only.
std::variant<gpu::Launch, std::string> bind(const LaunchFile& file, const std::filesystem::path& folder);

}  // namespace warpwalk::run
