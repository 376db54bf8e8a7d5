#include "core/gpu/exec/lower/lowering.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

namespace {

TextureShape shape_of(const ptx::Instruction& i) {
  if (i.has(Modifier::plane)) return TextureShape::plane;
  if (i.has(Modifier::volume)) return TextureShape::volume;
  if (i.has(Modifier::line_array)) return TextureShape::line_array;
  if (i.has(Modifier::plane_array)) return TextureShape::plane_array;
  if (i.has(Modifier::cube)) return TextureShape::cube;
  if (i.has(Modifier::cube_array)) return TextureShape::cube_array;
  return TextureShape::line;
}

OutsideSurface outside_of(const ptx::Instruction& i) {
  if (i.has(Modifier::clamp)) return OutsideSurface::clamp;
  return i.has(Modifier::zero) ? OutsideSurface::zero : OutsideSurface::trap;
}

Modifier query_of(const ptx::Instruction& i) {
  for (const Modifier what :
       {Modifier::height, Modifier::depth, Modifier::channel_data_type, Modifier::channel_order,
        Modifier::normalized_coords, Modifier::array_size, Modifier::num_mipmap_levels, Modifier::num_samples})
    if (i.has(what)) return what;
  return Modifier::width;
}

}  // namespace

/// A 64-bit register, or a variable, whose handle is its address.
Slot FunctionLowering::texture_handle(const Operand& o, const ptx::Instruction& i) {
  if (o.kind == OperandKind::reg) {
    if (register_bytes(o, i) != 8) refuse(i, "needs its handle in a 64-bit register");
    return destination(o, i);
  }
  bool on_stack = false;
  const std::uint64_t address = address_of(o, on_stack, i);
  if (on_stack) refuse(i, "needs a texture or surface variable, or a handle in a register");
  return constant(address, 8);
}

void FunctionLowering::lower_texel_place(const Operand& o, TextureOp& texture, Op& op, const ptx::Instruction& i) {
  if (o.kind != OperandKind::texel) refuse(i, "needs a texture or surface with coordinates");
  op.a = texture_handle(o.elements[0], i);
  texture.shape = shape_of(i);
  texture.has_layer = is_array(texture.shape);
  std::size_t next = 1;
  const auto take = [&](Type type) {
    if (next >= o.elements.size()) refuse(i, "has too few coordinates");
    return source(o.elements[next++], 4, type, i);
  };
  if (texture.has_layer) texture.layer = take(Type::u32);
  const bool floats = texture.action == TextureAction::sample || texture.action == TextureAction::gather;
  for (int k = 0; k < dimensions(texture.shape); ++k) texture.at[k] = take(floats ? Type::f32 : Type::s32);
}

void FunctionLowering::finish_texture(Op& op, const TextureOp& texture) {
  op.table_index = static_cast<std::uint32_t>(program_.textures.size());
  program_.textures.push_back(texture);
}

void FunctionLowering::lower_texture(const ptx::Instruction& i) {
  TextureOp texture;
  texture.action = i.opcode == Opcode::tld4   ? TextureAction::gather
                   : ptx::is_float(i.type(1)) ? TextureAction::sample
                                              : TextureAction::fetch;
  if (i.has(Modifier::green)) texture.component = 1;
  if (i.has(Modifier::blue)) texture.component = 2;
  if (i.has(Modifier::alpha)) texture.component = 3;
  Op& op = emit(handlers::texture, i);
  lower_texel_place(operand(i, 1), texture, op, i);
  // Derivatives choose a mipmap level. A launch with more than one level is refused (texture_table.h).
  if (i.has(Modifier::grad)) program_.uses_derivatives = true;
  texture.has_level = i.has(Modifier::level);
  if (texture.has_level) texture.level = source(operand(i, 2), 4, i.type(1), i);
  const Operand& d = operand(i, 0);
  if (d.kind != OperandKind::vector || d.elements.size() != 4) refuse(i, "needs four registers for its result");
  for (std::size_t k = 0; k < 4; ++k) {
    texture.discard[k] = d.elements[k].kind == OperandKind::discard;
    if (texture.discard[k]) continue;
    texture.values[k] = destination(d.elements[k], i);
    texture.register_bytes[k] = static_cast<std::uint8_t>(register_bytes(d.elements[k], i));
  }
  finish_texture(op, texture);
}

void FunctionLowering::lower_query(const ptx::Instruction& i) {
  TextureOp texture;
  texture.action = TextureAction::query;
  texture.query = query_of(i);
  texture.elements = 1;
  Op& op = emit(handlers::texture, i);
  op.a = texture_handle(operand(i, 1), i);
  texture.has_level = i.has(Modifier::level);
  if (texture.has_level) texture.level = source(operand(i, 2), 4, Type::u32, i);
  texture.values[0] = destination(operand(i, 0), i);
  finish_texture(op, texture);
}

void FunctionLowering::lower_surface(const ptx::Instruction& i) {
  const bool loads = i.opcode == Opcode::suld_b;
  TextureOp texture;
  texture.action = loads                        ? TextureAction::load
                   : i.opcode == Opcode::sust_b ? TextureAction::store
                   : i.opcode == Opcode::sust_p ? TextureAction::store_formatted
                                                : TextureAction::reduce;
  texture.outside = outside_of(i);
  texture.bytes = static_cast<std::uint8_t>(ptx::bytes_of(i.type()));
  texture.type = i.type();
  texture.reduction = i.action;
  Op& op = emit(handlers::surface, i);
  lower_texel_place(operand(i, loads ? 1 : 0), texture, op, i);
  const Operand& values = operand(i, loads ? 0 : 1);
  const bool is_vector = values.kind == OperandKind::vector;
  texture.elements = static_cast<std::uint8_t>(is_vector ? values.elements.size() : 1);
  if (texture.elements == 0 || texture.elements > 4) refuse(i, "supports only vectors of up to 4 elements");
  for (std::size_t k = 0; k < texture.elements; ++k) {
    const Operand& value = is_vector ? values.elements[k] : values;
    texture.discard[k] = value.kind == OperandKind::discard;
    if (texture.discard[k]) continue;
    const int bytes = value.kind == OperandKind::reg ? register_bytes(value, i)
                      : texture.bytes == 1           ? 2
                                                     : texture.bytes;
    texture.register_bytes[k] = static_cast<std::uint8_t>(bytes);
    texture.values[k] = loads ? destination(value, i) : source(value, bytes, i.type(), i);
  }
  // Reductions of one surface by several host threads would race.
  if (texture.action == TextureAction::reduce) program_.needs_block_order = true;
  finish_texture(op, texture);
}

}  // namespace warpwalk::gpu
