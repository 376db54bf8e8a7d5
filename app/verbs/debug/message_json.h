#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "app/verbs/common/terminal.h"

namespace warpwalk::verbs {

/// Writes a message of the protocol, member by member. Text that is not UTF-8 is made so.
class MessageJson {
 public:
  template <class Members>
  void object(Members members) {
    writer_.StartObject();
    members();
    writer_.EndObject();
  }
  template <class Members>
  void object(std::string_view name, Members members) {
    key(name);
    object(members);
  }
  template <class Elements>
  void array(std::string_view name, Elements elements) {
    key(name);
    writer_.StartArray();
    elements();
    writer_.EndArray();
  }
  void member(std::string_view name, std::string_view text) {
    key(name);
    element(text);
  }
  void member(std::string_view name, std::nullptr_t) {
    key(name);
    writer_.Null();
  }
  void member(std::string_view name, const char* text) { member(name, std::string_view(text)); }
  void member(std::string_view name, std::same_as<bool> auto value) {
    key(name);
    writer_.Bool(value);
  }
  void member(std::string_view name, std::integral auto number) requires(!std::same_as<decltype(number), bool>) {
    key(name);
    writer_.Int64(static_cast<std::int64_t>(number));
  }
  void element(std::string_view text) {
    const std::string clean = terminal_text(text);
    writer_.String(clean.data(), static_cast<rapidjson::SizeType>(clean.size()));
  }
  void element(std::int64_t number) { writer_.Int64(number); }
  std::string_view text() const { return {buffer_.GetString(), buffer_.GetSize()}; }

 private:
  void key(std::string_view name) { writer_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size())); }

  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_{buffer_};
};

/// The members of an object that may lack any of them, or have them with other types.
class JsonReader {
 public:
  explicit JsonReader(const rapidjson::Value* value)
      : value_(value != nullptr && value->IsObject() ? value : nullptr) {}

  const rapidjson::Value* find(const char* name) const {
    if (value_ == nullptr) return nullptr;
    const auto member = value_->FindMember(name);
    return member == value_->MemberEnd() ? nullptr : &member->value;
  }
  JsonReader object(const char* name) const { return JsonReader(find(name)); }
  std::string text(const char* name) const {
    const rapidjson::Value* const value = find(name);
    return value != nullptr && value->IsString() ? std::string(value->GetString(), value->GetStringLength())
                                                 : std::string();
  }
  std::optional<std::int64_t> number(const char* name) const {
    const rapidjson::Value* const value = find(name);
    if (value == nullptr) return {};
    if (value->IsInt64()) return value->GetInt64();
    if (value->IsDouble() && value->GetDouble() > -9e15 && value->GetDouble() < 9e15)
      return static_cast<std::int64_t>(value->GetDouble());
    return {};
  }
  bool truth(const char* name, bool otherwise = false) const {
    const rapidjson::Value* const value = find(name);
    return value != nullptr && value->IsBool() ? value->GetBool() : otherwise;
  }
  /// Calls for each element of an array.
  template <class Each>
  void each(const char* name, Each each) const {
    const rapidjson::Value* const value = find(name);
    if (value == nullptr || !value->IsArray()) return;
    for (const rapidjson::Value& element : value->GetArray()) each(element);
  }

 private:
  const rapidjson::Value* value_;
};

}  // namespace warpwalk::verbs
