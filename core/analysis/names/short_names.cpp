#include "core/analysis/names/short_names.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/names/kernel_name.h"
#include "core/gpu/blocks/launch_shape.h"

namespace warpwalk::analysis {

namespace {

constexpr std::string_view anonymous_namespace = "(anonymous namespace)::";
constexpr std::string_view operator_word = "operator";

// The end of the function's name: before its template or call arguments. The signs of an operator belong to its name.
std::size_t end_of_name(std::string_view name) {
  if (name.starts_with(operator_word)) {
    const std::size_t end = name.find_first_not_of("<>=!+-*/%^&|~", operator_word.size());
    return std::min(end, name.size());
  }
  return std::min(name.find_first_of("<("), name.size());
}

// The bracket that closes the one at `open`, or the end of the text.
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

std::string kernel_function_name(std::string_view name) {
  // Namespaces end in "::" and a return type in a space; the text after them is closer to the name. The name ends at
  // the call's arguments and at the parts of an enclosing function (a lambda's or a functor's operator()).
  std::string_view proper = name;
  for (std::size_t i = 0; i < name.size();) {
    const std::string_view rest = name.substr(i);
    if (rest.starts_with(anonymous_namespace)) {
      i += anonymous_namespace.size();
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
      i = after;  // a function that contains the kernel; a lambda's own function says more than the lambda
      if (name.substr(i).starts_with("::{lambda")) break;
    } else {
      ++i;
    }
  }
  proper = proper.substr(0, end_of_name(proper));
  return std::string(proper.empty() ? name : proper);
}

namespace {

constexpr std::size_t longest_read = 1 << 14;  // no compiler makes a longer name
constexpr int deepest = 6;                     // templates inside templates

// A template argument that names code: a functor type, or the lambda of a named function. Other arguments are element
// types, numbers, and helpers that find elements or hold pointers.
bool names_code(std::string_view argument) {
  const std::string_view type = argument.substr(0, argument.find('<'));
  if (type.starts_with("std::")) return type != "std::array" && type != "std::integral_constant";
  if (argument.find("{lambda") != std::string_view::npos || type.find("unctor") != std::string_view::npos) return true;
  return type.starts_with("at::native::") && type.find("Metadata") == std::string_view::npos &&
         type.find("OffsetCalculator") == std::string_view::npos && type.find("memory::") == std::string_view::npos;
}

// PyTorch's adapters around the operation: the operation is one of their template arguments.
bool is_adapter(std::string_view function) {
  static constexpr std::string_view adapters[] = {
      "AUnaryFunctor",  "BUnaryFunctor",   "BinaryFunctor",          "ReduceOp",
      "func_wrapper_t", "gpu_kernel_impl", "gpu_kernel_impl_nocast", "gpu_kernel_with_index"};
  return std::find(std::begin(adapters), std::end(adapters), function) != std::end(adapters);
}

// The name up to its own call arguments: those of functions inside its template arguments do not count.
std::string_view before_call(std::string_view name) {
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (depth == 0 && name.substr(i).starts_with(anonymous_namespace))
      i += anonymous_namespace.size() - 1;
    else if (depth == 0 && name[i] == '(')
      return name.substr(0, i);
    depth += name[i] == '<';
    depth -= name[i] == '>';
  }
  return name;
}

// The operations among the template arguments, the last one first since it is the most specific; empty if there are
// none. "multiplies, BinaryOpScalarFunctor".
std::string operations_in(std::string_view name, int depth) {
  constexpr std::size_t limit = 2;
  const SplitName split = split_kernel_name(name);
  std::vector<std::string> found;
  for (const auto& [from, to] : split.template_arguments) {
    const std::string_view argument = name.substr(from, to - from);
    if (!names_code(argument) || found.size() == limit) continue;
    std::string operation = kernel_function_name(argument);
    if (depth < deepest && is_adapter(operation))
      if (std::string inner = operations_in(before_call(argument), depth + 1); !inner.empty()) operation = inner;
    found.insert(found.begin(), std::move(operation));
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

// Names that many libraries give to their kernels; the namespace tells them apart.
bool is_generic(std::string_view function) {
  static constexpr std::string_view generic[] = {"kernel", "Kernel", "Kernel2", "device_kernel", "globalKernel"};
  return std::find(std::begin(generic), std::end(generic), function) != std::end(generic);
}

// The last namespace of a scope such as "internal::gemvx::", with its "::"; an anonymous one is left out.
std::string last_namespace(std::string_view scope) {
  while (scope.ends_with("(anonymous namespace)::")) scope.remove_suffix(anonymous_namespace.size());
  if (!scope.ends_with("::")) return {};
  const std::size_t before = scope.substr(0, scope.size() - 2).rfind("::");
  return std::string(before == std::string_view::npos ? scope : scope.substr(before + 2));
}

}  // namespace

std::string short_kernel_name(std::string_view name) {
  if (name.starts_with("_Z"))
    if (const std::string plain = plain_kernel_name(name); !plain.starts_with("_Z")) return short_kernel_name(plain);
  std::string function = kernel_function_name(name);
  if (name.size() > longest_read) return function;
  const SplitName split = split_kernel_name(name);
  if (!split.balanced || function != name.substr(split.function, split.function_end - split.function)) return function;
  if (const std::string operation = operations_in(name, 0); !operation.empty()) {
    // One operation is reduced by several instances, which differ in threads and outputs per thread only.
    if (function == "reduce_kernel" && split.template_arguments.size() > 2) {
      const auto [from, to] = std::pair{split.template_arguments[0].first, split.template_arguments[1].second};
      function += fmt::format("<{}>", name.substr(from, to - from));
    }
    return fmt::format("{} · {}", operation, function);
  }
  if (!is_generic(function)) return function;
  // CUTLASS's wrappers: the kernel is the template argument.
  if (split.template_arguments.size() == 1) {
    const auto [from, to] = split.template_arguments[0];
    std::string inner = kernel_function_name(name.substr(from, to - from));
    if (!inner.empty() && !is_generic(inner)) return inner;
  }
  return last_namespace(name.substr(split.scope, split.function - split.scope)) + function;
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

std::string shortened(std::string_view text, std::size_t limit) {
  std::vector<std::size_t> starts;  // starts of the code points, and the end
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0u) != 0x80u) starts.push_back(i);
  if (starts.size() <= limit) return std::string(text);
  if (limit == 0) return {};
  starts.push_back(text.size());
  const std::size_t tail = (limit - 1) / 3;
  const std::size_t head = limit - 1 - tail;
  return fmt::format("{}…{}", text.substr(0, starts[head]), text.substr(starts[starts.size() - 1 - tail]));
}

namespace {

using Arguments = std::vector<std::string_view>;

Arguments template_arguments(std::string_view name) {  // their texts are parts of `name`
  Arguments out;
  for (const auto& [from, to] : split_kernel_name(name).template_arguments) out.push_back(name.substr(from, to - from));
  return out;
}

// For each position, whether the lists differ there. A list that ends earlier differs from one that goes on.
std::vector<bool> differences(const std::vector<Arguments>& lists) {
  std::size_t longest = 0;
  for (const Arguments& list : lists) longest = std::max(longest, list.size());
  std::vector<bool> differ(longest, false);
  for (std::size_t i = 0; i < longest; ++i)
    differ[i] = std::ranges::any_of(lists, [&](const Arguments& list) {
      return (i < list.size()) != (i < lists[0].size()) || (i < list.size() && list[i] != lists[0][i]);
    });
  return differ;
}

// The arguments at the marked positions; one ellipsis for each run of the others.
std::string excerpt(const Arguments& arguments, const std::vector<bool>& marked) {
  if (arguments.empty()) return {};
  constexpr std::size_t max_argument = 24;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (marked[i])
      parts.push_back(shortened(arguments[i], max_argument));
    else if (i == 0 || marked[i - 1])
      parts.emplace_back("…");
  }
  return fmt::format("<{}>", fmt::join(parts, ", "));
}

}  // namespace

std::vector<std::string> kernel_labels(std::span<const std::string_view> names) {
  std::vector<std::string> labels, plain;
  std::unordered_map<std::string, std::vector<std::size_t>> sharing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    plain.push_back(plain_kernel_name(names[i]));
    labels.push_back(short_kernel_name(plain[i]));
    sharing[labels[i]].push_back(i);
  }
  for (const auto& [label, group] : sharing) {
    if (group.size() == 1) continue;
    std::vector<Arguments> lists;
    for (const std::size_t i : group) lists.push_back(template_arguments(plain[i]));
    const std::vector<bool> differ = differences(lists);
    if (std::ranges::find(differ, true) == differ.end()) continue;  // overloads: their full names tell them apart
    for (std::size_t i = 0; i < group.size(); ++i) labels[group[i]] += excerpt(lists[i], differ);
  }
  return labels;
}

}  // namespace warpwalk::analysis
