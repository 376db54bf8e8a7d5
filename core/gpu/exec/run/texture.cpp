#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/texture/sample.h"
#include "core/gpu/texture/surface.h"
#include "core/gpu/texture/texel.h"

namespace warpwalk::gpu::handlers {

namespace {

std::string_view name_of(TextureShape shape) {
  switch (shape) {
    case TextureShape::line: return "one-dimensional";
    case TextureShape::line_array: return "a one-dimensional array";
    case TextureShape::plane: return "two-dimensional";
    case TextureShape::plane_array: return "a two-dimensional array";
    case TextureShape::volume: return "three-dimensional";
    case TextureShape::cube: return "a cubemap";
    default: return "an array of cubemaps";
  }
}

/// One texture instruction of a warp.
class TextureAccess {
 public:
  TextureAccess(Machine& machine, const Op& op)
      : m_(machine), op_(op), what_(machine.program.textures[op.table_index]) {}

  const TextureOp& what() const { return what_; }

  std::uint32_t word(Slot slot, int lane) const { return m_.at<const std::uint32_t>(slot)[lane]; }
  float number(Slot slot, int lane) const { return std::bit_cast<float>(word(slot, lane)); }

  /// The texture or surface of a lane; null, with a finding, if the handle is not one.
  const BoundTexture* bound(int lane, bool surface) {
    const std::uint64_t handle =
        what_.wide_handle ? m_.at<const std::uint64_t>(op_.a)[lane] : m_.at<const std::uint32_t>(op_.a)[lane];
    const BoundTexture* const found = m_.context.textures == nullptr ? nullptr : m_.context.textures->find(handle);
    const bool either = what_.action == TextureAction::query;
    if (found != nullptr && (either || found->object->surface == surface)) return found;
    const std::string_view kind = surface ? "surface" : "texture";
    if (found == nullptr)
      report(lane, FindingKind::bad_texture,
             fmt::format("uses {:#x} as the handle of a {}, but the launch has no such object", handle, kind));
    else
      report(
          lane, FindingKind::bad_texture,
          fmt::format("uses `{}` as a {}, but it is a {}", found->object->name, kind, surface ? "texture" : "surface"));
    return nullptr;
  }

  bool fits(int lane, const BoundTexture& texture, bool fitting) {
    if (!fitting)
      report(lane, FindingKind::bad_texture,
             fmt::format("accesses `{}` as if it were {}, but it is {}", texture.object->name, name_of(what_.shape),
                         name_of(texture.object->descriptor.shape)));
    return fitting;
  }

  void report(int lane, FindingKind kind, std::string message) { m_.report(kind, op_, 1u << lane, std::move(message)); }

  /// Records a read or write of `bytes` bytes, and reports a read of bytes that were never written.
  void touch(int lane, const BoundTexture& texture, std::uint64_t offset, std::uint32_t bytes,
             MemoryObserver::Kind kind) {
    const Region& region = *texture.region;
    const std::uint64_t at = texture.offset + offset;
    m_.observe_access(region, region.base + at, bytes, kind);
    if (region.written == nullptr) return;
    bool unknown = false;
    for (std::uint32_t i = 0; i < bytes; ++i) {
      if (kind != MemoryObserver::Kind::write && region.written[at + i] == 0) unknown = true;
      if (kind != MemoryObserver::Kind::read) region.written[at + i] = 1;
    }
    if (unknown)
      report(lane, FindingKind::uninitialized,
             fmt::format("reads a texel of `{}` at byte {}, which neither the host nor a kernel has written",
                         texture.object->name, offset));
  }

  void set(int lane, std::size_t element, std::uint64_t value) {
    if (what_.discard[element]) return;
    set_lane(m_.at<std::uint8_t>(what_.values[element]), what_.register_bytes[element], lane, value);
  }

  std::uint64_t value(int lane, std::size_t element) const {
    return get_lane(m_.at<const std::uint8_t>(what_.values[element]), what_.register_bytes[element], lane);
  }

