#include "core/gpu/exec/lower/instruction_estimate.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/gpu/exec/lower/contraction.h"
#include "core/gpu/exec/lower/known_values.h"

namespace warpwalk::gpu {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

bool is_wide(Type type) { return ptx::bytes_of(type) == 8 && !ptx::is_float(type); }

/// Machine instructions of an expanded instruction on its common path, counted in the sm_90 code of nvcc 13.0. 0 if it
/// is not expanded.
int expanded(const ptx::Instruction& i) {
  const Type type = i.type();
  const bool exact = !i.has(Modifier::approx) && !i.has(Modifier::full);
  switch (i.opcode) {
    case Opcode::div:
    case Opcode::rem:
      if (type == Type::f64) return 13;
      if (type == Type::f32) return exact ? 12 : i.has(Modifier::approx) ? 2 : 6;
      if (is_wide(type)) return 70;
      return ptx::is_signed(type) ? 21 : 17;
    case Opcode::sqrt: return type == Type::f64 ? 14 : exact ? 10 : 3;
    case Opcode::rcp: return type == Type::f64 ? 9 : exact ? 7 : 1;
    case Opcode::rsqrt: return type == Type::f64 ? 10 : i.has(Modifier::ftz) ? 1 : 4;
    case Opcode::ex2:
    case Opcode::lg2: return type == Type::f32 && !i.has(Modifier::ftz) ? 4 : 1;
    case Opcode::sin:
    case Opcode::cos: return 2;
    default: return 0;
  }
}

class Estimator {
 public:
  Estimator(const ptx::Function& function, const ControlFlow& flow, const SharedPlaces& places)
      : function_(function), flow_(flow), values_(sass_values(function, places)) {
    const std::size_t count = function.instructions.size();
    result_.machine_instructions.assign(count, 1);
    result_.merged_bytes.assign(count, 255);
    result_.predicated.assign(flow.nodes.size(), 0);
    result_.overhead.assign(flow.nodes.size(), 0);
  }

  InstructionEstimate run() {
    for (std::size_t at = 0; at < function_.instructions.size(); ++at) {
      result_.machine_instructions[at] = static_cast<std::uint8_t>(cost(function_.instructions[at], at));
    }
    for (const std::int32_t product : find_contractions(function_, flow_, values_)) {
      if (product >= 0) result_.machine_instructions[static_cast<std::size_t>(product)] = 0;
    }
    for (std::uint32_t n = 0; n < flow_.nodes.size(); ++n) merge_loads(n);
    for (std::uint32_t n = 0; n + 1 < flow_.nodes.size(); ++n) turn_into_guards(n);
    count_reconvergence();
    count_prologue();
    return std::move(result_);
  }

 private:
  const ptx::Instruction& at(std::int32_t index) const {
    return function_.instructions[static_cast<std::size_t>(index)];
  }

  /// The only instruction that writes this register; null if there is not exactly one.
  const ptx::Instruction* origin(const Operand& o) const {
    if (o.kind != OperandKind::reg) return nullptr;
    const auto r = static_cast<std::size_t>(o.index);
    return values_.definitions[r] == 1 ? &at(values_.defined_at[r]) : nullptr;
  }

  bool single_use(const Operand& o) const {
    return o.kind == OperandKind::reg && values_.uses[static_cast<std::size_t>(o.index)] == 1;
  }

  /// True if `accepts` holds for every instruction that reads the result of i, and there is at least one.
  template <class Accepts>
  bool all_readers(const ptx::Instruction& i, Accepts accepts) const {
    if (i.operands.empty() || i.operands[0].kind != OperandKind::reg) return false;
    const auto r = static_cast<std::size_t>(i.operands[0].index);
    if (values_.definitions[r] != 1 || values_.used_at[r].empty()) return false;
    return std::all_of(values_.used_at[r].begin(), values_.used_at[r].end(),
                       [&](std::int32_t reader) { return accepts(at(reader)); });
  }

  bool single_reader_is(const ptx::Instruction& i, std::initializer_list<Opcode> opcodes) const {
    return !i.operands.empty() && single_use(i.operands[0]) && all_readers(i, [&](const ptx::Instruction& reader) {
      return std::find(opcodes.begin(), opcodes.end(), reader.opcode) != opcodes.end() && !ptx::is_float(reader.type());
    });
  }

