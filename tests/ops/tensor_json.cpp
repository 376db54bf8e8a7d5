#include "tests/ops/tensor_json.h"

#include <charconv>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace warpwalk::ops {

rapidjson::Document read_data(const std::string& name) {
  std::ifstream file(std::string(WARPWALK_TEST_DATA) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  rapidjson::Document document;
  document.Parse(text.str().c_str());
  EXPECT_FALSE(document.HasParseError()) << name;
  return document;
}

std::vector<std::uint8_t> bytes_of_hex(std::string_view hex) {
  std::vector<std::uint8_t> bytes(hex.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) std::from_chars(&hex[2 * i], &hex[2 * i] + 2, bytes[i], 16);
  return bytes;
}

Sizes sizes_of(const rapidjson::Value& list) {
  Sizes sizes;
  for (const auto& size : list.GetArray()) sizes.push_back(size.GetInt64());
  return sizes;
}

std::string json_text(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return buffer.GetString();
}

}  // namespace warpwalk::ops
