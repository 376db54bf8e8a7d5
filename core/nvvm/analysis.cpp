#include "core/nvvm/analysis.h"

#include <algorithm>
#include <limits>

#include "core/nvvm/reader.h"

namespace warpwalk::nvvm {
namespace {

constexpr int unknown_space = -1;
constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

bool has_memory_effect(const Instruction& one) {
  if (one.opcode == "call") return one.assembly || !one.words.starts_with("llvm.") || one.words.starts_with("llvm.mem");
  return one.opcode == "store" || one.opcode == "atomicrmw" || one.opcode == "cmpxchg" || one.opcode == "fence";
}

bool is_widening(const Instruction& one) {
  return (one.opcode == "sext" || one.opcode == "zext") && one.type->bits == 64 && one.operands[0].type->bits == 32;
}

// An instruction whose result is kept in the registers of its operands.
bool is_other_name(const Instruction& one) {
  static constexpr std::string_view names[] = {"freeze", "addrspacecast", "inttoptr", "ptrtoint", "shufflevector"};
  return std::ranges::find(names, one.opcode) != std::end(names) || one.opcode.starts_with("insert") ||
         one.opcode.starts_with("extract");
}

// The accessed type and the operand with the address.
const Type& accessed(const Instruction& one) { return one.opcode == "load" ? *one.type : *one.operands.front().type; }
const Operand& address_of(const Instruction& one) { return one.operands[one.opcode == "load" ? 0 : 1]; }

}  // namespace

bool is_constant_address(const Instruction& one) {
  return one.opcode == "getelementptr" &&
         constant_offset(one.element, {one.operands.begin() + 1, one.operands.end()}).has_value();
}

Analysis::Analysis(const Module& module, const Function& function) : module_(module), function_(function) {
  for (std::size_t b = 0; b < function.blocks.size(); ++b)
    for (std::size_t i = 0; i < function.blocks[b].code.size(); ++i) {
      const Instruction& one = function.blocks[b].code[i];
      if (!one.result.empty()) definitions_[one.result] = &one;
      for (const Operand& operand : one.operands)
        if (operand.kind == Operand::Kind::local) uses_[operand.name].push_back({&one, b, i});
    }
  find_spaces();
  fold();
  for (const Block& block : function.blocks) merge_accesses(block);
  for (std::size_t b = 0; b < function.blocks.size(); ++b) join_phis(function.blocks[b], b);
}

const Instruction* Analysis::definition(const std::string& name) const {
  const auto at = definitions_.find(name);
  return at == definitions_.end() ? nullptr : at->second;
}

int Analysis::space_of(const Operand& operand) const {
  if (operand.type->kind != Type::Kind::pointer) return generic_space;
  if (operand.type->space != 0) return static_cast<int>(operand.type->space);
  switch (operand.kind) {
    case Operand::Kind::local: {
      const auto at = spaces_.find(operand.name);
      return at == spaces_.end() ? generic_space : at->second;
    }
    case Operand::Kind::cast:
    case Operand::Kind::address: return space_of(operand.parts.front());
    case Operand::Kind::undefined: return unknown_space;
    default: return generic_space;
  }
}

int Analysis::meet_of(const Instruction& one) const {
  int space = unknown_space;
  const auto meet = [&](const Operand& operand) {
    const int other = space_of(operand);
    if (other != unknown_space) space = space == unknown_space || space == other ? other : generic_space;
  };
  if (one.opcode == "phi")
    for (const Operand& operand : one.operands) meet(operand);
  else if (one.opcode == "select")
    for (std::size_t i = 1; i < one.operands.size(); ++i) meet(one.operands[i]);
  else if (one.opcode == "getelementptr" || one.opcode == "addrspacecast" || one.opcode == "freeze")
    meet(one.operands.front());
  else
    space = one.opcode == "alloca" ? local_space : generic_space;
  return space;
}

void Analysis::find_spaces() {
  for (std::size_t i = 0; i < function_.parameters.size(); ++i)
    if (function_.parameters[i].type->kind == Type::Kind::pointer)
      spaces_[function_.parameters[i].name] = function_.by_value[i] != 0 ? local_space
                                              : function_.kernel         ? global_space
                                                                         : generic_space;
  for (const auto& [name, one] : definitions_)
    if (one->type->kind == Type::Kind::pointer && one->type->space == 0) spaces_[name] = unknown_space;
  // Spaces only become more general, so this ends.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [name, one] : definitions_) {
      if (one->type->kind != Type::Kind::pointer || one->type->space != 0) continue;
      const int space = meet_of(*one);
      if (space == spaces_[name]) continue;
      spaces_[name] = space;
      changed = true;
    }
  }
  for (auto& [name, space] : spaces_)
    if (space == unknown_space) space = generic_space;
}

