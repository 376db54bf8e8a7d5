// Malicious input must be rejected quickly and with little memory.
#include <algorithm>
#include <random>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/ptx/parsing.h"
#include "tests/ptx/walk.h"

namespace warpwalk::ptx {
namespace {

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(PtxHostile, Limits) {
  EXPECT_EQ(refusal(body_of(".reg .b32 %x<4294967295>;")),
            "6:14: `4294967295`: a module can have at most 1000000 registers");
  EXPECT_EQ(refusal(body_of(".reg .b32 %x<999999999999999999999>;")),
            "6:14: `999999999999999999999`: expected the number of registers");
  EXPECT_EQ(refusal(body_of(repeated(".reg .b32 %a<600000>;", 1) + ".reg .b32 %b<600000>;")),
            "6:35: `600000`: a module can have at most 1000000 registers");
  EXPECT_EQ(refusal(body_of(".reg .b32 " + std::string(1000, 'x') + "<900000>;")),
            "6:1012: `900000`: the register names take more than 67108864 bytes");
  EXPECT_EQ(refusal(body_of(repeated("{", 100000))), "6:200: `{`: blocks are nested more than 200 deep");
  EXPECT_EQ(refusal(module_of(".global .b8 x[1099511627776];")),
            "4:15: `1099511627776`: expected a number of elements from 0 to 274877906944");
  EXPECT_EQ(refusal(module_of(".global .b64 x[274877906944][274877906944];")),
            "4:14: `x`: this variable is larger than the limit of 274877906944 bytes");
  EXPECT_EQ(refusal(module_of(".global .b8 x[3][1000000000] = {{1}, {2}};")),
            "4:39: `2`: the initial values take more than 268435456 bytes");
  EXPECT_EQ(refusal(module_of(".global .b8 x" + repeated("[1]", 20) + ";")),
            "4:39: `1`: arrays of more than 8 dimensions are not supported");
  EXPECT_EQ(refusal(body_of("mov.b64 q1, {" + repeated("r1,", 100000) + "r1};")), "6:12302: `r1`: too many elements");
  EXPECT_EQ(refusal(body_of("mov.u32 r1, " + repeated("-", 100000) + "1;")),
            "6:77: `-`: a constant expression is nested more than 64 deep");
}

TEST(PtxHostile, EveryBeginningOfAFileIsReadOrRefused) {
  const std::string text = file_text(data_file("features.sm_80.ptx"));
  std::size_t accepted = 0;
  for (std::size_t length = 0; length < text.size(); length += 61) {
    const auto result = parse(std::string_view(text).substr(0, length));
    if (const Module* const module = std::get_if<Module>(&result)) {
      ++accepted;
      EXPECT_EQ(flaw_of(*module).value_or("none"), "none");
    }
  }
  EXPECT_LT(accepted, text.size() / 61 / 2) << "most beginnings are cut within a function";
}

/// Splits a text roughly into tokens, so that they can be shuffled.
std::vector<std::string> pieces_of(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size();) {
    const bool word = std::isalnum(static_cast<unsigned char>(text[at])) != 0;
    std::size_t end = at + 1;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0) == word && word) ++end;
    pieces.push_back(text.substr(at, end - at));
    at = end;
  }
  return pieces;
}

TEST(PtxHostile, MutationsOfRealFiles) {
  std::mt19937 random(20240607);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  const std::vector<std::string> extras{"4294967296",
                                        "-1",
                                        "0x",
                                        "0f",
                                        "9999999999999999999999",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        "(",
                                        ")",
                                        "<",
                                        ">",
                                        ";",
                                        ",",
                                        "|",
                                        "!",
                                        "@",
                                        "%r1",
                                        "_",
                                        ".v4",
                                        ".b128",
                                        ".reg",
                                        "bra",
                                        ".callprototype",
                                        ".branchtargets",
                                        ":",
                                        "\"",
                                        "/*",
                                        "=",
                                        "generic",
                                        "+",
                                        ".param",
                                        ".pred"};
  std::size_t accepted = 0;
  for (const char* const name : {"debug.sm_90.ptx", "features.sm_89.ptx"}) {
    const std::vector<std::string> pieces = pieces_of(file_text(data_file(name)));
    for (int round = 0; round < 150; ++round) {
      std::vector<std::string> mutated = pieces;
      for (std::size_t steps = 1 + below(3); steps > 0; --steps) {
        const std::size_t at = below(mutated.size());
        switch (below(4)) {
          case 0: mutated[at] = mutated[below(mutated.size())]; break;
          case 1: mutated[at] = extras[below(extras.size())]; break;
          case 2: mutated.erase(mutated.begin() + static_cast<std::ptrdiff_t>(at)); break;
          default: mutated.insert(mutated.begin() + static_cast<std::ptrdiff_t>(at), extras[below(extras.size())]);
        }
      }
      std::string text;
      for (const std::string& piece : mutated) text += piece;
      const auto result = parse(text);
      if (const Module* const module = std::get_if<Module>(&result)) {
        ++accepted;
        EXPECT_EQ(flaw_of(*module).value_or("none"), "none");
      } else {
        const Error& error = std::get<Error>(result);
        EXPECT_GT(error.line, 0u);
        EXPECT_THAT(error.text(), ::testing::Not(::testing::HasSubstr("\n")));
      }
    }
  }
  EXPECT_GT(accepted, 0u) << "some mutations change a comment or a number alone";
}

}  // namespace
}  // namespace warpwalk::ptx
