#include "core/story/facts/code/ptx_fate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/gpu/exec/uses.h"
#include "core/sass/analysis/register_use.h"
#include "core/sass/opcode_properties.h"
#include "core/sass/text.h"

namespace warpwalk::story {
namespace {

constexpr std::int32_t no_loop = -1;

const sass::Instruction* at(std::span<const sass::Decoded> code, std::uint32_t i) {
  return std::get_if<sass::Instruction>(&code[i]);
}

std::string mnemonic(std::span<const sass::Decoded> code, std::uint32_t i) {
  const sass::Instruction* const instruction = at(code, i);
  return instruction == nullptr ? "?" : sass::mnemonic_of(*instruction);
}

// How often the most frequent of these machine instructions occurs. `moves`: also counts those that only move values.
std::uint32_t copies_of(std::span<const sass::Decoded> code, const std::vector<std::uint32_t>& sass, bool moves) {
  std::map<std::string, std::uint32_t> counts;
  std::uint32_t most = 0;
  for (const std::uint32_t i : sass) {
    const sass::Instruction* const instruction = at(code, i);
    if (!moves && (instruction == nullptr || sass::kind_of(*instruction) == sass::InstructionKind::move)) continue;
    most = std::max(most, ++counts[mnemonic(code, i)]);
  }
  return most;
}

bool uses_uniform_registers(const sass::Instruction* instruction) {
  return instruction != nullptr && !instruction->operands.empty() && instruction->operands[0].written &&
         (instruction->operands[0].kind == sass::OperandKind::uniform_reg ||
          instruction->operands[0].kind == sass::OperandKind::uniform_predicate);
}

bool accesses_memory(const ptx::Instruction& i) {
  return (i.opcode == ptx::Opcode::ld || i.opcode == ptx::Opcode::st) && i.space != ptx::Space::param;
}

bool works_on_floats(const ptx::Instruction& i) {
  const ptx::Type type = i.type();
  const bool floats = type == ptx::Type::f16 || type == ptx::Type::f32 || type == ptx::Type::f64;
  return floats && (i.opcode == ptx::Opcode::add || i.opcode == ptx::Opcode::sub || i.opcode == ptx::Opcode::mul ||
                    i.opcode == ptx::Opcode::fma);
}

bool ends_block(const ptx::Instruction& i) {
  return i.opcode == ptx::Opcode::bra || i.opcode == ptx::Opcode::brx_idx || i.opcode == ptx::Opcode::ret ||
         i.opcode == ptx::Opcode::exit;
}

/// The blocks and loops of a function's PTX.
struct Structure {
  std::vector<std::uint32_t> block;  ///< of each instruction
  std::vector<std::int32_t> loop;    ///< the instruction at which its innermost loop begins; no_loop: none
};

Structure structure_of(const ptx::Function& function) {
  const std::size_t count = function.instructions.size();
  std::vector<bool> starts(count + 1, false);
  std::vector<std::int32_t> sizes(count, 0);
  Structure out{std::vector<std::uint32_t>(count, 0), std::vector<std::int32_t>(count, no_loop)};
  for (std::size_t i = 0; i < count; ++i) {
    const ptx::Instruction& instruction = function.instructions[i];
    if (ends_block(instruction)) starts[i + 1] = true;
    for (const ptx::Operand& operand : instruction.operands) {
      if (operand.kind != ptx::OperandKind::label || operand.index < 0) continue;
      const auto target = static_cast<std::size_t>(operand.index);
      if (target <= count) starts[target] = true;
      if (target > i) continue;
      // A backward branch closes a loop.
      const auto size = static_cast<std::int32_t>(i - target + 1);
      for (std::size_t inside = target; inside <= i; ++inside)
        if (sizes[inside] == 0 || size < sizes[inside]) {
          sizes[inside] = size;
          out.loop[inside] = static_cast<std::int32_t>(target);
        }
    }
  }
  for (std::size_t i = 1; i < count; ++i) out.block[i] = out.block[i - 1] + (starts[i] ? 1 : 0);
  return out;
}

// Which of these numbers, all different, stay if the fewest others are taken out to leave an increasing sequence.
std::vector<bool> longest_increasing(const std::vector<std::uint32_t>& numbers) {
  std::vector<std::size_t> tails;  // of the sequences of each length, the one with the smallest last number
  std::vector<std::optional<std::size_t>> before(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto place = std::ranges::lower_bound(tails, numbers[i], {}, [&](std::size_t t) { return numbers[t]; });
    if (place != tails.begin()) before[i] = *(place - 1);
    if (place == tails.end())
      tails.push_back(i);
    else
      *place = i;
  }
  std::vector<bool> kept(numbers.size(), false);
  for (std::optional<std::size_t> i = tails.empty() ? std::nullopt : std::optional(tails.back()); i; i = before[*i])
    kept[*i] = true;
  return kept;
}

class Fates {
 public:
  Fates(const ptx::Function& function, std::span<const sass::Decoded> code, std::span<const std::uint32_t> lines)
      : function_(function), code_(code), structure_(structure_of(function)) {
    for (const ptx::Instruction& instruction : function.instructions) {
      fates_.emplace_back().line = instruction.line;
      uses_.push_back(gpu::uses_of(instruction));
    }
    // Several instructions in one line, as inline assembly writes them, share their machine instructions.
    std::map<std::uint32_t, std::size_t> first_of_line;
    for (std::size_t i = 0; i < fates_.size(); ++i) first_of_line.emplace(fates_[i].line, i);
    for (std::uint32_t i = 0; i < std::min(code.size(), lines.size()); ++i)
      if (const auto found = first_of_line.find(lines[i]); found != first_of_line.end())
        fates_[found->second].sass.push_back(i);
    for (std::size_t i = 0; i < fates_.size(); ++i)
      if (const std::size_t first = first_of_line[fates_[i].line]; first != i) fates_[i].sass = fates_[first].sass;
  }

