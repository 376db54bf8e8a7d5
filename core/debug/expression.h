#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/gpu/history/writer/who_wrote.h"
#include "core/ops/tensor/dtype.h"

namespace warpwalk::debug {

/// A value of an expression: a whole number, a real one, or the address of elements.
struct Value {
  enum class Kind : std::uint8_t { integer, real, pointer };
  using Space = gpu::ValuePlace::Kind;

  Kind kind = Kind::integer;
  std::int64_t integer = 0;  ///< of a register or an element: its bits
  double real = 0;
  std::uint8_t bytes = 8;               ///< width of the register or element that it comes from; 8 of a computed value
  ops::DType element = ops::DType::u8;  ///< pointer: the type of its elements
  Space space = Space::global;          ///< pointer
  std::uint64_t address = 0;            ///< pointer

  static Value of(std::int64_t number, std::uint8_t bytes = 8);
  static Value of_real(double number);
  static Value pointer_to(std::uint64_t address, ops::DType element, Space space);
  /// A pointer is true, too.
  bool truth() const;
  double as_real() const;
};

/// For people: "12 (0xc)", "1.5", "f32* 0x7f1000000000".
std::string text_of(const Value& value);
/// The value that bits of a type have.
Value value_of_bits(ops::DType type, std::uint64_t bits);

/// Resolves the names of an expression.
class Names {
 public:
  virtual ~Names() = default;
  /// The error says which names there are.
  virtual base::Result<Value> find(std::string_view name) = 0;
  virtual base::Result<Value> load(const Value& pointer, std::int64_t index) = 0;
};

/// A C expression over names: numbers, `threadIdx.x`, `a[i + 1]`, `*p`, casts such as `(float*)p`, and f32(R4), which
/// reads the bits of a register as a number of that type (s32, u32, s64, u64, f16, bf16, f32, f64). The operators are
/// those of C without assignments. Whole numbers have 64 bits and a sign.
class Expression {
 public:
  /// On failure, one line.
  static base::Result<Expression> parse(std::string_view text);
  base::Result<Value> evaluate(Names& names) const;
  /// If the expression names a place (`a[3]`, `*p`), the pointer and the index; else the value and -1.
  struct Place {
    Value pointer;
    std::int64_t index = 0;
  };
  base::Result<Place> place(Names& names) const;
  /// The name, if the expression is nothing else; else empty.
  std::string_view name() const;

  struct Node;

 private:
  std::shared_ptr<const Node> root_;
};

}  // namespace warpwalk::debug
