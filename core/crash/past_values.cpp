#include "core/crash/past_values.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/sass/analysis/register_use.h"
#include "core/sass/elf/bytes.h"
#include "core/sass/special_register.h"

namespace warpwalk::crash {

using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

namespace {

// Values are computed from few instructions; damaged code could ask for many.
constexpr unsigned max_depth = 40, max_steps = 20000;
// A warp stops at most some tens of instructions after the one that failed; as many before it can be looked at.
constexpr std::size_t max_way = 64, max_before = 512;
constexpr std::uint64_t word_bits = 32, word_mask = 0xffffffff;

/// The operands of an instruction that it reads: predicates apart from the others.
struct PastSources {
  std::vector<const Operand*> values, predicates;

  explicit PastSources(const sass::Instruction& i) {
    for (const Operand& operand : i.operands) {
      if (operand.written) continue;
      const bool is_predicate =
          operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate;
      (is_predicate ? predicates : values).push_back(&operand);
    }
  }
};

const Operand* first_result(const sass::Instruction& i) {
  for (const Operand& operand : i.operands)
    if (operand.written && (operand.kind == OperandKind::reg || operand.kind == OperandKind::uniform_reg))
      return &operand;
  return nullptr;
}

/// The instructions that are reached from `start` along the edges, up to `last`, with the fewest steps to each.
std::map<std::size_t, std::size_t> steps_along(const std::vector<std::vector<std::uint32_t>>& edges, std::size_t start,
                                               std::size_t last) {
  std::map<std::size_t, std::size_t> steps{{start, 0}};
  std::vector<std::size_t> queue{start};
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const std::size_t from = queue[at], count = steps[from];
    if (count >= max_way || from == last || from >= edges.size()) continue;
    for (const std::uint32_t to : edges[from])
      if (steps.emplace(to, count + 1).second) queue.push_back(to);
  }
  return steps;
}

std::uint64_t sign_extended(std::uint64_t word) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(word & word_mask)));
}

}  // namespace

std::optional<std::uint32_t> constant_word(const CoreDump& dump, const DumpGrid& grid, const LoadedFunction& function,
                                           std::uint32_t bank, std::uint64_t offset) {
  const auto word = [](std::string_view bytes) -> std::optional<std::uint32_t> {
    const auto number = sass::Bytes(bytes).number(0, 4);
    if (!number) return std::nullopt;
    return static_cast<std::uint32_t>(*number);
  };
  if (bank == 0 && offset >= grid.parameters_offset)
    if (const auto number = sass::Bytes(grid.parameters).number(offset - grid.parameters_offset, 4))
      return static_cast<std::uint32_t>(*number);
  for (const DumpConstantBank& place : grid.constant_banks)
    if (place.bank == bank && offset + 4 <= place.bytes)
      if (const auto number = word(dump.memory_at(place.address + offset, 4))) return number;
  if (bank == 0) return std::nullopt;
  for (const auto* const banks : {&function.function->constants, &function.cubin->constants})
    for (const sass::CubinConstants& constants : *banks)
      if (constants.number == bank)
        if (const auto number = sass::Bytes(constants.bytes).number(offset, 4))
          return static_cast<std::uint32_t>(*number);
  return std::nullopt;
}

PastValues::PastValues(const DumpThread& thread, const LoadedFunction& function, std::size_t start, std::size_t now)
    : thread_(thread), function_(function), start_(start), reaches_now_(start == now) {
  if (start == now) return;
  const auto after = steps_along(function.flow.successors, start, now);
  const auto before = steps_along(function.flow.predecessors, now, start);
  reaches_now_ = after.contains(now);
  for (const auto& [index, steps] : after)
    if (const auto other = before.find(index);
        other != before.end() && index != now && steps + other->second <= max_way)
      later_.push_back(index);
}

std::size_t PastValues::index_at(Time time) const {
  return time < 0 ? earlier_[static_cast<std::size_t>(-time - 1)] : start_;
}

