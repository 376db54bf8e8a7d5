#include "core/compiled/evaluate/operation_result.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "core/compiled/evaluate/real_numbers.h"
#include "core/compiled/evaluate/whole_numbers.h"
#include "core/compiled/mlir/scan.h"

namespace warpwalk::compiled {
namespace {

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

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" ,:<({")); }

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool is_float_type(std::string_view element) { return element.starts_with('f') || element == "bf16"; }

/// Fills in a constant: `5 : i32`, `true`, `dense<5> : tensor<...>`, `0.0 : f32`, `dense<0xFF800000>`.
void read_constant(std::string_view text, std::string_view element, std::size_t count, TensorValue& to) {
  constexpr std::string_view dense = "dense<";
  if (text.starts_with("{")) text = mlir_trimmed(text.substr(mlir_bracket_end(text, 0)));
  if (text.starts_with(dense)) text = text.substr(dense.size(), text.find('>') - dense.size());
  const std::string_view word = first_word(text);
  to.floating = is_float_type(element);
  if (to.floating) {
    double real = 0;
    if (word.starts_with("0x")) {  // bits of an infinity or a NaN
      std::uint64_t bits = 0;
      const auto read = std::from_chars(word.data() + 2, word.data() + word.size(), bits, 16);
      if (read.ec != std::errc() || !mlir_is_readable_float(element)) return;
      real = read_real(element, bits);
    } else if (std::from_chars(word.data(), word.data() + word.size(), real).ec != std::errc()) {
      return;
    }
    to.reals.assign(count, real);
    to.known = true;
    return;
  }
  std::int64_t value = 0;
  if (word == "true" || word == "false")
    value = word == "true" ? 1 : 0;
  else if (const auto read = whole_number(word))
    value = *read;
  else
    return;
  to.numbers.assign(count, value);
  to.known = true;
}

/// The type of an operation's first operand, if its text has it; else empty.
std::string_view operand_type(const MlirOp& op) {
  const std::size_t colon = op.text.find(" : ");
  if (colon == std::string_view::npos) return {};
  std::string_view type = op.text.substr(colon + 3);
  type = type.substr(0, std::min({type.find(" to "), type.find(" -> "), type.find(" loc(")}));
  const auto parts = mlir_list(mlir_trimmed(type));
  if (parts.empty()) return {};
  const auto shaped = mlir_shaped(parts.front());
  return shaped ? shaped->element : parts.front();
}

/// Bits of the operands: of comparisons and casts they are not those of the result.
int operand_bits(const MlirOp& op, std::string_view element) {
  if (!is_any_of(op.name, {"arith.cmpi", "arith.extui", "arith.extsi", "arith.trunci", "arith.sitofp", "arith.uitofp"}))
    return mlir_bits(element);
  const int bits = mlir_bits(operand_type(op));
  return bits == 0 ? 64 : bits;
}

class OperationResult {
 public:
  OperationResult(const MlirOp& op, std::span<const SharedValue> operands, std::string_view element,
                  std::vector<std::int64_t> shape, std::size_t count, const GridPlace& place)
      : op_(op), operands_(operands), element_(element), count_(count), place_(place) {
    made_.shape = std::move(shape);
  }

  TensorValue compute() {
    const std::string_view name = op_.name;
    if (name == "arith.constant") {
      read_constant(behind_mlir_name(op_), element_, count_, made_);
    } else if (name == "tt.get_program_id" || name == "tt.get_num_programs") {
      const std::string_view axis = first_word(behind_mlir_name(op_));
      const auto& of = name == "tt.get_program_id" ? place_.program : place_.programs;
      made_.known = axis.size() == 1 && axis[0] >= 'x' && axis[0] <= 'z';
      if (made_.known) made_.numbers = {of[static_cast<std::size_t>(axis[0] - 'x')]};
    } else if (name == "tt.make_range") {
      const auto start = number_attribute(op_, "start");
      made_.known = start.has_value();
      for (std::size_t i = 0; start && i < count_; ++i) made_.numbers.push_back(*start + static_cast<std::int64_t>(i));
    } else if (operands_.empty() ||
               !std::ranges::all_of(operands_, [](const SharedValue& v) { return is_value(*v); })) {
      if (name == "arith.select") select();
    } else if (!shape_operation() && !cast()) {
      if (name == "arith.select")
        select();
      else if (std::ranges::any_of(operands_, [](const SharedValue& v) { return v->floating; }))
        real_operation();
      else
        whole_number_operation();
    }
    finish();
    return std::move(made_);
  }

