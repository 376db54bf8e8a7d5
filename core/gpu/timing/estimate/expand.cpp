#include "core/gpu/timing/estimate/expand.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "core/gpu/exec/uses.h"

namespace warpwalk::gpu {

namespace {

using ptx::Opcode;

/// A 64-bit operation whose halves do not depend on each other.
bool has_independent_halves(Opcode opcode) {
  switch (opcode) {
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::selp:
    case Opcode::shl:
    case Opcode::shr: return true;
    default: return false;
  }
}

}  // namespace

bool stands_alone(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::bar:
    case Opcode::barrier:
    case Opcode::fence:
    case Opcode::membar:
    case Opcode::nanosleep:
    case Opcode::cp_async_commit_group:
    case Opcode::cp_async_wait_group:
    case Opcode::cp_async_wait_all:
    case Opcode::cp_async_bulk:
    case Opcode::cp_async_bulk_commit_group:
    case Opcode::cp_async_bulk_wait_group:
    case Opcode::cp_async_bulk_prefetch:
    case Opcode::cp_async_bulk_tensor:
    case Opcode::cp_async_bulk_prefetch_tensor:
    case Opcode::cp_reduce_async_bulk:
    case Opcode::cp_reduce_async_bulk_tensor:
    case Opcode::st_async:
    case Opcode::red_async:
    case Opcode::wgmma_fence:
    case Opcode::wgmma_mma_async:
    case Opcode::wgmma_commit_group:
    case Opcode::wgmma_wait_group:
    case Opcode::setmaxnreg:
    case Opcode::cp_async_mbarrier_arrive:
    case Opcode::mbarrier_init:
    case Opcode::mbarrier_inval:
    case Opcode::mbarrier_arrive:
    case Opcode::mbarrier_arrive_drop:
    case Opcode::mbarrier_expect_tx:
    case Opcode::mbarrier_complete_tx:
    case Opcode::mbarrier_test_wait:
    case Opcode::mbarrier_try_wait:
    case Opcode::griddepcontrol:
    case Opcode::alloca_:
    case Opcode::stacksave:
    case Opcode::stackrestore:
    case Opcode::call:
    case Opcode::brx_idx:
    case Opcode::trap: return true;
    case Opcode::mov:
      return i.operands[1].kind == ptx::OperandKind::special && i.operands[1].special >= ptx::Special::clock &&
             i.operands[1].special <= ptx::Special::globaltimer_hi;
    default: return false;
  }
}

std::vector<EstimatedInstruction> Expander::preparation(const ptx::Instruction& i, int count, Pipe last) const {
  const auto chain = [&](std::initializer_list<Pipe> first, Pipe rest) {
    std::vector<EstimatedInstruction> steps;
    for (const Pipe pipe : first)
      if (static_cast<int>(steps.size()) < count - 1) steps.push_back(units_.on(pipe));
    while (static_cast<int>(steps.size()) < count - 1) steps.push_back(units_.on(rest));
    return steps;
  };
  const bool f64 = i.type() == ptx::Type::f64;
  switch (i.opcode) {
    case Opcode::div:
    case Opcode::rem:
      if (!ptx::is_float(i.type())) return chain({Pipe::xu, Pipe::xu, Pipe::xu}, Pipe::fma_heavy);
      return chain({Pipe::xu}, f64 ? Pipe::fp64 : Pipe::fma);
    case Opcode::rcp:
    case Opcode::rsqrt:
    case Opcode::sqrt:
      if (f64) return chain({Pipe::xu}, Pipe::fp64);
      if (count > 4) return chain({Pipe::xu}, Pipe::fma);
      return chain({Pipe::alu, Pipe::fma, Pipe::xu}, Pipe::fma);
    case Opcode::ex2:
    case Opcode::lg2: return chain({Pipe::alu, Pipe::fma, Pipe::xu}, Pipe::fma);
    case Opcode::sin:
    case Opcode::cos: return chain({}, Pipe::fma);
    case Opcode::mov: return {units_.special_register(ptx::Special::cluster_ctarank)};  // for the base of shared memory
    case Opcode::cp_async_wait_all: return {units_.on(Pipe::none, InstructionKind::copy_group)};
    case Opcode::fence:
    case Opcode::membar: return chain({}, Pipe::none);
    default: return chain({}, last == Pipe::mio || last == Pipe::none ? Pipe::alu : last);
  }
}

void Expander::expand(const ptx::Instruction& i, std::uint32_t source, int count,
                      std::vector<EstimatedInstruction>& to) {
  Uses uses = uses_of(i);
  // The next product does not wait for D, and what reads it stands behind wgmma.wait_group.
  if (i.opcode == Opcode::wgmma_mma_async)
    for (const std::int32_t d : std::exchange(uses.writes, {})) std::erase(uses.reads, d);
  EstimatedInstruction last = count == 0 ? EstimatedInstruction{} : units_.of(i);
  if (count > 1) {
    std::vector<EstimatedInstruction> steps = preparation(i, count, last.timing.pipe);
    // After a special function, the result is refined by multiplications.
    const bool special = std::ranges::any_of(steps, [](const auto& step) { return step.timing.pipe == Pipe::xu; });
    if (special && last.timing.pipe == Pipe::xu) last = units_.on(i.type() == ptx::Type::f64 ? Pipe::fp64 : Pipe::fma);
    const bool halves = count == 2 && has_independent_halves(i.opcode);
    const bool constant = i.opcode == Opcode::fma;  // a move of an immediate
    std::int32_t before = -1;
    for (EstimatedInstruction& step : steps) {
      step.source = source;
      step.last = false;
      step.guard = i.guard;
      if (!constant) step.reads = uses.reads;
      if (before >= 0) step.reads.push_back(before);
      step.writes.push_back(before = temporaries_++);
      to.push_back(std::move(step));
    }
    if (halves) {
      to.back().writes = uses.writes;
    } else {
      last.reads.push_back(before);
    }
  }
  last.source = source;
  last.guard = i.guard;
  last.folded = count == 0;
  last.reads.insert(last.reads.end(), uses.reads.begin(), uses.reads.end());
  last.writes = std::move(uses.writes);
  if (last.timing.kind == InstructionKind::wait_for_count && i.opcode == Opcode::cp_async_wait_group)
    last.timing.count = static_cast<std::uint8_t>(std::min<std::uint64_t>(i.operands[0].bits, 255));
  to.push_back(std::move(last));
}

void Expander::add_overhead(std::uint32_t source, int count, bool first, std::vector<EstimatedInstruction>& to) {
  constexpr std::uint32_t stack_pointer = 0x28;
  const auto add = [&](EstimatedInstruction made) {
    if (count-- <= 0) return;
    made.source = source;
    made.last = false;
    if (made.counted) made.writes.push_back(temporaries_++);
    to.push_back(std::move(made));
  };
  if (first && function_.is_entry) {
    add(units_.constant(stack_pointer));
    if (count % 2 != 0) add(units_.on(Pipe::uniform));  // the descriptor of global memory
  }
  while (count > 0) {
    add(units_.on(Pipe::none));
    add(units_.on(Pipe::none, InstructionKind::branch));
  }
}

}  // namespace warpwalk::gpu
