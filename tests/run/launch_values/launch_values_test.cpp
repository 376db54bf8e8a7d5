// Structs, functions, variables and partly written buffers in launch files: what is read, what is bound, and the
// one-line errors.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/run/launch/bind.h"
#include "core/run/launch/module_names.h"

namespace warpwalk::run {
namespace {

using Bytes = std::vector<std::uint8_t>;
using ::testing::HasSubstr;

std::string launch_with(std::string_view members) {
  return R"({"kernel": "k", "ptx": "k.ptx", "grid": [1,1,1], "block": [1,1,1], )" + std::string(members) + "}";
}

LaunchFile file_with(std::string_view members) {
  auto parsed = parse_launch_file(launch_with(members), "l.json");
  if (!parsed) ADD_FAILURE() << parsed.error();
  return parsed ? *parsed : LaunchFile{};
}

ArgumentSpec argument_of(std::string_view text) {
  const LaunchFile file = file_with("\"args\": [" + std::string(text) + "]");
  return file.arguments.empty() ? ArgumentSpec{} : file.arguments[0];
}

std::string refusal_of(std::string_view members) {
  const auto parsed = parse_launch_file(launch_with(members), "l.json");
  if (parsed) return "accepted";
  EXPECT_THAT(parsed.error(), ::testing::Not(HasSubstr("\n")));
  return parsed.error();
}

std::string argument_refusal(std::string_view text) { return refusal_of("\"args\": [" + std::string(text) + "]"); }

TEST(Structs, MembersAreAlignedAsInCpp) {
  const ArgumentSpec argument = argument_of(R"({"struct": [
      {"scalar": 1, "dtype": "u8"}, {"scalar": 2, "dtype": "u16"}, {"scalar": 3, "dtype": "u8"},
      {"buffer": "a", "dtype": "f32", "count": 4}, {"bytes": "aa bb"}, {"scalars": [4, 5], "dtype": "u32"},
      {"bytes": "cc"} ]})");
  EXPECT_EQ(argument.bytes, (Bytes{1,    0,    2, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0,    0, 0, 0,  //
                                   0xaa, 0xbb, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 0xcc, 0, 0, 0}));
  ASSERT_EQ(argument.addresses.size(), 1u);
  EXPECT_EQ(argument.addresses[0].at, 8u);
  EXPECT_EQ(argument.addresses[0].buffer, 0u);
  EXPECT_EQ(argument_of(R"({"struct": [{"bytes": "010203"}]})").bytes, (Bytes{1, 2, 3}));
}

TEST(Structs, MayBeNested) {
  const ArgumentSpec argument = argument_of(R"({"struct": [
      {"scalar": 1, "dtype": "i32"},
      {"struct": [{"scalar": 2, "dtype": "u8"}, {"buffer": "a", "dtype": "u8", "count": 9, "offset": 5}]},
      {"struct": [{"scalar": 3, "dtype": "u8"}]}, {"function": "f"}, {"variable": "v", "offset": 12} ]})");
  EXPECT_EQ(argument.bytes.size(), 48u);
  EXPECT_EQ(argument.bytes[8], 2);
  EXPECT_EQ(argument.bytes[24], 3);
  ASSERT_EQ(argument.addresses.size(), 3u);
  EXPECT_EQ(argument.addresses[0].at, 16u);
  EXPECT_EQ(argument.addresses[0].offset, 5u);
  EXPECT_EQ(argument.addresses[1].at, 32u);
  EXPECT_EQ(argument.addresses[1].function, "f");
  EXPECT_EQ(argument.addresses[2].at, 40u);
  EXPECT_EQ(argument.addresses[2].variable, "v");
  EXPECT_EQ(argument.addresses[2].offset, 12u);
}

TEST(Structs, PlacesAndSizesMayBeGiven) {
  EXPECT_EQ(argument_of(R"({"size": 8, "struct": [{"scalar": 1, "dtype": "u8"},
                                                 {"scalar": 515, "dtype": "i16", "at": 3}]})")
                .bytes,
            (Bytes{1, 0, 0, 3, 2, 0, 0, 0}));
  // Packed: the member at an odd offset does not align the struct.
  EXPECT_EQ(
      argument_of(R"({"struct": [{"bytes": "01"}, {"buffer": "a", "dtype": "u8", "count": 1, "at": 1}]})").bytes.size(),
      9u);
  EXPECT_EQ(argument_of(R"({"struct": [{"struct": [{"bytes": "01"}], "size": 4}, {"bytes": "02"}]})").bytes,
            (Bytes{1, 0, 0, 0, 2}));
}

