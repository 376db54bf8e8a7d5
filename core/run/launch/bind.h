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

/// Checks that grid, block and buffers are within the limits of the GPU and this machine, before anything is read or
/// allocated. Returns a one-line error, or nullopt. `host_bytes`: memory available on this machine.
std::optional<std::string> check_limits(const LaunchFile& file, const gpu::Device& device, std::uint64_t host_bytes);

/// Checks that the arguments match the entry's parameters in number and size. Returns a one-line error, or nullopt.
std::optional<std::string> check_arguments(const LaunchFile& file, const ptx::Module& module,
                                           const ptx::Function& entry);

/// The bytes of a buffer's contents: read, generated, or zeros for Unwritten. File paths are relative to `folder`; each
/// file must have exactly the buffer's size.
std::variant<std::vector<std::uint8_t>, std::string> content_of(const BufferSpec& buffer, const Content& content,
                                                                const std::filesystem::path& folder);

/// Creates the launch with its buffers filled. The file must have been checked.
std::variant<gpu::Launch, std::string> bind(const LaunchFile& file, const std::filesystem::path& folder);

}  // namespace warpwalk::run