/// Finds the instruction at a time before `start`, if no other one can have been there.
bool PastValues::knows(Time time) {
  while (static_cast<Time>(earlier_.size()) < -time) {
    const std::size_t after = earlier_.empty() ? start_ : earlier_.back();
    if (after >= function_.flow.predecessors.size() || earlier_.size() >= max_before) return false;
    const std::vector<std::uint32_t>& predecessors = function_.flow.predecessors[after];
    if (predecessors.size() != 1) return false;
    earlier_.push_back(predecessors.front());
  }
  return true;
}

std::optional<std::uint32_t> PastValues::general_before(unsigned number, Time before) {
  return number == sass::zero_register ? 0 : value({Kind::general, number}, before);
}

std::optional<std::uint32_t> PastValues::uniform_before(unsigned number, Time before) {
  return number == sass::zero_uniform_register ? 0 : value({Kind::uniform, number}, before);
}

std::optional<bool> PastValues::predicate_before(unsigned number, Time before, bool is_uniform) {
  if (number == sass::true_predicate) return true;
  const auto bit = value({is_uniform ? Kind::uniform_predicate : Kind::predicate, number}, before);
  if (!bit) return std::nullopt;
  return *bit != 0;
}

std::optional<bool> PastValues::executes_at(Time time) {
  const sass::Instruction* const i = instruction_at(time);
  if (i == nullptr) return std::nullopt;
  const auto holds = predicate_before(i->guard.reg, time, i->guard.kind == OperandKind::uniform_predicate);
  if (!holds) return std::nullopt;
  return *holds != i->guard.negate;
}

bool PastValues::writes(std::size_t index, Register r) const {
  const sass::Instruction* const i = function_.instruction(index);
  if (i == nullptr) return true;  // it may
  // A call of a function that is not in this code comes back, but what it has done is not known.
  const std::vector<std::uint32_t>& next = function_.flow.successors[index];
  if (i->opcode == Opcode::call && (next.empty() || std::ranges::find(next, index + 1) != next.end())) return true;
  const sass::RegisterSet written = sass::register_use(*i).writes;
  switch (r.kind) {
    case Kind::general: return r.number < written.general.size() && written.general.test(r.number);
    case Kind::uniform: return r.number < written.uniform.size() && written.uniform.test(r.number);
    case Kind::predicate: return r.number < written.predicates.size() && written.predicates.test(r.number);
    case Kind::uniform_predicate:
      return r.number < written.uniform_predicates.size() && written.uniform_predicates.test(r.number);
  }
  return true;
}

std::optional<std::uint32_t> PastValues::now(Register r) const {
  switch (r.kind) {
    case Kind::general: return thread_.lane->registers.at(r.number);
    case Kind::uniform: return thread_.warp->uniform_registers.at(r.number);
    case Kind::predicate: return thread_.lane->predicates.at(r.number);
    case Kind::uniform_predicate: return thread_.warp->uniform_predicates.at(r.number);
  }
  return std::nullopt;
}

/// Whether a register still has the value that it had before the instruction at `from`.
bool PastValues::kept_until_now(Register r, Time from) const {
  if (!reaches_now_) return false;
  for (Time time = from; time < 0; ++time)
    if (writes(index_at(time), r)) return false;
  return std::ranges::none_of(later_, [&](std::size_t index) { return writes(index, r); });
}

std::optional<std::uint32_t> PastValues::value(Register r, Time before) {
  if (kept_until_now(r, before)) return now(r);
  if (depth_ >= max_depth) return std::nullopt;
  for (Time time = before - 1; knows(time) && ++steps_ <= max_steps; --time) {
    if (!writes(index_at(time), r)) continue;
    ++depth_;
    const auto executed = executes_at(time);
    std::optional<std::uint32_t> computed;
    if (executed) computed = *executed ? result(time, r) : value(r, time);
    --depth_;
    return computed;
  }
  return std::nullopt;
}