TEST(Structs, ErrorsNameTheMember) {
  EXPECT_EQ(argument_refusal(R"({"struct": []})"),
            "l.json: args[0].struct: is an empty list; expected a list of its members");
  EXPECT_EQ(argument_refusal(R"({"struct": [{"bytes": "0102"}, {"bytes": "03", "at": 1}]})"),
            "l.json: args[0].struct[1].at: is 1, but the members before it end at 2");
  EXPECT_EQ(argument_refusal(R"({"struct": [{"bytes": "0102"}], "size": 1})"),
            "l.json: args[0].size: is 1, but its members end at 2");
  EXPECT_THAT(argument_refusal(R"({"struct": [{"scalar": 300, "dtype": "u8"}]})"),
              HasSubstr("args[0].struct[0].scalar: is 300; u8 holds 0 to 255"));
  EXPECT_THAT(argument_refusal(R"({"struct": [{"struct": [{"scalars": [1, "x"], "dtype": "i32"}]}]})"),
              HasSubstr("args[0].struct[0].struct[0].scalars[1]: is \"x\""));
  EXPECT_THAT(argument_refusal(R"({"scalars": [], "dtype": "i32"})"), HasSubstr("args[0].scalars: is a list"));
  EXPECT_THAT(argument_refusal(R"({"struct": [{}]})"), HasSubstr("args[0].struct[0]: is an object without buffer"));
  EXPECT_THAT(argument_refusal(R"({"struct": [{"bytes": "01", "on": 1}]})"),
              HasSubstr("args[0].struct[0].\"on\": is not known here; known names are bytes, at"));
  EXPECT_THAT(argument_refusal(R"({"bytes": "01", "at": 0})"), HasSubstr("args[0].\"at\": is not known here"));
  EXPECT_THAT(argument_refusal(R"({"struct": [{"bytes": "01", "at": 9999999999}]})"),
              HasSubstr("args[0].struct[0].at"));
  EXPECT_THAT(argument_refusal(R"({"function": ""})"), HasSubstr("args[0].function: is \"\"; expected a string"));
  EXPECT_THAT(argument_refusal(R"({"variable": "v", "offset": -1})"), HasSubstr("args[0].offset: is -1"));
  EXPECT_THAT(argument_refusal(R"({"buffer": "a", "struct": [{"bytes": "01"}], "count": 1})"),
              HasSubstr("args[0].\"count\": is not known here"));
  std::string deep = R"({"bytes": "01"})";
  for (int i = 0; i < 40; ++i) deep = "{\"struct\": [" + deep + "]}";
  EXPECT_THAT(argument_refusal(deep), HasSubstr("structs are nested more than 32 deep"));
}

TEST(Structs, MayBeTheContentsOfABuffer) {
  const LaunchFile file = file_with(R"("args": [ {"buffer": "table", "struct": [
      {"buffer": "a", "dtype": "f32", "count": 4}, {"buffer": "a", "offset": 8}]}, {"buffer": "table"} ])");
  ASSERT_EQ(file.buffers.size(), 2u);
  EXPECT_EQ(file.arguments[0].buffer, 1u);
  EXPECT_EQ(file.arguments[1].buffer, 1u);
  EXPECT_EQ(file.buffers[1].bytes(), 16u);
  const auto bound = bind(file, {});
  ASSERT_TRUE(bound) << bound.error();
  ASSERT_EQ(bound->buffers[1].addresses.size(), 2u);
  EXPECT_EQ(bound->buffers[1].addresses[1].at, 8u);
  EXPECT_EQ(bound->buffers[1].addresses[1].buffer, 0);
  EXPECT_EQ(bound->buffers[1].addresses[1].offset, 8u);
  EXPECT_TRUE(bound->buffers[1].initialized);
  EXPECT_EQ(refusal_of(R"("args": [{"buffer": "t", "struct": [{"function": "f"}]}], "expect": {"t": {"fill": 0}})"),
            "l.json: expect.t: contains addresses, which cannot be compared");
  EXPECT_EQ(refusal_of(R"("args": [{"buffer": "t", "struct": [{"buffer": "t", "dtype": "u32", "count": 1}]}])"),
            "l.json: args[0].buffer: \"t\" is also a buffer in its struct");
}

