#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::story {

/// A stretch of a kernel's name and what it certainly means.
struct NamePart {
  std::size_t at = 0;  ///< where in the name it starts, in bytes
  std::string text;
  std::string meaning;  ///< key of the narration's [translator.token]; empty: not decoded
  std::string value;    ///< the number or word that the meaning names
  friend bool operator==(const NamePart&, const NamePart&) = default;
};

/// The piece of a matrix product's result that one block computes, and how deep each step goes; 0: the name does not
/// say.
struct Tile {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// A kernel's name, taken apart. Nothing in it is guessed: a part whose meaning is not certain has none.
struct KernelName {
  std::string scope;     ///< namespaces, with the last "::"
  std::string function;  ///< without return type, template and call arguments
  std::vector<std::string> template_arguments;
  std::vector<std::string> call_arguments;
  bool balanced = true;         ///< every bracket is closed
  std::vector<NamePart> parts;  ///< in order, without gaps: together they are the name
  std::optional<Tile> tile;
  std::optional<std::int64_t> warps;         ///< warps a block, where the name says so
  std::optional<std::int64_t> vector_width;  ///< elements that a thread takes as one vector
  std::size_t decoded() const;
};

/// Reads a demangled kernel name, or the name that the profiler gives to a copy or fill. Takes any text; time grows
/// with its length.
KernelName read_kernel_name(std::string_view name);

/// The brackets and commas of one name: what lies between them at the outermost level.
struct SplitName {
  std::size_t scope = 0;     ///< start of the namespaces, after a return type
  std::size_t function = 0;  ///< start of the name proper
  std::size_t function_end = 0;
  std::vector<std::pair<std::size_t, std::size_t>> template_arguments;  ///< start and end of each
  std::vector<std::pair<std::size_t, std::size_t>> call_arguments;
  std::size_t call = 0;  ///< the bracket that opens the call arguments; the name's length where there are none
  bool balanced = true;
};
SplitName split_kernel_name(std::string_view name);

}  // namespace warpwalk::story
