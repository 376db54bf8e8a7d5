#include "core/trace/pickle/document.h"

#include <algorithm>

namespace warpwalk::trace::pickle {

void Document::add(Value container, std::span<const Value> items) {
  std::vector<Value>& values = containers_[container.bits];
  values.insert(values.end(), items.begin(), items.end());
  values_ += items.size();
}

std::size_t Document::bytes() const {
  // A vector grows to at most twice of what it holds.
  return texts_.bytes() + containers_.capacity() * sizeof(std::vector<Value>) + 2 * values_ * sizeof(Value);
}

std::span<const Value> Document::items(Value list) const {
  if (!list.is(Value::Kind::list)) return {};
  return containers_[list.bits];
}

std::span<const Value> Document::members(Value dictionary) const {
  if (!dictionary.is(Value::Kind::dictionary)) return {};
  const std::span<const Value> values = containers_[dictionary.bits];
  return values.first(values.size() / 2 * 2);
}

Value Document::member(Value dictionary, std::string_view key) const {
  constexpr std::size_t most = 64;
  const StringId wanted = texts_.find(key);
  if (wanted == 0) return {};
  const std::span<const Value> values = members(dictionary);
  for (std::size_t i = 0; i < std::min(values.size(), 2 * most); i += 2)
    if (values[i].is(Value::Kind::text) && values[i].bits == wanted) return values[i + 1];
  return {};
}

std::string_view Document::text(Value text) const {
  return text.is(Value::Kind::text) ? texts_[static_cast<StringId>(text.bits)] : std::string_view();
}

}  // namespace warpwalk::trace::pickle
