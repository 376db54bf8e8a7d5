// Valid contents of a launch file, and the one-line error for each kind of invalid content.
#include "core/run/launch/launch_file.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

namespace warpwalk::run {
namespace {

constexpr std::string_view whole = R"({
  "kernel": "vecadd", "ptx": "k.ptx", "grid": [4, 2, 1], "block": [256, 1, 1], "dynamic_shared_bytes": 128,
  "registers": 16,
  "args": [ {"buffer": "a", "dtype": "f32", "count": 10, "file": "a.bin"},
            {"buffer": "b", "dtype": "i16", "count": 20, "fill": -3},
            {"buffer": "c", "dtype": "f16", "count": 30, "fill": "iota"},
            {"buffer": "d", "dtype": "u8", "count": 40, "fill": {"random": 7}},
            {"buffer": "e", "dtype": "bf16", "count": 50},
            {"buffer": "a", "offset": 40},
            {"scalar": 1.5, "dtype": "f64"},
            {"bytes": "00ff 10AB"} ],
  "expect": { "a": {"file": "a.out.bin", "rtol": 0.5, "atol": 0.25}, "e": {"fill": "nan"} } })";

LaunchFile accepted_file(std::string_view text) {
  auto parsed = parse_launch_file(text, "l.json");
  if (!parsed) ADD_FAILURE() << parsed.error();
  return parsed ? *parsed : LaunchFile{};
}

std::string refused_file(std::string_view text) {
  const auto parsed = parse_launch_file(text, "l.json");
  if (parsed) return "accepted";
  const std::string& error = parsed.error();
  EXPECT_TRUE(error.starts_with("l.json: ")) << error;
  EXPECT_THAT(error, ::testing::Not(::testing::HasSubstr("\n")));
  return error.substr(std::min<std::size_t>(8, error.size()));
}

/// The complete file with one text replaced.
std::string whole_with(std::string_view from, std::string_view to) {
  std::string text(whole);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// A file with only this argument.
std::string with_argument(std::string_view argument) {
  return R"({"kernel": "k", "ptx": "k.ptx", "grid": [1,1,1], "block": [1,1,1], "args": [)" + std::string(argument) +
         "]}";
}

std::vector<std::uint8_t> scalar(std::string_view value, std::string_view dtype) {
  const LaunchFile file = accepted_file(
      with_argument(R"({"scalar": )" + std::string(value) + R"(, "dtype": ")" + std::string(dtype) + "\"}"));
  return file.arguments.empty() ? std::vector<std::uint8_t>{} : file.arguments[0].bytes;
}

std::string refused_scalar(std::string_view value, std::string_view dtype) {
  return refused_file(
      with_argument(R"({"scalar": )" + std::string(value) + R"(, "dtype": ")" + std::string(dtype) + "\"}"));
}

using Bytes = std::vector<std::uint8_t>;

