#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/lower_sass/ptx_words.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"
#include "core/sass/special_register.h"

namespace warpwalk::gpu {

using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

namespace {

constexpr std::int64_t shared_window_high = 47;  // SR_SWINHI, SR_SWINLO: the generic address of shared memory
constexpr std::int64_t shared_window_low = 48;
constexpr std::int64_t lowest_stack = 55;          // SR_LMEMHIOFF: unoptimized functions trap below this stack pointer
constexpr std::int64_t cluster_size = 138;         // SR_CgaSize
constexpr std::int64_t virtual_id = 3;             // SR_VIRTID: bits 8 to 14 are the warp's index in its block
constexpr std::int64_t virtual_configuration = 2;  // SR_VIRTCFG: bits 8 to 15 are the warps that an SM can hold

ptx::Special special_of(std::int64_t number) {
  using ptx::Special;
  switch (number) {
    case 0: return Special::laneid;
    case 33: return Special::tid_x;
    case 34: return Special::tid_y;
    case 35: return Special::tid_z;
    case 37: return Special::ctaid_x;
    case 38: return Special::ctaid_y;
    case 39: return Special::ctaid_z;
    case 56: return Special::lanemask_eq;
    case 57: return Special::lanemask_lt;
    case 58: return Special::lanemask_le;
    case 59: return Special::lanemask_gt;
    case 60: return Special::lanemask_ge;
    case virtual_configuration: return Special::nwarpid;
    case virtual_id: return Special::warpid;
    case 67: return Special::smid;
    case 80: return Special::clock;
    case 81: return Special::clock_hi;
    case 82: return Special::globaltimer_lo;
    case 83: return Special::globaltimer_hi;
    case 136: return Special::cluster_ctarank;  // SR_CgaCtaId
    default: return Special::none;
  }
}

bool is_clock(ptx::Special special) {
  return special == ptx::Special::clock || special == ptx::Special::clock_hi ||
         special == ptx::Special::globaltimer_lo || special == ptx::Special::globaltimer_hi;
}

}  // namespace

void MachineCodeLowering::lower_special_register() {
  const Operand& to = operand(0);
  const std::int64_t number = operand(1).value;
  const bool pair = (i_->opcode == Opcode::cs2r || i_->opcode == Opcode::cs2ur) && !has(Word::n32);
  const Slot d = destination(to);
  const auto move = [&](Slot into, Slot from) {
    Op& op = emit(handlers::move);
    op.d = into;
    op.a = from;
    op.bytes = 4;
  };
  const ptx::Special special = special_of(number);
  // Code multiplies the size by the distance of the launch's constants for clusters of this size, which are all at the
  // place for size 0 here.
  if (number == sass::special_zero || number == shared_window_high || number == shared_window_low ||
      number == lowest_stack || number == cluster_size) {
    move(d, constant(number == shared_window_high  ? shared_window >> 32
                     : number == shared_window_low ? shared_window & 0xffffffff
                                                   : 0,
                     4));
    if (pair && to.reg != sass::zero_register) move(part(to, 1), constant(0, 4));
    return;
  }
  if (special == ptx::Special::none)
    refuse("reads " + sass::special_register_name(architecture_, static_cast<std::uint8_t>(number)) +
           ", which is not supported by the simulated GPU");
  if (is_clock(special)) {
    const bool timer = special == ptx::Special::globaltimer_lo || special == ptx::Special::globaltimer_hi;
    Op& op = emit(handlers::read_clock);
    op.immediate = static_cast<std::uint64_t>(!pair   ? special
                                              : timer ? ptx::Special::globaltimer
                                                      : ptx::Special::clock64);
    op.bytes = pair ? 8 : 4;
    op.d = pair ? scratch() : d;
    if (pair && to.kind == OperandKind::uniform_reg) {
      const Slot clock = op.d;
      if (is_zero(to)) return;
      for (const unsigned half : {0U, 1U}) {
        const Slot word_of_clock = compute(half == 0 ? machine::low_word() : machine::high_word(), clock);
        Op& spread = emit(handlers::read_first_lane);
        spread.d = part(to, half);
        spread.a = word_of_clock;
      }
      return;
    }
    if (pair) split_pair(to, op.d);
    return;
  }
  if (pair) refuse("reads a register pair, which is not supported");
  if (special == ptx::Special::smid) program_.reads_smid = true;
  Slot from{};
  bool found = false;
  for (const auto& [known, offset] : program_.specials) {
    if (known != special) continue;
    from = Slot::at(SlotSpace::special, offset);
    found = true;
  }
  if (!found) {
    from = Slot::at(SlotSpace::special, program_.special_bytes);
    program_.specials.emplace_back(special, program_.special_bytes);
    program_.special_bytes += lanes_per_warp * 4;
  }
  if (number == virtual_id || number == virtual_configuration)
    from = compute(machine::scaled_address(256), from, constant(0, 4));
  if (to.kind == OperandKind::uniform_reg) {
    Op& op = emit(handlers::read_first_lane);
    op.d = d;
    op.a = from;
    return;
  }
  move(d, from);
}

void MachineCodeLowering::lower_select() {
  if (has(Word::n64)) return lower_wide_select();
  const auto from = sources();
  Op& op = emit_alu(machine::select(), destination(operand(0)), word(*from[0]), word(*from[1]));
  set_predicate_in(op, *from[2]);
}

/// A source of PLOP3: a predicate, or the sign bit of a register.
PredicateSource MachineCodeLowering::table_source(const Operand& o) {
  if (o.kind != OperandKind::reg) return predicate_in(o);
  ptx::Instruction like = ptx_instruction(ptx::Opcode::setp);
  like.compare = ptx::Compare::lt;
  like.types = {ptx::Type::s32};
  Op& op = emit_alu(like_ptx(like), {}, word(o), constant(0, 4));
  op.guard = -1;
  op.p_out = scratch_predicate();
  return {op.p_out, false};
}

/// PLOP3, P2R, UP2UR and R2P.
void MachineCodeLowering::lower_predicates() {
  const auto from = sources();
  const auto to = destinations();
  if (i_->opcode == Opcode::plop3 || i_->opcode == Opcode::uplop3) {
    const PredicateSource high = table_source(*from[0]), middle = table_source(*from[1]), low = table_source(*from[2]);
    Op& op = emit(handlers::predicate_table);
    op.p_out = predicate_out(*to[0]);
    op.q_out = predicate_out(*to[1]);
    op.p_in = high.offset;
    op.p_in_negated = high.negated;
    op.table_index = add_predicates({middle, low});
    op.immediate = static_cast<std::uint64_t>(from[3]->value) | static_cast<std::uint64_t>(from[4]->value) << 8;
    return;
  }
  const auto byte_of = [](Word part) {
    return part == Word::b1 ? 8U : part == Word::b2 ? 16U : part == Word::b3 ? 24U : 0U;
  };
  const auto& frame = program_.machine_code->frame;
  const auto predicates = static_cast<std::int32_t>(uniform_ ? frame.uniform_predicates : frame.predicates);
  if (i_->opcode == Opcode::p2r || i_->opcode == Opcode::up2ur) {
    const Slot b = word(operand(2)), c = word(operand(3));
    Op& op = emit(handlers::pack_predicates);
    op.d = destination(operand(0));
    op.b = b;
    op.c = c;
    op.p_in = predicates;
    op.immediate = byte_of(i_->word(Field::part));
    return;
  }
  const Slot a = word(operand(1)), b = word(operand(2));
  Op& op = emit(handlers::unpack_predicates);
  op.a = a;
  op.b = b;
  op.p_out = predicates;
  op.immediate = byte_of(operand(1).suffix);
}

void MachineCodeLowering::lower_move() {
  if (has(Word::n64)) return lower_wide_move();
  const auto from = sources();
  if (from.size() > 1 && from[1]->value != 15) refuse("of single bytes is not supported");
  const Slot a = word(*from[0]);
  Op& op = emit(handlers::move);
  op.d = destination(operand(0));
  op.a = a;
  op.bytes = 4;
}

/// R2UR
void MachineCodeLowering::lower_first_lane() {
  const auto to = destinations();
  const Operand& d = *to.back();
  const Slot a = word(*sources()[0]);
  Op& op = emit(handlers::read_first_lane);
  op.d = destination(d);
  op.a = a;
  if (to.size() == 1 || predicate_out(*to[0]) < 0) return;
  // The predicate says which lanes have another value; .OR adds them to those that have it already.
  Op& differs = emit(handlers::lanes_that_differ);
  differs.a = a;
  differs.b = destination(d);
  differs.p_out = predicate_out(*to[0]);
  differs.immediate = has(Word::or_) ? 1 : 0;
}

/// LEPC. Without an operand, the address of the instruction itself.
void MachineCodeLowering::lower_code_address() {
  const std::uint64_t place = i_->operands.size() > 1 ? static_cast<std::uint64_t>(operand(1).value) : i_->address;
  const Slot value = constant(code_base + place, 8);
  split_pair(operand(0), value);
}

}  // namespace warpwalk::gpu
