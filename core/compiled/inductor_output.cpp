#include "core/compiled/inductor_output.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace warpwalk::compiled {
namespace {

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

/// The names between the brackets after `key`: "Original ATen: [aten.mul, aten.relu]".
std::vector<std::string> names_after(std::string_view line, std::string_view key) {
  std::vector<std::string> names;
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return names;
  std::string_view rest = line.substr(at + key.size());
  rest = rest.substr(0, rest.find(']'));
  while (!rest.empty()) {
    const std::size_t comma = rest.find(", ");
    if (const std::string_view name = rest.substr(0, comma); !name.empty()) names.emplace_back(name);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 2);
  }
  return names;
}

/// The nodes in "#   x_1 => relu, add"; others remain in the order in which they were found.
void add_mapped(std::string_view line, std::vector<std::string>& nodes) {
  const std::size_t arrow = line.find(" => ");
  if (arrow == std::string_view::npos) return;
  std::string_view rest = line.substr(arrow + 4);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(", ");
    std::string name(rest.substr(0, comma));
    if (std::ranges::find(nodes, name) == nodes.end()) nodes.push_back(std::move(name));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 2);
  }
}

/// The node in "#   %relu : [num_users=1] = call_function[target=...]".
void add_defined(std::string_view line, std::vector<std::string>& nodes) {
  const std::size_t percent = line.find('%'), colon = line.find(" : ");
  if (percent == std::string_view::npos || colon == std::string_view::npos || colon < percent) return;
  if (line.find("call_function") == std::string_view::npos) return;
  std::string name(line.substr(percent + 1, colon - percent - 1));
  if (std::ranges::find(nodes, name) == nodes.end()) nodes.push_back(std::move(name));
}

}  // namespace

int line_of_function(std::string_view source, std::string_view name) {
  int number = 0;
  for (const std::string_view line : base::lines_of(source)) {
    ++number;
    const std::string_view code = trimmed(line);
    if (code.starts_with("def ") && code.substr(4).starts_with(name) && code.substr(4 + name.size()).starts_with('('))
      return number;
  }
  return 1;
}

namespace {

/// What is known of a kernel before its name.
InductorKernel begun(std::string path) {
  InductorKernel kernel;
  kernel.path = std::move(path);
  return kernel;
}

}  // namespace

PythonLine InductorKernel::place(const std::string& output_file) const {
  if (!is_triton) return {};
  PythonLine at{path.empty() ? output_file : path, line_of_function(source, name), name, {}};
  if (path.empty()) at.line += line - 1;
  return at;
}

bool is_backward(std::string_view text) {
  constexpr std::string_view key = "# AOT ID: [";
  const std::size_t at = text.find(key);
  return at != std::string_view::npos &&
         text.substr(at, text.find('\n', at) - at).find("_backward'") != std::string_view::npos;
}

bool is_inductor_output(std::string_view text) {
  return text.find("AsyncCompile()") != std::string_view::npos &&
         (text.find("# AOT ID: [") != std::string_view::npos || text.find("async_compile.") != std::string_view::npos);
}

std::vector<InductorKernel> read_inductor_output(std::string_view text) {
  constexpr std::string_view made = " = async_compile.", quotes = "'''",
                             path = "# kernel path: ", nodes_key = "Source Nodes: [", ops_key = "Original ATen: [";
  std::vector<InductorKernel> kernels, calls;
  InductorKernel next;  // what the comments say of the next kernel or call
  bool in_source = false;
  int number = 0;
  for (const std::string_view whole : base::lines_of(text)) {
    ++number;
    if (in_source) {
      const std::size_t end = whole.find(quotes);
      kernels.back().source += std::string(whole.substr(0, end)) + "\n";
      in_source = end == std::string_view::npos;
      continue;
    }
    const std::string_view line = trimmed(whole);
    if (line.starts_with("#")) {
      if (line.starts_with(path)) next = begun(std::string(line.substr(path.size())));
      if (line.find(nodes_key) != std::string_view::npos) {
        next = begun(std::move(next.path));
        next.source_nodes = names_after(line, nodes_key);
        next.ops = names_after(line, ops_key);
      }
      add_mapped(line, next.nodes);
      add_defined(line, next.nodes);
      continue;
    }
    if (const std::size_t at = line.find(made); at != std::string_view::npos) {
      next.name = line.substr(0, at);
      next.is_triton = line.substr(at + made.size()).starts_with("triton(");
      next.line = number;
      kernels.push_back(std::exchange(next, {}));
      const std::size_t begin = whole.find(quotes);
      in_source = begin != std::string_view::npos;
      if (in_source) kernels.back().source = std::string(whole.substr(begin + quotes.size())) + "\n";
    } else if (line.starts_with("extern_kernels.") || line.starts_with("torch.ops.")) {
      next.name = line.substr(0, line.find('('));
      next.is_library_call = true;
      calls.push_back(std::exchange(next, {}));
    } else if (const std::size_t assigned = line.find(" = extern_kernels."); assigned != std::string_view::npos) {
      const std::string_view call = line.substr(assigned + 3);
      next.name = call.substr(0, call.find('('));
      next.is_library_call = true;
      calls.push_back(std::exchange(next, {}));
    } else if (line.find(".run(") != std::string_view::npos) {
      next = {};  // a kernel's launch, which its comments describe again
    }
  }
  kernels.insert(kernels.end(), calls.begin(), calls.end());
  return kernels;
}

}  // namespace warpwalk::compiled