TEST(LaunchFile, SaysAllOfALaunch) {
  const LaunchFile file = accepted_file(whole);
  EXPECT_EQ(file.kernel, "vecadd");
  EXPECT_EQ(file.ptx, "k.ptx");
  EXPECT_TRUE(file.cuda.empty());
  EXPECT_EQ(file.grid, (std::array<std::uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(file.block, (std::array<std::uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(file.dynamic_shared_bytes, 128u);
  EXPECT_EQ(file.registers, 16);
  ASSERT_EQ(file.buffers.size(), 5u);
  EXPECT_EQ(std::get<std::filesystem::path>(file.buffers[0].content), "a.bin");
  EXPECT_EQ(file.buffers[1].bytes(), 40u);
  EXPECT_EQ(std::get<FillValue>(std::get<Fill>(file.buffers[1].content)).bits, 0xfffdu);
  EXPECT_TRUE(std::holds_alternative<FillIota>(std::get<Fill>(file.buffers[2].content)));
  EXPECT_EQ(std::get<FillRandom>(std::get<Fill>(file.buffers[3].content)).seed, 7u);
  EXPECT_TRUE(std::holds_alternative<Unwritten>(file.buffers[4].content));
  ASSERT_EQ(file.arguments.size(), 8u);
  EXPECT_EQ(file.arguments[4].buffer, 4u);
  EXPECT_EQ(file.arguments[5].buffer, 0u);
  EXPECT_EQ(file.arguments[5].offset, 40u);
  EXPECT_EQ(file.arguments[6].bytes, (Bytes{0, 0, 0, 0, 0, 0, 0xf8, 0x3f}));
  EXPECT_EQ(file.arguments[7].bytes, (Bytes{0x00, 0xff, 0x10, 0xab}));
  ASSERT_EQ(file.expects.size(), 2u);
  EXPECT_EQ(file.expects[0].tolerance.rtol, 0.5);
  EXPECT_EQ(file.expects[0].tolerance.atol, 0.25);
  EXPECT_EQ(file.expects[1].buffer, 4u);
  EXPECT_EQ(file.expects[1].tolerance.rtol, 0);
  EXPECT_EQ(std::get<FillValue>(std::get<Fill>(file.expects[1].content)).bits, 0x7fc0u);
}

TEST(LaunchFile, ArgumentsAndExpectationsMayBeNone) {
  const LaunchFile file = accepted_file(R"({"kernel": "k", "cuda": "k.cu", "grid": [1], "block": [2, 3]})");
  EXPECT_EQ(file.cuda, "k.cu");
  EXPECT_EQ(file.grid, (std::array<std::uint32_t, 3>{1, 1, 1}));
  EXPECT_EQ(file.block, (std::array<std::uint32_t, 3>{2, 3, 1}));
  EXPECT_FALSE(file.registers);
  EXPECT_FALSE(file.caches);
}

TEST(LaunchFile, TheModuleMayBeMachineCode) {
  const LaunchFile both = accepted_file(whole_with("\"ptx\": \"k.ptx\"", "\"cubin\": \"k.cubin\", \"ptx\": \"k.ptx\""));
  EXPECT_EQ(both.ptx, "k.ptx");
  EXPECT_EQ(both.cubin, "k.cubin");
  const LaunchFile alone = accepted_file(whole_with("\"ptx\": \"k.ptx\"", "\"cubin\": \"k.cubin\""));
  EXPECT_TRUE(alone.ptx.empty());
  EXPECT_EQ(alone.cubin, "k.cubin");
  EXPECT_THAT(refused_file(whole_with("\"ptx\": \"k.ptx\"", "\"cuda\": \"k.cu\", \"cubin\": \"k.cubin\"")),
              ::testing::HasSubstr("cubin: is given together with cuda"));
  EXPECT_THAT(refused_file(whole_with("\"ptx\": \"k.ptx\"", "\"cubin\": 5")), ::testing::HasSubstr("cubin: is 5"));
}

TEST(LaunchFile, ScalarsOfEveryType) {
  EXPECT_EQ(scalar("-1", "i8"), Bytes{0xff});
  EXPECT_EQ(scalar("255", "u8"), Bytes{0xff});
  EXPECT_EQ(scalar("-2", "i16"), (Bytes{0xfe, 0xff}));
  EXPECT_EQ(scalar("1000", "u16"), (Bytes{0xe8, 0x03}));
  EXPECT_EQ(scalar("-2147483648", "i32"), (Bytes{0, 0, 0, 0x80}));
  EXPECT_EQ(scalar("1e3", "u32"), (Bytes{0xe8, 0x03, 0, 0}));
  EXPECT_EQ(scalar("-9223372036854775808", "i64"), (Bytes{0, 0, 0, 0, 0, 0, 0, 0x80}));
  EXPECT_EQ(scalar("18446744073709551615", "u64"), Bytes(8, 0xff));
  EXPECT_EQ(scalar("1", "f16"), (Bytes{0x00, 0x3c}));
  EXPECT_EQ(scalar("1.0", "bf16"), (Bytes{0x80, 0x3f}));
  EXPECT_EQ(scalar("0.1", "f32"), (Bytes{0xcd, 0xcc, 0xcc, 0x3d}));
  EXPECT_EQ(scalar("\"-inf\"", "f32"), (Bytes{0, 0, 0x80, 0xff}));
  EXPECT_EQ(scalar("\"inf\"", "f16"), (Bytes{0x00, 0x7c}));
  EXPECT_EQ(scalar("\"nan\"", "f32"), (Bytes{0, 0, 0xc0, 0x7f}));
  EXPECT_EQ(scalar("\"0x7F800001\"", "f32"), (Bytes{1, 0, 0x80, 0x7f}));
  EXPECT_EQ(scalar("\"0xff\"", "i8"), Bytes{0xff});
  EXPECT_EQ(scalar("-0.0", "f32"), (Bytes{0, 0, 0, 0x80}));
  EXPECT_EQ(scalar("-0", "f32"), (Bytes{0, 0, 0, 0x80}));
  EXPECT_EQ(scalar("-0", "i8"), Bytes{0});
  EXPECT_EQ(scalar("1e-400", "f64"), Bytes(8, 0));
  // starts with the digits of 2^64 - 1
  EXPECT_EQ(scalar("184467440737095516159551615", "f64"), (Bytes{0, 0, 0, 0, 0xd0, 0x12, 0x63, 0x45}));
}

TEST(LaunchFile, ScalarsThatDoNotFit) {
  EXPECT_EQ(refused_scalar("300", "u8"), "args[0].scalar: is 300; u8 holds 0 to 255, or the bits as \"0x...\"");
  EXPECT_EQ(refused_scalar("-129", "i8"), "args[0].scalar: is -129; i8 holds -128 to 127, or the bits as \"0x...\"");
  EXPECT_THAT(refused_scalar("-1", "u64"), ::testing::HasSubstr("u64 holds 0 to 18446744073709551615"));
  EXPECT_THAT(refused_scalar("9223372036854775808", "i64"), ::testing::HasSubstr("i64 holds"));
  EXPECT_THAT(refused_scalar("1.5", "i32"), ::testing::HasSubstr("is 1.5; i32 holds"));
  EXPECT_THAT(refused_scalar("\"nan\"", "i32"), ::testing::HasSubstr("is \"nan\"; i32 holds"));
  EXPECT_THAT(refused_scalar("\"0x100\"", "u8"), ::testing::HasSubstr("is \"0x100\"; u8 holds"));
  EXPECT_THAT(refused_scalar("\"0x\"", "u8"), ::testing::HasSubstr("u8 holds"));
  EXPECT_THAT(refused_scalar("\"0x1g\"", "u8"), ::testing::HasSubstr("u8 holds"));
  EXPECT_EQ(refused_scalar("1e39", "f32"),
            "args[0].scalar: is 1e+39, beyond the largest f32; write \"inf\" for infinity");
  EXPECT_THAT(refused_scalar("1e999", "f64"), ::testing::HasSubstr("line 1: Number too big"));
  EXPECT_THAT(refused_scalar("1.8e308", "f64"), ::testing::HasSubstr("beyond the largest f64"));
  EXPECT_THAT(refused_scalar("65520", "f16"), ::testing::HasSubstr("beyond the largest f16"));
  EXPECT_THAT(refused_scalar("\"one\"", "f32"), ::testing::HasSubstr("a number, \"nan\""));
  EXPECT_THAT(refused_scalar("true", "f32"), ::testing::HasSubstr("is true"));
  EXPECT_THAT(refused_scalar("null", "u32"), ::testing::HasSubstr("is null"));
}

TEST(LaunchFile, SaysHowTheCachesStart) {
  EXPECT_EQ(accepted_file(whole_with("\"registers\": 16", "\"caches\": \"warm\"")).caches, gpu::CacheStart::warm);
  EXPECT_EQ(accepted_file(whole_with("\"registers\": 16", "\"caches\": \"cold\"")).caches, gpu::CacheStart::cold);
  EXPECT_EQ(accepted_file(whole_with("\"registers\": 16", "\"gpu\": \"a100\"")).gpu, "a100");
  EXPECT_THAT(refused_file(whole_with("\"registers\": 16", "\"gpu\": 100")), ::testing::HasSubstr("gpu: is 100"));
  EXPECT_THAT(refused_file(whole_with("\"registers\": 16", "\"caches\": \"hot\"")),
              ::testing::HasSubstr("caches: is \"hot\"; expected \"cold\" or \"warm\""));
  EXPECT_THAT(refused_file(whole_with("\"registers\": 16", "\"caches\": true")),
              ::testing::HasSubstr("caches: is true; expected"));
}

TEST(LaunchFile, WhatIsNoJson) {
  EXPECT_EQ(refused_file("{\"kernel\": \n oops}").substr(0, 8), "line 2: ");
  EXPECT_THAT(refused_file(""), ::testing::HasSubstr("line 1: "));
  EXPECT_THAT(refused_file("[]"), ::testing::HasSubstr("is not an object with kernel, ptx"));
  EXPECT_THAT(refused_file(std::string(100000, '[')), ::testing::HasSubstr("line 1: "));
}

TEST(LaunchFile, UnknownNamesAreToldWithTheKnownOnes) {
  EXPECT_EQ(refused_file(whole_with("\"registers\"", "\"regs\"")),
            "\"regs\": is not known here; known names are kernel, ptx, cuda, cubin, grid, block, cluster, "
            "nonportable_cluster, "
            "cooperative, dynamic_shared_bytes, registers, gpu, caches, args, variables, references, expect");
  EXPECT_EQ(refused_file(whole_with("\"count\": 10", "\"size\": 10")),
            "args[0].\"size\": is not known here; known names are buffer, dtype, count, file, fill, written, offset");
  EXPECT_THAT(refused_file(whole_with("\"rtol\"", "\"tol\"")),
              ::testing::HasSubstr("expect.a.\"tol\": is not known here; known names are file, fill"));
  EXPECT_THAT(refused_file(whole_with("{\"random\": 7}", "{\"seed\": 7}")),
              ::testing::HasSubstr("args[3].fill.\"seed\""));
  EXPECT_THAT(refused_file(whole_with("\"scalar\": 1.5,", "\"scalar\": 1.5, \"count\": 1,")),
              ::testing::HasSubstr("args[6].\"count\""));
  EXPECT_THAT(refused_file(whole_with("{\"bytes\":", "{\"align\": 4, \"bytes\":")),
              ::testing::HasSubstr("args[7].\"align\""));
}

TEST(LaunchFile, AnErrorIsOneLineWhateverTheNames) {
  EXPECT_THAT(refused_file(whole_with("\"registers\"", "\"a\\nb\"")), ::testing::HasSubstr("\"a b\": is not known"));
  EXPECT_THAT(refused_file(whole_with("\"e\": {\"fill\"", "\"\\u0000\\r\": {\"fill\"")),
              ::testing::HasSubstr("is neither a buffer of args"));
  EXPECT_THAT(refused_file(whole_with("\"vecadd\"", "\"a\\u0000b\"")),
              ::testing::HasSubstr("kernel: contains a zero byte"));
}

TEST(LaunchFile, NamesStandOnce) {
  EXPECT_EQ(refused_file(whole_with("\"registers\": 16", "\"registers\": 16, \"registers\": 17")),
            "registers: appears twice");
  EXPECT_EQ(refused_file(whole_with("\"count\": 10", "\"count\": 10, \"count\": 10")), "args[0].count: appears twice");
  EXPECT_EQ(refused_file(whole_with("\"e\": {\"fill\"", "\"a\": {\"fill\"")), "expect.a: appears twice");
}

TEST(LaunchFile, ClustersAndCooperativeGrids) {
  const auto read =
      parse_launch_file(whole_with("\"registers\": 16", "\"cluster\": [2, 1], \"cooperative\": true"), "f");
  ASSERT_TRUE(read) << read.error();
  const LaunchFile& launch = *read;
  EXPECT_EQ(launch.cluster, (std::array<std::uint32_t, 3>{2, 1, 1}));
  EXPECT_TRUE(launch.cooperative);
  EXPECT_FALSE(launch.nonportable_cluster);
  EXPECT_EQ(refused_file(whole_with("\"registers\": 16", "\"cluster\": 2")),
            "cluster: is 2; expected a list of 3 integers, x, y and z");
  EXPECT_EQ(refused_file(whole_with("\"registers\": 16", "\"cooperative\": 1")),
            "cooperative: is 1; expected true or false");
}

TEST(LaunchFile, WhatIsMissing) {
  EXPECT_THAT(refused_file(whole_with("\"kernel\": \"vecadd\", ", "")), ::testing::HasSubstr("kernel: is missing"));
  EXPECT_THAT(refused_file(whole_with("\"ptx\": \"k.ptx\", ", "")),
              ::testing::HasSubstr("ptx: is missing; name a PTX file"));
  EXPECT_THAT(refused_file(whole_with("\"ptx\": \"k.ptx\"", "\"ptx\": \"k.ptx\", \"cuda\": \"k.cu\"")),
              ::testing::HasSubstr("is given together with cuda"));
  EXPECT_THAT(refused_file(whole_with("\"grid\": [4, 2, 1], ", "")), ::testing::HasSubstr("grid: is missing"));
  EXPECT_THAT(refused_file(whole_with("\"block\": [256, 1, 1], ", "")), ::testing::HasSubstr("block: is missing"));
  EXPECT_THAT(refused_file(whole_with("\"dtype\": \"f32\", ", "")),
              ::testing::HasSubstr("args[0].dtype: is missing; expected one of f16 bf16"));
  EXPECT_THAT(refused_file(whole_with("\"count\": 10, ", "")), ::testing::HasSubstr("args[0].count: is missing"));
  EXPECT_THAT(refused_file(whole_with("{\"fill\": \"nan\"}", "{}")),
              ::testing::HasSubstr("expect.e: has neither file nor fill"));
}

TEST(LaunchFile, WhatHasTheWrongKind) {
  EXPECT_THAT(refused_file(whole_with("\"vecadd\"", "7")), ::testing::HasSubstr("kernel: is 7; expected a string"));
  EXPECT_THAT(refused_file(whole_with("\"vecadd\"", "\"\"")), ::testing::HasSubstr("kernel: is \"\""));
  EXPECT_THAT(refused_file(whole_with("\"k.ptx\"", "[]")), ::testing::HasSubstr("ptx: is a list"));
  EXPECT_THAT(refused_file(whole_with("[4, 2, 1]", "4")),
              ::testing::HasSubstr("grid: is 4; expected a list of 3 integers"));
  EXPECT_THAT(refused_file(whole_with("[4, 2, 1]", "[1,1,1,1]")), ::testing::HasSubstr("grid: is a list"));
  EXPECT_THAT(refused_file(whole_with("[4, 2, 1]", "[4, 0, 1]")),
              ::testing::HasSubstr("grid[1]: is 0; expected an integer from 1 to 2147483647"));
  EXPECT_THAT(refused_file(whole_with("[256, 1, 1]", "[256, 1.5, 1]")), ::testing::HasSubstr("block[1]: is 1.5"));
  EXPECT_THAT(refused_file(whole_with("128", "-1")), ::testing::HasSubstr("dynamic_shared_bytes: is -1"));
  EXPECT_THAT(refused_file(whole_with("16,", "256,")),
              ::testing::HasSubstr("registers: is 256; expected an integer from 1 to 255"));
  EXPECT_THAT(refused_file(whole_with("\"dtype\": \"f32\"", "\"dtype\": \"float\"")),
              ::testing::HasSubstr("args[0].dtype: is \"float\"; expected one of"));
  EXPECT_THAT(refused_file(whole_with("\"count\": 10", "\"count\": 0")),
              ::testing::HasSubstr("args[0].count: is 0; expected an integer from 1"));
  EXPECT_THAT(refused_file(whole_with("\"count\": 10", "\"count\": 1e20")),
              ::testing::HasSubstr("args[0].count: is 1e+20"));
  EXPECT_THAT(refused_file(whole_with("\"iota\"", "\"many\"")), ::testing::HasSubstr("args[2].fill: is \"many\""));
  EXPECT_THAT(refused_file(whole_with("\"iota\"", "[]")),
              ::testing::HasSubstr("args[2].fill: is a list; expected a value, \"iota\" or"));
  EXPECT_THAT(refused_file(whole_with("{\"random\": 7}", "{\"random\": -7}")),
              ::testing::HasSubstr("args[3].fill.random: is -7"));
  EXPECT_THAT(refused_file(whole_with("{\"random\": 7}", "{}")), ::testing::HasSubstr("args[3].fill: is empty"));
  EXPECT_THAT(refused_file(whole_with("\"rtol\": 0.5", "\"rtol\": -1")),
              ::testing::HasSubstr("expect.a.rtol: is -1; expected a number of 0 or more"));
  EXPECT_THAT(refused_file(whole_with("\"atol\": 0.25", "\"atol\": \"x\"")),
              ::testing::HasSubstr("expect.a.atol: is \"x\""));
  EXPECT_THAT(refused_file(whole_with("{\"fill\": \"nan\"}", "3")), ::testing::HasSubstr("expect.e: is 3"));
  EXPECT_THAT(refused_file(with_argument("7")), ::testing::HasSubstr("args[0]: is 7; expected {\"buffer\": name"));
  EXPECT_THAT(refused_file(with_argument("{}")), ::testing::HasSubstr("args[0]: is an object without buffer"));
  EXPECT_THAT(refused_file(whole_with("\"00ff 10AB\"", "\"00f\"")),
              ::testing::HasSubstr("args[7].bytes: has 3 hexadecimal digits"));
  EXPECT_THAT(refused_file(whole_with("\"00ff 10AB\"", "\"zz\"")),
              ::testing::HasSubstr("args[7].bytes: is \"zz\"; expected two hexadecimal digits"));
}

TEST(LaunchFile, BuffersAndWhatRefersToThem) {
  EXPECT_THAT(refused_file(whole_with("\"buffer\": \"b\"", "\"buffer\": \"a\"")),
              ::testing::HasSubstr("args[1].buffer: \"a\" was already described"));
  EXPECT_THAT(refused_file(whole_with("\"offset\": 40", "\"offset\": 41")),
              ::testing::HasSubstr("args[5].offset: is 41; expected an integer from 0 to 40"));
  EXPECT_THAT(refused_file(whole_with("\"fill\": -3", "\"fill\": -3, \"file\": \"b\"")),
              ::testing::HasSubstr("args[1]: has both file and fill"));
  EXPECT_EQ(refused_file(whole_with("\"e\": {\"fill\"", "\"z\": {\"fill\"")),
            "expect.z: is neither a buffer of args nor a variable of variables; known are a, b, c, d, e");
}

}  // namespace
}  // namespace warpwalk::run
