#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "core/base/base64.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"
#include "core/trace/records.h"

namespace warpwalk::trace {

/// Wraps rapidjson's writer to write key and value together. Omits values equal to their default.
class RecordOutput {
 public:
  explicit RecordOutput(rapidjson::StringBuffer& buffer) : json_(buffer) {}

  void key(const char* name) { json_.Key(name); }
  template <class Members>
  void object(Members members) {
    json_.StartObject();
    members();
    json_.EndObject();
  }
  template <class Rows, class Element>
  void array(const char* key, const Rows& rows, Element element) {
    if (rows.empty()) return;
    json_.Key(key);
    list(rows, element);
  }
  template <class Rows, class Element>
  void list(const Rows& rows, Element element) {
    json_.StartArray();
    for (const auto& row : rows) element(row);
    json_.EndArray();
  }

  void text(std::string_view value) {
    // rapidjson copies invalid UTF-8 unchanged, which would make the file invalid.
    quoted_.clear();
    append_quoted(quoted_, value);
    json_.RawValue(quoted_.data(), quoted_.size(), rapidjson::kStringType);
  }
  void text(const char* key, std::string_view value) {
    if (value.empty()) return;
    json_.Key(key);
    text(value);
  }
  void integer(std::int64_t value) { json_.Int64(value); }
  void integer(const char* key, std::int64_t value, std::int64_t nothing) {
    if (value == nothing) return;
    json_.Key(key);
    json_.Int64(value);
  }
  void unsigned_whole(const char* key, std::uint64_t value) {
    if (value == 0) return;
    json_.Key(key);
    json_.Uint64(value);
  }
  void row(const char* key, std::size_t value) {
    if (value == no_record) return;
    json_.Key(key);
    json_.Uint64(value);
  }
  // JSON has no NaN or infinity, so they are written as strings.
  void real(const char* key, double value) {
    json_.Key(key);
    if (std::isnan(value)) return text("nan");
    if (std::isinf(value)) return text(value < 0 ? "-inf" : "inf");
    std::string digits;
    append_real(digits, value == 0 ? 0 : value);  // rapidjson reads -0 as 0
    json_.RawValue(digits.data(), digits.size(), rapidjson::kNumberType);
  }
  void bytes(const char* key, const std::vector<std::uint8_t>& value) {
    if (!value.empty()) text(key, base::to_base64(value));
  }
  void triple(const char* key, const std::array<std::uint32_t, 3>& value) {
    if (value == std::array<std::uint32_t, 3>{}) return;
    json_.Key(key);
    list(value, [&](std::uint32_t n) { integer(n); });
  }

 private:
  rapidjson::Writer<rapidjson::StringBuffer> json_;
  std::string quoted_;
};

}  // namespace warpwalk::trace
