#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/exec/launch.h"
#include "core/gpu/texture/texture.h"
#include "instrumentation/simulated/device/error.h"
#include "instrumentation/simulated/device/memory.h"

namespace warpwalk::simulated {

/// The channels of a texel as a cudaChannelFormatDesc has them.
struct ChannelFormat {
  std::array<int, 4> bits{};  ///< of the channels x, y, z, w; 0: no such channel
  int kind = 0;               ///< cudaChannelFormatKind: 0 signed, 1 unsigned, 2 float, 5 to 16 normalized integers

  std::uint64_t bytes() const { return static_cast<std::uint64_t>(bits[0] + bits[1] + bits[2] + bits[3]) / 8; }
  /// Integers that are always read as floats in [0, 1] or [-1, 1].
  bool is_normalized() const { return kind >= 5 && kind <= 16; }
  /// The simulator's format; nullopt if there is no texel with these channels.
  std::optional<gpu::TexelFormat> texel() const;
};

/// A CUDA array, or one with mipmap levels. cudaArray_t, cudaMipmappedArray_t, CUarray and CUmipmappedArray are
/// pointers to it. Texels lie row by row and level by level without gaps (gpu::TextureDescriptor).
struct Array {
  enum Flag : unsigned { layered = 1, surface = 2, cubemap = 4, gather = 8 };

  std::array<std::uint64_t, 3> extent{};  ///< width, height, depth or layers in elements; 0: fewer dimensions
  unsigned flags = 0;
  ChannelFormat format = {};
  unsigned levels = 1;
  bool mipmapped = false;  ///< a mipmapped array, even if it has one level
  std::shared_ptr<Allocation> memory = {};
  std::uint64_t offset = 0;       ///< of its first texel in `memory`, which the levels of a mipmapped array share
  const Array* mipmap = nullptr;  ///< the mipmapped array of which this is a level
  std::vector<Array*> level_arrays = {};  ///< of a mipmapped array

  std::uint64_t element_bytes() const { return format.bytes(); }
  std::uint64_t row_bytes() const { return extent[0] * element_bytes(); }
  std::uint64_t rows() const { return extent[1] == 0 ? 1 : extent[1]; }
  std::uint64_t slices() const { return extent[2] == 0 ? 1 : extent[2]; }
  /// Of the first level.
  std::uint64_t bytes() const { return row_bytes() * rows() * slices(); }
  std::uint64_t address() const { return memory->address + offset; }
};

/// The first byte of a row. Row and slice must be inside the array.
std::uint8_t* row(const Array& array, std::uint64_t y, std::uint64_t z);

/// What a texture or surface object accesses.
struct TextureSource {
  enum class Kind : int { array = 0, mipmapped_array = 1, linear = 2, pitched = 3 };  ///< as in both interfaces
  Kind kind = Kind::array;
  Array* array = nullptr;
  std::uint64_t address = 0;  ///< of linear and pitched memory, as the rest
  ChannelFormat format = {};
  std::uint64_t bytes = 0;
  std::uint64_t width = 0, height = 0, pitch = 0;  ///< elements, rows, bytes between rows
};

/// How a texture object is read, as the program gave it: the fields of a cudaTextureDesc.
struct TextureSettings {
  std::array<int, 3> address{};  ///< gpu::AddressMode
  int filter = 0;                ///< gpu::FilterMode
  int read_mode = 0;             ///< 1: integers as floats
  int srgb = 0;
  std::array<float, 4> border{};
  int normalized = 0;
  unsigned anisotropy = 0;
  int level_filter = 0;
  float level_bias = 0, lowest_level = 0, highest_level = 0;
  int plain_trilinear = 0;  ///< disables optimisations of the trilinear filter
  int seamless = 0;
};

/// The part of an array that a texture object reads, as in a cudaResourceViewDesc.
struct TextureView {
  int format = 0;  ///< cudaResourceViewFormat; 0: that of the array
  std::array<std::uint64_t, 3> extent{};
  unsigned first_level = 0, last_level = 0, first_layer = 0, last_layer = 0;
};

/// A texture or surface object as the program made it.
struct TextureDescription {
  TextureSource source;
  TextureSettings settings;
  std::optional<TextureView> view;
  bool surface = false;
};

/// Arrays, texture and surface objects of the process. Thread-safe.
class Textures {
 public:
  explicit Textures(DeviceMemory& memory) : memory_(memory) {}

  /// Allocates an array of this extent, format, flags and number of levels.
  Error create(Array shape, Array*& array);
  /// Null if it is no array or mipmapped array.
  Array* find(const void* handle) const;
  /// Destroys an array that is not a level of another one.
  Error destroy(Array* array);

  /// Makes a texture or surface object. Kernels get its handle.
  Error create(const TextureDescription& description, std::uint64_t& handle);
  Error destroy(std::uint64_t handle, bool surface);
  /// nullopt if there is no such object.
  std::optional<TextureDescription> describe(std::uint64_t handle, bool surface) const;
  /// Adds the objects whose memory is still allocated to a launch, at the time at which it runs: the texels of pitched
  /// memory are copied into a buffer of the launch, because the simulator's textures have no gaps between rows.
  void add_to(gpu::Launch& launch) const;
  void reset();

 private:
  struct Object {
    TextureDescription description;
    gpu::TextureObject object;
  };
  Error place(const TextureDescription& description, gpu::TextureObject& object) const;

  DeviceMemory& memory_;
  mutable std::mutex mutex_;
  std::map<const void*, std::unique_ptr<Array>> arrays_;
  std::map<std::uint64_t, Object> objects_;
  std::uint64_t last_ = 0;
};

/// The format of a cudaResourceViewFormat or CUresourceViewFormat; nullopt for block-compressed and unknown ones.
std::optional<ChannelFormat> view_format(int format);

}  // namespace warpwalk::simulated
