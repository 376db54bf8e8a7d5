#include <algorithm>

#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/lower_sass/description.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"
#include "core/sass/analysis/register_use.h"

namespace warpwalk::gpu {

using ptx::Space;
using sass::AddressWidth;
using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

namespace {

constexpr unsigned stack_pointer_register = 1;

}  // namespace

/// Sets the fields of an access that depend on its address. Returns the slot of the base.
Slot MachineCodeLowering::address(const Operand& o, Access& access) {
  access.has_base = true;
  const bool global = access.space == Space::global || access.space == Space::generic;
  const bool has_uniform = o.uniform != sass::zero_uniform_register;
  const auto base_word = [&] { return o.reg == sass::zero_register ? constant(0, 4) : reg(o.reg); };
  if (!global) {
    access.wide_address = false;
    if (!has_uniform && o.scale == 1) return base_word();
    return compute(machine::scaled_address(o.scale), base_word(),
                   has_uniform ? uniform_reg(o.uniform) : constant(0, 4));
  }
  if (o.scale != 1) refuse("with a scaled address is not supported");
  access.wide_address = true;
  Slot base;
  if (o.reg == sass::zero_register) {
    base = constant(0, 8);
  } else if (o.width == AddressWidth::bits_64 || !has_uniform) {
    // Without a uniform register, `.E` alone means a 64-bit register.
    base = compute(machine::join(), reg(o.reg), reg(o.reg + 1U));
  } else {
    base = compute(machine::join(), reg(o.reg), constant(0, 4));
  }
  if (has_uniform)
    base = compute(machine::wide_address(), base,
                   compute(machine::join(), uniform_reg(o.uniform), uniform_reg(o.uniform + 1U)));
  if (access.space == Space::generic && architecture_ < sass::Architecture::sm_90)
    base = compute(machine::moved_in_window(shared_window, shared_begin), base);
  return base;
}

/// The offset of an address. Before sm_90, a block's shared memory starts at address 0.
std::uint64_t MachineCodeLowering::offset(const Operand& o, const Access& access) const {
  const bool from_zero = access.space == Space::shared && architecture_ < sass::Architecture::sm_90;
  return static_cast<std::uint64_t>(o.value) + (from_zero ? shared_begin : 0);
}

/// The size of the access: a 64- or 128-bit value is a vector of 32-bit registers.
void MachineCodeLowering::set_size(Access& access) const {
  switch (i_->word(Field::size)) {
    case Word::u8: access.bytes = 1; break;
    case Word::s8: access.bytes = 1, access.sign_extends = true; break;
    case Word::u16: access.bytes = 2; break;
    case Word::s16: access.bytes = 2, access.sign_extends = true; break;
    case Word::n64: access.elements = 2; break;
    case Word::n128: access.elements = 4; break;
    case Word::n256: access.elements = 8; break;
    default: break;
  }
}

/// True if a strong access or a fence is for the threads of the block only.
bool MachineCodeLowering::has_block_scope() const {
  const Word scope = i_->word(Field::scope);
  return i_->word(Field::order) == Word::strong_sm || scope == Word::cta || scope == Word::sm;
}

void MachineCodeLowering::set_order(Access& access) {
  const Word order = i_->word(Field::order);
  access.communicates = order != Word::none && order != Word::weak && order != Word::constant;
  access.block_scope = has_block_scope();
  if (access.communicates && access.space != Space::shared) program_.needs_block_order = true;
}

void MachineCodeLowering::finish_access(Op& op, Access access) {
  op.table_index = static_cast<std::uint32_t>(program_.accesses.size());
  program_.accesses.push_back(access);
}

/// True if an atomic swap has the same address operand: a load from it is part of a loop that waits for the value.
/// Machine code does not say that a load from shared memory is volatile.
bool MachineCodeLowering::is_swapped(const Operand& address) const {
  for (const sass::Instruction& i : code_) {
    if (i.opcode != Opcode::atoms || !(i.has(Word::cas) || i.has(Word::cast))) continue;
    for (const Operand& o : i.operands)
      if (o.kind == OperandKind::address && o.value == address.value &&
          (o.reg == address.reg || address.uniform != sass::zero_uniform_register))
        return true;
  }
  return false;
}

/// The instruction up to which the registers that this load fills, and those that LOP3 computes from them, are only
/// stored, in its basic block; 0 if they are used otherwise, or if nothing is stored. Notes these LOP3. Uses in other
/// basic blocks are not looked for: unoptimized code, which copies padding, loads a value again there.
std::uint32_t MachineCodeLowering::copied_until(unsigned first, unsigned count) {
  sass::RegisterSet open;
  for (unsigned k = 0; k < count; ++k) open.general.set(first + k);
  std::vector<std::size_t> moves;
  std::uint32_t until = 0;
  bool stored = false;
  std::size_t j = index_ + 1;
  for (; j < code_.size() && leads_[j] == 0 && open.general.any(); ++j) {
    const sass::Instruction& i = code_[j];
    if (lowering_of(i.opcode).properties.ends_block) break;
    const sass::RegisterUse use = sass::register_use(i);
    const bool reads = (use.reads.general & open.general).any(), writes = (use.writes.general & open.general).any();
    const bool stores =
        i.opcode == Opcode::stl || i.opcode == Opcode::st || i.opcode == Opcode::stg || i.opcode == Opcode::sts;
    const bool moves_bits = i.opcode == Opcode::lop3 && use.always && use.writes.predicates.none();
    if (reads && stores) {
      const auto is_open = [&](unsigned reg) { return reg < open.general.size() && open.general.test(reg); };
      for (const Operand& o : i.operands)
        if (o.kind == OperandKind::address && (is_open(o.reg) || is_open(o.reg + 1U))) return 0;
      stored = true;
    } else if (reads && moves_bits) {
      moves.push_back(j);
      open.general |= use.writes.general;
      continue;
    } else if (reads || (writes && !use.always)) {
      return 0;
    }
    if (!writes) continue;
    open.general &= ~use.writes.general;
    if (until == 0) until = static_cast<std::uint32_t>(j);
  }
  if (!stored) return 0;
  carrying_.insert(moves.begin(), moves.end());
  return until != 0 ? until : static_cast<std::uint32_t>(j);
}

/// True if the code computes addresses from the stack pointer, as it does for local arrays and for variables whose
/// address is taken. Without that, its loads and stores relative to the stack pointer spill registers.
bool MachineCodeLowering::takes_stack_addresses() const {
  return std::ranges::any_of(code_, [](const sass::Instruction& i) {
    const bool reads = std::ranges::any_of(
        i.operands, [](const Operand& o) { return o.kind == OperandKind::reg && o.reg == stack_pointer_register; });
    return reads && !sass::register_use(i).writes.general.test(stack_pointer_register);
  });
}

void MachineCodeLowering::lower_load() {
  const Space space = lowering_of(i_->opcode).properties.space;
  Access access;
  access.space = space;
  set_size(access);
  set_order(access);
  const auto to = destinations();
  const Operand& d = *to.back();
  // The first destination of 256 bits is the upper half of the value.
  const bool halves = has(Word::n256);
  if (!halves && to.size() > 1 && predicate_out(*to[0]) >= 0) refuse("with a predicate result is not supported");
  for (unsigned k = 0; k < access.elements; ++k) {
    const Operand& into = halves && k >= 4 ? *to.front() : d;
    access.register_bytes[k] = 4;
    access.discard[k] = is_zero(into);
    if (!access.discard[k]) access.values[k] = part(into, k % 4);
  }
  access.merged_bytes = static_cast<std::uint8_t>(access.bytes * access.elements);
  const bool may_be_local = space == Space::generic || space == Space::local;
  if (may_be_local && !access.discard[0] && guard_.offset < 0)
    access.copied_until = copied_until(d.reg, access.elements);
  const Operand& from = *sources()[0];
  if (space == Space::local && from.reg == stack_pointer_register) {
    if (!takes_stack_addresses_) takes_stack_addresses_ = takes_stack_addresses();
    access.reloads_spill = !*takes_stack_addresses_;
  }
  if (space == Space::shared && (is_swapped(from) || reads_mbarrier_phase(image_, *i_))) access.communicates = true;
  const Slot base = address(from, access);
  const bool is_word =
      space == Space::shared && access.bytes == 4 && access.elements == 1 && !access.discard[0] && !access.communicates;
  Op& op = emit(is_word ? handlers::load_word : handlers::load);
  op.a = base;
  op.immediate = offset(from, access);
  finish_access(op, access);
}

void MachineCodeLowering::lower_store() {
  const Space space = lowering_of(i_->opcode).properties.space;
  Access access;
  access.space = space;
  access.store = true;
  set_size(access);
  set_order(access);
  const Operand &to = operand(0), &value = operand(1);
  for (unsigned k = 0; k < access.elements; ++k) {
    access.register_bytes[k] = 4;
    const Operand& of = k < 4 ? value : operand(2);
    access.values[k] = is_zero(of) ? constant(0, 4) : part(of, k % 4);
  }
  access.copied_until = no_index;
  const Slot base = address(to, access);
  const bool is_word = space == Space::shared && access.bytes == 4 && access.elements == 1;
  Op& op = emit(is_word ? handlers::store_word : handlers::store);
  op.a = base;
  op.immediate = offset(to, access);
  finish_access(op, access);
}

/// LDC and ULDC. Without an index, the value is known at the launch.
void MachineCodeLowering::lower_constant_load() {
  const Operand &d = operand(0), &from = operand(1);
  if (from.bindless) refuse("of a bindless constant is not supported");
  Access access;
  access.space = Space::constant;
  set_size(access);
  const bool is_uniform = from.uniform != sass::zero_uniform_register;
  const bool indexed = from.indexed && (is_uniform || from.reg != sass::zero_register);
  const bool none = d.reg == (d.kind == OperandKind::reg ? sass::zero_register : sass::zero_uniform_register);
  if (none) return;
  if (!indexed && access.bytes == 4) {
    for (unsigned k = 0; k < access.elements; ++k) {
      Operand plain = from;
      plain.indexed = false;
      plain.value += 4 * k;
      const Slot a = bank_value(plain, 4);
      Op& op = emit(handlers::move);
      op.d = part(d, k);
      op.a = a;
      op.bytes = 4;
    }
    return;
  }
  if (from.bank == 0 && from.value >= 0)
    see_launch_constant(static_cast<std::uint32_t>(from.value), access.bytes * access.elements);
  if (program_.machine_code->bank(from.bank) == nullptr) refuse("reads a constant bank that the cubin does not have");
  access.has_base = true;
  for (unsigned k = 0; k < access.elements; ++k) {
    access.register_bytes[k] = 4;
    access.values[k] = part(d, k);
  }
  const Slot index = !indexed ? constant(0, 4) : is_uniform ? uniform_reg(from.uniform) : reg(from.reg);
  const Slot base = compute(machine::join(), index, constant(0, 4));
  Op& op = emit(uniform_ ? Handler(handlers::on_all_lanes<handlers::load>) : Handler(handlers::load));
  op.a = base;
  op.immediate = bank_address(from.bank) + static_cast<std::uint64_t>(from.value);
  finish_access(op, access);
}

/// LDGSTS: cp.async. A lane whose predicate is false reads nothing and fills its target with zeros.
void MachineCodeLowering::lower_copy() {
  Access to, from;
  to.space = Space::shared;
  to.store = true;
  const Word size = i_->word(Field::size);
  to.bytes = from.bytes = size == Word::n128 ? 16 : size == Word::n64 ? 8 : 4;
  from.space = Space::global;
  const Slot target = address(operand(0), to);
  Slot source = address(operand(1), from);
  Slot distance = constant(static_cast<std::uint64_t>(operand(1).value), 8), count{};
  if (has(Word::zfill)) {
    const Slot whole = compute(machine::wide_address(), source, distance);
    count = compute(machine::bytes_from_address(to.bytes), whole);
    source = compute(machine::aligned_address(to.bytes), whole);
    distance = constant(0, 8);
  }
  Op& op = emit(handlers::copy_async);
  op.a = target;
  op.immediate = offset(operand(0), to);
  op.b = source;
  op.c = distance;
  op.d = count;
  op.bytes = has(Word::zfill) ? 1 : 0;
  if (i_->operands.size() > 2) {
    // PTX's predicate says which lanes read nothing.
    const PredicateSource reads = predicate_in(operand(2));
    op.p_in = reads.offset;
    op.p_in_negated = !reads.negated;
  }
  finish_access(op, to);
  program_.accesses.push_back(from);
}

/// LDGDEPBAR and, for bulk copies, UTMACMDFLUSH.
void MachineCodeLowering::lower_copy_group() {
  emit(handlers::commit_copies).bytes = handlers::thread_copies | handlers::bulk_copies;
}

/// DEPBAR. SB0 counts the groups of both kinds of copies that have not completed. Without .LE it waits until all of a
/// set of scoreboards count none.
void MachineCodeLowering::lower_copy_wait() {
  const bool set = operand(0).kind == OperandKind::scoreboard_set;
  const bool copies = set ? (operand(0).value & 1) != 0 : operand(0).reg == 0;
  Op& op = emit(copies ? handlers::wait_for_copies : handlers::no_operation);
  op.immediate = set ? 0 : static_cast<std::uint64_t>(operand(1).value);
  op.bytes = handlers::thread_copies | handlers::bulk_copies;
}

/// QSPC
void MachineCodeLowering::lower_space_test() {
  Access access;
  const Slot base = address(*sources()[0], access);
  const Word which = i_->word(Field::mode);
  Op& op = emit(handlers::is_space);
  op.a = base;
  op.p_out = predicate_out(operand(0));
  const bool shared = which == Word::s || which == Word::d;
  op.immediate = static_cast<std::uint64_t>(shared ? Space::shared : which == Word::l ? Space::local : Space::global);
  op.table_index = which == Word::d ? 1 : 0;
  if (op.p_out < 0) refuse();
}

/// MEMBAR, and FENCE.VIEW.ASYNC between the generic and the async proxy.
void MachineCodeLowering::lower_fence() {
  const bool proxy = i_->opcode == Opcode::fence && i_->word(Field::mode) != Word::g;
  emit(handlers::fence).immediate =
      (has_block_scope() ? handlers::fence_is_narrow : 0) | (proxy ? handlers::fence_for_async_proxy : 0);
}

/// CCTL. IVALL discards what L1 holds after an acquiring read; it releases nothing.
void MachineCodeLowering::lower_cache_control() {
  if (has(Word::ivall)) {
    emit(handlers::fence).immediate = handlers::fence_is_narrow;
  } else {
    emit(handlers::no_operation);
  }
}

}  // namespace warpwalk::gpu
