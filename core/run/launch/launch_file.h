#pragma once

// This folder reads launch files, binds their inputs, runs them and reports (the verb `simulate`). The simulated GPU is
// core/gpu.

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/texture/texture.h"
#include "core/gpu/timing/cache_start.h"
#include "core/ops/tensor/dtype.h"
#include "core/run/launch/compare.h"
#include "core/run/launch/generate.h"

namespace warpwalk::run {

/// Eight bytes of a struct that hold an address: of a buffer, a variable or a device function of the module, or the
/// handle of a texture or surface.
struct AddressSpec {
  std::uint64_t at = 0;                ///< its first byte
  std::optional<std::size_t> buffer;   ///< row of LaunchFile::buffers
  std::optional<std::size_t> texture;  ///< row of LaunchFile::textures
  std::string variable, function;      ///< plain names; those of the module after resolve_names()
  std::uint64_t offset = 0;            ///< bytes into the buffer or variable
  std::string place;                   ///< in the launch file, for messages: "args[0].struct[2]"
};

/// A value with addresses among its bytes.
struct StructSpec {
  std::vector<std::uint8_t> bytes;  ///< little-endian
  std::vector<AddressSpec> addresses;
};

/// The contents of a buffer: never written, a raw little-endian file, generated, or a struct.
struct Unwritten {};
using Content = std::variant<Unwritten, std::filesystem::path, Fill, StructSpec>;

/// A part of a buffer, in elements.
struct ElementRange {
  std::uint64_t first = 0, count = 0;
};

/// A buffer, or a variable of the module. A variable that is Unwritten keeps the contents that the module gives it.
struct BufferSpec {
  std::string name;
  ops::DType dtype = ops::DType::f32;
  std::uint64_t count = 0;  ///< elements
  Content content;
  std::vector<ElementRange> written = {};  ///< the elements that `content` gives, ascending; empty: all
  std::string variable = {};  ///< plain name, the module's after resolve_names(); empty: a buffer is allocated
  std::uint64_t bytes() const { return count * bytes_of(dtype); }
  std::uint64_t written_count() const;  ///< elements that `content` gives, unless it is Unwritten
};

/// A texture or a surface. Its texels are the contents of a buffer of the same name.
struct TextureSpec {
  gpu::TextureDescriptor descriptor;
  std::size_t buffer = 0;  ///< row of LaunchFile::buffers
  bool surface = false;
};

/// One argument in the order of the kernel's parameters.
struct ArgumentSpec {
  std::optional<std::size_t> buffer;   ///< row of LaunchFile::buffers; the argument is its address plus `offset`
  std::uint64_t offset = 0;            ///< bytes
  std::optional<std::size_t> texture;  ///< row of LaunchFile::textures; the argument is its handle
  std::optional<ops::DType> dtype;     ///< type of a scalar; nullopt for a buffer or a struct
  std::vector<std::uint8_t> bytes;     ///< value of a scalar or a struct, little-endian
  std::vector<AddressSpec> addresses;  ///< among `bytes`
};

/// The expected contents of a buffer after the launch.
struct ExpectSpec {
  std::size_t buffer = 0;  ///< row of LaunchFile::buffers
  Content content;         ///< never Unwritten
  Tolerance tolerance;
};

/// A launch described by the user as JSON, documented in docs/simulate.md. Paths are relative to the file and
/// stored as written.
struct LaunchFile {
  std::string kernel;  ///< entry of the module
  /// The module: cuda, ptx, cubin, or ptx with the cubin that was compiled from it. The others are empty.
  std::filesystem::path ptx, cuda, cubin;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::optional<std::array<std::uint32_t, 3>> cluster;  ///< blocks per cluster; nullopt: as the kernel asks
  bool nonportable_cluster = false;                     ///< allows clusters of more than 8 blocks
  bool cooperative = false;                             ///< the kernel may synchronize its whole grid
  std::uint32_t dynamic_shared_bytes = 0;
  std::optional<int> registers;           ///< per thread
  std::optional<gpu::CacheStart> caches;  ///< when the launch starts, for its cycles; nullopt: cold
  std::string gpu;                        ///< to simulate, as --gpu names it; empty: the H200
  std::vector<ArgumentSpec> arguments;
  std::vector<BufferSpec> buffers;  ///< in the order of their first use; those of textures and variables too
  std::vector<TextureSpec> textures;
  std::vector<std::size_t> references;  ///< rows of `textures` that are variables of the module
  std::vector<ExpectSpec> expects;
};

/// Parses a launch file's text; opens no other file. On failure, returns a one-line error: the file, the position in it
/// (args[2].count), the problem and the expected value.
base::Result<LaunchFile> parse_launch_file(std::string_view text, std::string_view file_name);

}  // namespace warpwalk::run
