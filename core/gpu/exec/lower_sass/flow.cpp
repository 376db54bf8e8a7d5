#include <cstring>

#include <fmt/format.h>

#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"
#include "core/sass/opcode_properties.h"
#include "core/sass/special_register.h"
#include "core/sass/text.h"

namespace warpwalk::gpu {

using sass::Opcode;
using sass::OperandKind;

namespace {

/// True if the instruction after this one starts a basic block: lanes may leave here, or others may join.
bool ends_block(const sass::Instruction& i) {
  if (i.opcode == Opcode::bar) return i.guard.reg != sass::true_predicate;
  return lowering_of(i.opcode).properties.ends_block;
}

/// True if the uniform datapath executes the instruction, independent of the active lanes. VOTEU reads the registers of
/// the active lanes.
bool is_uniform(const sass::Instruction& i) {
  switch (i.opcode) {
    case Opcode::voteu: return false;
    case Opcode::plop3: return i.guard.kind == OperandKind::uniform_predicate;
    case Opcode::cs2ur:
    case Opcode::s2ur: return i.operands[1].value == sass::special_zero;
    default: return sass::row_of(i.opcode).pipe == sass::Pipe::uniform;
  }
}

}  // namespace

MachineCodeLowering::MachineCodeLowering(Program& program, sass::Architecture architecture, const CodeImage& image,
                                         const ptx::Function& source)
    : program_(program), architecture_(architecture), image_(image), code_(image.code), source_(source) {
  widths_.registers = {{"word", ptx::Type::b32}, {"pair", ptx::Type::b64}};
}

void MachineCodeLowering::find_leaders() {
  leads_.assign(code_.size(), 0);
  if (!leads_.empty()) leads_[0] = 1;
  const auto lead = [&](std::uint64_t address) {
    if (address % sass::instruction_bytes == 0 && address / sass::instruction_bytes < leads_.size())
      leads_[address / sass::instruction_bytes] = 1;
  };
  bool jumps_by_table = false;
  for (std::size_t index = 0; index < code_.size(); ++index) {
    const sass::Instruction& i = code_[index];
    if (image_.reachable[index] == 0 || !ends_block(i)) continue;
    lead(i.address + sass::instruction_bytes);
    jumps_by_table = jumps_by_table || i.opcode == Opcode::brx;
    for (const sass::Operand& o : i.operands)
      if (o.kind == OperandKind::target) lead(static_cast<std::uint64_t>(o.value));
  }
  for (const CodeImage::Part& part : image_.parts) {
    lead(part.begin);
    for (const sass::CubinCallee& callee : part.function->callees) lead(part.begin + callee.offset);
    if (!jumps_by_table) continue;
    // The tables of BRX are among the compiler's constants. Constants that are not addresses of the code are ignored.
    for (const sass::CubinConstants& bank : part.function->constants) {
      if (bank.number == 0) continue;
      for (std::size_t at = 0; at + 4 <= bank.bytes.size(); at += 4) {
        std::uint32_t address = 0;
        std::memcpy(&address, bank.bytes.data() + at, 4);
        lead(part.begin + address);
      }
    }
  }
}

void MachineCodeLowering::begin_block(std::size_t index) {
  BasicBlock& block = program_.blocks.emplace_back();
  block.first = static_cast<std::uint32_t>(program_.ops.size());
  block.first_source = static_cast<std::uint32_t>(index);
  Op& op = program_.ops.emplace_back();
  op.run = handlers::enter_block;
  op.block = static_cast<std::uint32_t>(program_.blocks.size() - 1);
}

void MachineCodeLowering::patch_targets() {
  const auto& first_op = program_.machine_code->first_op;
  for (const Target& target : targets_) {
    const std::uint64_t number = target.address / sass::instruction_bytes;
    if (target.address % sass::instruction_bytes != 0 || number >= first_op.size())
      refuse("jumps out of the kernel's code");
    program_.ops[target.op].target = first_op[number];
  }
}

std::string MachineCodeLowering::run() {
  std::vector<std::uint32_t>& first_op = program_.machine_code->first_op;
  try {
    lay_out_frame();
    find_leaders();
    for (index_ = 0; index_ < code_.size(); ++index_) {
      i_ = &code_[index_];
      if (leads_[index_] != 0) {
        begin_block(index_);
        first_op.push_back(program_.blocks.back().first);
      } else {
        first_op.push_back(static_cast<std::uint32_t>(program_.ops.size()));
      }
      ++program_.blocks.back().sources;
      ++program_.blocks.back().machine_instructions;
      program_.sources.push_back(
          {&source_, &source_.instructions[index_], static_cast<std::uint32_t>(program_.blocks.size() - 1), 1});
      scratch_used_ = scratch_predicates_used_ = 0;
      program_.machine_code->uses.push_back(sass::register_use(*i_));
      program_.machine_code->instructions.push_back(*i_);
      uniform_ = is_uniform(*i_);
      if (image_.reachable[index_] == 0) {
        emit_plain(handlers::leave_code);
        continue;
      }
      if (is_false(i_->guard)) {
        emit_plain(handlers::no_operation);  // it issues, but does nothing
        continue;
      }
      use_guard();
      lower();
    }
    patch_targets();
  } catch (const MachineCodeRefusal& refusal) {
    return fmt::format("instruction {:#06x}: `{}` {}", i_->address, sass::mnemonic_of(*i_), refusal.why);
  }
  // Execution never gets past the last instruction: code ends with a jump to itself.
  Op& end = program_.ops.emplace_back();
  end.run = handlers::leave_code;
  end.block = static_cast<std::uint32_t>(program_.blocks.size() - 1);
  end.instruction = static_cast<std::uint32_t>(code_.size() - 1);
  return {};
}

}  // namespace warpwalk::gpu
