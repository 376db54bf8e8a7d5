#include "core/compiled/evaluate/evaluate_block.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "core/compiled/evaluate/whole_numbers.h"
#include "core/compiled/mlir/scan.h"

namespace warpwalk::compiled {
namespace {

using Shared = std::shared_ptr<const TensorValue>;
using Kind = EvaluatedOp::Kind;

constexpr int max_region_depth = 32;
constexpr std::int64_t max_tensor_elements = std::int64_t{1} << 24;

std::int64_t elements_of(std::span<const std::int64_t> shape) {
  std::int64_t all = 1;
  for (const std::int64_t size : shape) {
    if (size <= 0 || size > max_tensor_elements) return 0;
    all *= size;
    if (all > max_tensor_elements) return 0;
  }
  return all;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  text = mlir_trimmed(text);
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc()) return {};
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (!rest.empty() && rest[0] != ' ' && rest[0] != ':') return {};
  return value;
}

std::optional<std::int64_t> number_attribute(const MlirOp& op, std::string_view name) {
  const auto text = mlir_attribute(op, name);
  return text ? whole_number(*text) : std::nullopt;
}

/// What stands behind the name of an operation: "slt, %a, %b : ..." of a comparison.
std::string_view behind_name(const MlirOp& op) {
  const std::size_t at = op.text.find(op.name);
  return at == std::string_view::npos ? std::string_view() : mlir_trimmed(op.text.substr(at + op.name.size()));
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" ,:<({")); }

/// The type of one element of a type.
std::string_view element_type(std::string_view type) {
  const auto shaped = mlir_shaped(type);
  return shaped ? shaped->element : type;
}

class BlockEvaluation {
 public:
  BlockEvaluation(const MlirModule& module, const EvaluatedBlock& block, std::uint64_t& work,
                  const std::function<void(const EvaluatedOp&)>& report)
      : module_(module), given_(block), work_(work), report_(report) {}

  bool run(std::int32_t function) {
    const MlirOp& op = module_.ops[static_cast<std::size_t>(function)];
    if (op.blocks.empty()) return true;
    const MlirBlock& body = block(op.blocks[0]);
    for (std::size_t i = 0; i < body.arguments.size() && i < given_.arguments.size(); ++i)
      values_[key(body.arguments[i])] = std::make_shared<const TensorValue>(given_.arguments[i]);
    std::vector<Shared> yielded;
    // A function with branches between blocks is not evaluated beyond the first one.
    region(op.blocks[0], yielded, 0);
    for (std::size_t i = 1; i < op.blocks.size(); ++i) report_unknown(op.blocks[i], 0);
    return !out_of_work_;
  }

 private:
  const MlirBlock& block(std::int32_t index) const { return module_.blocks[static_cast<std::size_t>(index)]; }
  static std::string key(const MlirValue& value) {
    std::string name(value.name);
    if (value.pack_index >= 0) name += "#" + std::to_string(value.pack_index);
    return name;
  }
  Shared get(std::string_view name) const {
    const auto at = values_.find(std::string(name));
    return at == values_.end() ? unknown_ : at->second;
  }
  Shared operand(const MlirOp& op, std::size_t i) const {
    return i < op.operands.size() ? get(op.operands[i]) : unknown_;
  }
  bool take(std::uint64_t elements) {
    if (work_ < elements) {
      work_ = 0;
      out_of_work_ = true;
      return false;
    }
    work_ -= elements;
    return true;
  }

  void region(std::int32_t index, std::vector<Shared>& yielded, int depth) {
    for (const std::int32_t number : block(index).ops) {
      if (!take(1)) return;
      const MlirOp& op = module_.ops[static_cast<std::size_t>(number)];
      if (op.name == "scf.yield") {
        yielded.clear();
        for (std::size_t i = 0; i < op.operands.size(); ++i) yielded.push_back(operand(op, i));
        continue;
      }
      if (op.blocks.empty() || op.name == "tt.reduce" || op.name == "tt.scan" || op.name == "tt.map_elementwise") {
        operation(number, op);
      } else if (op.name == "scf.for" && depth < max_region_depth) {
        loop(op, depth);
      } else if (op.name == "scf.if" && depth < max_region_depth) {
        branch(op, depth);
      } else {
        for (const std::int32_t inner : op.blocks) report_unknown(inner, depth);
        forget(op);
      }
      if (out_of_work_) return;
    }
  }