 private:
  Machine& m_;
  const Op& op_;
  const TextureOp& what_;
};

std::span<const std::uint8_t> texels_of(const BoundTexture& texture) {
  return {texture.region->data + texture.offset, static_cast<std::size_t>(texture.object->descriptor.bytes())};
}

/// CUDA's enumerators of channel types and orders, as PTX defines them for txq and suq.
std::uint32_t channel_type(const TextureDescriptor& texture) {
  const bool normalized = texture.sampler.normalized_float;
  switch (texture.format.type) {
    case TexelType::s8: return normalized ? 0x10d0 : 0x10d7;
    case TexelType::s16: return normalized ? 0x10d1 : 0x10d8;
    case TexelType::u8: return normalized ? 0x10d2 : 0x10da;
    case TexelType::u16: return normalized ? 0x10d3 : 0x10db;
    case TexelType::s32: return 0x10d9;
    case TexelType::u32: return 0x10dc;
    case TexelType::f16: return 0x10dd;
    case TexelType::f32: return 0x10de;
  }
  return 0;
}

std::uint32_t channel_order(const TextureDescriptor& texture) {
  return texture.format.channels == 1 ? 0x10b0 : texture.format.channels == 2 ? 0x10b2 : 0x10b5;
}

std::uint32_t answer(const TextureObject& object, ptx::Modifier query, std::uint32_t level) {
  const TextureDescriptor& texture = object.descriptor;
  level = std::min(level, texture.levels - 1);
  switch (query) {
    case ptx::Modifier::width: return texture.width_at(level);
    case ptx::Modifier::height:
      // One-dimensional arrays have a height of 1 as textures, but not as surfaces (tests/cases/texture_queries).
      if (dimensions(texture.shape) == 1 && (object.surface || texture.linear_memory)) return 0;
      return texture.height_at(level);
    case ptx::Modifier::depth:
      if (is_array(texture.shape)) return texture.layers;
      return texture.shape == TextureShape::volume ? texture.slices(level) : 0;
    case ptx::Modifier::array_size: return is_array(texture.shape) ? texture.layers : 0;
    case ptx::Modifier::num_mipmap_levels: return texture.levels;
    case ptx::Modifier::num_samples: return 1;
    case ptx::Modifier::normalized_coords: return texture.sampler.normalized ? 1 : 0;
    case ptx::Modifier::channel_data_type: return channel_type(texture);
    case ptx::Modifier::channel_order: return channel_order(texture);
    default: return 0;
  }
}

FetchPlace fetch_place(const TextureAccess& access, int lane) {
  const TextureOp& what = access.what();
  FetchPlace place;
  for (int k = 0; k < dimensions(what.shape); ++k)
    place.at[static_cast<std::size_t>(k)] = access.number(what.at[k], lane);
  if (what.has_layer) place.layer = access.word(what.layer, lane);
  if (what.has_level) place.level = access.number(what.level, lane);
  if (is_cube(what.shape) && !what.compiled) {
    // Compiled code divides a direction by its largest component.
    const float largest = std::fmax(std::fabs(place.at[2]), std::fmax(std::fabs(place.at[0]), std::fabs(place.at[1])));
    const float scale = 1 / largest;
    for (float& component : place.at) component *= scale;
  }
  return place;
}

TexelPlace texel_place(const TextureAccess& access, int lane) {
  const TextureOp& what = access.what();
  TexelPlace place;
  for (int k = 0; k < dimensions(what.shape); ++k)
    place.at[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(access.word(what.at[k], lane));
  if (what.has_layer) place.layer = access.word(what.layer, lane);
  if (what.has_level) place.level = static_cast<std::int32_t>(access.word(what.level, lane));
  return place;
}

void access_texture(TextureAccess& access, int lane) {
  const TextureOp& what = access.what();
  const auto clear = [&] {
    for (std::size_t k = 0; k < what.elements; ++k) access.set(lane, k, 0);
  };
  const BoundTexture* const bound = access.bound(lane, false);
  if (bound == nullptr) return clear();
  const TextureDescriptor& texture = bound->object->descriptor;
  if (what.action == TextureAction::query) {
    const std::uint32_t level = what.has_level ? access.word(what.level, lane) : 0;
    return access.set(lane, 0, answer(*bound->object, what.query, level));
  }
  const bool line_as_plane = what.compiled && texture.shape == TextureShape::line && what.shape == TextureShape::plane;
  if (!access.fits(lane, *bound, texture.shape == what.shape || line_as_plane)) return clear();
  TexelReads reads;
  TexelBits bits{};
  switch (what.action) {
    case TextureAction::fetch: bits = fetch(texture, texels_of(*bound), texel_place(access, lane), reads); break;
    case TextureAction::gather:
      bits = gather(texture, texels_of(*bound), fetch_place(access, lane), what.component, reads);
      break;
    default: bits = sample(texture, texels_of(*bound), fetch_place(access, lane), reads); break;
  }
  for (std::size_t i = 0; i < reads.count; ++i)
    access.touch(lane, *bound, reads.offsets[i], texture.format.bytes(), MemoryObserver::Kind::read);
  for (std::size_t k = 0; k < what.elements; ++k) access.set(lane, k, bits[k]);
}

template <class T>
T reduced(ptx::Action action, T old, T value) {
  switch (action) {
    case ptx::Action::add: return old + value;
    case ptx::Action::and_: return old & value;
    case ptx::Action::or_: return old | value;
    case ptx::Action::min: return std::min(old, value);
    default: return std::max(old, value);
  }
}

void reduce(const TextureOp& what, std::uint8_t* at, std::uint64_t value) {
  std::uint64_t old = 0;
  std::memcpy(&old, at, what.bytes);
  std::uint64_t result = 0;
  if (what.type == ptx::Type::s32)
    result = static_cast<std::uint32_t>(
        what.reduction == ptx::Action::add
            ? static_cast<std::int32_t>(static_cast<std::uint32_t>(old) + static_cast<std::uint32_t>(value))
            : reduced(what.reduction, static_cast<std::int32_t>(old), static_cast<std::int32_t>(value)));
  else
    result = reduced(what.reduction, old, value);
  std::memcpy(at, &result, what.bytes);
}

void access_surface(TextureAccess& access, int lane) {
  const TextureOp& what = access.what();
  const bool loads = what.action == TextureAction::load;
  const auto clear = [&] {
    for (std::size_t k = 0; loads && k < what.elements; ++k) access.set(lane, k, 0);
  };
  const BoundTexture* const bound = access.bound(lane, true);
  if (bound == nullptr) return clear();
  const TextureDescriptor& surface = bound->object->descriptor;
  if (!access.fits(lane, *bound, surface_fits(surface.shape, what.shape))) return clear();
  const bool formatted = what.action == TextureAction::store_formatted;
  const std::uint32_t bytes =
      formatted ? surface.format.bytes() : static_cast<std::uint32_t>(what.bytes) * what.elements;
  SurfacePlace place;
  const auto coordinate = [&](int k) { return static_cast<std::int32_t>(access.word(what.at[k], lane)); };
  place.x = coordinate(0);
  if (formatted) place.x *= bytes;
  if (dimensions(what.shape) >= 2) place.y = coordinate(1);
  if (what.shape == TextureShape::volume) place.slice = coordinate(2);
  if (what.has_layer) place.slice = access.word(what.layer, lane);  // unsigned: -1 is past the last layer
  if (what.outside == OutsideSurface::clamp) place = clamped_place(surface, place, bytes);
  if (place.x % static_cast<std::int64_t>(bytes) != 0) {
    access.report(lane, FindingKind::misaligned,
                  fmt::format("accesses {} bytes of surface `{}` at x = {} bytes, which is not a multiple of {}", bytes,
                              bound->object->name, place.x, bytes));
    return clear();
  }
  const auto offset = surface_offset(surface, place, bytes);
  if (!offset) {
    if (what.outside == OutsideSurface::trap)
      access.report(lane, FindingKind::out_of_bounds,
                    fmt::format("{} surface `{}` outside of its bounds, at x = {} bytes, y = {}, z = {}",
                                loads ? "reads" : "writes", bound->object->name, place.x, place.y, place.slice));
    return clear();
  }
  const auto kind = loads                                  ? MemoryObserver::Kind::read
                    : what.action == TextureAction::reduce ? MemoryObserver::Kind::atomic
                                                           : MemoryObserver::Kind::write;
  access.touch(lane, *bound, *offset, bytes, kind);
  std::uint8_t* const texel = bound->region->data + bound->offset + *offset;
  if (formatted) {
    TexelBits values{};
    for (std::size_t k = 0; k < what.elements; ++k) values[k] = static_cast<std::uint32_t>(access.value(lane, k));
    return write_texel(surface.format, values, texel);
  }
  if (what.action == TextureAction::reduce) return reduce(what, texel, access.value(lane, 0));
  for (std::size_t k = 0; k < what.elements; ++k) {
    std::uint64_t value = loads ? 0 : access.value(lane, k);
    std::uint8_t* const element = texel + k * what.bytes;
    if (loads) {
      std::memcpy(&value, element, what.bytes);
      access.set(lane, k, value);
    } else {
      std::memcpy(element, &value, what.bytes);
    }
  }
}

}  // namespace

void texture(Machine& m, const Op& op) {
  TextureAccess access(m, op);
  for_lanes(m.executing_lanes(op), [&](int lane) { access_texture(access, lane); });
}

void surface(Machine& m, const Op& op) {
  TextureAccess access(m, op);
  for_lanes(m.executing_lanes(op), [&](int lane) { access_surface(access, lane); });
}

}  // namespace warpwalk::gpu::handlers
