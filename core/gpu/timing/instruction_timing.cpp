#include "core/gpu/timing/instruction_timing.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "core/gpu/timing/asynchronous_units.h"
#include "core/sass/analysis/register_use.h"
#include "core/sass/opcode_properties.h"

namespace warpwalk::gpu {

namespace {

using sass::Opcode;

struct KindRow {
  InstructionKind kind;
  std::initializer_list<Opcode> opcodes;
};

/// The kinds of the opcodes that do more than arithmetic or have no pipe of their own. Compilation fails if an opcode
/// is twice in the rows, or if one that goes to the queue or to no pipe is missing.
constexpr auto checked_kinds() {
  using K = InstructionKind;
  const KindRow rows[] = {
      {K::branch, {Opcode::bra, Opcode::break_, Opcode::brx, Opcode::call, Opcode::ret, Opcode::warpsync}},
      {K::converge, {Opcode::bsync, Opcode::yield}},
      {K::convergence_move, {Opcode::bmov}},
      {K::exit, {Opcode::exit, Opcode::kill}},
      {K::barrier, {Opcode::bar, Opcode::ucgabar_arv, Opcode::ucgabar_wait}},
      {K::fence, {Opcode::fence}},
      {K::fence_gpu, {Opcode::membar}},
      {K::sleep, {Opcode::nanosleep}},
      {K::special,
       {Opcode::elect, Opcode::match, Opcode::movm, Opcode::qspc, Opcode::r2ur, Opcode::redux, Opcode::shfl}},
      {K::special_register, {Opcode::b2r, Opcode::s2r, Opcode::s2ur}},
      {K::shared,
       {Opcode::arrives, Opcode::atoms, Opcode::lds, Opcode::ldsm, Opcode::redas, Opcode::stas, Opcode::sts,
        Opcode::stsm, Opcode::syncs}},
      {K::global,
       {Opcode::atom, Opcode::atomg, Opcode::ld, Opcode::ldg, Opcode::ldgmc, Opcode::red, Opcode::redg, Opcode::st,
        Opcode::stg}},
      {K::local, {Opcode::ldl, Opcode::stl}},
      {K::texture,
       {Opcode::suld, Opcode::sured, Opcode::sust, Opcode::tex, Opcode::tld, Opcode::tld4, Opcode::txd, Opcode::txq}},
      {K::constant, {Opcode::ldc, Opcode::ldcu}},
      {K::copy, {Opcode::ldgsts}},
      {K::copy_group, {Opcode::ldgdepbar}},
      {K::wait_for_count, {Opcode::depbar}},
      {K::group_product, {Opcode::bgmma, Opcode::hgmma, Opcode::igmma, Opcode::qgmma}},
      {K::group_wait, {Opcode::warpgroup}},
      {K::bulk_copy, {Opcode::ublkcp, Opcode::ublkred, Opcode::utmaldg, Opcode::utmaredg, Opcode::utmastg}},
      {K::bulk_group, {Opcode::utmacmdflush}},
      {K::arithmetic,
       {Opcode::acqbulk, Opcode::bssy, Opcode::cctl, Opcode::cctll, Opcode::errbar, Opcode::lepc, Opcode::nop,
        Opcode::pmtrig, Opcode::preexit, Opcode::ublkpf, Opcode::ugetnextworkid, Opcode::usetmaxreg, Opcode::usetshmsz,
        Opcode::utmacctl, Opcode::utmapf}},
  };
  std::array<K, sass::opcode_count> kinds{};
  std::array<bool, sass::opcode_count> listed{};
  for (const KindRow& row : rows) {
    for (const Opcode opcode : row.opcodes) {
      const auto index = static_cast<std::size_t>(opcode);
      if (listed[index]) throw "an opcode has two kinds";
      listed[index] = true;
      kinds[index] = row.kind;
    }
  }
  for (const sass::OpcodeRow& row : sass::opcode_properties) {
    const bool needs_kind = row.pipe == Pipe::mio || row.pipe == Pipe::none;
    if (needs_kind && !listed[static_cast<std::size_t>(row.opcode)]) throw "an opcode has no kind";
  }
  return kinds;
}
constexpr auto kind_by_opcode = checked_kinds();

/// WARPGROUP and MEMBAR have several kinds, by their modifiers.
InstructionKind timing_kind(const sass::Instruction& i) {
  if (i.opcode == Opcode::warpgroup && (i.has(sass::Word::arrive) || i.has(sass::Word::wait)))
    return InstructionKind::group_sync;
  if (i.opcode == Opcode::membar && (i.has(sass::Word::cta) || i.has(sass::Word::sm))) return InstructionKind::fence;
  return kind_by_opcode[static_cast<std::size_t>(i.opcode)];
}

bool is_register(const sass::Operand& o) { return o.kind == sass::OperandKind::reg && !o.written; }

/// The interval of a warp group's product. C is in registers, and so is A if it is not in shared memory.
double interval_of_group_product(const sass::Instruction& i) {
  const unsigned registers = sass::register_count(i, 0);
  const unsigned columns = registers * (i.word(sass::Field::type) == sass::Word::f16 ? 4 : 2);
  return asynchronous::product_interval(static_cast<int>(columns), std::ranges::count_if(i.operands, is_register) > 1);
}

double interval_of_product(const sass::Instruction& i, const Timing& t) {
  if (i.opcode == Opcode::dmma) return t.interval_tensor_fp64;
  return i.has(sass::Word::n1688) && !i.has(sass::Word::tf32) ? t.interval_tensor_k8 : t.interval_tensor;
}

double interval_of(const sass::Instruction& i, InstructionKind kind, Pipe pipe, const Timing& t) {
  switch (pipe) {
    case Pipe::fma: return t.interval_fma;
    case Pipe::fma_heavy: return t.interval_fma_heavy * (i.has(sass::Word::wide) || i.has(sass::Word::hi) ? 2 : 1);
    case Pipe::alu: return t.interval_alu;
    case Pipe::half: return t.interval_half;
    case Pipe::fp64: return t.interval_fp64;
    case Pipe::xu: return t.interval_xu;
    case Pipe::uniform: return t.interval_uniform;
    case Pipe::tensor:
      return kind == InstructionKind::group_product ? interval_of_group_product(i) : interval_of_product(i, t);
    case Pipe::mio: return i.opcode == Opcode::match || i.opcode == Opcode::redux ? 2 * t.interval_mio : t.interval_mio;
    case Pipe::none: break;
  }
  return 0;
}

/// Jumps to an address in a register: RET, BRX. A pair of CALL and RET takes 66.5 cycles (tests/cuda/microbench,
/// handover), 28 more than with two branches to fixed addresses, and 16 per sub-partition if there are enough warps.
constexpr double indirect_latency = 28;
constexpr double indirect_interval = 16;

bool is_indirect(const sass::Instruction& i) { return i.opcode == Opcode::ret || i.opcode == Opcode::brx; }

/// Cycles of the unit of the SM that a queued instruction goes to, without those of accesses to memory.
double unit_cycles(const sass::Instruction& i, InstructionKind kind, const Timing& t) {
  switch (kind) {
    case InstructionKind::special_register: return t.interval_special_register;
    case InstructionKind::constant: return t.interval_constant_load;
    case InstructionKind::branch: return is_indirect(i) ? indirect_interval : 0;
    case InstructionKind::special:
      return i.opcode == Opcode::match || i.opcode == Opcode::redux ? t.interval_match : t.interval_lsu;
    default: return t.interval_lsu;
  }
}

/// From BMOV until the register is written, or until the one that it moves from may change. Fitted to the recursions of
/// tests/cuda/microbench (handover): a level takes 229 cycles, 43 more than without this.
constexpr double convergence_move_latency = 38;

double latency_of(const sass::Instruction& i, Pipe pipe, InstructionKind kind, const Timing& t) {
  if (kind == InstructionKind::branch) return t.latency_branch + (is_indirect(i) ? indirect_latency : 0);
  if (i.opcode == Opcode::bmov) return convergence_move_latency;
  if (i.opcode == Opcode::bsync) return t.latency_convergence;
  if (i.opcode == Opcode::yield) return t.latency_yield;
  if (i.opcode == Opcode::redux) return t.latency_redux;
  if (i.opcode == Opcode::match) return t.latency_match;
  switch (pipe) {
    case Pipe::xu: return t.latency_xu;
    case Pipe::fp64: return t.latency_fp64;
    case Pipe::tensor: return t.latency_tensor;
    case Pipe::uniform: return t.latency_uniform;
    case Pipe::mio: return kind == InstructionKind::constant ? t.latency_constant_load : t.latency_mio;
    default: return t.latency_mio;
  }
}

void add_operands(const sass::Instruction& i, InstructionTiming& to) {
  std::size_t slot = 0;
  for (const sass::Operand& o : i.operands) {
    if (o.kind == sass::OperandKind::constant && !o.bindless && to.constant == InstructionTiming::no_constant)
      to.constant = static_cast<std::uint32_t>(o.bank) << 16 | static_cast<std::uint32_t>((o.value & 0xffff) >> 6);
    if (o.written || slot >= to.sources.size()) continue;
    if (o.kind != sass::OperandKind::reg) {
      // Immediates and constants take the place of a register.
      slot += o.kind == sass::OperandKind::integer || o.kind == sass::OperandKind::f32 ||
                      o.kind == sass::OperandKind::constant || o.kind == sass::OperandKind::uniform_reg
                  ? 1
                  : 0;
      continue;
    }
    to.sources[slot] = o.reg;
    if (o.reuse) to.reuse |= static_cast<std::uint8_t>(1u << slot);
    ++slot;
  }
}

}  // namespace

std::vector<InstructionTiming> instruction_timings(const Program& program, const Timing& timing) {
  std::vector<InstructionTiming> timings;
  timings.reserve(program.machine_code->instructions.size());
  for (const sass::Instruction& i : program.machine_code->instructions) {
    InstructionTiming& to = timings.emplace_back();
    const InstructionKind kind = timing_kind(i);
    to.kind = kind;
    to.pipe = sass::row_of(i.opcode).pipe;
    to.interval = static_cast<float>(interval_of(i, kind, to.pipe, timing));
    to.latency = static_cast<float>(latency_of(i, to.pipe, kind, timing));
    to.unit = static_cast<float>(unit_cycles(i, kind, timing));
    to.stall = std::max<std::uint8_t>(1, i.control.stall);
    to.yield = i.control.yield;
    to.write_counter = i.control.write_barrier;
    to.read_counter = i.control.read_barrier;
    to.wait_mask = i.control.wait_mask;
    to.bypasses_l1 = i.has(sass::Word::strong_gpu) || i.has(sass::Word::strong_sys) || i.has(sass::Word::mmio_sys) ||
                     i.has(sass::Word::bypass);
    to.floating = i.has(sass::Word::f32_ftz_rn) || i.has(sass::Word::f32_rn) || i.has(sass::Word::f64_rn);
    to.arrives = i.opcode == Opcode::arrives || (i.opcode == Opcode::syncs && i.has(sass::Word::arrive));
    to.checks_phase = i.has(sass::Word::phasechk);
    to.sleeps = i.has(sass::Word::trywait);
    add_operands(i, to);
    for (const sass::Operand& o : i.operands) {
      const bool group = o.kind == sass::OperandKind::group_scoreboard && o.shown;
      if (group && kind == InstructionKind::group_product) to.commits = true;
      if (kind == InstructionKind::group_wait && o.kind == sass::OperandKind::integer)
        to.count = static_cast<std::uint8_t>(o.value);
    }
    if (kind == InstructionKind::wait_for_count) {
      // DEPBAR.LE SB0, 0x1
      for (const sass::Operand& o : i.operands) {
        if (o.kind == sass::OperandKind::scoreboard) to.counter = o.reg;
        if (o.kind == sass::OperandKind::integer) to.count = static_cast<std::uint8_t>(o.value);
        if (o.kind == sass::OperandKind::scoreboard_set) to.wait_mask |= static_cast<std::uint8_t>(o.value);
      }
    }
  }
  return timings;
}

}  // namespace warpwalk::gpu