  void forget(const MlirOp& op) {
    for (const MlirValue& result : op.results) values_[key(result)] = unknown_;
  }

  /// Reports the operations of a region that is not evaluated.
  void report_unknown(std::int32_t index, int depth) {
    if (depth > max_region_depth) return;
    for (const std::int32_t number : block(index).ops) {
      const MlirOp& op = module_.ops[static_cast<std::size_t>(number)];
      EvaluatedOp evaluated;
      evaluated.op = number;
      if (is_evaluated_op(op, evaluated.kind)) report_(evaluated);
      forget(op);
      for (const std::int32_t inner : op.blocks) report_unknown(inner, depth + 1);
    }
  }

  void loop(const MlirOp& op, int depth) {
    const Shared first = operand(op, 0), end = operand(op, 1), step = operand(op, 2);
    const MlirBlock& body = block(op.blocks[0]);
    const bool counted = single(*first) && single(*end) && single(*step) && step->numbers[0] > 0;
    std::vector<Shared> carried;
    for (std::size_t i = 3; i < op.operands.size(); ++i) carried.push_back(operand(op, i));
    if (!counted || body.arguments.empty()) {
      report_unknown(op.blocks[0], depth + 1);
      return forget(op);
    }
    const std::int64_t last = end->numbers[0];
    for (std::int64_t i = first->numbers[0]; i < last && take(1); i += step->numbers[0]) {
      values_[key(body.arguments[0])] = number(i);
      for (std::size_t at = 0; at + 1 < body.arguments.size(); ++at)
        values_[key(body.arguments[at + 1])] = at < carried.size() ? carried[at] : unknown_;
      std::vector<Shared> yielded;
      region(op.blocks[0], yielded, depth + 1);
      carried = std::move(yielded);
      if (static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(i) <=
          static_cast<std::uint64_t>(step->numbers[0]))
        break;
    }
    for (std::size_t i = 0; i < op.results.size(); ++i)
      values_[key(op.results[i])] = i < carried.size() ? carried[i] : unknown_;
  }

  void branch(const MlirOp& op, int depth) {
    const Shared condition = operand(op, 0);
    if (!single(*condition)) {
      for (const std::int32_t inner : op.blocks) report_unknown(inner, depth + 1);
      return forget(op);
    }
    std::vector<Shared> yielded;
    const std::size_t taken = condition->numbers[0] != 0 ? 0 : 1;
    if (taken < op.blocks.size()) region(op.blocks[taken], yielded, depth + 1);
    for (std::size_t i = 0; i < op.results.size(); ++i)
      values_[key(op.results[i])] = i < yielded.size() ? yielded[i] : unknown_;
  }

  static bool single(const TensorValue& value) { return value.known && !value.floating && value.numbers.size() == 1; }
  static Shared number(std::int64_t value) {
    TensorValue made;
    made.known = true;
    made.numbers = {value};
    return std::make_shared<const TensorValue>(std::move(made));
  }

  void operation(std::int32_t number_of_op, const MlirOp& op) {
    EvaluatedOp evaluated;
    evaluated.op = number_of_op;
    if (is_evaluated_op(op, evaluated.kind)) return memory_operation(op, evaluated);
    if (op.name == "ttg.local_alloc" && !op.results.empty()) {
      TensorValue memory;
      memory.known = true;
      memory.allocation = number_of_op;
      values_[key(op.results[0])] = std::make_shared<const TensorValue>(memory);
      if (op.operands.empty()) return;
      // Allocates and stores at once.
      local_[{number_of_op, 0}] = operand(op, 0);
      evaluated.kind = Kind::local_store;
      evaluated.memory = get(key(op.results[0])).get();
      return report_(evaluated);
    }
    if (op.name == "ttng.warp_group_dot_wait") {
      for (std::size_t i = 0; i < op.results.size(); ++i) values_[key(op.results[i])] = operand(op, i);
      return;
    }
    if (op.results.size() != 1) return forget(op);
    const std::string_view type = op.results[0].type;
    const auto shaped = mlir_shaped(type);
    std::vector<std::int64_t> shape = shaped ? shaped->shape : std::vector<std::int64_t>{};
    const std::int64_t elements = elements_of(shape);
    Shared& result = values_[key(op.results[0])];
    result = unknown_;
    if (shaped && shaped->memory) {
      result = memory_view(op);
      return;
    }
    if (elements == 0 || !take(static_cast<std::uint64_t>(elements))) return;
    TensorValue made = compute(op, element_type(type), std::move(shape), static_cast<std::size_t>(elements));
    if (made.known && made.size() == static_cast<std::size_t>(elements))
      result = std::make_shared<const TensorValue>(std::move(made));
  }