  static bool is_64_bit_add(const ptx::Instruction& i) { return i.opcode == Opcode::add && is_wide(i.type()); }
  static bool accepts_negation(const ptx::Instruction& i) {
    switch (i.opcode) {
      case Opcode::add:
      case Opcode::sub:
      case Opcode::mul:
      case Opcode::fma:
      case Opcode::min:
      case Opcode::max:
      case Opcode::setp: return ptx::is_float(i.type());
      default: return false;
    }
  }

  int cost_of_move(const ptx::Instruction& i) const {
    const Operand& from = i.operands[1];
    if (i.operands[0].kind == OperandKind::vector || from.kind == OperandKind::vector) return 0;
    if (from.kind == OperandKind::special) return 1;
    if (from.kind == OperandKind::variable || from.kind == OperandKind::local_variable) {
      return function_.is_entry && !is_wide(i.type()) ? 2 : 1;
    }
    if (i.operands[0].kind != OperandKind::reg || i.type() == Type::pred) return 0;
    // A register with several definitions merges control-flow paths, which needs a real move.
    return values_.definitions[static_cast<std::size_t>(i.operands[0].index)] > 1 ? 1 : 0;
  }

  int cost_of_conversion(const ptx::Instruction& i) const {
    const Type to = i.type(0), from = i.type(1);
    if (ptx::is_float(to) || ptx::is_float(from))
      return to == from && !i.has(Modifier::sat) && i.rounding == ptx::Rounding::none ? 0 : 1;
    if (ptx::bytes_of(to) <= ptx::bytes_of(from)) return 0;
    if (!ptx::is_signed(from)) return ptx::bytes_of(from) < 4 ? 1 : 0;
    return 1;
  }

  int cost_of_sum(const ptx::Instruction& i) const {
    if (ptx::is_float(i.type())) return 1;
    if (!is_wide(i.type())) {
      // IADD3 adds three operands.
      return single_reader_is(i, {Opcode::add, Opcode::sub}) && i.operands[2].kind == OperandKind::reg ? 0 : 1;
    }
    for (std::size_t k = 1; k < i.operands.size(); ++k) {
      const ptx::Instruction* const from = origin(i.operands[k]);
      if (from != nullptr && from->opcode == Opcode::mul && from->has(Modifier::wide)) return 1;  // IMAD.WIDE
    }
    return 2;
  }

  int cost_of_logic(const ptx::Instruction& i) const {
    if (i.type() == Type::pred) {
      // ISETP can combine a predicate, so a comparison with no other use absorbs this operation.
      for (std::size_t k = 1; k < i.operands.size(); ++k) {
        const ptx::Instruction* const from = origin(i.operands[k]);
        if (from != nullptr && from->opcode == Opcode::setp && single_use(i.operands[k])) return 0;
      }
      return 1;
    }
    if (is_wide(i.type())) return 2;
    return single_reader_is(i, {Opcode::and_, Opcode::or_, Opcode::xor_}) ? 0 : 1;  // LOP3
  }

  int cost_of_comparison(const ptx::Instruction& i) const {
    const ptx::Instruction* const from = origin(i.operands[1]);
    const bool with_zero = i.operands[2].kind == OperandKind::immediate && i.operands[2].bits == 0;
    const bool equal = i.compare == ptx::Compare::eq || i.compare == ptx::Compare::ne;
    // LOP3 sets the predicate.
    if (equal && with_zero && from != nullptr && from->opcode == Opcode::and_ && !predicate_already_used(i)) return 0;
    return is_wide(i.type()) ? 2 : 1;
  }

  /// True if an earlier comparison of the same value already uses LOP3's predicate output.
  bool predicate_already_used(const ptx::Instruction& i) const {
    const auto r = static_cast<std::size_t>(i.operands[1].index);
    return !values_.used_at[r].empty() && &at(values_.used_at[r].front()) != &i;
  }

