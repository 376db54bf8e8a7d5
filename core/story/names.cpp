#include "core/story/names.h"

#include <vector>

#include <fmt/format.h>

namespace warpwalk::story {

std::string short_kernel_name(std::string_view name) {
  constexpr std::string_view anonymous = "(anonymous namespace)::";
  if (name.starts_with("void ")) name.remove_prefix(5);
  // The name proper ends where the template or call arguments begin; namespaces before it end in "::".
  std::size_t from = 0;
  std::size_t i = 0;
  while (i < name.size()) {
    if (name.substr(i).starts_with(anonymous)) {
      i += anonymous.size();
      from = i;
    } else if (name.substr(i).starts_with("::")) {
      i += 2;
      from = i;
    } else if (name[i] == '<' || name[i] == '(') {
      break;
    } else {
      ++i;
    }
  }
  const std::string_view proper = name.substr(from, i - from);
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

std::string shortened(std::string_view text, std::size_t most) {
  std::vector<std::size_t> starts;  // of the code points
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0u) != 0x80u) starts.push_back(i);
  if (starts.size() <= most || most < 3) return std::string(text);
  const std::size_t tail = (most - 1) / 3;
  const std::size_t head = most - 1 - tail;
  return fmt::format("{}…{}", text.substr(0, starts[head]), text.substr(starts[starts.size() - tail]));
}

}  // namespace warpwalk::story
