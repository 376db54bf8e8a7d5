#include "core/gpu/timing/estimate/ptx_units.h"

#include <algorithm>

#include "core/gpu/exec/lower/instruction_estimate.h"
#include "core/gpu/timing/asynchronous_units.h"

namespace warpwalk::gpu {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::OperandKind;
using ptx::Space;
using ptx::Special;
using ptx::Type;
using Kind = InstructionKind;

/// Offsets of an sm_90 kernel's parameters and launch dimensions in constant bank 0.
constexpr std::uint32_t first_parameter = 0x210, launch_dimensions = 0;

std::uint8_t memory_bits(Space space) {
  switch (space) {
    case Space::global: return global_memory;
    case Space::shared: return shared_memory;
    case Space::local: return local_memory;
    case Space::generic: return global_memory | shared_memory | local_memory;
    default: return no_memory;
  }
}

/// An access that other threads' accesses may be ordered with.
bool is_strong(const ptx::Instruction& i) {
  for (const Modifier m : {Modifier::volatile_, Modifier::mmio, Modifier::relaxed, Modifier::acquire, Modifier::release,
                           Modifier::acq_rel})
    if (i.has(m)) return true;
  return false;
}

/// A type that the FP16 pipe handles.
bool is_half(Type type) {
  return type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2;
}

}  // namespace

EstimatedInstruction PtxUnits::on(Pipe pipe, Kind kind) const {
  EstimatedInstruction made;
  InstructionTiming& to = made.timing;
  to.kind = kind;
  to.pipe = pipe;
  switch (pipe) {
    case Pipe::fma: to.interval = static_cast<float>(timing_.interval_fma); break;
    case Pipe::fma_heavy: to.interval = static_cast<float>(timing_.interval_fma_heavy); break;
    case Pipe::alu: to.interval = static_cast<float>(timing_.interval_alu); break;
    case Pipe::half: to.interval = static_cast<float>(timing_.interval_half); break;
    case Pipe::fp64:
      to.interval = static_cast<float>(timing_.interval_fp64);
      to.latency = static_cast<float>(timing_.latency_fp64);
      break;
    case Pipe::xu:
      to.interval = static_cast<float>(timing_.interval_xu);
      to.latency = static_cast<float>(timing_.latency_xu);
      made.counted = true;
      break;
    case Pipe::uniform: to.interval = static_cast<float>(timing_.interval_uniform); break;
    case Pipe::tensor:
      to.interval = static_cast<float>(timing_.interval_tensor);
      to.latency = static_cast<float>(timing_.latency_tensor);
      break;
    case Pipe::mio:
      to.interval = static_cast<float>(timing_.interval_mio);
      to.latency = static_cast<float>(kind == Kind::constant ? timing_.latency_constant_load : timing_.latency_mio);
      to.unit = static_cast<float>(kind == Kind::constant           ? timing_.interval_constant_load
                                   : kind == Kind::special_register ? timing_.interval_special_register
                                                                    : timing_.interval_lsu);
      made.counted = true;
      break;
    case Pipe::none: to.interval = 0; break;
  }
  return made;
}

EstimatedInstruction PtxUnits::constant(std::uint32_t offset) const {
  EstimatedInstruction load = on(Pipe::mio, Kind::constant);
  load.timing.constant = offset >> 6;
  return load;
}

EstimatedInstruction PtxUnits::special_register(Special special) const {
  switch (special) {
    case Special::ntid_x:
    case Special::ntid_y:
    case Special::ntid_z:
    case Special::nctaid_x:
    case Special::nctaid_y:
    case Special::nctaid_z: return constant(launch_dimensions);
    case Special::clock:
    case Special::clock_hi:
    case Special::clock64: return on(Pipe::alu);
    default: return on(Pipe::mio, Kind::special_register);
  }
}

EstimatedInstruction PtxUnits::memory_access(const ptx::Instruction& i, Space space, bool stores, bool returns) const {
  const Kind kind = space == Space::shared ? Kind::shared : space == Space::local ? Kind::local : Kind::global;
  EstimatedInstruction made = on(Pipe::mio, kind);
  made.counted = returns;
  made.memory = memory_bits(space);
  made.stores = stores;
  if (returns) made.words = static_cast<std::uint8_t>(std::max(1, ptx::bytes_of(i.type()) * i.vector / 4));
  made.ordered = is_strong(i);
  // ptxas makes STRONG.GPU loads of .cg, and STRONG.SYS ones of .cv.
  const bool past_l1 = i.has(Modifier::cg) || i.has(Modifier::cv);
  made.timing.bypasses_l1 = past_l1 || (made.ordered && !i.has(Modifier::cta) && !i.has(Modifier::cluster));
  return made;
}

