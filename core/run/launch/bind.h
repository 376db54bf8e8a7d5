#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/run/launch/launch_file.h"

namespace warpwalk::run {

/// Checks that grid, block and buffers are within the limits of the GPU and this machine, before anything is read or
/// allocated. `host_bytes`: memory available on this machine.
base::Result<void> check_limits(const LaunchFile& file, const gpu::Device& device, std::uint64_t host_bytes);

/// Checks that the arguments match the entry's parameters in number and size.
base::Result<void> check_arguments(const LaunchFile& file, const ptx::Module& module, const ptx::Function& entry);

/// The bytes of a buffer's contents: read, generated, or zeros for Unwritten. File paths are relative to `folder`; each
/// file must have exactly the buffer's size.
base::Result<std::vector<std::uint8_t>> content_of(const BufferSpec& buffer, const Content& content,
                                                   const std::filesystem::path& folder);

/// The bytes of a buffer before the launch: its contents, and zeros for elements that are not written. A file has
/// exactly the written elements.
base::Result<std::vector<std::uint8_t>> initial_content_of(const BufferSpec& buffer,
                                                           const std::filesystem::path& folder);

/// Creates the launch with its buffers filled. The file must have been checked, and its names resolved.
base::Result<gpu::Launch> bind(const LaunchFile& file, const std::filesystem::path& folder);

}  // namespace warpwalk::run
