// A kernel is refused only for what it uses itself.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/exec/launch.h"
#include "core/ptx/parse/parser.h"

namespace warpwalk::gpu {
namespace {

constexpr std::string_view head = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// "accepted", or why the kernel is refused.
std::string judged(const std::string& items, std::string_view kernel) {
  auto parsed = ptx::parse(std::string(head) + items);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed)) return error->text();
  const auto prepared = prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), kernel);
  return prepared ? "accepted" : prepared.error();
}

const std::string good = ".visible .entry good() { ret; }\n";
const std::string unknown = ".visible .entry unknown() { tcgen05.fence; ret; }\n";

TEST(Neighbours, AnUnknownInstructionRefusesOnlyItsOwnKernel) {
  EXPECT_EQ(judged(unknown + good, "good"), "accepted");
  EXPECT_EQ(judged(good + unknown, "good"), "accepted");
  EXPECT_EQ(judged(unknown + good, "unknown"), "line 4:29: `tcgen05.fence`: unknown instruction");
  // Without another kernel, the module cannot be used.
  EXPECT_EQ(judged(unknown, "unknown"), "4:29: `tcgen05.fence`: unknown instruction");
}

TEST(Neighbours, AnUnknownFunctionRefusesItsCallers) {
  const std::string function = ".func f() { tcgen05.fence; ret; }\n";
  const std::string caller = ".visible .entry caller() { call f, (); ret; }\n";
  EXPECT_EQ(judged(function + good + caller, "good"), "accepted");
  EXPECT_EQ(judged(function + good + caller, "caller"), "line 4:13: `tcgen05.fence`: unknown instruction");
}

TEST(Neighbours, AnUnsupportedCallRefusesOnlyItsOwnKernel) {
  const std::string items =
      ".extern .func (.param .b64 r) mystery();\n"
      ".visible .entry calls() { .param .b64 r; call (r), mystery, (); ret; }\n" +
      good;
  EXPECT_EQ(judged(items, "good"), "accepted");
  EXPECT_THAT(judged(items, "calls"), ::testing::HasSubstr("mystery"));
}

TEST(Neighbours, NestedBracesDoNotEndABody) {
  EXPECT_EQ(judged(".visible .entry unknown() { { .reg .b32 %r<2>; tcgen05.fence; { } } ret; }\n" + good, "good"),
            "accepted");
}

TEST(Neighbours, ABodyWithoutAnEndIsAnError) {
  EXPECT_EQ(judged(good + ".visible .entry unknown() { tcgen05.fence; ", "good"),
            "5:29: `tcgen05.fence`: unknown instruction");
}

}  // namespace
}  // namespace warpwalk::gpu
