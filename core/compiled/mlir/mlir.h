#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpwalk::compiled {

/// A position of the program in a location of MLIR.
struct MlirFrame {
  std::string_view file;
  int line = 0, column = 0;  ///< as written: the first line is 1
  std::string_view name;     ///< of the variable: `loc("values"(#loc5))`; empty if there is none

  bool operator==(const MlirFrame&) const = default;
};

/// A location, `loc(...)`. It refers to others by their index in MlirModule::locations; -1: none, or unknown.
struct MlirLocation {
  enum class Kind : std::uint8_t {
    unknown,
    file,   ///< "a.py":3:8
    named,  ///< "x"(of)
    call,   ///< callsite(of at caller)
    fused,  ///< fused[of, ...]: the first one with a position
    alias   ///< #loc3, which is `of`
  };
  Kind kind = Kind::unknown;
  std::string_view text;  ///< the file, the name or the alias
  int line = 0, column = 0;
  std::int32_t of = -1, caller = -1;
  std::vector<std::int32_t> others;  ///< of `fused`, after `of`
};

/// A result of an operation, or an argument of a block.
struct MlirValue {
  std::string_view name;  ///< "%values_5", without the "#1" of a pack
  int pack_index = -1;    ///< in a pack (%total:7); -1: the name stands for this value alone
  std::string_view type;  ///< as written; empty if unknown
  std::int32_t location = -1;
};

/// An operation. Indices are those of MlirModule's vectors; -1: none.
struct MlirOp {
  std::string_view name;    ///< "tt.reduce"
  std::string_view symbol;  ///< of a function or a call, without @ and quotes
  std::string_view text;    ///< the line on which it begins, without indentation
  int line = 0;             ///< on which it begins, from 1
  int last_line = 0;        ///< on which its last region ends
  std::int32_t block = -1;  ///< that it stands in
  std::int32_t location = -1;
  std::vector<MlirValue> results;
  std::vector<std::string_view> operands;    ///< "%a", "%total_75#0", in the order of the text
  std::vector<std::string_view> attributes;  ///< what stands between { and }, one for each pair
  std::vector<std::int32_t> blocks;          ///< of its regions, in order
};

/// A block of a region.
struct MlirBlock {
  std::string_view label;  ///< "^bb0"; empty if it is not written
  std::int32_t parent = -1;
  int region = 0;  ///< which of the parent's regions it is in
  std::vector<MlirValue> arguments;
  std::vector<std::int32_t> ops;
};

/// The text form of an MLIR module as Triton writes it (.ttir, .ttgir, .source; Triton 3.2 to 3.6): one operation a
/// line, but for its regions. All texts are views of `text`, or of `made`.
struct MlirModule {
  std::unique_ptr<const std::string> text;
  std::vector<MlirOp> ops;  ///< in the order of the text: a parent before what is in its regions
  std::vector<MlirBlock> blocks;
  std::vector<MlirLocation> locations;
  std::unordered_map<std::string_view, std::string_view> aliases;  ///< "#blocked" to "#ttg.blocked<{...}>"
  std::deque<std::string> made;

  /// The frames of a location, innermost first: what is inlined, then its calls. At most 64; empty: unknown.
  std::vector<MlirFrame> frames(std::int32_t location) const;
  /// The name in a location, `"x_ptr"(#loc)` or an alias of one; empty if there is none.
  std::string_view name(std::int32_t location) const;
  /// Expands the aliases in a text (#blocked, !type), including nested ones.
  std::string resolved(std::string_view text) const;
  /// The functions (tt.func), as indices in `ops`.
  std::vector<std::int32_t> functions() const;
};

/// Reads such a text. Accepts any bytes: lines that it does not understand are left out.
MlirModule parse_mlir(std::string_view text);

/// The value of an attribute as written ("0 : i32"); nullopt if the operation does not have it. Quotes around a name
/// are ignored: `"ttg.num-warps" = 4 : i32`.
std::optional<std::string_view> mlir_attribute(const MlirOp& op, std::string_view name);

/// The parts of `tensor<64x32xf16, #mma>` or `!ttg.memdesc<3x64x32xf16, #shared, #smem, mutable>`.
struct MlirShaped {
  bool memory = false;  ///< a memdesc: not a tensor
  std::vector<std::int64_t> shape;
  std::string_view element;            ///< "f16", "!tt.ptr<f32>"
  std::string_view encoding;           ///< "#mma", or written in full; empty: none
  std::vector<std::string_view> rest;  ///< what follows: "#smem", "mutable", "3x64x64"
};

/// Takes such a type apart; nullopt for other types.
std::optional<MlirShaped> mlir_shaped(std::string_view type);

/// The parts of a list, split at the commas that stand outside of brackets and quotes, without blanks around them.
std::vector<std::string_view> mlir_list(std::string_view text);

}  // namespace warpwalk::compiled
