#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/trace/nsys/database.h"
#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace::nsys {

/// The texts of a database. Most are numbers of rows in its table StringIds, of which only those that the trace needs
/// are read: the table also has the symbols of sampled call stacks.
class Strings {
 public:
  Strings(const Database& database, Trace& trace, Problems& problems);

  /// The text in a column: itself, or the number of a row of StringIds. 0 if there is none.
  StringId text(const Statement& row, int column);
  /// The same without adding the text to the trace. Valid until the next call of this object or the row's next().
  std::string_view peek(const Statement& row, int column);
  /// Adds a text of the database to the trace, with bytes that are not UTF-8 replaced by U+FFFD.
  StringId intern(std::string_view text);

 private:
  std::optional<StringId> by_number(std::int64_t number);
  // The text of a row of StringIds, as in the database.
  std::optional<std::string_view> find(std::int64_t number);
  // The text with bytes that are not UTF-8 replaced: the same text, or `repaired_`.
  std::string_view valid(std::string_view text);
  void note_missing(std::int64_t number);

  Trace& trace_;
  Problems& problems_;
  Statement find_;
  std::unordered_map<std::int64_t, std::int64_t> rows_;  // by number, if the table has no key
  bool has_key_ = false;
  std::unordered_map<std::int64_t, StringId> known_;
  std::string repaired_;
};

/// Members for Slices::extra: `"key": value, "key": value` in strict JSON.
class Extra {
 public:
  /// Nothing if the value is absent.
  void add(std::string_view key, std::int64_t value);
  void add_text(std::string_view key, std::string_view value);
  /// `value`: valid JSON.
  void add_json(std::string_view key, std::string_view value);
  const std::string& json() const { return json_; }

 private:
  void add_key(std::string_view key);

  std::string json_;
};

}  // namespace warpwalk::trace::nsys
