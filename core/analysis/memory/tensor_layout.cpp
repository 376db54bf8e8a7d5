#include "core/analysis/memory/tensor_layout.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include "core/base/quantity_text.h"

namespace warpwalk::analysis {
namespace {

constexpr std::int64_t largest = std::int64_t{1} << 40;  // of a size or stride; larger numbers come from a damaged file
constexpr std::size_t max_dimensions = 16;
constexpr std::string_view json_space = " \n\r\t";  // tools that print JSON anew put line feeds between numbers

// The elements of a JSON array as text: "[[1, 2], []]" -> "[1, 2]", "[]".
std::vector<std::string_view> elements_of(std::string_view json) {
  std::vector<std::string_view> out;
  const std::size_t open = json.find('[');
  if (open == std::string_view::npos) return out;
  int depth = 0;
  bool quoted = false;
  std::size_t from = open + 1;
  for (std::size_t i = open; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '[') ++depth;
    const bool end = c == ']' && --depth == 0;
    if (end || (c == ',' && depth == 1)) {
      std::string_view element = json.substr(from, i - from);
      element.remove_prefix(std::min(element.find_first_not_of(json_space), element.size()));
      element.remove_suffix(element.size() - (element.find_last_not_of(json_space) + 1));  // npos + 1 is 0
      if (!end || !element.empty() || !out.empty()) out.push_back(element);
      from = i + 1;
    }
    if (end) break;
  }
  return out;
}

// "[1024, 512]" -> its numbers; nullopt if it contains anything else.
std::optional<std::vector<std::int64_t>> numbers_of(std::string_view json) {
  std::vector<std::int64_t> out;
  if (!json.starts_with('[')) return {};
  for (const std::string_view element : elements_of(json)) {
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(element.data(), element.data() + element.size(), value);
    if (error != std::errc{} || rest != element.data() + element.size()) return {};
    if (value < 0 || value > largest || out.size() == max_dimensions) return {};
    out.push_back(value);
  }
  return out;
}

// Whether the number of elements is at most `largest`.
bool is_sane(const std::vector<std::int64_t>& sizes) {
  double count = 1;
  for (const std::int64_t size : sizes) count *= static_cast<double>(std::max<std::int64_t>(size, 1));
  return count <= static_cast<double>(largest);
}

std::string_view unquoted(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

std::string_view at_or_empty(const std::vector<std::string_view>& list, std::size_t i) {
  return i < list.size() ? list[i] : std::string_view();
}

std::optional<Tensor> read(std::string_view sizes, std::string_view strides, std::string_view type,
                           std::size_t number) {
  const std::optional<std::vector<std::int64_t>> numbers = numbers_of(sizes);
  if (!numbers) return {};
  Tensor tensor;
  tensor.number = number;
  tensor.sizes = *numbers;
  tensor.type = type;
  tensor.element = element_bytes(type);
  if (!is_sane(tensor.sizes)) return {};
  if (const auto found = numbers_of(strides); found && found->size() == tensor.sizes.size()) tensor.strides = *found;
  return tensor;
}

}  // namespace

std::int64_t Tensor::count() const {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

Layout Tensor::layout() const {
  if (!strides) return Layout::unknown;
  // Dimensions of size 1 are never stepped along, so their strides are meaningless.
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // stride, size
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return Layout::contiguous;
    if (sizes[d] > 1) steps.emplace_back((*strides)[d], sizes[d]);
  }
  for (const auto& [stride, size] : steps)
    if (stride == 0) return Layout::repeated;
  const auto dense = [](const auto& from_outside) {
    std::int64_t expected = 1;
    for (auto at = from_outside.rbegin(); at != from_outside.rend(); ++at) {
      if (at->first != expected) return false;
      expected *= at->second;
    }
    return true;
  };
  if (dense(steps)) return Layout::contiguous;
  std::stable_sort(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return dense(steps) ? Layout::permuted : Layout::gaps;
}

std::int64_t Tensor::reach() const {
  if (!strides || element == 0) return 0;
  std::int64_t last = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return 0;
    // Both are at most 2^40, so a hundred dimensions do not overflow if one of them is small; otherwise the reach is
    // not plausible.
    const auto step = static_cast<double>(sizes[d] - 1) * static_cast<double>((*strides)[d]);
    if (step > static_cast<double>(largest)) return 0;
    last += (sizes[d] - 1) * (*strides)[d];
  }
  return (last + 1) * element;
}

std::int64_t element_bytes(std::string_view type) {
  struct Known {
    std::string_view name;
    std::int64_t bytes;
  };
  static constexpr std::array known = {
      Known{"float", 4},
      Known{"double", 8},
      Known{"c10::Half", 2},
      Known{"c10::BFloat16", 2},
      Known{"bool", 1},
      Known{"unsigned char", 1},
      Known{"signed char", 1},
      Known{"short", 2},
      Known{"short int", 2},
      Known{"int", 4},
      Known{"long", 8},
      Known{"long int", 8},
      Known{"long long", 8},
      Known{"__int64", 8},
      Known{"c10::complex<c10::Half>", 4},
      Known{"c10::complex<float>", 8},
      Known{"c10::complex<double>", 16},
      Known{"c10::Float8_e4m3fn", 1},
      Known{"c10::Float8_e5m2", 1},
      Known{"c10::Float8_e4m3fnuz", 1},
      Known{"c10::Float8_e5m2fnuz", 1},
      Known{"c10::qint8", 1},
      Known{"c10::quint8", 1},
      Known{"c10::qint32", 4},
  };
  for (const Known& one : known)
    if (one.name == type) return one.bytes;
  return 0;
}

std::string sizes_text(const std::vector<std::int64_t>& sizes) {
  std::string out;
  for (const std::int64_t size : sizes) out.append(out.empty() ? "" : " × ").append(base::with_thousands(size));
  return out;
}

std::string strides_text(const std::vector<std::int64_t>& strides) {
  std::string out = "(";
  for (const std::int64_t stride : strides) out += fmt::format("{}{}", out.size() > 1 ? ", " : "", stride);
  return out + (strides.size() == 1 ? ",)" : ")");  // as Python writes a tuple of one
}

std::vector<Tensor> tensors_of(const Trace& trace, SliceId op) {
  std::vector<Tensor> out;
  if (op == no_slice || trace.slices.kind[op] != trace::SliceKind::op) return out;
  const trace::OpDetail& detail = trace.ops[trace.slices.detail[op]];
  const auto sizes = elements_of(trace.text(detail.input_dims));
  const auto strides = elements_of(trace.text(detail.input_strides));
  const auto types = elements_of(trace.text(detail.input_types));
  const auto add = [&](std::optional<Tensor> tensor) {
    // Numbers and lists lack sizes, and their type is not an element type.
    if (tensor && (tensor->element != 0 || !tensor->sizes.empty()) && out.size() < max_tensors)
      out.push_back(std::move(*tensor));
  };
  for (std::size_t i = 0; i < sizes.size() && out.size() < max_tensors; ++i) {
    const std::string_view type = unquoted(at_or_empty(types, i));
    if (type == "Scalar" || type == "ScalarList") continue;
    const std::string_view stride = at_or_empty(strides, i);
    if (sizes[i].starts_with("[[")) {  // a list of tensors is one argument
      const auto inner_sizes = elements_of(sizes[i]), inner_strides = elements_of(stride);
      for (std::size_t k = 0; k < inner_sizes.size() && out.size() < max_tensors; ++k)
        add(read(inner_sizes[k], at_or_empty(inner_strides, k), "", i + 1));
    } else {
      add(read(sizes[i], stride, type, i + 1));
    }
  }
  return out;
}

std::optional<Tensor> output_of(std::string_view op, const std::vector<Tensor>& inputs) {
  std::vector<const Tensor*> tensors;
  for (const Tensor& input : inputs) tensors.push_back(&input);
  Tensor out;
  out.output = true;
  const auto take_type = [&](const Tensor& from) {
    out.type = from.type;
    out.element = from.element;
  };
  // rows of the first × columns of the second
  const auto product = [&](const Tensor& a, const Tensor& b) {
    if (a.sizes.size() != 2 || b.sizes.size() != 2 || a.sizes[1] != b.sizes[0]) return false;
    out.sizes = {a.sizes[0], b.sizes[1]};
    take_type(a);
    return true;
  };
  bool known = false;
  if (op == "aten::mm" || op == "aten::matmul") {
    known = tensors.size() == 2 && product(*tensors[0], *tensors[1]);
  } else if (op == "aten::addmm") {
    known = tensors.size() >= 3 && product(*tensors[1], *tensors[2]);
  } else if (op == "aten::linear") {
    const bool fits = tensors.size() >= 2 && tensors[1]->sizes.size() == 2 && !tensors[0]->sizes.empty() &&
                      tensors[0]->sizes.back() == tensors[1]->sizes[1];
    if (fits) {
      out.sizes = tensors[0]->sizes;
      out.sizes.back() = tensors[1]->sizes[0];
      take_type(*tensors[0]);
      known = true;
    }
  } else {
    static constexpr std::array<std::string_view, 18> each = {
        "aten::relu", "aten::clamp_min", "aten::add", "aten::sub",  "aten::mul",  "aten::div",
        "aten::exp",  "aten::log",       "aten::neg", "aten::sqrt", "aten::tanh", "aten::sigmoid",
        "aten::gelu", "aten::silu",      "aten::sin", "aten::cos",  "aten::abs",  "aten::rsqrt"};
    if (std::find(each.begin(), each.end(), op) == each.end() || tensors.empty()) return {};
    // Element by element: sizes are matched from the last dimension on, and a size of 1 matches any.
    for (const Tensor* tensor : tensors) {
      if (tensor->sizes.size() > out.sizes.size())
        out.sizes.insert(out.sizes.begin(), tensor->sizes.size() - out.sizes.size(), 1);
      for (std::size_t d = 0; d < tensor->sizes.size(); ++d) {
        std::int64_t& size = out.sizes[out.sizes.size() - tensor->sizes.size() + d];
        if (size != 1 && tensor->sizes[d] != 1 && size != tensor->sizes[d]) return {};
        if (tensor->sizes[d] != 1) size = tensor->sizes[d];
      }
      if (out.element == 0 || (!tensor->sizes.empty() && tensor == tensors.front())) take_type(*tensor);
    }
    known = true;
  }
  // A new result is contiguous; an element-wise result takes over the strides of its inputs.
  const bool contiguous = op == "aten::mm" || op == "aten::matmul" || op == "aten::addmm" || op == "aten::linear" ||
                          std::all_of(tensors.begin(), tensors.end(),
                                      [](const Tensor* tensor) { return tensor->layout() == Layout::contiguous; });
  if (!known || out.element == 0 || !is_sane(out.sizes) || out.count() == 0) return {};
  if (contiguous) {
    std::vector<std::int64_t> strides(out.sizes.size(), 1);
    for (std::size_t d = strides.size(); d-- > 1;) strides[d - 1] = strides[d] * out.sizes[d];
    out.strides = std::move(strides);
  }
  return out;
}

}  // namespace warpwalk::analysis