TEST(PartlyWritten, ElementsAreGivenInParts) {
  const LaunchFile file = file_with(R"("args": [
      {"buffer": "a", "dtype": "u16", "count": 8, "fill": "iota", "written": 3},
      {"buffer": "b", "dtype": "u8", "count": 8, "fill": "iota", "written": [[1, 2], [3, 1], [7, 1]]} ])");
  const auto bound = bind(file, {});
  ASSERT_TRUE(bound) << bound.error();
  const gpu::Buffer &a = bound->buffers[0], &b = bound->buffers[1];
  EXPECT_FALSE(a.initialized);
  ASSERT_EQ(a.written.size(), 1u);
  EXPECT_EQ(a.written[0].begin, 0u);
  EXPECT_EQ(a.written[0].end, 6u);
  EXPECT_EQ(a.bytes, (Bytes{0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  ASSERT_EQ(b.written.size(), 3u);
  EXPECT_EQ(b.written[2].begin, 7u);
  EXPECT_EQ(b.bytes, (Bytes{0, 1, 2, 3, 0, 0, 0, 7}));
}

TEST(PartlyWritten, AFileHasTheWrittenElements) {
  std::string name = (std::filesystem::temp_directory_path() / "warpwalk-test-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  std::ofstream(std::filesystem::path(name) / "a.bin", std::ios::binary) << "abcd";
  const auto bound = bind(file_with(R"("args": [
      {"buffer": "a", "dtype": "u8", "count": 8, "file": "a.bin", "written": [[1, 1], [4, 3]]} ])"),
                          std::filesystem::path(name));
  const auto wrong =
      bind(file_with(R"("args": [{"buffer": "a", "dtype": "u8", "count": 8, "file": "a.bin", "written": 5}])"),
           std::filesystem::path(name));
  std::filesystem::remove_all(name);
  ASSERT_TRUE(bound) << bound.error();
  EXPECT_EQ(bound->buffers[0].bytes, (Bytes{0, 'a', 0, 0, 'b', 'c', 'd', 0}));
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error(), HasSubstr("has 4 bytes but must have 5 (buffer a: 5 u8 are 5 bytes)"));
}

TEST(PartlyWritten, ErrorsNameThePart) {
  const auto refused = [](std::string_view written) {
    return argument_refusal(R"({"buffer": "a", "dtype": "u8", "count": 8, "fill": 1, "written": )" +
                            std::string(written) + "}");
  };
  EXPECT_EQ(refused("9"), "l.json: args[0].written: is 9; expected an integer from 1 to 8");
  EXPECT_EQ(refused("0"), "l.json: args[0].written: is 0; expected an integer from 1 to 8");
  EXPECT_THAT(refused("[]"), HasSubstr("args[0].written: is an empty list"));
  EXPECT_THAT(refused("[5]"), HasSubstr("args[0].written[0]: is 5; expected [first element, number of elements]"));
  EXPECT_EQ(refused("[[4, 2], [5, 1]]"), "l.json: args[0].written[1][0]: is 5; expected an integer from 6 to 7");
  EXPECT_EQ(refused("[[4, 5]]"), "l.json: args[0].written[0][1]: is 5; expected an integer from 1 to 4");
  EXPECT_THAT(refused("[[4, 4], [0, 1]]"), HasSubstr("args[0].written[1]: the part before it ends the buffer"));
  EXPECT_THAT(argument_refusal(R"({"buffer": "a", "dtype": "u8", "count": 8, "written": 4})"),
              HasSubstr("args[0].written: the buffer has neither file nor fill"));
}

TEST(Variables, HaveContentsOrAValue) {
  const LaunchFile file = file_with(R"("args": [{"buffer": "a", "dtype": "f32", "count": 4}], "variables": {
      "table": {"dtype": "f32", "count": 2, "fill": 1}, "kept": {"dtype": "i32", "count": 3},
      "pointer": {"buffer": "a", "offset": 4}, "one": {"scalar": -1, "dtype": "i16"},
      "shape": {"scalars": [2, 3], "dtype": "i64"}, "run": {"function": "f"} },
      "expect": {"kept": {"fill": 7}, "one": {"fill": -2}})");
  ASSERT_EQ(file.buffers.size(), 7u);
  for (std::size_t i = 1; i < 7; ++i) EXPECT_EQ(file.buffers[i].variable, file.buffers[i].name);
  EXPECT_TRUE(std::holds_alternative<Unwritten>(file.buffers[2].content));
  const auto bound = bind(file, {});
  ASSERT_TRUE(bound) << bound.error();
  const auto& buffers = bound->buffers;
  EXPECT_EQ(buffers[0].variable, "");
  EXPECT_EQ(buffers[1].bytes, (Bytes{0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f}));
  EXPECT_FALSE(buffers[2].initialized);
  EXPECT_EQ(buffers[3].bytes.size(), 8u);
  EXPECT_EQ(buffers[3].addresses.at(0).buffer, 0);
  EXPECT_EQ(buffers[3].addresses.at(0).offset, 4u);
  EXPECT_EQ(buffers[4].bytes, (Bytes{0xff, 0xff}));
  EXPECT_EQ(buffers[5].bytes.size(), 16u);
  EXPECT_EQ(buffers[6].addresses.at(0).function, "f");
  EXPECT_EQ(file.expects[0].buffer, 2u);
}

