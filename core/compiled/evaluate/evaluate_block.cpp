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

#include "core/compiled/evaluate/operation_result.h"
#include "core/compiled/evaluate/reductions.h"
#include "core/compiled/evaluate/whole_numbers.h"
#include "core/compiled/mlir/scan.h"

namespace warpwalk::compiled {
namespace {

using Shared = SharedValue;
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
      set(-1, i, body.arguments[i], std::make_shared<const TensorValue>(given_.arguments[i]));
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
  std::vector<Shared> operands(const MlirOp& op, std::size_t from = 0) const {
    std::vector<Shared> all;
    for (std::size_t i = from; i < op.operands.size(); ++i) all.push_back(operand(op, i));
    return all;
  }
  /// The value of an operation's nth result; of the function's nth argument, the operation is -1.
  void set(std::int32_t op, std::size_t n, const MlirValue& of, Shared value) {
    if (given_.value && width_ == 0) given_.value(op, n, value);
    values_[key(of)] = std::move(value);
  }
  void set(std::int32_t of, const std::vector<Shared>& values) {
    const MlirOp& op = module_.ops[static_cast<std::size_t>(of)];
    for (std::size_t i = 0; i < op.results.size(); ++i)
      set(of, i, op.results[i], i < values.size() ? values[i] : unknown_);
  }
  void bind(const MlirBlock& body, std::size_t from, const std::vector<Shared>& values) {
    for (std::size_t i = from; i < body.arguments.size(); ++i)
      values_[key(body.arguments[i])] = i - from < values.size() ? values[i - from] : unknown_;
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
      if (op.name == "scf.yield" || op.name == "scf.condition" || op.name.ends_with(".return")) {
        yielded = operands(op);
      } else if ((op.name == "tt.reduce" || op.name == "tt.scan") && op.blocks.size() == 1 && width_ == 0) {
        const std::vector<Shared> values = operands(op);
        const auto combine = [&](const auto& a, const auto& b) { return combined(op, a, b); };
        if (!can_combine(values)) return;
        set(number, op.name == "tt.reduce" ? reduced_values(op, values, combine) : scanned_values(op, values, combine));
      } else if (op.blocks.empty() || op.name == "tt.map_elementwise") {
        operation(number, op);
      } else if (op.name == "scf.for" && depth < max_region_depth) {
        loop(number, op, depth);
      } else if (op.name == "scf.while" && op.blocks.size() == 2 && depth < max_region_depth) {
        while_loop(number, op, depth);
      } else if (op.name == "scf.if" && depth < max_region_depth) {
        branch(number, op, depth);
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

  void loop(std::int32_t of, const MlirOp& op, int depth) {
    const Shared first = operand(op, 0), end = operand(op, 1), step = operand(op, 2);
    const MlirBlock& body = block(op.blocks[0]);
    const bool counted = single(*first) && single(*end) && single(*step) && step->numbers[0] > 0;
    std::vector<Shared> carried = operands(op, 3);
    if (!counted || body.arguments.empty()) {
      report_unknown(op.blocks[0], depth + 1);
      return forget(op);
    }
    const std::int64_t last = end->numbers[0];
    for (std::int64_t i = first->numbers[0]; i < last && take(1); i += step->numbers[0]) {
      values_[key(body.arguments[0])] = number(i);
      bind(body, 1, carried);
      std::vector<Shared> yielded;
      region(op.blocks[0], yielded, depth + 1);
      carried = std::move(yielded);
      if (static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(i) <=
          static_cast<std::uint64_t>(step->numbers[0]))
        break;
    }
    set(of, carried);
  }

  void while_loop(std::int32_t of, const MlirOp& op, int depth) {
    std::vector<Shared> carried = operands(op);
    for (;;) {
      bind(block(op.blocks[0]), 0, carried);
      std::vector<Shared> yielded;
      region(op.blocks[0], yielded, depth + 1);
      if (out_of_work_) return;
      if (yielded.empty() || !single(*yielded[0])) {
        for (const std::int32_t inner : op.blocks) report_unknown(inner, depth + 1);
        return forget(op);
      }
      const bool goes_on = yielded[0]->numbers[0] != 0;
      yielded.erase(yielded.begin());
      if (!goes_on) return set(of, yielded);
      bind(block(op.blocks[1]), 0, yielded);
      region(op.blocks[1], carried, depth + 1);
      if (out_of_work_) return;
    }
  }

  void branch(std::int32_t of, const MlirOp& op, int depth) {
    const Shared condition = operand(op, 0);
    if (!single(*condition)) {
      for (const std::int32_t inner : op.blocks) report_unknown(inner, depth + 1);
      return forget(op);
    }
    std::vector<Shared> yielded;
    const std::size_t taken = condition->numbers[0] != 0 ? 0 : 1;
    if (taken < op.blocks.size()) region(op.blocks[taken], yielded, depth + 1);
    if (!op.results.empty()) set(of, yielded);
  }

  /// Combines tensors with the region of tt.reduce or tt.scan, all elements at once.
  std::vector<Shared> combined(const MlirOp& op, const std::vector<Shared>& a, const std::vector<Shared>& b) {
    std::vector<Shared> all = a;
    all.insert(all.end(), b.begin(), b.end());
    bind(block(op.blocks[0]), 0, all);
    const std::size_t outside = std::exchange(width_, a.front()->size());
    std::vector<Shared> yielded;
    region(op.blocks[0], yielded, max_region_depth);
    width_ = outside;
    return yielded;
  }

  bool can_combine(const std::vector<Shared>& values) {
    std::uint64_t elements = 0;
    for (const Shared& value : values) elements += 2 * value->size();
    return take(elements);
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
      evaluated.memory = get(key(op.results[0]));
      return report_(evaluated);
    }
    if (op.name == "ttng.warp_group_dot_wait") return set(number_of_op, operands(op));
    if (op.name == "tt.reshape" && op.text.find("allow_reorder") != std::string_view::npos && is_only_summed_up(op))
      return set(number_of_op, {with_type(operand(op, 0), op.results[0].type)});
    if (op.name == "tt.split" && op.results.size() == 2) return set(number_of_op, split(op));
    if (op.name == "tt.make_tensor_descriptor" && op.results.size() == 1) return set(number_of_op, {descriptor(op)});
    if (op.results.size() != 1) return forget(op);
    const std::string_view type = op.results[0].type;
    const auto shaped = mlir_shaped(type);
    if (shaped && shaped->memory) {
      values_[key(op.results[0])] = memory_view(op);
      return;
    }
    std::vector<std::int64_t> shape = shaped ? shaped->shape : std::vector<std::int64_t>{};
    if (!shaped && width_ > 0) shape = {static_cast<std::int64_t>(width_)};  // a combination of all elements at once
    const std::int64_t elements = elements_of(shape);
    Shared result = unknown_;
    if (elements > 0 && take(static_cast<std::uint64_t>(elements))) {
      const std::vector<Shared> from = operands(op);
      TensorValue made = operation_result(op, from, element_type(type), std::move(shape),
                                          static_cast<std::size_t>(elements), given_.place);
      if (made.known && made.size() == static_cast<std::size_t>(elements))
        result = std::make_shared<const TensorValue>(std::move(made));
    }
    set(number_of_op, 0, op.results[0], std::move(result));
  }

  /// Whether a value is only reduced to a single one, so that the order of its elements does not matter.
  bool is_only_summed_up(const MlirOp& op) const {
    if (op.results.size() != 1) return false;
    return std::ranges::all_of(module_.ops, [&](const MlirOp& user) {
      if (std::ranges::find(user.operands, op.results[0].name) == user.operands.end()) return true;
      return user.name == "tt.reduce" && user.results.size() == 1 && !mlir_shaped(user.results[0].type);
    });
  }

  std::vector<Shared> split(const MlirOp& op) const {
    const Shared from = operand(op, 0);
    if (!from->known || from->shape.empty() || from->shape.back() != 2) return {};
    const std::array<std::size_t, 3> sizes{from->size() / 2, 2, 1};
    return {with_type(elements_along(*from, sizes, 0, 2), op.results[0].type),
            with_type(elements_along(*from, sizes, 1, 2), op.results[1].type)};
  }

  /// A descriptor of a tensor in global memory is its address, sizes and strides.
  Shared descriptor(const MlirOp& op) const {
    TensorValue made;
    for (const Shared& value : operands(op)) {
      if (!single(*value)) return unknown_;
      made.numbers.push_back(value->numbers[0]);
    }
    made.known = made.numbers.size() % 2 == 1;
    made.shape = {static_cast<std::int64_t>(made.numbers.size())};
    return std::make_shared<const TensorValue>(std::move(made));
  }

  /// The addresses and the mask of a box that a descriptor's operation accesses.
  bool box(const MlirOp& op, std::size_t first_index, const MlirShaped& type, Shared& pointers, Shared& mask) {
    const Shared of = operand(op, 0);
    const std::size_t rank = type.shape.size();
    const std::int64_t elements = elements_of(type.shape);
    const int bytes = mlir_bits(type.element) / 8;
    if (!of->known || of->numbers.size() != 2 * rank + 1 || elements == 0 || bytes == 0) return false;
    if (!take(static_cast<std::uint64_t>(elements))) return false;
    std::vector<std::int64_t> from;
    for (std::size_t dim = 0; dim < rank; ++dim) {
      const Shared index = operand(op, first_index + dim);
      if (!single(*index)) return false;
      from.push_back(index->numbers[0]);
    }
    TensorValue at, inside;
    at.known = inside.known = true;
    at.shape = inside.shape = type.shape;
    for (std::int64_t i = 0; i < elements; ++i) {
      std::int64_t offset = 0, rest = i;
      bool within = true;
      for (std::size_t dim = rank; dim-- > 0; rest /= type.shape[dim]) {
        const std::int64_t index = wrapped_sum(from[dim], rest % type.shape[dim]);
        within = within && index >= 0 && index < of->numbers[1 + dim];
        offset = wrapped_sum(offset, wrapped_product(index, of->numbers[1 + rank + dim]));
      }
      at.numbers.push_back(wrapped_sum(of->numbers[0], wrapped_product(offset, bytes)));
      inside.numbers.push_back(within ? 1 : 0);
    }
    pointers = std::make_shared<const TensorValue>(std::move(at));
    mask = std::make_shared<const TensorValue>(std::move(inside));
    return true;
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

  void memory_operation(const MlirOp& op, EvaluatedOp& evaluated) {
    Shared pointers, mask, memory, stored, result = unknown_;
    const auto keep = [&] {
      if (pointers && pointers->known && !pointers->floating && (!mask || (mask->known && !mask->floating)) &&
          are_usable(*pointers, mask.get())) {
        evaluated.addresses = pointers;
        evaluated.mask = mask;
      }
      if (memory && memory->known && memory->allocation >= 0) evaluated.memory = memory;
    };
    const auto optional_mask = [&](std::size_t i) { mask = i < op.operands.size() ? operand(op, i) : nullptr; };
    switch (evaluated.kind) {
      case Kind::load: {
        Shared other = operand(op, 2);
        if (!op.results.empty()) evaluated.element = element_type(op.results[0].type);
        if (op.name == "tt.descriptor_load") {
          const auto type = op.results.empty() ? std::nullopt : mlir_shaped(op.results[0].type);
          if (type) box(op, 1, *type, pointers, mask);
          other = zero(type && element_is_real(type->element));
        } else {
          pointers = operand(op, 0);
          optional_mask(1);
        }
        keep();
        if (evaluated.addresses != nullptr && !op.results.empty())
          result = loaded(op.results[0].type, evaluated, other);
        if (result->known) evaluated.result = result;
        break;
      }
      case Kind::store:
        if (op.name == "tt.descriptor_store") {
          // Indices, then the value.
          const Shared value = op.operands.empty() ? unknown_ : operand(op, op.operands.size() - 1);
          MlirShaped type;
          type.shape = value->shape;
          type.element = stored_element(op);
          if (value->known) box(op, 1, type, pointers, mask);
          stored = value;
          evaluated.element = type.element;
        } else {
          pointers = operand(op, 0);
          optional_mask(2);
          stored = operand(op, 1);
          evaluated.element = pointee_of(op);
        }
        keep();
        if (stored->known) evaluated.result = stored;
        break;
      case Kind::atomic:
        evaluated.element = pointee_of(op);
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
        const Shared a = matrix(0), b = matrix(1), sum = operand(op, 2);
        const bool real = !op.results.empty() && a->known && b->known && sum->known && a->shape.size() == 2;
        if (real && take(sum->size() * static_cast<std::size_t>(a->shape[1]) / 8)) {
          const std::string_view element = element_type(op.results[0].type);
          const bool tf32 = is_tf32(op);
          result = std::make_shared<const TensorValue>(matrix_product(*a, *b, *sum, element, tf32));
        }
        if (result->known) evaluated.result = result;
        break;
      }
    }
    report_(evaluated);
    if (!op.results.empty()) set(evaluated.op, {result});
  }

  /// Whether the addresses of all elements that the mask includes are known.
  static bool are_usable(const TensorValue& addresses, const TensorValue* mask) {
    if (mask != nullptr && (!mask->undefined.empty() || (mask->size() != 1 && mask->size() != addresses.size())))
      return false;
    if (addresses.undefined.empty()) return true;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      const std::size_t at = mask == nullptr || mask->size() == 1 ? 0 : i;
      const bool taken = mask == nullptr || (at < mask->size() && mask->numbers[at] != 0);
      if (taken && addresses.is_undefined(i)) return false;
    }
    return true;
  }