  std::vector<PtxFate> take() {
    find_unrolled();
    for (std::size_t i = 0; i < fates_.size(); ++i)
      if (fates_[i].sass.empty())
        explain_missing(i);
      else
        classify(i);
    find_moved();
    return std::move(fates_);
  }

 private:
  const ptx::Instruction& ptx(std::size_t i) const { return function_.instructions[i]; }

  // The least number of copies of the loads, stores and floating-point operations of each loop.
  void find_unrolled() {
    for (std::size_t i = 0; i < fates_.size(); ++i) {
      if (structure_.loop[i] == no_loop || fates_[i].sass.empty()) continue;
      if (!accesses_memory(ptx(i)) && !works_on_floats(ptx(i))) continue;
      const std::uint32_t copies = copies_of(code_, fates_[i].sass, false);
      const auto [known, fresh] = copies_of_loop_.emplace(structure_.loop[i], copies);
      if (!fresh) known->second = std::min(known->second, copies);
    }
  }

  void classify(std::size_t i) {
    PtxFate& fate = fates_[i];
    fate.uniform =
        std::ranges::all_of(fate.sass, [&](std::uint32_t s) { return uses_uniform_registers(at(code_, s)); });
    const auto loop = copies_of_loop_.find(structure_.loop[i]);
    const std::uint32_t copies = copies_of(code_, fate.sass, true);
    if (structure_.loop[i] != no_loop && loop != copies_of_loop_.end() && loop->second > 1 && copies > 1) {
      fate.kind = PtxFate::Kind::unrolled;
      fate.copies = copies;
    } else {
      fate.kind = fate.sass.size() > 1 ? PtxFate::Kind::expanded : PtxFate::Kind::kept;
    }
  }

  void explain_missing(std::size_t i) {
    PtxFate& fate = fates_[i];
    const ptx::Instruction& instruction = ptx(i);
    if (accesses_memory(instruction)) {
      if (const auto wider = wider_access(i)) {
        fate.kind = PtxFate::Kind::merged;
        fate.into = fates_[*wider].line;
      }
      return;
    }
    // A generic address in global memory is the same number: the conversion needs no instruction.
    if (uses_[i].writes.empty() || instruction.opcode == ptx::Opcode::cvta) return;
    const bool copy = instruction.opcode == ptx::Opcode::mov || instruction.opcode == ptx::Opcode::ld;
    std::set<std::size_t> seen;
    const auto user = user_with_code(i, seen);
    if (!user) return;
    fate.kind = copy ? PtxFate::Kind::operand : PtxFate::Kind::merged;
    fate.into = fates_[*user].line;
  }