  Shared memory_view(const MlirOp& op) const {
    TensorValue view = *operand(op, 0);
    if (!view.known || view.allocation < 0) return unknown_;
    if (op.name == "ttg.memdesc_index") {
      const Shared index = operand(op, 1);
      if (!single(*index)) return unknown_;
      view.buffer = index->numbers[0];
    } else if (op.name == "ttg.memdesc_trans") {
      view.transposed = !view.transposed;
    } else {
      return unknown_;
    }
    return std::make_shared<const TensorValue>(std::move(view));
  }

  /// The value of an operation without effects; not known if it is none of those below.
  TensorValue compute(const MlirOp& op, std::string_view element, std::vector<std::int64_t> shape, std::size_t count) {
    TensorValue made;
    made.shape = std::move(shape);
    const Shared a = operand(op, 0);
    const auto copy = [&](auto index_of) {
      if (!a->known || a->allocation >= 0) return;
      made.known = true;
      made.floating = a->floating;
      const std::size_t has = a->size();
      for (std::size_t i = 0; i < count && made.known; ++i) {
        const std::size_t from = index_of(i);
        made.known = from < has;
        if (!made.known) break;
        if (a->floating)
          made.reals.push_back(a->reals[from]);
        else
          made.numbers.push_back(a->numbers[from]);
      }
    };
    if (op.name == "arith.constant") {
      constant(behind_name(op), element, count, made);
    } else if (op.name == "tt.get_program_id" || op.name == "tt.get_num_programs") {
      const std::string_view axis = first_word(behind_name(op));
      const auto& of = op.name == "tt.get_program_id" ? given_.program : given_.programs;
      made.known = axis.size() == 1 && axis[0] >= 'x' && axis[0] <= 'z';
      if (made.known) made.numbers = {of[static_cast<std::size_t>(axis[0] - 'x')]};
    } else if (op.name == "tt.make_range") {
      const auto start = number_attribute(op, "start");
      made.known = start.has_value();
      for (std::size_t i = 0; start && i < count; ++i) made.numbers.push_back(*start + static_cast<std::int64_t>(i));
    } else if (op.name == "tt.splat") {
      copy([](std::size_t) { return std::size_t{0}; });
    } else if (op.name == "tt.expand_dims" || op.name == "ttg.convert_layout" || op.name == "tt.unsplat" ||
               (op.name == "tt.reshape" && op.text.find("allow_reorder") == std::string_view::npos) ||
               op.name == "arith.extf" || op.name == "arith.truncf" || op.name == "tt.bitcast" ||
               op.name == "arith.index_cast" || op.name == "tt.int_to_ptr" || op.name == "tt.ptr_to_int") {
      copy([](std::size_t i) { return i; });
    } else if (op.name == "tt.broadcast") {
      if (a->shape.size() != made.shape.size()) return made;
      copy([&](std::size_t i) {
        std::size_t from = 0, step = 1;
        for (std::size_t dim = made.shape.size(); dim-- > 0;) {
          const auto size = static_cast<std::size_t>(made.shape[dim]);
          if (a->shape[dim] != 1) from += i % size * step;
          step *= static_cast<std::size_t>(a->shape[dim]);
          i /= size;
        }
        return from;
      });
    } else if (op.name == "tt.trans" && made.shape.size() == 2) {
      const auto rows = static_cast<std::size_t>(made.shape[0]), columns = static_cast<std::size_t>(made.shape[1]);
      copy([&](std::size_t i) { return i % columns * rows + i / columns; });
    } else {
      whole_number_operation(op, element, count, made);
    }
    if (made.known && !made.floating) {
      const int bits = mlir_bits(element);
      for (std::int64_t& value : made.numbers) value = read_number(bits, static_cast<std::uint64_t>(value));
    }
    return made;
  }

