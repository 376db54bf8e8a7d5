#pragma once

#include <cstdint>

#include "core/gpu/exec/slot.h"
#include "core/gpu/texture/texture.h"
#include "core/ptx/instruction.h"
#include "core/ptx/type.h"

namespace warpwalk::gpu {

enum class TextureAction : std::uint8_t {
  sample,           ///< tex with floating-point coordinates
  fetch,            ///< tex with integer coordinates
  gather,           ///< tld4
  query,            ///< txq, suq
  load,             ///< suld.b
  store,            ///< sust.b
  store_formatted,  ///< sust.p
  reduce,           ///< sured.b
};

/// The effect of an access outside a surface.
enum class OutsideSurface : std::uint8_t { trap, clamp, zero };

/// An instruction on a texture or a surface. Op::a holds the handle.
struct TextureOp {
  TextureAction action = TextureAction::sample;
  TextureShape shape = TextureShape::line;
  OutsideSurface outside = OutsideSurface::trap;
  ptx::Modifier query = ptx::Modifier::width;  ///< what txq or suq asks for
  ptx::Action reduction = ptx::Action::none;
  ptx::Type type = ptx::Type::u32;  ///< of a reduction
  Slot at[3];                       ///< coordinates: floats, or 32-bit integers
  Slot layer, level;
  bool has_layer = false, has_level = false;
  bool wide_handle = true;  ///< the handle has 64 bits
  /// From machine code: ptxas divides the direction of a cubemap by its largest component, and it reads one-dimensional
  /// textures as planes, at y = 0.
  bool compiled = false;
  std::uint8_t component = 0;  ///< of a gather
  std::uint8_t elements = 4;   ///< registers of the value
  std::uint8_t bytes = 4;      ///< of one element of a surface access
  Slot values[4];              ///< destinations, or the sources of a store
  std::uint8_t register_bytes[4] = {4, 4, 4, 4};
  bool discard[4] = {};
};

}  // namespace warpwalk::gpu