EstimatedInstruction PtxUnits::load_or_store(const ptx::Instruction& i) const {
  const bool stores = i.opcode == Opcode::st;
  if (i.space == Space::param) {
    // A called function's parameters are in registers.
    const ptx::Operand& from = i.operands[stores ? 0 : 1];
    if (stores || !function_.is_entry || from.kind != OperandKind::parameter) return on(Pipe::alu);
    const std::uint32_t offset = first_parameter + static_cast<std::uint32_t>(from.offset) +
                                 function_.parameters[static_cast<std::size_t>(from.index)].offset;
    if (ptx::bytes_of(i.type()) * i.vector >= 8) return constant(offset);
    EstimatedInstruction load = on(Pipe::uniform);  // ULDC
    load.timing.constant = offset >> 6;
    return load;
  }
  if (i.space == Space::constant) {
    EstimatedInstruction load = on(Pipe::mio, Kind::constant);
    return load;
  }
  return memory_access(i, i.space, stores, !stores);
}

EstimatedInstruction PtxUnits::float_pipe(Type type) const {
  return on(type == Type::f64 ? Pipe::fp64 : is_half(type) ? Pipe::half : Pipe::fma);
}

EstimatedInstruction PtxUnits::conversion(const ptx::Instruction& i) const {
  const Type to = i.type(0), from = i.type(1);
  if (!ptx::is_float(to) && !ptx::is_float(from)) return on(Pipe::alu);
  if (to == Type::f64 || from == Type::f64) return on(Pipe::xu);
  if (ptx::is_float(to) && ptx::is_float(from)) {
    if (to == from) return on(Pipe::xu);                                              // FRND
    return ptx::bytes_of(to) > ptx::bytes_of(from) ? on(Pipe::half) : on(Pipe::alu);  // HADD2.F32, F2FP
  }
  if (to == Type::f32 && ptx::bytes_of(from) == 4) return on(Pipe::alu);  // I2FP
  return on(Pipe::xu);
}

EstimatedInstruction PtxUnits::product(const ptx::Instruction& i) const {
  if (ptx::is_float(i.type())) return float_pipe(i.type());
  EstimatedInstruction made = on(Pipe::fma_heavy);
  if (i.has(Modifier::wide) || i.has(Modifier::hi) || ptx::bytes_of(i.type()) == 8) made.timing.interval *= 2;
  return made;
}

EstimatedInstruction PtxUnits::group_product(const ptx::Instruction& i) const {
  EstimatedInstruction made = on(Pipe::tensor, Kind::group_product);
  const bool registers = i.operands[1].kind == OperandKind::vector;
  made.timing.interval = static_cast<float>(asynchronous::product_interval(i.columns(), registers));
  made.timing.commits = ends_group_of_products(function_, i);
  return made;
}

