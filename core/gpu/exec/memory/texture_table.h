#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/memory/memory.h"
#include "core/gpu/texture/texture.h"

namespace warpwalk::gpu {

/// The handle of a launch's texture or surface with this index. A real GPU's handles are opaque too; they have 64 bits,
/// but compiled code only uses the low 32.
constexpr std::uint64_t texture_handle(std::size_t index) { return 0x5e00'0000 + index; }

/// A texture or surface in the memory of a running launch.
struct BoundTexture {
  const TextureObject* object = nullptr;
  const Region* region = nullptr;  ///< holds the texels, from `offset` on
  std::uint64_t offset = 0;
};

/// The textures and surfaces of a launch by handle. The handle of a texture variable is its address in
/// PTX and variable_handle() in machine code (machine_code.h).
class TextureTable {
 public:
  /// Checks the launch's textures against their buffers and the program. On failure, returns a one-line message.
  /// `buffers`: addresses of the launch's buffers. The memory must not change afterwards.
  static base::Result<TextureTable> make(const Program& program, const Launch& launch, const Memory& memory,
                                         const std::vector<std::uint64_t>& buffers);

  /// Null for an unknown handle.
  const BoundTexture* find(std::uint64_t handle) const {
    const auto found = by_handle_.find(handle);
    return found == by_handle_.end() ? nullptr : &found->second;
  }

 private:
  std::unordered_map<std::uint64_t, BoundTexture> by_handle_;
};

}  // namespace warpwalk::gpu
