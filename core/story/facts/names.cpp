#include "core/story/facts/names.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/gpu/blocks/launch_shape.h"

namespace warpwalk::story {

namespace {

constexpr std::string_view anonymous = "(anonymous namespace)::";
constexpr std::string_view operator_word = "operator";

// Where the name proper ends: before its template or call arguments. Those of an operator's own signs belong to it.
std::size_t end_of_name(std::string_view name) {
  if (name.starts_with(operator_word)) {
    const std::size_t end = name.find_first_not_of("<>=!+-*/%^&|~", operator_word.size());
    return std::min(end, name.size());
  }
  return std::min(name.find_first_of("<("), name.size());
}

// The bracket that closes the one at `open`, or the end.
std::size_t closing(std::string_view name, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < name.size(); ++i) {
    depth += name[i] == '<' || name[i] == '(';
    depth -= name[i] == '>' || name[i] == ')';
    if (depth == 0) return i;
  }
  return name.size();
}

}  // namespace

std::string short_kernel_name(std::string_view name) {
  // Namespaces end in "::", a return type in a space; what comes after is nearer to the name. The call's arguments end
  // it, and so does what belongs to a function around (a lambda's or a functor's operator()).
  std::string_view proper = name;
  for (std::size_t i = 0; i < name.size();) {
    const std::string_view rest = name.substr(i);
    if (rest.starts_with(anonymous)) {
      i += anonymous.size();
      proper = name.substr(i);
    } else if (rest.starts_with("::") || rest[0] == ' ') {
      i += rest[0] == ' ' ? 1 : 2;
      if (name.substr(i).starts_with("operator()") || name.substr(i).starts_with("{lambda")) break;
      proper = name.substr(i);
    } else if (rest.starts_with(operator_word)) {
      break;
    } else if (rest[0] == '<') {
      i = closing(name, i) + 1;
    } else if (rest[0] == '(') {
      const std::size_t after = closing(name, i) + 1;
      if (!name.substr(std::min(after, name.size())).starts_with("::")) break;
      i = after;  // a function that holds the kernel; if it is a lambda's, its own name says more
      if (name.substr(i).starts_with("::{lambda")) break;
    } else {
      ++i;
    }
  }
  proper = proper.substr(0, end_of_name(proper));
  return std::string(proper.empty() ? name : proper);
}

std::string short_frame_name(std::string_view name) {
  for (const std::string_view kind : {"<built-in function ", "<built-in method "}) {
    if (!name.starts_with(kind)) continue;
    std::string_view inner = name.substr(kind.size());
    inner = inner.substr(0, inner.find_first_of(" >"));
    return fmt::format("{} (built-in)", inner);
  }
  const std::size_t line = name.find('(');
  const std::size_t folder = name.substr(0, line).find_last_of("/\\");
  return std::string(folder == std::string_view::npos ? name : name.substr(folder + 1));
}

std::string shape_text(const std::array<std::int32_t, 3>& shape) {
  if (shape[2] != 1) return fmt::format("{} × {} × {}", shape[0], shape[1], shape[2]);
  if (shape[1] != 1) return fmt::format("{} × {}", shape[0], shape[1]);
  return fmt::format("{}", shape[0]);
}

std::string coordinates_text(std::int64_t i, const std::array<std::int64_t, 3>& shape) {
  const gpu::Shape at = gpu::coordinates_of(i, shape);
  return fmt::format("({}, {}, {})", at[0], at[1], at[2]);
}

std::string shape_key(std::string_view what, const std::array<std::int32_t, 3>& shape) {
  const bool one = shape[0] == 1 && shape[1] == 1 && shape[2] == 1;
  return one ? fmt::format("{}.one", what) : std::string(what);
}

std::string shortened(std::string_view text, std::size_t most) {
  std::vector<std::size_t> starts;  // of the code points, and the end
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0u) != 0x80u) starts.push_back(i);
  if (starts.size() <= most) return std::string(text);
  if (most == 0) return {};
  starts.push_back(text.size());
  const std::size_t tail = (most - 1) / 3;
  const std::size_t head = most - 1 - tail;
  return fmt::format("{}…{}", text.substr(0, starts[head]), text.substr(starts[starts.size() - 1 - tail]));
}

}  // namespace warpwalk::story