TEST(Variables, ErrorsNameTheVariable) {
  EXPECT_EQ(refusal_of(R"("variables": 5)"), "l.json: variables: is 5; expected an object");
  EXPECT_THAT(refusal_of(R"("variables": {"v": 5})"), HasSubstr("variables.v: is 5; expected {\"dtype\""));
  EXPECT_THAT(refusal_of(R"("variables": {"v": {"dtype": "f32"}})"), HasSubstr("variables.v.count: is missing"));
  EXPECT_THAT(refusal_of(R"("variables": {"v": {"count": 3}})"), HasSubstr("variables.v.dtype: is missing"));
  EXPECT_THAT(refusal_of(R"("variables": {"v": {"dtype": "f32", "count": 3, "written": 1}})"),
              HasSubstr("variables.v.\"written\": is not known here"));
  EXPECT_THAT(refusal_of(R"("args": [{"buffer": "v", "dtype": "u8", "count": 1}],
                            "variables": {"v": {"dtype": "f32", "count": 3}})"),
              HasSubstr("variables.v: the name was already used"));
  EXPECT_THAT(refusal_of(R"("variables": {"v": {"scalar": 1, "dtype": "u8"}, "v": {"scalar": 1, "dtype": "u8"}})"),
              HasSubstr("variables.v: the name was already used"));
  EXPECT_THAT(refusal_of(R"("variables": {"v": {"buffer": "v", "dtype": "u8", "count": 1}})"),
              HasSubstr("variables.v: the name was already used"));
  EXPECT_THAT(refusal_of(R"("variables": {"v": {"function": "f"}}, "expect": {"v": {"fill": 1}})"),
              HasSubstr("expect.v: contains addresses"));
}

TEST(PlainNames, AreThoseOfCpp) {
  EXPECT_TRUE(is_plain_name_of("relu", "_Z4reluPfS_i"));
  EXPECT_TRUE(is_plain_name_of("table", "_ZL5table"));
  EXPECT_TRUE(is_plain_name_of("table", "_ZN6lookup5tableE"));
  EXPECT_TRUE(is_plain_name_of("lookup::table", "_ZN6lookup5tableE"));
  EXPECT_TRUE(is_plain_name_of("a::b::f", "_ZN1a1b1fIfEEvT_"));
  EXPECT_TRUE(is_plain_name_of("b::f", "_ZN1a1b1fIfEEvT_"));
  EXPECT_TRUE(is_plain_name_of("hidden", "_ZN12_GLOBAL__N_16hiddenE"));
  EXPECT_FALSE(is_plain_name_of("able", "_ZL5table"));
  EXPECT_FALSE(is_plain_name_of("lookup", "_ZN6lookup5tableE"));
  EXPECT_FALSE(is_plain_name_of("foo", "_ZN3fooIiE3barE"));
  EXPECT_FALSE(is_plain_name_of("k", "_Z1kv.x"));
  EXPECT_FALSE(is_plain_name_of("f", "f"));
  EXPECT_FALSE(is_plain_name_of("", "_Z"));
  EXPECT_FALSE(is_plain_name_of("", "_ZN"));
  EXPECT_FALSE(is_plain_name_of("f", "_Z99999999999999999999999999f"));
}