std::set<std::uint64_t> PastValues::constants(unsigned number, unsigned uniform_number) {
  std::set<std::uint64_t> offsets;
  std::set<std::pair<Time, std::pair<Kind, unsigned>>> seen;
  steps_ = 0;
  const auto follow = [&](const auto& self, Register r, Time before) -> void {
    const bool is_zero = (r.kind == Kind::general && r.number == sass::zero_register) ||
                         (r.kind == Kind::uniform && r.number == sass::zero_uniform_register);
    if (is_zero || !seen.insert({before, {r.kind, r.number}}).second) return;
    for (Time time = before - 1; knows(time) && ++steps_ <= max_steps; --time) {
      if (!writes(index_at(time), r)) continue;
      const sass::Instruction* const i = instruction_at(time);
      if (i == nullptr || i->opcode == Opcode::call) return;
      for (const Operand& o : i->operands) {
        if (o.written) continue;
        if (o.kind == OperandKind::constant && o.bank == 0 && !o.bindless && !o.indexed)
          offsets.insert(static_cast<std::uint64_t>(o.value));
        // A value that was loaded from memory is not followed further.
        if (o.kind == OperandKind::address) return;
        if (o.kind == OperandKind::reg) self(self, {Kind::general, o.reg}, time);
        if (o.kind == OperandKind::uniform_reg) self(self, {Kind::uniform, o.reg}, time);
      }
      return;
    }
  };
  follow(follow, {Kind::general, number}, 0);
  follow(follow, {Kind::uniform, uniform_number}, 0);
  return offsets;
}

std::optional<std::uint32_t> PastValues::special(std::uint64_t number) const {
  if (number == sass::special_lane_id) return thread_.lane->lane;
  if (number >= sass::special_tid_x && number < sass::special_tid_x + 3U)
    return thread_.lane->thread[number - sass::special_tid_x];
  if (number >= sass::special_ctaid_x && number < sass::special_ctaid_x + 3U)
    return thread_.block->block[number - sass::special_ctaid_x];
  if (number == sass::special_zero) return 0;
  return std::nullopt;
}

/// The 32-bit word `word` of an operand, before a negation or inversion.
std::optional<std::uint32_t> PastValues::source(Time time, const Operand& o, unsigned word) {
  switch (o.kind) {
    case OperandKind::reg: return o.reg == sass::zero_register ? 0 : general_before(o.reg + word, time);
    case OperandKind::uniform_reg: return o.reg == sass::zero_uniform_register ? 0 : uniform_before(o.reg + word, time);
    case OperandKind::f16_pair:
    case OperandKind::integer: {
      const auto bits = static_cast<std::uint64_t>(o.value);
      return static_cast<std::uint32_t>(word == 0 ? bits : bits >> word_bits);
    }
    case OperandKind::constant: {
      if (o.bindless) return std::nullopt;
      std::uint64_t offset = static_cast<std::uint64_t>(o.value) + 4 * word;
      if (o.indexed && o.reg != sass::zero_register) {
        const auto base = general_before(o.reg, time);
        if (!base) return std::nullopt;
        offset += *base;
      }
      return constant_word(*thread_.dump, *thread_.grid, function_, o.bank, offset);
    }
    case OperandKind::special_reg: return special(static_cast<std::uint64_t>(o.value));
    default: return std::nullopt;
  }
}

std::optional<std::uint64_t> PastValues::wide_source(Time time, const Operand& o) {
  const auto low = source(time, o), high = source(time, o, 1);
  if (!low || !high) return std::nullopt;
  return std::uint64_t{*high} << word_bits | *low;
}

/// The carries that an instruction with .X adds.
std::optional<std::uint64_t> PastValues::carries(Time time) {
  const sass::Instruction& i = *instruction_at(time);
  std::uint64_t total = 0;
  if (!i.has(Word::x)) return total;
  for (const Operand* const o : PastSources(i).predicates) {
    const auto carry = predicate_before(o->reg, time, o->kind == OperandKind::uniform_predicate);
    if (!carry) return std::nullopt;
    total += *carry != o->negate ? 1 : 0;
  }
  return total;
}

