#include "core/analysis/kernels/op_arguments.h"

#include <charconv>

#include <rapidjson/document.h>

#include "core/analysis/memory/tensor_layout.h"

namespace warpwalk::analysis {
namespace {

constexpr std::int64_t max_size = std::int64_t{1} << 40;  // larger numbers come from a damaged file
constexpr std::size_t max_rank = 16;

rapidjson::Document parsed_list(std::string_view json) {
  rapidjson::Document list;
  list.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (list.HasParseError() || !list.IsArray()) list.SetArray();
  return list;
}

// The whole numbers of a JSON array; nullopt if it is anything else.
std::optional<std::vector<std::int64_t>> sizes_of(const rapidjson::Value& list) {
  if (!list.IsArray() || list.Size() > max_rank) return {};
  std::vector<std::int64_t> sizes;
  for (const rapidjson::Value& size : list.GetArray()) {
    if (!size.IsInt64() || size.GetInt64() < 0 || size.GetInt64() > max_size) return {};
    sizes.push_back(size.GetInt64());
  }
  return sizes;
}

// Sizes along which the stride is 0 repeat the same elements. 0 if there are too many to be true.
std::int64_t distinct_elements(const std::vector<std::int64_t>& sizes, const rapidjson::Value* strides) {
  const bool known = strides != nullptr && strides->IsArray() && strides->Size() == sizes.size();
  double count = 1;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const rapidjson::Value* const stride = known ? &(*strides)[static_cast<rapidjson::SizeType>(d)] : nullptr;
    const bool repeats = stride != nullptr && stride->IsInt64() && stride->GetInt64() == 0 && sizes[d] > 0;
    if (!repeats) count *= static_cast<double>(sizes[d]);
  }
  return count <= static_cast<double>(max_size) ? static_cast<std::int64_t>(count) : 0;
}

const rapidjson::Value* value_at(const rapidjson::Document& list, std::size_t i) {
  return i < list.Size() ? &list[static_cast<rapidjson::SizeType>(i)] : nullptr;
}

// Splits "[1, 2]" or "1" at its commas; the words are without brackets and spaces.
std::vector<std::string_view> words_of_list(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view word = text.substr(0, comma);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    words.push_back(word);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return words;
}

std::optional<bool> truth_of(std::string_view word) {
  if (word == "True" || word == "true") return true;
  if (word == "False" || word == "false") return false;
  return {};
}

}  // namespace

double OpArgument::count() const {
  double count = 1;
  for (const std::int64_t size : sizes) count *= static_cast<double>(size);
  return count;
}

const OpArgument* OpArguments::tensor(std::size_t place) const {
  return place < all_.size() && all_[place].tensor ? &all_[place] : nullptr;
}

const std::string* OpArguments::concrete(std::size_t place) const {
  return place < all_.size() && !all_[place].concrete.empty() ? &all_[place].concrete : nullptr;
}

std::optional<std::vector<std::int64_t>> OpArguments::numbers(std::size_t place) const {
  const std::string* const text = concrete(place);
  if (text == nullptr) return {};
  std::vector<std::int64_t> numbers;
  for (const std::string_view word : words_of_list(*text)) {
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || rest != word.data() + word.size() || value < -max_size || value > max_size) return {};
    numbers.push_back(value);
  }
  return numbers;
}

std::optional<double> OpArguments::number(std::size_t place) const {
  const std::string* const text = concrete(place);
  if (text == nullptr) return {};
  double value = 0;
  const auto [rest, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || rest != text->data() + text->size()) return {};
  return value;
}

std::optional<bool> OpArguments::flag(std::size_t place) const {
  const std::string* const text = concrete(place);
  return text == nullptr ? std::nullopt : truth_of(*text);
}

std::optional<std::vector<bool>> OpArguments::flags(std::size_t place) const {
  const std::string* const text = concrete(place);
  if (text == nullptr) return {};
  std::vector<bool> flags;
  for (const std::string_view word : words_of_list(*text)) {
    const std::optional<bool> truth = truth_of(word);
    if (!truth) return {};
    flags.push_back(*truth);
  }
  return flags;
}

OpArguments op_arguments(const trace::Trace& trace, const trace::OpDetail& detail) {
  if (detail.input_dims == 0) return {};
  const rapidjson::Document dims = parsed_list(trace.text(detail.input_dims));
  const rapidjson::Document strides = parsed_list(trace.text(detail.input_strides));
  const rapidjson::Document concrete = parsed_list(trace.text(detail.concrete_inputs));
  // The types are kept as text of the trace, so that nothing is copied.
  const rapidjson::Document types = parsed_list(trace.text(detail.input_types));
  std::vector<OpArgument> all(dims.Size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    OpArgument& argument = all[i];
    if (const rapidjson::Value* const value = value_at(concrete, i); value != nullptr && value->IsString())
      argument.concrete.assign(value->GetString(), value->GetStringLength());
    const rapidjson::Value* const type = value_at(types, i);
    if (type == nullptr || !type->IsString()) continue;
    const std::string_view name(type->GetString(), type->GetStringLength());
    argument.element = element_bytes(name);
    auto sizes = sizes_of(*value_at(dims, i));
    if (argument.element == 0 || !sizes) continue;
    const std::string_view text = trace.text(detail.input_types);
    const std::size_t at = text.find(name);
    argument.type = at == std::string_view::npos ? std::string_view() : text.substr(at, name.size());
    argument.tensor = true;
    argument.sizes = *std::move(sizes);
    argument.distinct = distinct_elements(argument.sizes, value_at(strides, i));
  }
  return OpArguments(std::move(all));
}

std::string op_shapes_text(const trace::Trace& trace, trace::SliceId op, std::size_t most) {
  if (op == trace::no_slice || trace.slices.kind[op] != trace::SliceKind::op) return {};
  std::string text;
  std::size_t shown = 0;
  const OpArguments arguments = op_arguments(trace, trace.ops[trace.slices.detail[op]]);
  for (const OpArgument& argument : arguments.all()) {
    if (!argument.tensor || argument.sizes.empty()) continue;
    if (shown++ == most) return text + ", …";
    text.append(text.empty() ? "" : ", ").append(sizes_text(argument.sizes));
  }
  return text;
}

}  // namespace warpwalk::analysis
