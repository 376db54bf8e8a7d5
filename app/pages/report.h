#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace warpwalk::pages {

/// The state of the window as one line of JSON: an object that is filled member by member.
class Report {
 public:
  Report() { writer_.StartObject(); }
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  void text(std::string_view key, std::string_view value) {
    write_key(key);
    writer_.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  }
  void number(std::string_view key, double value) {
    write_key(key);
    writer_.Double(value);
  }
  void count(std::string_view key, std::int64_t value) {
    write_key(key);
    writer_.Int64(value);
  }
  void flag(std::string_view key, bool value) {
    write_key(key);
    writer_.Bool(value);
  }
  /// The members that follow are those of an object in this one, until end().
  void begin(std::string_view key) {
    write_key(key);
    writer_.StartObject();
  }
  void end() { writer_.EndObject(); }
  /// The whole line; call once, last.
  std::string finish() {
    writer_.EndObject();
    return {buffer_.GetString(), buffer_.GetSize()};
  }

 private:
  void write_key(std::string_view key) { writer_.Key(key.data(), static_cast<rapidjson::SizeType>(key.size())); }

  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_{buffer_};
};

}  // namespace warpwalk::pages
