#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/trace/pickle/value.h"

namespace warpwalk::trace::pickle {

/// Lists and dictionaries as a pickle, or JSON of the same form, has them.
class Document final : public Builder {
 public:
  Value new_list() override { return new_container(Value::Kind::list); }
  Value new_dictionary() override { return new_container(Value::Kind::dictionary); }
  Value new_text(std::string_view text) override { return {Value::Kind::text, texts_.intern(text)}; }
  void append(Value list, std::span<const Value> items) override { add(list, items); }
  void set(Value dictionary, std::span<const Value> items, bool) override { add(dictionary, items); }
  /// Bytes held.
  std::size_t bytes() const;

  /// The items of a list or a tuple; empty for any other value.
  std::span<const Value> items(Value list) const;
  /// Key, value, key, value ...; empty for any other value than a dictionary.
  std::span<const Value> members(Value dictionary) const;
  /// The value under this key, or one of Kind::none. Looks at the first 64 members alone, so that a dictionary that is
  /// referred to a million times costs no more than a million small ones.
  Value member(Value dictionary, std::string_view key) const;
  /// Empty for any other value than a text.
  std::string_view text(Value text) const;

 private:
  Value new_container(Value::Kind kind) {
    containers_.emplace_back();
    return {kind, containers_.size() - 1};
  }
  void add(Value container, std::span<const Value> items);

  StringPool texts_;
  std::vector<std::vector<Value>> containers_;
  std::size_t values_ = 0;
};

}  // namespace warpwalk::trace::pickle