  /// Fills in a constant: `5 : i32`, `true`, `dense<5> : tensor<...>`, `0.0 : f32`.
  static void constant(std::string_view text, std::string_view element, std::size_t count, TensorValue& to) {
    constexpr std::string_view dense = "dense<";
    if (text.starts_with("{")) text = mlir_trimmed(text.substr(mlir_bracket_end(text, 0)));
    if (text.starts_with(dense)) text = text.substr(dense.size(), text.find('>') - dense.size());
    const std::string_view word = first_word(text);
    std::int64_t value = 0;
    to.floating = element.starts_with('f') || element == "bf16";
    if (to.floating) {
      double real = 0;
      const auto read = std::from_chars(word.data(), word.data() + word.size(), real);
      if (read.ec != std::errc() || word.starts_with("0x")) return;  // bits of an infinity
      to.reals.assign(count, real);
      to.known = true;
      return;
    }
    if (word == "true" || word == "false")
      value = word == "true" ? 1 : 0;
    else if (const auto read = whole_number(word))
      value = *read;
    else
      return;
    to.numbers.assign(count, value);
    to.known = true;
  }

  void whole_number_operation(const MlirOp& op, std::string_view element, std::size_t count, TensorValue& to) {
    std::vector<Shared> from;
    for (std::size_t i = 0; i < op.operands.size() && i < 3; ++i) {
      from.push_back(operand(op, i));
      const bool fits = from.back()->known && from.back()->allocation < 0 &&
                        (from.back()->size() == count || (i == 0 && from.back()->size() == 1));
      // The value that a selection does not take need not be known.
      if (!fits && !(op.name == "arith.select" && i > 0)) return;
    }
    if (op.name == "arith.select") {
      if (from.size() != 3 || from[0]->floating) return;
      to.floating = from[1]->floating && from[2]->floating;
      for (std::size_t i = 0; i < count; ++i) {
        const TensorValue& taken = *from[from[0]->numbers[from[0]->numbers.size() == 1 ? 0 : i] != 0 ? 1 : 2];
        if (!taken.known || taken.size() != count || taken.floating != to.floating) return;
        if (to.floating)
          to.reals.push_back(taken.reals[i]);
        else
          to.numbers.push_back(taken.numbers[i]);
      }
      to.known = true;
      return;
    }
    if (std::ranges::any_of(from, [](const Shared& one) { return one->floating; })) return;
    const std::string_view word = first_word(behind_name(op));
    const int bits = operand_bits(op, element);
    const std::int64_t scale = op.name == "tt.addptr" ? std::max(1, mlir_bits(mlir_pointee(element)) / 8) : 0;
    to.known = true;
    for (std::size_t i = 0; i < count && to.known; ++i) {
      const auto at = [&](std::size_t which) {
        if (which >= from.size()) return std::int64_t{0};
        const auto& numbers = from[which]->numbers;
        return numbers[numbers.size() == 1 ? 0 : i];
      };
      const auto result = scale != 0 ? std::optional(wrapped_sum(at(0), wrapped_product(at(1), scale)))
                                     : whole_number_result(op.name, word, bits, at(0), at(1));
      to.known = result.has_value();
      if (result) to.numbers.push_back(*result);
    }
  }

  /// Bits of the operands: of comparisons and casts they are not those of the result.
  static int operand_bits(const MlirOp& op, std::string_view element) {
    if (op.name != "arith.cmpi" && op.name != "arith.extui" && op.name != "arith.extsi" && op.name != "arith.trunci")
      return mlir_bits(element);
    const std::size_t colon = op.text.find(" : ");
    if (colon == std::string_view::npos) return 64;
    std::string_view type = op.text.substr(colon + 3);
    const std::size_t end = std::min(type.find(" to "), type.find(" loc("));
    type = mlir_trimmed(type.substr(0, end));
    const int bits = mlir_bits(element_type(type));
    return bits == 0 ? 64 : bits;
  }