  int cost(const ptx::Instruction& i, std::size_t index) {
    if (const int many = expanded(i); many != 0) return many;
    switch (i.opcode) {
      case Opcode::cvta:
      case Opcode::brkpt:
      case Opcode::pmevent: return 0;
      case Opcode::mov: return cost_of_move(i);
      case Opcode::cvt: return cost_of_conversion(i);
      case Opcode::add:
      case Opcode::sub: return cost_of_sum(i);
      case Opcode::and_:
      case Opcode::or_:
      case Opcode::xor_:
      case Opcode::not_: return cost_of_logic(i);
      case Opcode::setp: return cost_of_comparison(i);
      case Opcode::abs:
      case Opcode::neg:
        if (ptx::is_float(i.type())) return all_readers(i, accepts_negation) ? 0 : 1;
        return is_wide(i.type()) ? 2 : 1;
      case Opcode::mul:
        if (ptx::is_float(i.type())) return 1;
        if (i.has(Modifier::wide)) return all_readers(i, is_64_bit_add) ? 0 : 1;
        return is_wide(i.type()) ? 4 : 1;
      case Opcode::mad: return is_wide(i.type()) && !i.has(Modifier::wide) ? 4 : 1;
      case Opcode::fma: return 1 + constant_of(i, index);
      case Opcode::shl:
        if (single_reader_is(i, {Opcode::add}) && i.operands[2].kind == OperandKind::immediate) return 0;  // LEA
        return is_wide(i.type()) ? 2 : 1;
      case Opcode::shr:
      case Opcode::selp:
      case Opcode::min:
      case Opcode::max: return is_wide(i.type()) ? 2 : 1;
      case Opcode::call: return 2;
      case Opcode::cp_async_wait_all: return 2;  // LDGDEPBAR and DEPBAR
      case Opcode::membar:
      case Opcode::fence: return 3;
      // The last product of a group commits it.
      case Opcode::wgmma_commit_group:
        return index > 0 && ends_group_of_products(function_, function_.instructions[index - 1]) ? 0 : 1;
      default: return 1;
    }
  }

  /// FFMA takes one immediate; a second one needs a move into a register, once per basic block and value.
  int constant_of(const ptx::Instruction& i, std::size_t index) {
    if (i.operands[2].kind != OperandKind::immediate || i.operands[3].kind != OperandKind::immediate) return 0;
    return loaded_.insert({flow_.node_of[index], i.operands[2].bits}).second ? 1 : 0;
  }

  bool joins(const ptx::Instruction& i) const {
    return i.opcode == Opcode::ld && i.space == ptx::Space::shared && i.vector == 1 && i.guard < 0 &&
           ptx::bytes_of(i.type()) == 4 && i.operands[1].kind == OperandKind::reg && !i.has(Modifier::volatile_);
  }

  /// Loads of adjacent words from one base become LDS.64 or LDS.128 if the base is known to be aligned.
  void merge_loads(std::uint32_t node) {
    std::map<std::pair<std::int32_t, std::int64_t>, std::size_t> open;  // key: base register and offset
    const auto close = [&] {
      for (auto& [key, index] : open) merge_from(open, key, index);
      open.clear();
    };
    for (std::uint32_t k = flow_.nodes[node].first; k < flow_.nodes[node].end; ++k) {
      const ptx::Instruction& i = function_.instructions[k];
      if (joins(i)) {
        if (values_.definitions[static_cast<std::size_t>(i.operands[1].index)] == 1) {
          open.try_emplace({i.operands[1].index, i.operands[1].offset}, k);
        }
      } else if (i.opcode == Opcode::st || i.opcode == Opcode::bar || i.opcode == Opcode::barrier ||
                 i.opcode == Opcode::atom || i.opcode == Opcode::red || i.opcode == Opcode::bar_warp) {
        close();
      }
    }
    close();
  }

  void merge_from(const std::map<std::pair<std::int32_t, std::int64_t>, std::size_t>& open,
                  std::pair<std::int32_t, std::int64_t> key, std::size_t first) {
    if (result_.merged_bytes[first] != 255) return;
    const int zeros = values_.zeros[static_cast<std::size_t>(key.first)];
    for (const int words : {4, 2}) {
      const std::int64_t bytes = words * 4;
      if (key.second % bytes != 0 || (1 << std::min(zeros, 16)) < bytes) continue;
      std::vector<std::size_t> members{first};
      for (int k = 1; k < words; ++k) {
        const auto next = open.find({key.first, key.second + k * 4});
        if (next != open.end() && result_.merged_bytes[next->second] == 255) members.push_back(next->second);
      }
      if (members.size() != static_cast<std::size_t>(words)) continue;
      const std::size_t leader = *std::min_element(members.begin(), members.end());
      for (const std::size_t member : members) {
        result_.merged_bytes[member] = 0;
        result_.machine_instructions[member] = 0;
      }
      result_.merged_bytes[leader] = static_cast<std::uint8_t>(bytes);
      result_.machine_instructions[leader] = 1;
      return;
    }
  }