void Analysis::fold() {
  const auto all_uses = [&](const Instruction& one, auto&& good) {
    const auto at = uses_.find(one.result);
    return at != uses_.end() && std::ranges::all_of(at->second, [&](const Use& use) { return good(*use.by); });
  };
  // From the end, so that the users of an instruction are known; loops go through phis, which are not folded.
  for (auto block = function_.blocks.rbegin(); block != function_.blocks.rend(); ++block)
    for (auto one = block->code.rbegin(); one != block->code.rend(); ++one) {
      const auto use_is_address = [&](const Instruction& user) {
        if (user.opcode == "load") return true;
        if (user.opcode == "store") return user.operands[0].name != one->result;
        return user.opcode == "getelementptr" && folded_.contains(&user);
      };
      const auto use_is_index = [&](const Instruction& user) {
        return user.opcode == "getelementptr" && user.operands[0].name != one->result && user.operands.size() == 2;
      };
      const auto use_is_sum = [&](const Instruction& user) {
        return user.contract && (user.opcode == "fadd" || user.opcode == "fsub") && user.type->is_scalar();
      };
      if (is_constant_address(*one) && all_uses(*one, use_is_address)) folded_.insert(&*one);
      if (is_widening(*one) && all_uses(*one, use_is_index)) folded_.insert(&*one);
      if (one->opcode == "fmul" && one->contract && one->type->is_scalar() && uses_[one->result].size() == 1 &&
          all_uses(*one, use_is_sum)) {
        // Only one of two products can be a part of a sum.
        const Instruction& sum = *uses_[one->result].front().by;
        const bool other = std::ranges::any_of(sum.operands, [&](const Operand& operand) {
          const Instruction* const def = operand.kind == Operand::Kind::local ? definition(operand.name) : nullptr;
          return def != nullptr && def != &*one && folded_.contains(def);
        });
        if (!other) folded_.insert(&*one);
      }
    }
}

Root Analysis::root_of(const Operand& address) const {
  Root root{&address, 0};
  while (true) {
    const Operand& base = *root.base;
    if (base.kind == Operand::Kind::address) {
      root.offset += base.offset;
      root.base = &base.parts.front();
    } else if (base.kind == Operand::Kind::cast && base.parts.front().type->kind == Type::Kind::pointer) {
      root.base = &base.parts.front();
    } else if (base.kind == Operand::Kind::local) {
      const Instruction* const one = definition(base.name);
      if (one == nullptr || !is_constant_address(*one)) return root;
      root.offset += *constant_offset(one->element, {one->operands.begin() + 1, one->operands.end()});
      root.base = &one->operands.front();
    } else {
      return root;
    }
  }
}

const std::vector<const Instruction*>* Analysis::merged(const Instruction& one) const {
  const auto at = merged_.find(&one);
  return at == merged_.end() ? nullptr : &at->second;
}

const Instruction* Analysis::same_register(const Instruction& one) const {
  const auto at = same_.find(&one);
  return at == same_.end() ? nullptr : at->second;
}