  void memory_operation(const MlirOp& op, EvaluatedOp& evaluated) {
    Shared pointers, mask, memory, result = unknown_;
    const auto keep = [&] {
      if (pointers && pointers->known && !pointers->floating && (!mask || mask->known)) {
        evaluated.addresses = pointers.get();
        evaluated.mask = mask.get();
      }
      if (memory && memory->known && memory->allocation >= 0) evaluated.memory = memory.get();
    };
    const auto optional_mask = [&](std::size_t i) { mask = i < op.operands.size() ? operand(op, i) : nullptr; };
    switch (evaluated.kind) {
      case Kind::load:
        pointers = operand(op, 0);
        optional_mask(1);
        keep();
        if (evaluated.addresses != nullptr && !op.results.empty())
          result = loaded(op.results[0].type, evaluated, operand(op, 2));
        break;
      case Kind::store:
        pointers = operand(op, 0);
        optional_mask(2);
        keep();
        break;
      case Kind::atomic:
        pointers = operand(op, 0);
        optional_mask(op.name == "tt.atomic_cas" ? 3 : 2);
        keep();
        break;
      case Kind::copy:
        pointers = operand(op, 0);
        memory = operand(op, 1);
        mask = op.text.find(" mask ") != std::string_view::npos ? operand(op, 2) : nullptr;
        keep();
        if (evaluated.memory != nullptr) {
          const std::string_view pointer = evaluated.addresses != nullptr ? pointee_of(op) : std::string_view();
          local_[{memory->allocation, memory->buffer}] =
              pointer.empty() ? unknown_ : loaded(pointer, evaluated, operand(op, mask ? 3 : 2));
        }
        break;
      case Kind::local_load:
        memory = operand(op, 0);
        keep();
        if (evaluated.memory != nullptr) result = contents(*memory);
        break;
      case Kind::local_store:
        memory = operand(op, 1);
        keep();
        if (evaluated.memory != nullptr) local_[{memory->allocation, memory->buffer}] = operand(op, 0);
        break;
      case Kind::product: {
        const auto matrix = [&](std::size_t i) {
          const Shared value = operand(op, i);
          return value->allocation >= 0 ? contents(*value) : value;
        };
        result = product(matrix(0), matrix(1), operand(op, 2));
        if (result->known) evaluated.result = result.get();
        break;
      }
    }
    report_(evaluated);
    for (const MlirValue& one : op.results) values_[key(one)] = &one == &op.results[0] ? result : unknown_;
  }

  /// The type that the pointers of a copy point to, as a tensor of that shape.
  static std::string_view pointee_of(const MlirOp& op) {
    const std::size_t at = op.text.find("!tt.ptr<");
    return at == std::string_view::npos ? std::string_view() : mlir_pointee(op.text.substr(at));
  }

  Shared contents(const TensorValue& memory) const {
    const auto at = local_.find({memory.allocation, memory.buffer});
    if (at == local_.end()) return unknown_;
    if (!memory.transposed) return at->second;
    const TensorValue& from = *at->second;
    if (!from.known || !from.floating || from.shape.size() != 2) return unknown_;
    TensorValue turned = from;
    std::swap(turned.shape[0], turned.shape[1]);
    const auto rows = static_cast<std::size_t>(turned.shape[0]), columns = static_cast<std::size_t>(turned.shape[1]);
    for (std::size_t i = 0; i < turned.reals.size(); ++i)
      turned.reals[i] = from.reals[i % columns * rows + i / columns];
    return std::make_shared<const TensorValue>(std::move(turned));
  }