  static bool element_is_real(std::string_view element) { return mlir_is_readable_float(element); }
  static Shared zero(bool real) {
    TensorValue made;
    made.known = true;
    made.floating = real;
    if (real)
      made.reals = {0};
    else
      made.numbers = {0};
    return std::make_shared<const TensorValue>(std::move(made));
  }

  /// The element type of what tt.descriptor_store stores: the last type of its text.
  static std::string_view stored_element(const MlirOp& op) {
    const std::size_t at = op.text.rfind("tensor<");
    if (at == std::string_view::npos) return {};
    const auto type = mlir_shaped(op.text.substr(at, mlir_bracket_end(op.text, at + 6) - at));
    return type ? type->element : std::string_view();
  }

  /// A product of matrices in f32 is one in TF32 where the program allows it.
  static bool is_tf32(const MlirOp& op) {
    return op.text.find("inputPrecision = tf32 ") != std::string_view::npos &&
           op.text.find("xf32", op.text.find(" : ")) < op.text.find(" * ");
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
    if (!from.known || !from.floating || from.shape.size() != 2 || !from.undefined.empty()) return unknown_;
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
    const auto undefine = [&](std::size_t i) {
      if (made.undefined.empty()) made.undefined.assign(count, 0);
      made.undefined[i] = 1;
    };
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t bytes = 0;
      const bool all = access.mask == nullptr;
      const std::size_t at = all || access.mask->numbers.size() == 1 ? 0 : i;
      const bool reads = all || (at < access.mask->numbers.size() && access.mask->numbers[at] != 0);
      const std::size_t from = other->size() == 1 ? 0 : i;
      const bool given = !reads && other->known && other->floating == made.floating && from < other->size();
      const bool read = reads && given_.read(static_cast<std::uint64_t>(access.addresses->numbers[i]), bits / 8, bytes);
      if (!read && (!given || other->is_undefined(from))) undefine(i);
      if (made.floating)
        made.reals.push_back(given ? other->reals[from] : read_real(element, bytes));
      else
        made.numbers.push_back(given ? other->numbers[from] : read_number(bits, bytes));
    }
    made.known = true;
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
  /// While all elements of a reduction or scan are combined at once, how many; single values then are tensors.
  std::size_t width_ = 0;
  bool out_of_work_ = false;
};

}  // namespace

bool is_evaluated_op(const MlirOp& op, EvaluatedOp::Kind& kind) {
  constexpr std::pair<std::string_view, Kind> kinds[] = {{"tt.load", Kind::load},
                                                         {"tt.descriptor_load", Kind::load},
                                                         {"tt.store", Kind::store},
                                                         {"tt.descriptor_store", Kind::store},
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
