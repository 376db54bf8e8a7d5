#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/history/writer/who_wrote.h"
#include "core/ops/tensor/dtype.h"

namespace warpwalk::debug {

/// The type and the text that a value has in the source.
struct SourceDetail {
  std::int32_t type = -1;                ///< its own; of a pointer or an array: that of the elements. -1: not known
  std::string type_name;                 ///< its own: "float*"
  std::string text;                      ///< of an array or a struct, for people: "{a = 1, b = 2}"
  std::uint64_t count = 0;               ///< elements of an array
  std::vector<std::uint8_t> bytes = {};  ///< of an object that is in registers
};

/// A value of an expression: a whole number, a real one, the address of elements, or an object (a struct).
struct Value {
  enum class Kind : std::uint8_t { integer, real, pointer, object };
  using Space = gpu::ValuePlace::Kind;

  Kind kind = Kind::integer;
  std::int64_t integer = 0;  ///< of a register or an element: its bits
  double real = 0;
  std::uint8_t bytes = 8;               ///< width of the register or element that it comes from; 8 of a computed value
  ops::DType element = ops::DType::u8;  ///< pointer: the type of its elements
  std::uint32_t stride = 1;             ///< pointer: bytes of an element; object: its bytes
  bool in_memory = false;               ///< a number or an object: it is at `address`
  Space space = Space::global;          ///< pointer, in_memory
  std::uint64_t address = 0;            ///< pointer, in_memory
  std::shared_ptr<const SourceDetail> source = {};  ///< null: it comes from no variable of the source

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
  /// A member of an object.
  virtual base::Result<Value> member(const Value& object, std::string_view name);
};

/// A C expression over names: numbers, `threadIdx.x`, `a[i + 1]`, `*p`, `p->next.x`, casts such as `(float*)p`, and
/// f32(R4), which reads the bits of a register as a number of that type (s32, u32, s64, u64, f16, bf16, f32, f64). The
/// operators are those of C without assignments. Whole numbers have 64 bits and a sign.
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
