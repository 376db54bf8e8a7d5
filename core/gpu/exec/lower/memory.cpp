#include <algorithm>

#include <fmt/format.h>

#include "core/gpu/exec/lower/lowering.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

using ptx::Modifier;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Space;

/// Lowers the address operand: a register, a name or a number, with an offset.
void FunctionLowering::lower_address_operand(const Operand& o, Access& access, Op& op, const ptx::Instruction& i) {
  if (o.kind == OperandKind::reg) {
    const int bytes = register_bytes(o, i);
    if (bytes < 4) refuse(i, "needs its address in a 32-bit or 64-bit register");
    access.has_base = true;
    access.wide_address = bytes == 8;
    op.a = destination(o, i);
    op.immediate = static_cast<std::uint64_t>(o.offset);
    // A kernel's parameters are in parameter memory; a called function's are on the thread's stack.
    if (access.space == Space::param && !source_.is_entry) access.space = Space::local;
    return;
  }
  bool on_stack = false;
  op.immediate = address_of(o, on_stack, i);
  access.has_base = false;
  if (access.space == Space::param) {
    if (on_stack) {
      access.space = Space::local;
    } else {
      op.immediate -= parameter_base;
      const auto size = static_cast<std::uint64_t>(access.bytes) * access.elements;
      if (op.immediate + size > program_.parameter_bytes) {
        refuse(i, fmt::format("reads past the end of the parameters of `{}`", source_.name));
      }
    }
  } else if (access.space == Space::generic) {
    // A named variable determines its state space.
    if (on_stack) {
      access.space = Space::local;
    } else if (o.kind == OperandKind::local_variable) {
      access.space = Space::shared;
    } else if (o.kind == OperandKind::variable) {
      access.space = program_.module->variables[static_cast<std::size_t>(o.index)].space;
    }
  }
}

/// Lowers the destination or source registers: one, or a vector.
void FunctionLowering::lower_value_operands(const Operand& o, Access& access, const ptx::Instruction& i) {
  const bool is_vector = o.kind == OperandKind::vector;
  access.elements = static_cast<std::uint8_t>(is_vector ? o.elements.size() : 1);
  if (access.elements > 4 || access.elements == 0) refuse(i, "supports only vectors of up to 4 elements");
  for (std::size_t k = 0; k < access.elements; ++k) {
    const Operand& element = is_vector ? o.elements[k] : o;
    if (element.kind == OperandKind::discard) {
      access.discard[k] = true;
      access.register_bytes[k] = access.bytes;
      continue;
    }
    if (element.kind == OperandKind::reg) {
      if (is_predicate(element)) refuse(i, "cannot use a predicate register here");
      access.register_bytes[k] = static_cast<std::uint8_t>(register_bytes(element, i));
      access.values[k] = destination(element, i);
    } else {
      if (!access.store) refuse(i, "needs a register for its result");
      const int bytes = access.bytes == 1 ? 2 : access.bytes;
      access.register_bytes[k] = static_cast<std::uint8_t>(bytes);
      access.values[k] = source(element, bytes, i.type(), i);
    }
  }
}

namespace {

/// True for the accesses that load_word and store_word handle.
bool is_word(const Access& access) {
  return access.space == Space::shared && access.bytes == 4 && access.elements == 1 && access.register_bytes[0] == 4 &&
         access.has_base && !access.wide_address && !access.discard[0] && !access.communicates;
}

bool communicates(const ptx::Instruction& i) {
  return i.has(Modifier::volatile_) || i.has(Modifier::relaxed) || i.has(Modifier::acquire) ||
         i.has(Modifier::release) || i.has(Modifier::mmio);
}

bool has_block_scope(const ptx::Instruction& i) { return i.has(Modifier::cta) || i.has(Modifier::cluster); }

}  // namespace

/// True if the value is in registers that are only copied.
bool FunctionLowering::only_copies(const ptx::Operand& value) const {
  if (value.kind == OperandKind::vector)
    return std::ranges::all_of(value.elements, [&](const Operand& element) { return only_copies(element); });
  return value.kind == OperandKind::reg && only_copied_[static_cast<std::size_t>(value.index)];
}

void FunctionLowering::lower_load(const ptx::Instruction& i) {
  Access access;
  access.space = i.space;
  access.bytes = static_cast<std::uint8_t>(ptx::bytes_of(i.type()));
  access.sign_extends = ptx::is_signed(i.type());
  access.communicates = communicates(i);
  access.block_scope = has_block_scope(i);
  lower_value_operands(operand(i, 0), access, i);
  Op& op = emit(handlers::load, i);
  lower_address_operand(operand(i, 1), access, op, i);
  if (access.communicates && (access.space == Space::global || access.space == Space::generic)) {
    program_.needs_block_order = true;
  }
  op.table_index = static_cast<std::uint32_t>(program_.accesses.size());
  access.merged_bytes = static_cast<std::uint8_t>(access.bytes * access.elements);
  if (only_copies(operand(i, 0)) && access.bytes <= 8) access.copied_until = no_index;
  if (is_word(access)) op.run = handlers::load_word;
  program_.accesses.push_back(access);
}

