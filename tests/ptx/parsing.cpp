#include "tests/ptx/parsing.h"

#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

namespace warpwalk::ptx {

Module parsed(std::string_view text) {
  std::variant<Module, Error> result = parse(text);
  if (const Error* error = std::get_if<Error>(&result)) {
    ADD_FAILURE() << error->text();
    return {};
  }
  return std::get<Module>(std::move(result));
}

std::string refusal(std::string_view text) {
  const std::variant<Module, Error> result = parse(text);
  const Error* const error = std::get_if<Error>(&result);
  return error == nullptr ? "accepted" : error->text();
}

std::string module_of(std::string_view items) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n" + std::string(items);
}

std::string body_of(std::string_view lines) {
  return module_of(
      ".visible .entry k(.param .align 16 .b8 par[64]) {\n"
      ".reg .pred p<4>; .reg .b16 h<8>; .reg .b32 r<16>; .reg .b64 q<8>; .reg .f32 f<16>; .reg .f64 d<8>;\n" +
      std::string(lines) + "\n}\n");
}

Function entry_of(std::string_view lines) {
  const Module module = parsed(body_of(lines));
  const Function* const entry = module.entry("k");
  if (entry == nullptr) return {};
  return *entry;
}

Instruction instruction_of(std::string_view line) {
  Function function = entry_of(line);
  EXPECT_EQ(function.instructions.size(), 1u) << line;
  if (function.instructions.empty()) return {};
  return function.instructions.front();
}

std::string file_text(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string data_file(const std::string& name) { return WARPWALK_SOURCE_DIR "/tests/ptx/data/" + name; }

}  // namespace warpwalk::ptx
