#include <algorithm>

#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/sass/analysis/register_use.h"

namespace warpwalk::gpu {

using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

namespace {

TextureShape texture_shape(Word word) {
  switch (word) {
    case Word::n2d: return TextureShape::plane;
    case Word::n3d: return TextureShape::volume;
    case Word::cube: return TextureShape::cube;
    case Word::array_1d:
    case Word::n1d_array: return TextureShape::line_array;
    case Word::array_2d:
    case Word::n2d_array: return TextureShape::plane_array;
    case Word::array_cube: return TextureShape::cube_array;
    default: return TextureShape::line;
  }
}

}  // namespace

/// The handle, if it is in a uniform register or in a constant bank; nothing if it is in a register.
std::optional<Slot> MachineCodeLowering::texture_handle() {
  for (std::size_t k = 0; k < i_->operands.size(); ++k) {
    const Operand& o = operand(k);
    const bool is_last = k + 1 == i_->operands.size();
    if (o.kind == OperandKind::uniform_reg) {
      if (!is_last && operand(k + 1).value != 0) refuse("with an offset to its handle is not supported");
      return uniform_reg(o.reg);
    }
    if (is_last || o.kind != OperandKind::integer || operand(k + 1).kind != OperandKind::integer) continue;
    Operand bank;
    bank.kind = OperandKind::constant;
    bank.bank = static_cast<std::uint8_t>(o.value);
    bank.value = operand(k + 1).value * 4;
    return word(bank);
  }
  return {};
}

/// The n-th register of an operand's range.
Slot MachineCodeLowering::texture_source(const Operand& o, unsigned n) {
  return o.reg == sass::zero_register ? constant(0, 4) : part(o, n);
}

void MachineCodeLowering::lower_texture() {
  std::vector<const Operand*> registers;  // second destination, first destination, two sources
  const Operand* shape = nullptr;
  const Operand* mask = nullptr;
  for (const Operand& o : i_->operands) {
    if (o.kind == OperandKind::predicate && predicate_out(o) >= 0) refuse("with a predicate result is not supported");
    if (o.kind == OperandKind::reg) registers.push_back(&o);
    if (o.kind == OperandKind::word) shape = &o;
    if (o.kind == OperandKind::integer) mask = &o;
  }
  TextureOp texture;
  texture.wide_handle = false;
  texture.compiled = true;
  const Word level = i_->word(Field::mode);
  switch (i_->opcode) {
    case Opcode::tex:
      texture.action = TextureAction::sample;
      // ptxas makes plain TEX of PTX's `tex` without a level for sm_120, which reads the first level.
      if (level != Word::ll && level != Word::lz &&
          (level != Word::none || architecture_ != sass::Architecture::sm_120))
        refuse("without an explicit mipmap level is not supported");
      break;
    case Opcode::tld:
      texture.action = TextureAction::fetch;
      if (level != Word::lz && (level != Word::ll || !has(Word::cl)))
        refuse("without a limited mipmap level is not supported");
      break;
    case Opcode::tld4: {
      texture.action = TextureAction::gather;
      const Word part = i_->word(Field::part);
      texture.component = part == Word::g ? 1 : part == Word::b ? 2 : part == Word::a ? 3 : 0;
      break;
    }
    case Opcode::txd:
      texture.action = TextureAction::sample;
      program_.uses_derivatives = true;
      break;
    default: texture.action = TextureAction::query; break;
  }
  const std::optional<Slot> given = texture_handle();
  Slot handle = given.value_or(Slot{});
  const auto pair = std::ranges::find(i_->operands, OperandKind::uniform_reg, &Operand::kind);
  if (architecture_ >= sass::Architecture::sm_90 && i_->opcode != Opcode::txq && pair != i_->operands.end()) {
    // The next register is 0 or the handle of a separate sampler; a pair with a sampler is not a known handle.
    texture.wide_handle = true;
    handle = compute(machine::join(), handle, uniform_reg(pair->reg + 1U));
  }
  // The sources, in the order of their registers.
  std::vector<Slot*> sources;
  const bool handle_first = i_->opcode == Opcode::txd || i_->opcode == Opcode::txq;
  if (!given && handle_first) sources.push_back(&handle);
  if (texture.action != TextureAction::query) {
    texture.shape = texture_shape(shape->suffix);
    texture.has_layer = is_array(texture.shape);
    const bool layer_first = i_->opcode != Opcode::txd;
    if (texture.has_layer && layer_first) sources.push_back(&texture.layer);
    for (int k = 0; k < dimensions(texture.shape); ++k) sources.push_back(&texture.at[k]);
    if (texture.has_layer && !layer_first) sources.push_back(&texture.layer);
  }
  if (!given && !handle_first) sources.push_back(&handle);
  texture.has_level = texture.action == TextureAction::query || level == Word::ll;
  if (texture.has_level) sources.push_back(&texture.level);
  const auto operand_of = [&](const Operand* o) { return static_cast<std::size_t>(o - i_->operands.data()); };
  const std::size_t in_first = sass::register_count(*i_, operand_of(registers[2]));
  for (std::size_t k = 0; k < sources.size(); ++k)
    *sources[k] = k < in_first ? texture_source(*registers[2], static_cast<unsigned>(k))
                               : texture_source(*registers[3], static_cast<unsigned>(k - in_first));
  // The components of the mask are written one after the other, two to each destination.
  unsigned written = 0;
  const auto take = [&](unsigned component, const Operand*& to, unsigned& n) {
    if ((mask->value >> component & 1) == 0) return false;
    to = registers[written < 2 ? 1 : 0];
    n = written++ % 2;
    return to->reg != sass::zero_register;
  };
  if (texture.action == TextureAction::query) {
    // A query answers width, height and depth as its components.
    for (unsigned component = 0; component < 4; ++component) {
      const Operand* to = nullptr;
      unsigned n = 0;
      if (!take(component, to, n)) continue;
      if (component == 3) refuse("of a fourth component is not supported");
      texture.query = component == 0   ? ptx::Modifier::width
                      : component == 1 ? ptx::Modifier::height
                                       : ptx::Modifier::depth;
      texture.elements = 1;
      texture.values[0] = part(*to, n);
      Op& op = emit(handlers::texture);
      op.a = handle;
      finish_texture(op, texture);
    }
    return;
  }
  for (unsigned component = 0; component < 4; ++component) {
    const Operand* to = nullptr;
    unsigned n = 0;
    texture.discard[component] = !take(component, to, n);
    if (!texture.discard[component]) texture.values[component] = part(*to, n);
  }
  Op& op = emit(handlers::texture);
  op.a = handle;
  finish_texture(op, texture);
}

/// `tex.grad` of volumes and cubemaps is a call of a function of the driver, such as
/// __cuda_syscall_tex_grad_3d_v4_f32_f32: the handle is in R4 and R5, layer and coordinates from R8 on, the derivatives
/// behind them and on the stack; the texel is returned in R5 to R8. Returns false for other functions.
bool MachineCodeLowering::lower_gradient_fetch(std::string_view function) {
  constexpr std::string_view prefix = "__cuda_syscall_tex_grad_", suffix = "_f32";
  constexpr unsigned first_handle = 4, first_place = 8, first_result = 5;
  if (!function.starts_with(prefix) || !function.ends_with(suffix)) return false;
  const std::string_view shape = function.substr(prefix.size());
  TextureOp texture;
  if (shape.starts_with("3d_v4_"))
    texture.shape = TextureShape::volume;
  else if (shape.starts_with("cube_v4_"))
    texture.shape = TextureShape::cube;
  else if (shape.starts_with("acube_v4_"))
    texture.shape = TextureShape::cube_array;
  else
    return false;
  program_.uses_derivatives = true;
  skip_where_guard_fails();
  unsigned next = first_place;
  texture.has_layer = is_array(texture.shape);
  if (texture.has_layer) texture.layer = reg(next++);
  for (Slot& coordinate : texture.at) coordinate = reg(next++);
  for (unsigned k = 0; k < 4; ++k) texture.values[k] = reg(first_result + k);
  const Slot handle = compute(machine::join(), reg(first_handle), reg(first_handle + 1));
  Op& op = emit(handlers::texture);
  op.a = handle;
  finish_texture(op, texture);
  return true;
}

void MachineCodeLowering::finish_texture(Op& op, const TextureOp& texture) {
  op.table_index = static_cast<std::uint32_t>(program_.textures.size());
  program_.textures.push_back(texture);
}

void MachineCodeLowering::lower_surface() {
  TextureOp texture;
  texture.wide_handle = false;
  const bool formatted = has(Word::p);
  const bool loads = i_->opcode == Opcode::suld;
  texture.action = loads                         ? TextureAction::load
                   : i_->opcode == Opcode::sured ? TextureAction::reduce
                   : formatted                   ? TextureAction::store_formatted
                                                 : TextureAction::store;
  if (!formatted && !has(Word::ba)) refuse("without .BA is not supported");
  if (formatted && has(Word::r)) refuse("of one channel is not supported");
  texture.outside = has(Word::trap)  ? OutsideSurface::trap
                    : has(Word::ign) ? OutsideSurface::zero
                                     : OutsideSurface::clamp;
  texture.shape = texture_shape(i_->word(Field::shape));
  const Operand* place = nullptr;
  const Operand* value = nullptr;
  const Operand* last = nullptr;  // the handle, if it is in a register
  for (const Operand& o : i_->operands) {
    if (o.kind == OperandKind::predicate && predicate_out(o) >= 0) refuse("with a predicate result is not supported");
    if (o.kind == OperandKind::address) place = &o;
    if (o.kind != OperandKind::reg) continue;
    if (value == nullptr) value = &o;
    last = &o;
  }
  Operand first = *place;
  first.kind = OperandKind::reg;
  // The layer follows the coordinates.
  unsigned next = 0;
  for (int k = 0; k < dimensions(texture.shape); ++k) texture.at[k] = texture_source(first, next++);
  texture.has_layer = is_array(texture.shape);
  if (texture.has_layer) texture.layer = texture_source(first, next);
  texture.elements = 1;
  switch (i_->word(Field::size)) {
    case Word::u8:
    case Word::s8: texture.bytes = 1; break;
    case Word::u16:
    case Word::s16: texture.bytes = 2; break;
    case Word::n64: texture.elements = 2; break;
    case Word::n128: texture.elements = 4; break;
    default: break;
  }
  if (loads && (has(Word::s8) || has(Word::s16))) refuse("of signed values is not supported");
  if (formatted) texture.elements = 4;
  const std::optional<Slot> given = texture_handle();
  const Slot handle = given ? *given : texture_source(*last, 0);
  if (texture.action == TextureAction::reduce) {
    texture.type = has(Word::s32) ? ptx::Type::s32 : has(Word::u64) ? ptx::Type::u64 : ptx::Type::u32;
    texture.bytes = texture.register_bytes[0] = static_cast<std::uint8_t>(ptx::bytes_of(texture.type));
    texture.reduction = has(Word::add)    ? ptx::Action::add
                        : has(Word::min)  ? ptx::Action::min
                        : has(Word::max)  ? ptx::Action::max
                        : has(Word::and_) ? ptx::Action::and_
                        : has(Word::or_)  ? ptx::Action::or_
                                          : ptx::Action::none;
    if (texture.reduction == ptx::Action::none) refuse();
    texture.values[0] = texture.bytes == 8 ? wide(*value) : texture_source(*value, 0);
    program_.needs_block_order = true;
  } else {
    for (unsigned k = 0; k < texture.elements; ++k) {
      texture.discard[k] = loads && value->reg == sass::zero_register;
      if (!texture.discard[k]) texture.values[k] = loads ? part(*value, k) : texture_source(*value, k);
    }
  }
  Op& op = emit(handlers::surface);
  op.a = handle;
  finish_texture(op, texture);
}

}  // namespace warpwalk::gpu
