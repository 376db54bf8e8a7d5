#pragma once

#include <string>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

namespace warpwalk::testing {

/// The parsed text; the test fails if it is not JSON.
inline rapidjson::Document parsed_json(const std::string& text) {
  rapidjson::Document json;
  json.Parse(text.c_str(), text.size());
  EXPECT_FALSE(json.HasParseError()) << text;
  return json;
}

}  // namespace warpwalk::testing