EstimatedInstruction PtxUnits::of(const ptx::Instruction& i) const {
  const Type type = i.type();
  switch (i.opcode) {
    case Opcode::add:
    case Opcode::sub: return ptx::is_float(type) ? float_pipe(type) : on(Pipe::alu);
    case Opcode::mul:
    case Opcode::fma:
    case Opcode::mad:
    case Opcode::madc:
    case Opcode::mad24:
    case Opcode::mul24: return product(i);
    case Opcode::dp2a:
    case Opcode::dp4a: return on(Pipe::fma_heavy);
    case Opcode::min:
    case Opcode::max:
    case Opcode::abs:
    case Opcode::neg: return type == Type::f64 || is_half(type) ? float_pipe(type) : on(Pipe::alu);
    case Opcode::set:
    case Opcode::setp: {
      EstimatedInstruction made = type == Type::f64 || is_half(type) ? float_pipe(type) : on(Pipe::alu);
      made.compares = true;
      return made;
    }
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_: {
      EstimatedInstruction made = on(Pipe::alu);
      made.compares = type == Type::pred;
      return made;
    }
    case Opcode::div:
    case Opcode::rem:
      if (ptx::is_float(type)) return float_pipe(type);
      return on(Pipe::fma_heavy);
    case Opcode::rcp:
    case Opcode::rsqrt:
    case Opcode::sqrt:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::tanh:
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::bfind:
    case Opcode::brev: return on(Pipe::xu);
    case Opcode::cvt: return conversion(i);
    case Opcode::mov: {
      if (i.operands[1].kind == OperandKind::special) return special_register(i.operands[1].special);
      if (i.operands[1].kind == OperandKind::variable || i.operands[1].kind == OperandKind::local_variable)
        return on(Pipe::uniform);
      return on(Pipe::alu);
    }
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st: return load_or_store(i);
    case Opcode::atom:
    case Opcode::red: {
      EstimatedInstruction made = memory_access(i, i.space, true, i.opcode == Opcode::atom);
      made.ordered = true;
      made.timing.floating = ptx::is_float(i.type());
      return made;
    }
    case Opcode::cp_async: {
      EstimatedInstruction made = on(Pipe::mio, Kind::copy);
      made.counted = false;
      made.memory = global_memory | shared_memory;
      made.stores = true;
      made.timing.bypasses_l1 = i.has(Modifier::cg);
      return made;
    }
    case Opcode::cp_async_commit_group: return on(Pipe::none, Kind::copy_group);
    case Opcode::cp_async_wait_group:
    case Opcode::cp_async_wait_all: return on(Pipe::none, Kind::wait_for_count);
    case Opcode::fence:
    case Opcode::membar: return on(Pipe::none, i.has(Modifier::cta) ? Kind::fence : Kind::fence_gpu);
    case Opcode::bar:
    case Opcode::barrier: return on(Pipe::mio, Kind::barrier);
    case Opcode::nanosleep: return on(Pipe::none, Kind::sleep);
    case Opcode::bra:
    case Opcode::brx_idx:
    case Opcode::bar_warp: return on(Pipe::none, Kind::branch);
    case Opcode::call: {
      EstimatedInstruction made = on(Pipe::none, Kind::branch);
      made.calls = true;
      return made;
    }
    case Opcode::ret: {
      EstimatedInstruction made = on(Pipe::none, function_.is_entry ? Kind::exit : Kind::branch);
      made.returns = true;
      return made;
    }
    case Opcode::exit: return on(Pipe::none, Kind::exit);
    case Opcode::shfl:
    case Opcode::movmatrix:
    case Opcode::elect:
    case Opcode::isspacep: return on(Pipe::mio, Kind::special);
    case Opcode::match:
    case Opcode::redux: {
      EstimatedInstruction made = on(Pipe::mio, Kind::special);
      made.timing.interval *= 2;
      made.timing.unit = static_cast<float>(timing_.interval_match);
      made.timing.latency =
          static_cast<float>(i.opcode == Opcode::match ? timing_.latency_match : timing_.latency_redux);
      return made;
    }
    case Opcode::cp_async_bulk:
    case Opcode::cp_async_bulk_tensor:
    case Opcode::cp_reduce_async_bulk:
    case Opcode::cp_reduce_async_bulk_tensor: return on(Pipe::none, Kind::bulk_copy);
    case Opcode::wgmma_mma_async: return group_product(i);
    case Opcode::wgmma_fence:
    case Opcode::wgmma_commit_group: return on(Pipe::none, Kind::group_sync);
    case Opcode::wgmma_wait_group: {
      EstimatedInstruction made = on(Pipe::none, Kind::group_wait);
      made.timing.count = static_cast<std::uint8_t>(std::min<std::uint64_t>(i.operands[0].bits, 255));
      return made;
    }
    case Opcode::st_async:
    case Opcode::red_async:
    case Opcode::cp_async_mbarrier_arrive:
    case Opcode::mbarrier_init:
    case Opcode::mbarrier_inval:
    case Opcode::mbarrier_expect_tx:
    case Opcode::mbarrier_complete_tx: {
      EstimatedInstruction made = on(Pipe::mio, Kind::shared);
      made.counted = false;
      return made;
    }
    case Opcode::mbarrier_arrive:
    case Opcode::mbarrier_arrive_drop:
    case Opcode::mbarrier_test_wait:
    case Opcode::mbarrier_try_wait: return on(Pipe::mio, Kind::shared);
    case Opcode::mma: return on(Pipe::tensor);
    case Opcode::wmma_mma: {
      EstimatedInstruction made = on(Pipe::tensor);
      made.timing.interval *= 2;  // two products of 16x8x16
      return made;
    }
    case Opcode::ldmatrix: return memory_access(i, Space::shared, false, true);
    case Opcode::stmatrix: return memory_access(i, Space::shared, true, false);
    case Opcode::wmma_load_a:
    case Opcode::wmma_load_b:
    case Opcode::wmma_load_c: return memory_access(i, i.space, false, true);
    case Opcode::wmma_store_d: return memory_access(i, i.space, true, false);
    case Opcode::tex:
    case Opcode::tld4:
    case Opcode::txq:
    case Opcode::suq:
    case Opcode::suld_b: {
      EstimatedInstruction made = on(Pipe::mio, Kind::texture);
      made.memory = textures;
      return made;
    }
    case Opcode::sust_b:
    case Opcode::sust_p:
    case Opcode::sured_b: {
      EstimatedInstruction made = on(Pipe::mio, Kind::texture);
      made.counted = false;
      made.memory = textures;
      made.stores = true;
      return made;
    }
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::discard:
    case Opcode::applypriority:
    case Opcode::cp_async_bulk_commit_group:
    case Opcode::cp_async_bulk_wait_group:
    case Opcode::cp_async_bulk_prefetch:
    case Opcode::cp_async_bulk_prefetch_tensor:
    case Opcode::setmaxnreg:
    case Opcode::griddepcontrol:
    case Opcode::trap:
    case Opcode::brkpt:
    case Opcode::pmevent: return on(Pipe::none);
    default: return on(Pipe::alu);
  }
}

}  // namespace warpwalk::gpu
