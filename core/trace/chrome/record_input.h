#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <rapidjson/document.h>

#include "core/base/base64.h"
#include "core/trace/origin.h"
#include "core/trace/problem.h"
#include "core/trace/records.h"

namespace warpwalk::trace {

/// Reads members into fields. Tracks the current path for messages, e.g. kernels[3].arguments[1].bytes.
class RecordInput {
 public:
  RecordInput(Problems& problems, std::uint64_t byte_offset) : problems_(problems), byte_offset_(byte_offset) {}

  // Reports an unusable entry. Always returns false.
  bool reject(const char* key, std::string_view why) {
    problems_.add(ProblemKind::bad_record, byte_offset_, [&] {
      return fmt::format("\"warpwalk\" at byte {}: {}{}{} {}; it is left out", byte_offset_, path_,
                         path_.empty() || *key == '\0' ? "" : ".", key, why);
    });
    return false;
  }

  // The member, or null if it is missing or JSON null.
  static const rapidjson::Value* member(const rapidjson::Value& object, const char* key) {
    const auto found = object.FindMember(key);
    return found == object.MemberEnd() || found->value.IsNull() ? nullptr : &found->value;
  }

  // The functions below return true if the member is valid, or missing, which leaves `out` unchanged.
  bool text(const rapidjson::Value& object, const char* key, std::string& out) {
    const rapidjson::Value* value = member(object, key);
    if (value == nullptr) return true;
    if (!value->IsString()) return reject(key, "is not a string");
    out.assign(value->GetString(), value->GetStringLength());
    return true;
  }
  template <class Whole>
  bool integer(const rapidjson::Value& object, const char* key, Whole& out) {
    const rapidjson::Value* value = member(object, key);
    return value == nullptr || whole_value(*value, key, out);
  }
  template <class Whole>
  bool whole_value(const rapidjson::Value& value, const char* key, Whole& out) {
    using Limits = std::numeric_limits<Whole>;
    if constexpr (std::is_signed_v<Whole>) {
      if (!value.IsInt64()) return reject(key, "is not a whole number");
      if (value.GetInt64() < Limits::min() || value.GetInt64() > Limits::max()) return reject(key, "is out of range");
      out = static_cast<Whole>(value.GetInt64());
    } else {
      if (!value.IsUint64()) return reject(key, "is not a non-negative whole number");
      if (value.GetUint64() > Limits::max()) return reject(key, "is out of range");
      out = static_cast<Whole>(value.GetUint64());
    }
    return true;
  }
  bool real(const rapidjson::Value& object, const char* key, double& out) {
    const rapidjson::Value* value = member(object, key);
    if (value == nullptr) return true;
    if (value->IsString()) {
      const std::string_view word(value->GetString(), value->GetStringLength());
      constexpr double infinity = std::numeric_limits<double>::infinity();
      if (word == "nan")
        out = std::numeric_limits<double>::quiet_NaN();
      else if (word == "inf")
        out = infinity;
      else if (word == "-inf")
        out = -infinity;
      else
        return reject(key, "is not a number");
      return true;
    }
    if (!value->IsNumber() || !std::isfinite(value->GetDouble())) return reject(key, "is not a number");
    out = value->GetDouble();
    return true;
  }
  bool bytes(const rapidjson::Value& object, const char* key, std::vector<std::uint8_t>& out) {
    std::string text64;
    if (!text(object, key, text64)) return false;
    auto decoded = base::from_base64(text64);
    if (!decoded) return reject(key, "is not valid base64");
    out = std::move(*decoded);
    return true;
  }
  bool triple(const rapidjson::Value& object, const char* key, std::array<std::uint32_t, 3>& out) {
    const rapidjson::Value* value = member(object, key);
    if (value == nullptr) return true;
    std::array<std::uint32_t, 3> read{};
    if (!value->IsArray() || value->Size() != read.size()) return reject(key, "is not three whole numbers");
    for (rapidjson::SizeType i = 0; i < read.size(); ++i)
      if (!whole_value((*value)[i], key, read[i])) return false;
    out = read;
    return true;
  }
  bool origin(const rapidjson::Value& object, const char* key, Origin& out) {
    std::string name;
    if (!text(object, key, name)) return false;
    for (const Origin one : {Origin::measured, Origin::simulated, Origin::derived, Origin::explained})
      if (name == name_of(one)) {
        out = one;
        return true;
      }
    return reject(key, name.empty() ? "is missing" : "is not one of measured, simulated, derived, explained");
  }
  bool sha256(const rapidjson::Value& object, const char* key, std::string& out) {
    std::string digits;
    if (!text(object, key, digits)) return false;
    if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos ||
        (digits.size() != 64 && !digits.empty()))
      return reject(key, "is not 64 hexadecimal digits");
    out = std::move(digits);
    return true;
  }
  // Reads a row number of a table; `usable` marks its readable rows.
  bool row(const rapidjson::Value& object, const char* key, const std::vector<bool>& usable, std::size_t& out) {
    std::uint64_t number = no_record;
    if (!integer(object, key, number)) return false;
    if (number == no_record) return true;
    if (number >= usable.size()) return reject(key, fmt::format("is {}, but there are {} rows", number, usable.size()));
    if (!usable[number]) return reject(key, fmt::format("is {}, but that row cannot be read", number));
    out = number;
    return true;
  }

  // Calls `read(element)` for each element of an array, with the path set to it.
  template <class Read>
  bool each(const rapidjson::Value& object, const char* key, Read read) {
    const rapidjson::Value* value = member(object, key);
    if (value == nullptr) return true;
    if (!value->IsArray()) return reject(key, "is not an array");
    const std::string outer = path_;
    bool all = true;
    for (rapidjson::SizeType i = 0; i < value->Size(); ++i) {
      path_ = fmt::format("{}{}{}[{}]", outer, outer.empty() ? "" : ".", key, i);
      if (!read((*value)[i])) all = false;
    }
    path_ = outer;
    return all;
  }
  template <class Read>
  bool each_object(const rapidjson::Value& object, const char* key, Read read) {
    return each(object, key, [&](const rapidjson::Value& element) {
      return element.IsObject() ? read(element) : reject("", "is not an object");
    });
  }

 private:
  Problems& problems_;
  std::uint64_t byte_offset_;
  std::string path_;
};

}  // namespace warpwalk::trace