  bool ends_thread(std::uint32_t node) const {
    if (node == flow_.last()) return function_.is_entry;
    const ControlFlow::Node& n = flow_.nodes[node];
    const Opcode first = function_.instructions[n.first].opcode;
    return function_.is_entry && (first == Opcode::ret || first == Opcode::exit);
  }

  /// A short forward branch `@p bra L; a few instructions; L:` becomes predicated instructions without the branch.
  void turn_into_guards(std::uint32_t node) {
    const ControlFlow::Node& n = flow_.nodes[node];
    const ptx::Instruction& branch = function_.instructions[n.end - 1];
    if (branch.opcode != Opcode::bra || branch.guard < 0) return;
    const std::uint32_t skipped = node + 1;
    if (skipped >= flow_.last() || n.successors.size() != 2 || n.successors[0] != node + 2) return;
    if (ends_thread(node + 2)) return;
    for (std::uint32_t k = 0; k < flow_.nodes.size(); ++k) {
      const auto& to = flow_.nodes[k].successors;
      if (k != node && std::find(to.begin(), to.end(), skipped) != to.end()) return;
    }
    int machine_instructions = 0;
    for (std::uint32_t k = flow_.nodes[skipped].first; k < flow_.nodes[skipped].end; ++k) {
      const ptx::Instruction& i = function_.instructions[k];
      switch (i.opcode) {
        case Opcode::bra:
        case Opcode::call:
        case Opcode::bar:
        case Opcode::barrier:
        case Opcode::shfl:
        case Opcode::atom:
        case Opcode::ret:
        case Opcode::exit: return;
        default: break;
      }
      if (expanded(i) > 2 || i.guard >= 0) return;
      machine_instructions += result_.machine_instructions[k];
    }
    constexpr int limit = 8;
    if (machine_instructions > limit) return;
    result_.predicated[skipped] = 1;
    result_.machine_instructions[n.end - 1] = 0;
  }

  /// Adds one BSSY and one BSYNC per reconvergence point.
  void count_reconvergence() {
    std::set<std::uint32_t> places;
    for (std::uint32_t n = 0; n + 1 < flow_.nodes.size(); ++n) {
      const ptx::Instruction& branch = function_.instructions[flow_.nodes[n].end - 1];
      if (branch.opcode != Opcode::bra || branch.guard < 0) continue;
      if (values_.varies[static_cast<std::size_t>(branch.guard)] == 0) continue;
      if (n + 2 < flow_.nodes.size() && result_.predicated[n + 1] != 0) continue;
      const std::uint32_t place = flow_.nodes[n].post_dominator;
      if (place == ControlFlow::none || ends_thread(place)) continue;
      places.insert(place);
    }
    for (const std::uint32_t place : places) result_.overhead[place] = 2;
  }

  /// Adds the kernel's prologue: the load of the stack pointer, and the load of the descriptor that accesses to global
  /// memory need.
  void count_prologue() {
    if (!function_.is_entry) return;
    const bool uses_memory =
        std::any_of(function_.instructions.begin(), function_.instructions.end(), [](const auto& i) {
          const bool accesses =
              i.opcode == Opcode::ld || i.opcode == Opcode::st || i.opcode == Opcode::atom || i.opcode == Opcode::red;
          return accesses && (i.space == ptx::Space::global || i.space == ptx::Space::generic);
        });
    result_.overhead[0] = static_cast<std::uint8_t>(result_.overhead[0] + (uses_memory ? 2 : 1));
  }

  const ptx::Function& function_;
  const ControlFlow& flow_;
  const SassValues values_;
  std::set<std::pair<std::uint32_t, std::uint64_t>> loaded_;
  InstructionEstimate result_;
};

}  // namespace

bool ends_group_of_products(const ptx::Function& function, const ptx::Instruction& i) {
  const auto next = static_cast<std::size_t>(&i - function.instructions.data()) + 1;
  return i.opcode == Opcode::wgmma_mma_async && next < function.instructions.size() &&
         function.instructions[next].opcode == Opcode::wgmma_commit_group && function.instructions[next].guard < 0;
}

InstructionEstimate estimate_instructions(const ptx::Function& function, const ControlFlow& flow,
                                          const SharedPlaces& places) {
  return Estimator(function, flow, places).run();
}

}  // namespace warpwalk::gpu