 private:
  static bool is_value(const TensorValue& value) { return value.known && value.allocation < 0; }
  const TensorValue& in(std::size_t i) const { return *operands_[i]; }
  static std::size_t at(const TensorValue& value, std::size_t i) { return value.size() == 1 ? 0 : i; }
  bool fits(const TensorValue& value) const { return value.size() == count_ || value.size() == 1; }
  bool all_fit() const {
    return std::ranges::all_of(operands_, [&](const SharedValue& v) { return fits(*v); });
  }
  void undefine(std::size_t i) {
    if (made_.undefined.empty()) made_.undefined.assign(count_, 0);
    made_.undefined[i] = 1;
  }

  template <class Index>
  bool copy(Index index_of) {
    const TensorValue& from = in(0);
    made_.known = true;
    made_.floating = from.floating;
    const std::size_t has = from.size();
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t source = index_of(i);
      if (source >= has) {
        made_.known = false;
        break;
      }
      if (from.floating)
        made_.reals.push_back(from.reals[source]);
      else
        made_.numbers.push_back(from.numbers[source]);
      if (from.is_undefined(source)) undefine(i);
    }
    return true;
  }

  /// Operations that move elements. Returns false for others.
  bool shape_operation() {
    const std::string_view name = op_.name;
    const std::vector<std::int64_t>& from = in(0).shape;
    if (name == "tt.splat") return copy([](std::size_t) { return std::size_t{0}; });
    if (is_any_of(name, {"tt.expand_dims", "ttg.convert_layout", "tt.unsplat", "arith.index_cast", "tt.int_to_ptr",
                         "tt.ptr_to_int"}) ||
        (name == "tt.reshape" && op_.text.find("allow_reorder") == std::string_view::npos))
      return copy([](std::size_t i) { return i; });
    if (name == "tt.broadcast") {
      if (from.size() != made_.shape.size()) return true;
      return copy([&](std::size_t i) {
        std::size_t source = 0, step = 1;
        for (std::size_t dim = made_.shape.size(); dim-- > 0;) {
          const auto size = static_cast<std::size_t>(made_.shape[dim]);
          if (from[dim] != 1) source += i % size * step;
          step *= static_cast<std::size_t>(from[dim]);
          i /= size;
        }
        return source;
      });
    }
    if (name == "tt.trans") return transpose(from);
    if (name == "tt.join" && operands_.size() == 2 && in(0).size() * 2 == count_ && in(1).size() * 2 == count_ &&
        in(0).floating == in(1).floating) {
      made_.known = true;
      made_.floating = in(0).floating;
      for (std::size_t i = 0; i < count_; ++i) {
        const TensorValue& of = in(i % 2);
        if (of.floating)
          made_.reals.push_back(of.reals[i / 2]);
        else
          made_.numbers.push_back(of.numbers[i / 2]);
        if (of.is_undefined(i / 2)) undefine(i);
      }
      return true;
    }
    return false;
  }

  bool transpose(const std::vector<std::int64_t>& from) {
    std::vector<std::size_t> order;
    if (const auto text = mlir_attribute(op_, "order"))  // array<i32: 1, 0>
      if (const std::size_t colon = text->find(':'); colon != std::string_view::npos)
        for (const std::string_view part : mlir_list(text->substr(colon + 1, text->find('>') - colon - 1)))
          if (const auto dim = whole_number(part); dim && *dim >= 0) order.push_back(static_cast<std::size_t>(*dim));
    if (order.empty() && from.size() == 2) order = {1, 0};
    if (order.size() != from.size() || order.size() != made_.shape.size() ||
        std::ranges::any_of(order, [&](std::size_t dim) { return dim >= from.size(); }))
      return true;
    std::vector<std::size_t> strides(from.size(), 1);
    for (std::size_t dim = from.size(); dim-- > 1;)
      strides[dim - 1] = strides[dim] * static_cast<std::size_t>(from[dim]);
    return copy([&](std::size_t i) {
      std::size_t source = 0;
      for (std::size_t dim = made_.shape.size(); dim-- > 0;) {
        const auto size = static_cast<std::size_t>(made_.shape[dim]);
        source += i % size * strides[order[dim]];
        i /= size;
      }
      return source;
    });
  }

  /// Casts between whole numbers, reals and their bits. Returns false for other operations.
  bool cast() {
    const std::string_view name = op_.name;
    const bool to_real = is_float_type(element_);
    if (name == "tt.bitcast" || name == "arith.bitcast") {
      const std::string_view type = operand_type(op_);
      if (!in(0).floating && !to_real) return copy([](std::size_t i) { return i; });
      if (in(0).floating && to_real && type == element_) return copy([](std::size_t i) { return i; });
      if (mlir_bits(type) != mlir_bits(element_) || !fits(in(0))) return true;
      each([&](std::size_t i) {
        const std::uint64_t bits =
            in(0).floating ? real_bits(type, in(0).reals[i]) : static_cast<std::uint64_t>(in(0).numbers[i]);
        if (to_real)
          made_.reals.push_back(read_real(element_, bits));
        else
          made_.numbers.push_back(static_cast<std::int64_t>(bits));
      });
      made_.floating = to_real;
      made_.known = mlir_is_readable_float(in(0).floating ? type : element_);
      return true;
    }
    const bool reals = in(0).floating;
    if (reals && is_any_of(name, {"arith.extf", "arith.truncf", "tt.fp_to_fp"}))
      return copy([](std::size_t i) { return i; });
    if (reals && is_any_of(name, {"arith.fptosi", "arith.fptoui"})) {
      each([&](std::size_t i) {
        const double value = std::trunc(in(0).reals[i]);
        if (!(std::abs(value) < 0x1p63)) undefine(i);
        made_.numbers.push_back(std::abs(value) < 0x1p63 ? static_cast<std::int64_t>(value) : 0);
      });
      return true;
    }
    if (!reals && is_any_of(name, {"arith.sitofp", "arith.uitofp"})) {
      const int bits = operand_bits(op_, element_);
      made_.floating = true;
      each([&](std::size_t i) {
        const std::int64_t value = in(0).numbers[i];
        const std::uint64_t mask = bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~std::uint64_t{0};
        made_.reals.push_back(name == "arith.uitofp" ? static_cast<double>(static_cast<std::uint64_t>(value) & mask)
                              : bits == 1            ? static_cast<double>(-value)
                                                     : static_cast<double>(value));
      });
      return true;
    }
    return false;
  }

  /// Calls for each element of the only operand.
  void each(const std::function<void(std::size_t)>& function) {
    if (in(0).size() != count_) return;
    for (std::size_t i = 0; i < count_; ++i) {
      function(i);
      if (in(0).is_undefined(i)) undefine(i);
    }
    made_.known = true;
  }

  /// The value that a selection does not take need not be known.
  void select() {
    if (operands_.size() != 3 || !is_value(in(0)) || in(0).floating || !fits(in(0))) return;
    const TensorValue* const kind = is_value(in(1)) ? &in(1) : is_value(in(2)) ? &in(2) : nullptr;
    if (kind == nullptr) return;
    made_.floating = kind->floating;
    for (std::size_t i = 0; i < count_; ++i) {
      const TensorValue& taken = in(in(0).numbers[at(in(0), i)] != 0 ? 1 : 2);
      const bool known = is_value(taken) && fits(taken) && taken.floating == made_.floating;
      if (made_.floating)
        made_.reals.push_back(known ? taken.reals[at(taken, i)] : 0);
      else
        made_.numbers.push_back(known ? taken.numbers[at(taken, i)] : 0);
      if (!known || taken.is_undefined(at(taken, i)) || in(0).is_undefined(at(in(0), i))) undefine(i);
    }
    made_.known = true;
  }

  bool any_undefined(std::size_t i) const {
    return std::ranges::any_of(operands_, [&](const SharedValue& v) { return v->is_undefined(at(*v, i)); });
  }

  void real_operation() {
    if (operands_.size() > 3 || !all_fit()) return;
    if (!std::ranges::all_of(operands_, [](const SharedValue& v) { return v->floating; })) return;
    const auto real = [&](std::size_t which, std::size_t i) {
      return which < operands_.size() ? in(which).reals[at(in(which), i)] : 0.0;
    };
    if (op_.name == "arith.cmpf") {
      const std::string_view predicate = first_word(behind_mlir_name(op_));
      if (!compared_reals(predicate, 0, 0)) return;
      for (std::size_t i = 0; i < count_; ++i) {
        made_.numbers.push_back(*compared_reals(predicate, real(0, i), real(1, i)) ? 1 : 0);
        if (any_undefined(i)) undefine(i);
      }
      made_.known = true;
      return;
    }
    RealFunction function = real_function(op_.name);
    if (op_.name == "tt.extern_elementwise") {
      const auto symbol = mlir_attribute(op_, "symbol");
      if (symbol && symbol->size() > 2) function = library_function(symbol->substr(1, symbol->size() - 2));
    }
    if (function == nullptr) return;
    made_.floating = made_.known = true;
    for (std::size_t i = 0; i < count_; ++i) {
      made_.reals.push_back(function(real(0, i), real(1, i), real(2, i)));
      if (any_undefined(i)) undefine(i);
    }
  }

  void whole_number_operation() {
    if (operands_.size() > 3 || !all_fit()) return;
    const std::string_view word = first_word(behind_mlir_name(op_));
    const int bits = operand_bits(op_, element_);
    const std::int64_t scale = op_.name == "tt.addptr" ? std::max(1, mlir_bits(mlir_pointee(element_)) / 8) : 0;
    std::size_t failed = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const auto number = [&](std::size_t which) {
        return which < operands_.size() ? in(which).numbers[at(in(which), i)] : std::int64_t{0};
      };
      const auto result = scale != 0 ? std::optional(wrapped_sum(number(0), wrapped_product(number(1), scale)))
                                     : whole_number_result(op_.name, word, bits, number(0), number(1));
      made_.numbers.push_back(result.value_or(0));
      if (!result) ++failed;
      if (!result || any_undefined(i)) undefine(i);
    }
    made_.known = failed < count_;
  }

  void finish() {
    if (!made_.known) return;
    if (made_.floating) {
      for (double& value : made_.reals) value = rounded_real(element_, value);
      return;
    }
    const int bits = mlir_bits(element_);
    for (std::int64_t& value : made_.numbers) value = read_number(bits, static_cast<std::uint64_t>(value));
  }

  const MlirOp& op_;
  const std::span<const SharedValue> operands_;
  const std::string_view element_;
  const std::size_t count_;
  const GridPlace& place_;
  TensorValue made_;
};

}  // namespace

