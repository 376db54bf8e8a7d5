#include "core/gpu/exec/shadow/control_dependencies.h"

#include <algorithm>

#include "core/gpu/exec/uses.h"

namespace warpwalk::gpu {

namespace {

bool is_branch(const ptx::Instruction& i) {
  return i.opcode == ptx::Opcode::bra || i.opcode == ptx::Opcode::brx_idx || i.opcode == ptx::Opcode::ret ||
         i.opcode == ptx::Opcode::exit;
}

bool reads_memory(const ptx::Instruction& i) {
  if (i.opcode == ptx::Opcode::ldmatrix || i.opcode == ptx::Opcode::ldu || i.opcode == ptx::Opcode::suld_b) return true;
  return i.opcode == ptx::Opcode::ld && i.space != ptx::Space::param && i.space != ptx::Space::constant;
}

/// The places of registers in a function's frame.
std::vector<FramePlace> places_of(const Function& function, const std::set<std::int32_t>& registers) {
  std::vector<FramePlace> places;
  for (const std::int32_t r : registers) {
    const auto index = static_cast<std::size_t>(r);
    const int bytes = ptx::bytes_of(function.source->registers[index].type);
    places.push_back({function.register_offsets[index],
                      bytes == 0 ? 4 : static_cast<std::uint32_t>(lanes_per_warp * std::max(bytes, 2))});
  }
  return places;
}

std::vector<FramePlace> places_of(const MachineFrame& frame, const sass::RegisterSet& registers) {
  constexpr std::uint32_t word_bytes = lanes_per_warp * 4, predicate_bytes = 4;
  std::vector<FramePlace> places;
  const auto add = [&places](const auto& bits, std::uint32_t first, std::uint32_t bytes) {
    for (std::size_t i = 0; i < bits.size(); ++i)
      if (bits.test(i)) places.push_back({first + static_cast<std::uint32_t>(i) * bytes, bytes});
  };
  add(registers.general, frame.general, word_bytes);
  add(registers.uniform, frame.uniform, word_bytes);
  add(registers.predicates, frame.predicates, predicate_bytes);
  add(registers.uniform_predicates, frame.uniform_predicates, predicate_bytes);
  return places;
}

/// The registers of a program that was lowered from PTX.
struct PtxRegisters {
  const Program& program;
  std::set<std::int32_t> known;

  /// Adds what the instruction reads, if it is a branch that counts or writes a register that counts.
  bool take(std::uint32_t source, bool is_deciding) {
    const Uses uses = uses_of(*program.sources[source].instruction);
    if (!is_deciding && std::ranges::none_of(uses.writes, [&](std::int32_t r) { return known.contains(r); }))
      return false;
    known.insert(uses.reads.begin(), uses.reads.end());
    return true;
  }
  std::size_t size() const { return known.size(); }
  std::vector<FramePlace> places(const std::set<std::uint32_t>& blocks) const {
    return places_of(program.functions[program.ops[program.blocks[*blocks.begin()].first].function], known);
  }
};

/// The same of machine code.
struct MachineRegisters {
  const Program& program;
  sass::RegisterSet known;

  bool take(std::uint32_t source, bool is_deciding) {
    const sass::RegisterUse& use = program.machine_code->uses[source];
    if (!is_deciding && (use.writes & known).empty()) return false;
    known |= use.reads;
    return true;
  }
  std::size_t size() const {
    return known.general.count() + known.uniform.count() + known.predicates.count() + known.uniform_predicates.count();
  }
  std::vector<FramePlace> places(const std::set<std::uint32_t>&) const {
    return places_of(program.machine_code->frame, known);
  }
};

template <class Registers>
ControlDependencies dependencies(Registers registers, const std::set<std::uint32_t>& blocks,
                                 const std::set<std::uint32_t>& deciding) {
  ControlDependencies found;
  std::size_t before = 0;
  do {
    before = registers.size() + found.blocks.size();
    for (const std::uint32_t number : blocks) {
      const BasicBlock& block = registers.program.blocks[number];
      for (std::uint32_t i = block.first_source; i < block.first_source + block.sources; ++i) {
        const ptx::Instruction& instruction = *registers.program.sources[i].instruction;
        const bool is_deciding = deciding.contains(number) && is_branch(instruction);
        if (!registers.take(i, is_deciding)) continue;
        found.blocks.insert(number);
        found.from_memory |= !is_deciding && reads_memory(instruction);
      }
    }
  } while (registers.size() + found.blocks.size() != before);
  found.places = registers.places(blocks);
  return found;
}

}  // namespace

ControlDependencies control_dependencies(const Program& program, const std::set<std::uint32_t>& blocks,
                                         const std::set<std::uint32_t>& deciding) {
  return program.machine_code ? dependencies(MachineRegisters{program, {}}, blocks, deciding)
                              : dependencies(PtxRegisters{program, {}}, blocks, deciding);
}

}  // namespace warpwalk::gpu