// Accesses of neighbouring words that are aligned together, such as those of a float4, become one.
bool Analysis::merge_at(const Block& block, std::size_t at) {
  constexpr std::size_t farthest = 64, most = 4, widest = 16;
  const Instruction& first = block.code[at];
  const Type& type = accessed(first);
  const std::uint64_t bytes = size_of(type);
  const bool load = first.opcode == "load";
  const auto fits = [&](const Instruction& one) {
    return one.opcode == first.opcode && !one.is_volatile && !folded_.contains(&one) && !merged_.contains(&one) &&
           accessed(one).kind == type.kind && size_of(accessed(one)) == bytes && accessed(one).is_scalar() &&
           !accessed(one).is_bit() && space_of(address_of(one)) == space_of(address_of(first));
  };
  if (!fits(first) || first.alignment < 2 * bytes) return false;
  const Root root = root_of(address_of(first));
  const auto same_root = [&](const Instruction& one) {
    const Root other = root_of(address_of(one));
    return other.base->kind == root.base->kind && other.base->name == root.base->name && !other.base->name.empty();
  };
  // A store that may be to the same bytes stays between the others.
  const auto keeps_order = [&](const Instruction& one) {
    if (load || one.opcode != "store" || (fits(one) && same_root(one))) return false;
    const int here = space_of(address_of(first)), there = space_of(address_of(one));
    return here == there || here == 0 || there == 0;
  };
  std::vector<const Instruction*> found(most, nullptr);
  std::vector<std::size_t> places(most, 0);
  found[0] = &first;
  places[0] = at;
  const std::size_t end = std::min(block.code.size(), at + farthest);
  // A store may come before the one with the lowest address.
  std::size_t begin = at;
  if (!load)
    while (begin > 0 && at - begin < farthest && block.code[begin - 1].opcode != "load" &&
           (block.code[begin - 1].opcode == "store" || !has_memory_effect(block.code[begin - 1])) &&
           !keeps_order(block.code[begin - 1]))
      --begin;
  for (std::size_t i = load ? at + 1 : begin; i < end; ++i) {
    const Instruction& one = block.code[i];
    if (i == at) continue;
    if (load ? has_memory_effect(one) : one.opcode == "load" || (one.opcode != "store" && has_memory_effect(one)))
      break;
    if (i > at && keeps_order(one)) break;
    if (one.opcode != first.opcode || !fits(one) || !same_root(one)) continue;
    const std::int64_t apart = root_of(address_of(one)).offset - root.offset;
    if (apart <= 0 || apart % static_cast<std::int64_t>(bytes) != 0) continue;
    const auto place = static_cast<std::size_t>(apart) / bytes;
    if (place >= most || found[place] != nullptr) continue;
    found[place] = &one;
    places[place] = i;
  }
  std::size_t count = 1;
  while (count < most && found[count] != nullptr) ++count;
  count = count >= 4 && 4 * bytes <= widest && first.alignment >= 4 * bytes ? 4 : count >= 2 ? 2 : 1;
  if (count == 1) return false;
  found.resize(count);
  places.resize(count);
  const std::size_t where = load ? *std::ranges::min_element(places) : *std::ranges::max_element(places);
  for (std::size_t i = 0; i < count; ++i) {
    written_at_[found[i]] = where;
    if (places[i] == where)
      merged_[found[i]] = found;
    else
      folded_.insert(found[i]);
  }
  return true;
}

void Analysis::merge_accesses(const Block& block) {
  for (std::size_t i = 0; i < block.code.size(); ++i)
    if (block.code[i].opcode == "load" || block.code[i].opcode == "store") merge_at(block, i);
}

// The place in a block at which a value is used last; `never` if it is used elsewhere. What `next` computes of it is not
// followed.
std::size_t Analysis::last_use(const std::string& name, std::size_t block, const Instruction* next) const {
  std::size_t last = 0;
  const auto at = uses_.find(name);
  if (at == uses_.end()) return 0;
  for (const Use& use : at->second) {
    if (use.block != block || use.by->opcode == "phi" || is_other_name(*use.by)) return never;
    std::size_t place = use.at;
    if (const auto written = written_at_.find(use.by); written != written_at_.end())
      place = std::max(place, written->second);
    else if (use.by != next && (folded_.contains(use.by) || is_constant_address(*use.by)))
      place = std::max(place, last_use(use.by->result, block, next));  // it is read through its base (root_of)
    last = std::max(last, place);
  }
  return last;
}

// In a loop of one block, the next value of a phi can be written over the present one if that is not used any more.
void Analysis::join_phis(const Block& block, std::size_t number) {
  static constexpr std::string_view plain[] = {"add",  "sub",  "mul", "fadd", "fsub", "fmul",         "shl",
                                               "lshr", "ashr", "and", "or",   "xor",  "getelementptr"};
  for (const Instruction& phi : block.code) {
    if (phi.opcode != "phi") break;
    if (!phi.type->is_scalar() || phi.type->is_bit()) continue;
    for (std::size_t i = 0; i < phi.operands.size(); ++i) {
      if (phi.labels[i] != block.name || phi.operands[i].kind != Operand::Kind::local) continue;
      const Instruction* const next = definition(phi.operands[i].name);
      if (next == nullptr || same_.contains(next) || folded_.contains(next)) continue;
      const auto at = std::ranges::find_if(block.code, [&](const Instruction& one) { return &one == next; });
      if (at == block.code.end() || std::ranges::find(plain, next->opcode) == std::end(plain)) continue;
      if (space_of(phi.operands[i]) != spaces_[phi.result] && phi.type->kind == Type::Kind::pointer) continue;
      const auto place = static_cast<std::size_t>(at - block.code.begin());
      // Accesses at a constant distance go through the phi, which would be the next value already.
      const auto is_address = [](const Use& use) { return use.by->opcode != "phi" && use.by->opcode != "icmp"; };
      if (is_constant_address(*next) && std::ranges::any_of(uses_.at(next->result), is_address)) continue;
      if (last_use(phi.result, number, next) <= place) same_[next] = &phi;
    }
  }
}

}  // namespace warpwalk::nvvm