class Names : public ::testing::Test {
 protected:
  std::string resolved(std::string_view members) const {
    const auto file = resolve_names(file_with(members), names_);
    if (!file) return file.error();
    return file->arguments.empty()
               ? file->buffers.back().variable
               : file->arguments[0].addresses.at(0).function + file->arguments[0].addresses.at(0).variable;
  }
  ModuleNames names_{"PTX",
                     {{"counter", 4}, {"_ZL5table", 64}, {"_ZN1a1xE", 4}, {"_ZN1b1xE", 4}},
                     {"_Z6squaref", "_Z5twicef", "_Z5twiced"}};
};

TEST_F(Names, OfTheModuleReplacePlainOnes) {
  EXPECT_EQ(resolved(R"("args": [{"function": "square"}])"), "_Z6squaref");
  EXPECT_EQ(resolved(R"("args": [{"function": "_Z5twiced"}])"), "_Z5twiced");
  EXPECT_EQ(resolved(R"("args": [{"variable": "b::x"}])"), "_ZN1b1xE");
  EXPECT_EQ(resolved(R"("variables": {"table": {"dtype": "f32", "count": 16}})"), "_ZL5table");
  const auto file = resolve_names(file_with(R"("variables": {"table": {"dtype": "f32", "count": 16}})"), names_);
  EXPECT_EQ(file->buffers[0].name, "table");
}

TEST_F(Names, ErrorsListThoseOfTheModule) {
  EXPECT_EQ(resolved(R"("args": [{"struct": [{"function": "cube"}]}])"),
            "args[0].struct[0].function: cube is not a device function of the PTX; it has _Z6squaref, _Z5twicef, "
            "_Z5twiced");
  EXPECT_EQ(resolved(R"("args": [{"function": "twice"}])"),
            "args[0].function: twice is the name of several device functions; choose one: _Z5twicef, _Z5twiced");
  EXPECT_THAT(resolved(R"("args": [{"variable": "x"}])"),
              HasSubstr("args[0].variable: x is the name of several variables; choose one: _ZN1a1xE, _ZN1b1xE"));
  EXPECT_EQ(resolved(R"("args": [{"variable": "counter", "offset": 5}])"),
            "args[0].offset: is 5, but counter has 4 bytes");
  EXPECT_EQ(resolved(R"("variables": {"none": {"dtype": "f32", "count": 16}})"),
            "variables.none: none is not a variable of the PTX; it has counter, _ZL5table, _ZN1a1xE, _ZN1b1xE");
  EXPECT_EQ(resolved(R"("variables": {"table": {"dtype": "f32", "count": 8}})"),
            "variables.table: table has 64 bytes in the PTX, but 8 f32 are 32");
  EXPECT_EQ(resolved(R"("variables": {"table": {"function": "square"}})"),
            "variables.table: table has 64 bytes in the PTX, but the launch file gives 8");
  EXPECT_EQ(resolved(R"("variables": {"counter": {"struct": [{"function": "cube"}]}})"),
            "variables.counter.struct[0].function: cube is not a device function of the PTX; it has _Z6squaref, "
            "_Z5twicef, _Z5twiced");
  EXPECT_EQ(resolved(R"("variables": {"table": {"dtype": "f32", "count": 16},
                                      "_ZL5table": {"dtype": "f32", "count": 16}})"),
            "variables._ZL5table: is the same variable as table; leave one out");
  const ModuleNames nothing{"cubin", {}, {}};
  const auto file = resolve_names(file_with(R"("args": [{"function": "f"}])"), nothing);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error(),
            "args[0].function: f is not in the cubin, which has no device function at all (nvcc leaves out those that "
            "nothing refers to)");
}

}  // namespace
}  // namespace warpwalk::run