std::string_view behind_mlir_name(const MlirOp& op) {
  const std::size_t at = op.text.find(op.name);
  return at == std::string_view::npos ? std::string_view() : mlir_trimmed(op.text.substr(at + op.name.size()));
}

TensorValue operation_result(const MlirOp& op, std::span<const SharedValue> operands, std::string_view element,
                             std::vector<std::int64_t> shape, std::size_t count, const GridPlace& place) {
  return OperationResult(op, operands, element, std::move(shape), count, place).compute();
}

TensorValue matrix_product(const TensorValue& a, const TensorValue& b, const TensorValue& sum, std::string_view element,
                           bool tf32) {
  const bool whole = !a.floating && !b.floating && !sum.floating, real = a.floating && b.floating && sum.floating;
  const bool fits = a.known && b.known && sum.known && a.allocation < 0 && b.allocation < 0 && (whole || real) &&
                    a.shape.size() == 2 && b.shape.size() == 2 && sum.shape.size() == 2 && a.shape[1] == b.shape[0] &&
                    a.shape[0] == sum.shape[0] && b.shape[1] == sum.shape[1];
  if (!fits) return {};
  const auto rows = static_cast<std::size_t>(a.shape[0]), inner = static_cast<std::size_t>(a.shape[1]),
             columns = static_cast<std::size_t>(b.shape[1]);
  if (a.size() != rows * inner || b.size() != inner * columns || sum.size() != rows * columns) return {};
  const auto cut = [&](double value) {
    if (!tf32) return value;
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value)) & 0xffffe000U;
    return static_cast<double>(std::bit_cast<float>(bits));
  };
  TensorValue made = sum;
  std::vector<double> left(a.reals), right(b.reals);
  for (std::vector<double>* const of : {&left, &right})
    for (double& value : *of) value = cut(value);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < inner; ++k)
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t to = row * columns + column, from = row * inner + k, with = k * columns + column;
        if (real)
          made.reals[to] += left[from] * right[with];
        else
          made.numbers[to] = wrapped_sum(made.numbers[to], wrapped_product(a.numbers[from], b.numbers[with]));
        if (a.is_undefined(from) || b.is_undefined(with)) {
          if (made.undefined.empty()) made.undefined.assign(made.size(), 0);
          made.undefined[to] = 1;
        }
      }
  for (double& value : made.reals) value = rounded_real(element, value);
  for (std::int64_t& value : made.numbers) value = read_number(mlir_bits(element), static_cast<std::uint64_t>(value));
  return made;
}

}  // namespace warpwalk::compiled