/// A sum of three with all its carries: bits above 32 are the carry.
std::optional<std::uint64_t> PastValues::sum(Time time) {
  const sass::Instruction& i = *instruction_at(time);
  const PastSources from(i);
  std::uint64_t total = 0;
  for (const Operand* const o : from.values) {
    const auto word = source(time, *o);
    if (!word) return std::nullopt;
    total += o->negate ? std::uint64_t{~*word} + 1 : o->invert ? std::uint64_t{~*word} : *word;
  }
  const auto carried = carries(time);
  if (!carried) return std::nullopt;
  return total + *carried;
}

/// a * b + c, of 64 bits for IMAD.WIDE.
std::optional<std::uint64_t> PastValues::product(Time time) {
  const sass::Instruction& i = *instruction_at(time);
  const PastSources from(i);
  if (from.values.size() != 3 || i.has(Word::x) || i.has(Word::hi)) return std::nullopt;
  const bool is_wide = i.has(Word::wide), is_signed = i.word(sass::Field::type) != Word::u32;
  const auto a = source(time, *from.values[0]), b = source(time, *from.values[1]);
  std::optional<std::uint64_t> c;
  if (is_wide)
    c = wide_source(time, *from.values[2]);
  else if (const auto word = source(time, *from.values[2]))
    c = *word;
  if (!a || !b || !c) return std::nullopt;
  const auto signed_word = [&](std::uint32_t word, const Operand& o) {
    const std::uint64_t wide = is_signed ? sign_extended(word) : word;
    return o.negate ? -wide : wide;
  };
  const std::uint64_t addend = from.values[2]->negate ? -*c : *c;
  return signed_word(*a, *from.values[0]) * signed_word(*b, *from.values[1]) + addend;
}

/// LEA: (a << shift) + b, with the carry above bit 32; .HI: the upper half of the shifted a.
std::optional<std::uint64_t> PastValues::shifted_sum(Time time) {
  const sass::Instruction& i = *instruction_at(time);
  const PastSources from(i);
  if (from.values.size() < 3 || from.values.back()->kind != OperandKind::integer) return std::nullopt;
  const auto shift = static_cast<std::uint64_t>(from.values.back()->value) & (word_bits - 1);
  const Operand& first = *from.values[0];
  const auto a = source(time, first), b = source(time, *from.values[1]);
  if (!a || !b || from.values[1]->negate) return std::nullopt;
  std::uint64_t high = 0;
  if (i.has(Word::sx32)) {
    high = sign_extended(*a) >> word_bits;
  } else if (i.has(Word::hi)) {
    const auto upper = source(time, *from.values[2]);
    if (!upper) return std::nullopt;
    high = *upper;
  }
  std::uint64_t wide = high << word_bits | *a;
  if (first.negate) wide = -wide;
  if (first.invert) wide = ~wide;
  const std::uint64_t shifted = i.has(Word::hi) ? wide << shift >> word_bits : wide << shift;
  const std::uint64_t total = (shifted & word_mask) + (from.values[1]->invert ? ~*b & word_mask : *b);
  const auto carried = carries(time);
  if (!carried) return std::nullopt;
  return total + *carried;
}

std::optional<std::uint32_t> PastValues::logic(Time time) {
  const PastSources from(*instruction_at(time));
  if (from.values.size() != 4) return std::nullopt;
  const auto a = source(time, *from.values[0]), b = source(time, *from.values[1]), c = source(time, *from.values[2]);
  if (!a || !b || !c) return std::nullopt;
  const auto table = static_cast<std::uint64_t>(from.values[3]->value);
  std::uint32_t bits = 0;
  for (unsigned bit = 0; bit < word_bits; ++bit) {
    const unsigned row = (*a >> bit & 1) << 2 | (*b >> bit & 1) << 1 | (*c >> bit & 1);
    bits |= static_cast<std::uint32_t>(table >> row & 1) << bit;
  }
  return bits;
}

