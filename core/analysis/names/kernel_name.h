#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::analysis {

/// A part of a kernel's name and its meaning, if that is certain.
struct NamePart {
  std::size_t at = 0;  ///< start within the name, in bytes
  std::string text;
  std::string meaning;  ///< key of the narration's [translator.token]; empty: not decoded
  std::string value;    ///< the number or word in the meaning
  friend bool operator==(const NamePart&, const NamePart&) = default;
};

/// The part of a matrix product's result that one block computes, and the depth of each step; 0 if the name does not
/// say.
struct Tile {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// The parts of a kernel's name. Nothing is guessed: a part without a certain meaning has none.
struct KernelName {
  std::string scope;     ///< namespaces, with the last "::"
  std::string function;  ///< without return type, template and call arguments
  std::vector<std::string> template_arguments;
  std::vector<std::string> call_arguments;
  bool balanced = true;         ///< every bracket is closed
  std::vector<NamePart> parts;  ///< in order, without gaps: together they are the name
  std::optional<Tile> tile;
  std::optional<std::int64_t> warps;         ///< warps per block, if the name says so
  std::optional<std::int64_t> vector_width;  ///< elements that a thread loads as one vector
  std::size_t decoded() const;
};

/// A kernel's name as it is written in C++. Profilers leave some names mangled, such as those that are too complex for
/// them; others, and those that cannot be read, are returned as they are.
std::string plain_kernel_name(std::string_view name);

/// Reads a kernel's name, or the profiler's name of a copy or fill. The parts are those of plain_kernel_name(). Accepts
/// any text; the time is linear in its length.
KernelName read_kernel_name(std::string_view name);

/// The positions of the parts of a name, at the outermost level of its brackets.
struct SplitName {
  std::size_t scope = 0;     ///< start of the namespaces, after a return type
  std::size_t function = 0;  ///< start of the function's name
  std::size_t function_end = 0;
  std::vector<std::pair<std::size_t, std::size_t>> template_arguments;  ///< start and end of each
  std::vector<std::pair<std::size_t, std::size_t>> call_arguments;
  std::size_t call = 0;  ///< the bracket that opens the call arguments; the name's length if there are none
  bool balanced = true;
};
SplitName split_kernel_name(std::string_view name);

}  // namespace warpwalk::analysis
