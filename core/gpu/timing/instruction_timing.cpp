#include "core/gpu/timing/instruction_timing.h"

#include <algorithm>

#include "core/gpu/timing/asynchronous_units.h"
#include "core/sass/analysis/register_use.h"

namespace warpwalk::gpu {

namespace {

using sass::Opcode;

struct Class {
  InstructionKind kind;
  Pipe pipe;
};

/// Which unit executes an opcode. Sources: NVIDIA's "Nsight Compute, Metrics Decoder" (pipelines), the arithmetic
/// throughput table of the CUDA programming guide, and tests/cuda/microbench.
Class class_of(const sass::Instruction& i) {
  using K = InstructionKind;
  switch (i.opcode) {
    case Opcode::ffma:
    case Opcode::fadd:
    case Opcode::fmul: return {K::arithmetic, Pipe::fma};
    case Opcode::imad:
    case Opcode::idp: return {K::arithmetic, Pipe::fma_heavy};
    case Opcode::hfma2:
    case Opcode::hadd2:
    case Opcode::hmul2: return {K::arithmetic, Pipe::half};
    case Opcode::dadd:
    case Opcode::dmul:
    case Opcode::dfma:
    case Opcode::dsetp: return {K::arithmetic, Pipe::fp64};
    case Opcode::mufu:
    case Opcode::i2f:
    case Opcode::f2i:
    case Opcode::f2f:
    case Opcode::frnd:
    case Opcode::popc:
    case Opcode::flo:
    case Opcode::brev:
    case Opcode::fchk: return {K::arithmetic, Pipe::xu};
    case Opcode::hmma:
    case Opcode::imma:
    case Opcode::dmma:
    case Opcode::bmma: return {K::arithmetic, Pipe::tensor};
    case Opcode::hgmma:
    case Opcode::igmma:
    case Opcode::qgmma:
    case Opcode::bgmma: return {K::group_product, Pipe::tensor};
    case Opcode::warpgroup:
      return {i.has(sass::Word::arrive) || i.has(sass::Word::wait) ? K::group_sync : K::group_wait, Pipe::none};
    case Opcode::utmaldg:
    case Opcode::utmastg:
    case Opcode::utmaredg:
    case Opcode::ublkcp:
    case Opcode::ublkred: return {K::bulk_copy, Pipe::none};
    case Opcode::utmacmdflush: return {K::bulk_group, Pipe::none};
    case Opcode::uiadd3:
    case Opcode::uimad:
    case Opcode::uisetp:
    case Opcode::uldc:
    case Opcode::ulea:
    case Opcode::ulop3:
    case Opcode::umov:
    case Opcode::upopc:
    case Opcode::usel:
    case Opcode::usgxt:
    case Opcode::ushf:
    case Opcode::ubrev:
    case Opcode::uplop3:
    case Opcode::uprmt:
    case Opcode::ubmsk:
    case Opcode::voteu:
    case Opcode::up2ur:
    case Opcode::uflo: return {K::arithmetic, Pipe::uniform};
    case Opcode::s2r:
    case Opcode::s2ur:
    case Opcode::b2r: return {K::special_register, Pipe::mio};
    case Opcode::r2ur:
    case Opcode::shfl:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::movm:
    case Opcode::qspc:
    case Opcode::elect: return {K::special, Pipe::mio};
    case Opcode::lds:
    case Opcode::sts:
    case Opcode::ldsm:
    case Opcode::stsm:
    case Opcode::atoms:
    case Opcode::stas:
    case Opcode::redas:
    case Opcode::syncs: return {K::shared, Pipe::mio};
    case Opcode::ldg:
    case Opcode::ld:
    case Opcode::stg:
    case Opcode::st:
    case Opcode::atom:
    case Opcode::atomg:
    case Opcode::red:
    case Opcode::redg: return {K::global, Pipe::mio};
    case Opcode::ldl:
    case Opcode::stl: return {K::local, Pipe::mio};
    case Opcode::ldgsts: return {K::copy, Pipe::mio};
    case Opcode::ldgdepbar: return {K::copy_group, Pipe::none};
    case Opcode::depbar: return {K::wait_for_count, Pipe::none};
    case Opcode::tex:
    case Opcode::tld:
    case Opcode::tld4:
    case Opcode::txd:
    case Opcode::txq:
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured: return {K::texture, Pipe::mio};
    case Opcode::ldc: return {K::constant, Pipe::mio};
    case Opcode::bar: return {K::barrier, Pipe::mio};
    case Opcode::ucgabar_arv:
    case Opcode::ucgabar_wait: return {K::barrier, Pipe::none};
    case Opcode::membar: return {i.has(sass::Word::cta) || i.has(sass::Word::sm) ? K::fence : K::fence_gpu, Pipe::none};
    case Opcode::fence: return {K::fence, Pipe::none};
    case Opcode::nanosleep: return {K::sleep, Pipe::none};
    case Opcode::exit: return {K::exit, Pipe::none};
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::call:
    case Opcode::ret:
    case Opcode::warpsync:
    case Opcode::break_: return {K::branch, Pipe::none};
    case Opcode::yield:
    case Opcode::bsync: return {K::converge, Pipe::none};
    case Opcode::bssy:
    case Opcode::nop:
    case Opcode::errbar:
    case Opcode::cctl:
    case Opcode::preexit:
    case Opcode::acqbulk:
    case Opcode::usetmaxreg:
    case Opcode::utmapf:
    case Opcode::ublkpf:
    case Opcode::utmacctl:
    case Opcode::bmov:
    case Opcode::lepc: return {K::arithmetic, Pipe::none};
    default: return {K::arithmetic, Pipe::alu};
  }
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
    case Pipe::mio:
      switch (i.opcode) {
        case Opcode::match:
        case Opcode::redux: return 2 * t.interval_mio;
        default: return t.interval_mio;
      }
    case Pipe::none: break;
  }
  return 0;
}

/// Cycles of the unit of the SM that a queued instruction goes to, without those of accesses to memory.
double unit_cycles(const sass::Instruction& i, InstructionKind kind, const Timing& t) {
  switch (kind) {
    case InstructionKind::special_register: return t.interval_special_register;
    case InstructionKind::constant: return t.interval_constant_load;
    case InstructionKind::special:
      return i.opcode == Opcode::match || i.opcode == Opcode::redux ? t.interval_match : t.interval_lsu;
    default: return t.interval_lsu;
  }
}

double latency_of(const sass::Instruction& i, Pipe pipe, InstructionKind kind, const Timing& t) {
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
    const Class type = class_of(i);
    to.kind = type.kind;
    to.pipe = type.pipe;
    to.interval = static_cast<float>(interval_of(i, type.kind, type.pipe, timing));
    to.latency = static_cast<float>(latency_of(i, type.pipe, type.kind, timing));
    to.unit = static_cast<float>(unit_cycles(i, type.kind, timing));
    to.stall = std::max<std::uint8_t>(1, i.control.stall);
    to.yield = i.control.yield;
    to.write_counter = i.control.write_barrier;
    to.read_counter = i.control.read_barrier;
    to.wait_mask = i.control.wait_mask;
    to.bypasses_l1 = i.has(sass::Word::strong_gpu) || i.has(sass::Word::strong_sys) || i.has(sass::Word::mmio_sys) ||
                     i.has(sass::Word::bypass);
    to.floating = i.has(sass::Word::f32_ftz_rn) || i.has(sass::Word::f32_rn) || i.has(sass::Word::f64_rn);
    to.sleeps = i.has(sass::Word::trywait);
    add_operands(i, to);
    for (const sass::Operand& o : i.operands) {
      const bool group = o.kind == sass::OperandKind::group_scoreboard && o.shown;
      if (group && type.kind == InstructionKind::group_product) to.commits = true;
      if (type.kind == InstructionKind::group_wait && o.kind == sass::OperandKind::integer)
        to.count = static_cast<std::uint8_t>(o.value);
    }
    if (type.kind == InstructionKind::wait_for_count) {
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