/// SHF: part of the 64 bits of the third and the first source, shifted.
std::optional<std::uint32_t> PastValues::shifted(Time time) {
  const sass::Instruction& i = *instruction_at(time);
  const PastSources from(i);
  if (from.values.size() != 3) return std::nullopt;
  const auto low = source(time, *from.values[0]), amount = source(time, *from.values[1]),
             high = source(time, *from.values[2]);
  if (!low || !high || !amount || *amount >= word_bits) return std::nullopt;
  const std::uint64_t wide = std::uint64_t{*high} << word_bits | *low;
  const Word type = i.word(sass::Field::type);
  const bool left = i.word(sass::Field::direction) == Word::l, is_signed = type == Word::s32 || type == Word::s64;
  std::uint64_t moved = left ? wide << *amount : wide >> *amount;
  if (!left && is_signed) moved = static_cast<std::uint64_t>(static_cast<std::int64_t>(wide) >> *amount);
  return static_cast<std::uint32_t>(i.has(Word::hi) ? moved >> word_bits : moved);
}

/// The value that an instruction gave to a register.
std::optional<std::uint32_t> PastValues::result(Time time, Register r) {
  const sass::Instruction& i = *instruction_at(time);
  const bool is_predicate = r.kind == Kind::predicate || r.kind == Kind::uniform_predicate;
  const Operand* const to = first_result(i);
  if (is_predicate) {
    // The carry of the lower half of an address. Two carries of one sum are not told apart here.
    const bool adds = i.opcode == Opcode::iadd3 || i.opcode == Opcode::uiadd3;
    if (!adds && i.opcode != Opcode::lea && i.opcode != Opcode::ulea) return std::nullopt;
    const auto total = adds ? sum(time) : shifted_sum(time);
    if (!total || *total >> word_bits > 1 || i.has(Word::n64)) return std::nullopt;
    return static_cast<std::uint32_t>(*total >> word_bits);
  }
  if (to == nullptr || r.number < to->reg) return std::nullopt;
  const unsigned word = r.number - to->reg;
  const PastSources from(i);
  const auto word_of = [&](std::optional<std::uint64_t> wide) -> std::optional<std::uint32_t> {
    if (!wide || word > 1) return std::nullopt;
    return static_cast<std::uint32_t>(word == 0 ? *wide : *wide >> word_bits);
  };
  switch (i.opcode) {
    case Opcode::mov:
    case Opcode::umov:
    case Opcode::r2ur:
    case Opcode::s2r:
    case Opcode::s2ur:
    case Opcode::ldc:
    case Opcode::ldcu:
    case Opcode::uldc: {
      if (from.values.empty()) return std::nullopt;
      const Word size = i.word(sass::Field::size);
      if (size == Word::u8 || size == Word::s8 || size == Word::u16 || size == Word::s16) return std::nullopt;
      return source(time, *from.values[0], word);
    }
    case Opcode::cs2r:
      // Of the registers that it reads, only the one that is always 0 is known.
      if (from.values.empty() || from.values[0]->value != sass::special_zero) return std::nullopt;
      return 0;
    case Opcode::hfma2: {
      // The compiler loads constants with 0 * 0 + constant.
      const auto is_zero = [&](std::size_t k) {
        return from.values[k]->kind == OperandKind::reg && from.values[k]->reg == sass::zero_register;
      };
      if (from.values.size() != 3 || !is_zero(0) || !is_zero(1)) return std::nullopt;
      return source(time, *from.values[2], word);
    }
    case Opcode::iadd3:
    case Opcode::uiadd3:
      if (word != 0 || i.has(Word::n64)) return std::nullopt;
      return word_of(sum(time));
    case Opcode::imad:
    case Opcode::uimad: return word_of(product(time));
    case Opcode::lea:
    case Opcode::ulea: return word == 0 ? word_of(shifted_sum(time)) : std::nullopt;
    case Opcode::lop3:
    case Opcode::ulop3: return word == 0 ? logic(time) : std::nullopt;
    case Opcode::shf:
    case Opcode::ushf: return word == 0 ? shifted(time) : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace warpwalk::crash