  /// What a load reads; elements outside of its mask are those of `other`.
  Shared loaded(std::string_view type, const EvaluatedOp& access, const Shared& other) {
    const std::string_view element = element_type(type);
    const int bits = mlir_bits(element);
    TensorValue made;
    made.shape = access.addresses->shape;
    made.floating = mlir_is_readable_float(element);
    if (!given_.read || bits < 8 || (!made.floating && !element.starts_with('i'))) return unknown_;
    const std::size_t count = access.addresses->numbers.size();
    if (!take(count)) return unknown_;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t bytes = 0;
      const bool all = access.mask == nullptr;
      const std::size_t at = all || access.mask->numbers.size() == 1 ? 0 : i;
      const bool reads = all || (at < access.mask->numbers.size() && access.mask->numbers[at] != 0);
      if (!reads) {
        const bool given = other->known && other->floating == made.floating && i < other->size();
        if (made.floating)
          made.reals.push_back(given ? other->reals[i] : 0);
        else
          made.numbers.push_back(given ? other->numbers[i] : 0);
        if (!given) return unknown_;
        continue;
      }
      if (!given_.read(static_cast<std::uint64_t>(access.addresses->numbers[i]), bits / 8, bytes)) return unknown_;
      if (made.floating)
        made.reals.push_back(read_real(element, bytes));
      else
        made.numbers.push_back(read_number(bits, bytes));
    }
    made.known = true;
    return std::make_shared<const TensorValue>(std::move(made));
  }

  Shared product(const Shared& a, const Shared& b, const Shared& sum) {
    const bool fits = a->known && b->known && sum->known && a->floating && b->floating && sum->floating &&
                      a->shape.size() == 2 && b->shape.size() == 2 && sum->shape.size() == 2 &&
                      a->shape[1] == b->shape[0] && a->shape[0] == sum->shape[0] && b->shape[1] == sum->shape[1];
    if (!fits) return unknown_;
    const auto rows = static_cast<std::size_t>(a->shape[0]), inner = static_cast<std::size_t>(a->shape[1]),
               columns = static_cast<std::size_t>(b->shape[1]);
    if (!take(rows * inner * columns / 8)) return unknown_;
    TensorValue made = *sum;
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t k = 0; k < inner; ++k)
        for (std::size_t column = 0; column < columns; ++column)
          made.reals[row * columns + column] += a->reals[row * inner + k] * b->reals[k * columns + column];
    return std::make_shared<const TensorValue>(std::move(made));
  }

  struct PlaceHash {
    std::size_t operator()(const std::pair<std::int32_t, std::int64_t>& place) const {
      return std::hash<std::int64_t>()((static_cast<std::int64_t>(place.first) << 20) ^ place.second);
    }
  };

  const MlirModule& module_;
  const EvaluatedBlock& given_;
  std::uint64_t& work_;
  const std::function<void(const EvaluatedOp&)>& report_;
  const Shared unknown_ = std::make_shared<const TensorValue>();
  std::unordered_map<std::string, Shared> values_;
  std::unordered_map<std::pair<std::int32_t, std::int64_t>, Shared, PlaceHash> local_;  ///< buffers in shared memory
  bool out_of_work_ = false;
};

}  // namespace

bool is_evaluated_op(const MlirOp& op, EvaluatedOp::Kind& kind) {
  constexpr std::pair<std::string_view, Kind> kinds[] = {{"tt.load", Kind::load},
                                                         {"tt.store", Kind::store},
                                                         {"tt.atomic_rmw", Kind::atomic},
                                                         {"tt.atomic_cas", Kind::atomic},
                                                         {"ttg.async_copy_global_to_local", Kind::copy},
                                                         {"ttg.local_load", Kind::local_load},
                                                         {"ttg.local_store", Kind::local_store},
                                                         {"tt.dot", Kind::product},
                                                         {"ttng.warp_group_dot", Kind::product}};
  for (const auto& [name, of] : kinds)
    if (op.name == name) {
      kind = of;
      return true;
    }
  return false;
}

base::Result<void> evaluate_block(const MlirModule& module, std::int32_t function, const EvaluatedBlock& block,
                                  std::uint64_t& work, const std::function<void(const EvaluatedOp&)>& report) {
  if (!BlockEvaluation(module, block, work, report).run(function))
    return base::Error{"the program takes too long to evaluate"};
  return {};
}

}  // namespace warpwalk::compiled