void FunctionLowering::lower_store(const ptx::Instruction& i) {
  Access access;
  access.space = i.space;
  access.store = true;
  access.bytes = static_cast<std::uint8_t>(ptx::bytes_of(i.type()));
  access.communicates = communicates(i);
  access.block_scope = has_block_scope(i);
  if (access.space == Space::constant) refuse(i, "writes to constant memory, which is read-only");
  lower_value_operands(operand(i, 1), access, i);
  Op& op = emit(handlers::store, i);
  lower_address_operand(operand(i, 0), access, op, i);
  if (access.space == Space::param) refuse(i, "writes to a kernel parameter, which is read-only");
  if (access.communicates && (access.space == Space::global || access.space == Space::generic)) {
    program_.needs_block_order = true;
  }
  op.table_index = static_cast<std::uint32_t>(program_.accesses.size());
  if (only_copies(operand(i, 1)) && access.bytes <= 8) access.copied_until = no_index;
  if (is_word(access)) op.run = handlers::store_word;
  program_.accesses.push_back(access);
}

void FunctionLowering::lower_atomic(const ptx::Instruction& i) {
  const bool returns = i.opcode == ptx::Opcode::atom;
  const std::size_t at = returns ? 1 : 0;
  const ptx::Type type = i.type();
  const int bytes = ptx::bytes_of(type);
  const bool is_vector = operand(i, at + 1).kind == OperandKind::vector;
  const std::size_t count = is_vector ? operand(i, at + 1).elements.size() : 1;
  for (std::size_t k = 0; k < count; ++k) {
    // A vector atomic is atomic per element only, so each element becomes its own access.
    const auto element = [&](const Operand& o) -> const Operand& {
      return o.kind == OperandKind::vector ? o.elements[k] : o;
    };
    Access access;
    access.space = i.space;
    access.store = true;
    access.communicates = true;
    access.block_scope = has_block_scope(i);
    access.bytes = static_cast<std::uint8_t>(bytes);
    Atomic atomic;
    atomic.action = i.action;
    atomic.type = type;
    const Operand& from = element(operand(i, at + 1));
    const int width = from.kind == OperandKind::reg ? register_bytes(from, i) : bytes;
    access.register_bytes[0] = access.register_bytes[1] = static_cast<std::uint8_t>(width);
    access.values[0] = source(from, width, type, i);
    Op& op = emit(handlers::atomic, i);
    op.b = access.values[0];
    lower_address_operand(operand(i, at), access, op, i);
    op.immediate += k * static_cast<std::uint64_t>(bytes);
    if (returns && element(operand(i, 0)).kind == OperandKind::reg) {
      atomic.returns = true;
      op.d = destination(element(operand(i, 0)), i);
      access.register_bytes[1] = static_cast<std::uint8_t>(register_bytes(element(operand(i, 0)), i));
    }
    if (i.action == ptx::Action::cas) op.c = source(operand(i, at + 2), width, type, i);
    // Integer sums, minima, maxima and bitwise operations give the same result in any order. Returned old values,
    // floating-point sums and the other operations may not.
    const bool commutes = !ptx::is_float(type) && !atomic.returns && i.action != ptx::Action::cas &&
                          i.action != ptx::Action::exch && i.action != ptx::Action::inc && i.action != ptx::Action::dec;
    if (!commutes && (access.space == Space::global || access.space == Space::generic))
      program_.needs_block_order = true;
    access.atomic = static_cast<std::uint32_t>(program_.atomics.size());
    program_.atomics.push_back(atomic);
    op.table_index = static_cast<std::uint32_t>(program_.accesses.size());
    program_.accesses.push_back(access);
  }
}

void FunctionLowering::lower_copy(const ptx::Instruction& i) {
  // cp.async [shared], [global], bytes {, bytes to read}: two consecutive entries in the table of accesses.
  const Operand& size = operand(i, 2);
  if (size.kind != OperandKind::immediate || (size.bits != 4 && size.bits != 8 && size.bits != 16)) {
    refuse(i, "must copy 4, 8 or 16 bytes");
  }
  Access to, from;
  to.space = Space::shared;
  to.store = true;
  to.bytes = from.bytes = static_cast<std::uint8_t>(size.bits);
  from.space = Space::global;
  Op& op = emit(handlers::copy_async, i);
  Op source_op = op;
  lower_address_operand(operand(i, 0), to, op, i);
  lower_address_operand(operand(i, 1), from, source_op, i);
  op.b = source_op.a;
  op.c = constant(source_op.immediate, 8);
  if (!from.has_base || !from.wide_address) refuse(i, "needs its source address in a 64-bit register");
  const std::size_t count = i.operands.size() - (i.has(Modifier::cache_hint) ? 1 : 0);
  if (count > 3 && operand(i, 3).kind != OperandKind::discard) {
    if (is_predicate(operand(i, 3))) {
      op.p_in = predicate(operand(i, 3), i);
      op.p_in_negated = operand(i, 3).negated;
    } else {
      op.d = source(operand(i, 3), 4, ptx::Type::u32, i);
      op.bytes = 1;
    }
  }
  op.table_index = static_cast<std::uint32_t>(program_.accesses.size());
  program_.accesses.push_back(to);
  program_.accesses.push_back(from);
}

/// A cache policy is a performance hint and does not affect values, so any value works.
void FunctionLowering::lower_policy(const ptx::Instruction& i) {
  Op& op = emit(handlers::move, i);
  op.d = destination(operand(i, 0), i);
  op.a = constant(0, 8);
  op.bytes = 8;
}

}  // namespace warpwalk::gpu
