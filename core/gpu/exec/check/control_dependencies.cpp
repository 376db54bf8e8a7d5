#include "core/gpu/exec/check/control_dependencies.h"

#include <algorithm>

#include "core/gpu/exec/lower/uses.h"

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

ControlDependencies in_machine_code(const Program& program, const std::set<std::uint32_t>& blocks) {
  const MachineCode& code = *program.machine_code;
  sass::RegisterSet known;
  const auto for_each_instruction = [&](auto act) {
    for (const std::uint32_t number : blocks) {
      const BasicBlock& block = program.blocks[number];
      for (std::uint32_t i = 0; i < block.sources; ++i)
        act(*program.sources[block.first_source + i].instruction, code.uses[block.first_source + i]);
    }
  };
  for_each_instruction([&](const ptx::Instruction& i, const sass::RegisterUse& use) {
    if (is_branch(i)) known |= use.reads;
  });
  ControlDependencies deciding;
  for (bool grows = true; grows;) {
    const sass::RegisterSet before = known;
    for_each_instruction([&](const ptx::Instruction& i, const sass::RegisterUse& use) {
      if ((use.writes & known).empty()) return;
      known |= use.reads;
      deciding.from_memory |= reads_memory(i);
    });
    grows = !(known == before);
  }
  deciding.places = places_of(code.frame, known);
  return deciding;
}

ControlDependencies in_ptx(const Program& program, const std::set<std::uint32_t>& blocks) {
  std::vector<const ptx::Instruction*> instructions;
  std::set<std::int32_t> known;
  for (const std::uint32_t number : blocks) {
    const BasicBlock& block = program.blocks[number];
    for (std::uint32_t i = 0; i < block.sources; ++i) {
      instructions.push_back(program.sources[block.first_source + i].instruction);
      if (!is_branch(*instructions.back())) continue;
      const Uses uses = uses_of(*instructions.back());
      known.insert(uses.reads.begin(), uses.reads.end());
    }
  }
  ControlDependencies deciding;
  for (bool grows = true; grows;) {
    const std::size_t before = known.size();
    for (const ptx::Instruction* const i : instructions) {
      const Uses uses = uses_of(*i);
      if (std::none_of(uses.writes.begin(), uses.writes.end(), [&](std::int32_t r) { return known.contains(r); }))
        continue;
      known.insert(uses.reads.begin(), uses.reads.end());
      deciding.from_memory |= reads_memory(*i);
    }
    grows = known.size() != before;
  }
  deciding.places = places_of(program.functions[program.ops[program.blocks[*blocks.begin()].first].function], known);
  return deciding;
}

}  // namespace

ControlDependencies control_dependencies(const Program& program, const std::set<std::uint32_t>& blocks) {
  return program.machine_code ? in_machine_code(program, blocks) : in_ptx(program, blocks);
}

}  // namespace warpwalk::gpu