  // An access of the same block whose machine instruction includes the bytes of this one.
  std::optional<std::size_t> wider_access(std::size_t i) const {
    const ptx::Operand* const own = address_of(ptx(i));
    if (own == nullptr) return {};
    for (std::size_t k = 0; k < fates_.size(); ++k) {
      const ptx::Operand* const other = address_of(ptx(k));
      if (k == i || structure_.block[k] != structure_.block[i] || ptx(k).opcode != ptx(i).opcode) continue;
      if (other == nullptr || other->kind != own->kind || other->index != own->index) continue;
      for (const std::uint32_t s : fates_[k].sass) {
        const sass::Instruction* const machine = at(code_, s);
        if (machine == nullptr) continue;
        std::int64_t bytes = 0;
        for (std::size_t o = 0; o < machine->operands.size(); ++o)
          if (machine->operands[o].kind == sass::OperandKind::reg)
            bytes = std::max<std::int64_t>(bytes, 4 * std::int64_t{sass::register_count(*machine, o)});
        if (own->offset >= other->offset && own->offset < other->offset + bytes) return k;
      }
    }
    return {};
  }

  static const ptx::Operand* address_of(const ptx::Instruction& i) {
    if (!accesses_memory(i)) return nullptr;
    const auto found = std::ranges::find_if(i.operands, &ptx::Operand::address);
    return found == i.operands.end() ? nullptr : &*found;
  }

  // The next instruction, in the order of the text and then from its start, that has machine code and uses this
  // result, directly or through others without machine code.
  std::optional<std::size_t> user_with_code(std::size_t i, std::set<std::size_t>& seen) const {
    if (!seen.insert(i).second) return {};
    for (std::size_t step = 1; step < fates_.size(); ++step) {
      const std::size_t k = (i + step) % fates_.size();
      const bool uses = std::ranges::any_of(uses_[k].reads, [&](std::int32_t reg) {
        return std::ranges::find(uses_[i].writes, reg) != uses_[i].writes.end();
      });
      if (!uses) continue;
      if (!fates_[k].sass.empty()) return k;
      if (const auto further = user_with_code(k, seen)) return further;
    }
    return {};
  }

  void find_moved() {
    for (std::size_t begin = 0; begin < fates_.size();) {
      std::size_t end = begin;
      std::vector<std::size_t> members;  // with machine code, in the order of the PTX
      for (; end < fates_.size() && structure_.block[end] == structure_.block[begin]; ++end)
        if (!fates_[end].sass.empty() && (end == begin || fates_[end].line != fates_[end - 1].line))
          members.push_back(end);
      std::vector<std::uint32_t> order;
      for (const std::size_t i : members) order.push_back(main_instruction(i));
      const std::vector<bool> stays = longest_increasing(order);
      for (std::size_t m = 0; m < members.size(); ++m) {
        const auto before = std::ranges::count_if(order, [&](std::uint32_t other) { return other < order[m]; });
        if (!stays[m]) fates_[members[m]].moved = static_cast<std::int32_t>(static_cast<std::ptrdiff_t>(m) - before);
      }
      begin = end;
    }
  }

  // The machine instruction that gives the result: the last of a sequence, of the first copy if there are several.
  std::uint32_t main_instruction(std::size_t i) const {
    const PtxFate& fate = fates_[i];
    return fate.kind == PtxFate::Kind::unrolled ? fate.sass.front() : fate.sass.back();
  }

  const ptx::Function& function_;
  std::span<const sass::Decoded> code_;
  Structure structure_;
  std::vector<gpu::Uses> uses_;
  std::vector<PtxFate> fates_;
  std::map<std::int32_t, std::uint32_t> copies_of_loop_;
};

}  // namespace

std::vector<PtxFate> ptx_fates(const ptx::Function& function, std::span<const sass::Decoded> code,
                               std::span<const std::uint32_t> lines) {
  return Fates(function, code, lines).take();
}

}  // namespace warpwalk::story
