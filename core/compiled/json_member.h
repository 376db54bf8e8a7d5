#pragma once

#include <string>

#include <rapidjson/document.h>

namespace warpwalk::compiled {

using Json = rapidjson::Value;

/// A member of an object; null if it is not there, or `object` is none.
inline const Json* member(const Json& object, const char* key) {
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(key);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

/// A member that is a text; empty if there is none.
inline std::string text_of(const Json& object, const char* key) {
  const Json* const found = member(object, key);
  return found != nullptr && found->IsString() ? std::string(found->GetString(), found->GetStringLength())
                                               : std::string();
}

/// A member that is a whole number; `otherwise` if there is none.
inline int number_of(const Json& object, const char* key, int otherwise) {
  const Json* const found = member(object, key);
  return found != nullptr && found->IsInt() ? found->GetInt() : otherwise;
}

}  // namespace warpwalk::compiled
