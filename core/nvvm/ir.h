#pragma once

// This folder makes PTX of LLVM IR for NVIDIA GPUs, as clang writes it for CUDA C++: for a clang without a back end for
// these GPUs, as it runs in a browser. docs/browser.md says what is left out.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::nvvm {

struct Type;
using TypePtr = std::shared_ptr<const Type>;

/// A type of LLVM IR.
struct Type {
  enum class Kind : std::uint8_t { nothing, integer, f16, bf16, f32, f64, pointer, array, vector, structure, other };
  Kind kind = Kind::nothing;
  unsigned bits = 0;              ///< of an integer
  unsigned space = 0;             ///< of a pointer
  std::uint64_t count = 0;        ///< of an array or a vector
  std::vector<TypePtr> elements;  ///< of a structure; one for an array or a vector
  bool packed = false;

  bool is_float() const { return kind == Kind::f16 || kind == Kind::bf16 || kind == Kind::f32 || kind == Kind::f64; }
  bool is_scalar() const { return kind == Kind::integer || kind == Kind::pointer || is_float(); }
  bool is_bit() const { return kind == Kind::integer && bits == 1; }
};

/// A new type; what else it needs is added before it is used.
inline std::shared_ptr<Type> made_type(Type::Kind kind, unsigned bits = 0) {
  auto type = std::make_shared<Type>();
  type->kind = kind;
  type->bits = bits;
  return type;
}

/// Bytes that a value of the type takes in memory, and its alignment.
std::uint64_t size_of(const Type& type);
std::uint64_t alignment_of(const Type& type);
/// The offset of element `i` in a structure, an array or a vector, bytes.
std::uint64_t offset_of(const Type& type, std::uint64_t i);
/// The scalars of a type, in their order, with their offsets.
struct Scalar {
  TypePtr type;
  std::uint64_t offset = 0;
};
std::vector<Scalar> scalars_of(const TypePtr& type);

/// An operand of an instruction.
struct Operand {
  enum class Kind : std::uint8_t { local, global, number, undefined, zero, list, address, cast };
  Kind kind = Kind::undefined;
  TypePtr type;
  std::string name;            ///< of a local or global
  std::uint64_t bits = 0;      ///< of a number, as in memory
  std::vector<Operand> parts;  ///< of a list; of an address its base; of a cast what is cast
  std::int64_t offset = 0;     ///< of an address, from its base, bytes
};

struct Instruction {
  std::string result;  ///< its name; empty: none
  std::string opcode;
  TypePtr type;                        ///< of the result
  TypePtr element;                     ///< that addresses count in, or that is allocated
  std::vector<Operand> operands;       ///< values
  std::vector<std::string> labels;     ///< blocks that follow, or that values of a phi come from
  std::vector<std::uint64_t> cases;    ///< of a switch: numbers, for labels[1] and later
  std::vector<std::uint64_t> indices;  ///< of insertvalue and extractvalue
  std::string words;                   ///< predicate, operation of an atomic, function, or text of assembly
  std::string constraints;             ///< of assembly
  bool assembly = false, contract = false, is_volatile = false;
  std::uint64_t alignment = 0;  ///< 0: that of the type
  std::uint32_t line = 0;       ///< of the file that was compiled; 0: not known
  std::uint32_t debug = 0;      ///< the number of its place
};

struct Block {
  std::string name;
  std::vector<Instruction> code;
};

struct Function {
  std::string name;
  bool kernel = false;
  std::vector<Operand> parameters;      ///< locals
  std::vector<std::uint64_t> by_value;  ///< bytes of a structure that is passed in memory; 0: a scalar
  std::vector<Block> blocks;
};

struct Global {
  std::string name;
  TypePtr type;
  unsigned space = 0;
  std::uint64_t alignment = 1;
  bool external = false;
  Operand value;
};

struct Module {
  std::vector<Global> globals;
  std::vector<Function> functions;  ///< those with a body
};

}  // namespace warpwalk::nvvm
