// `info` of GPU core dumps, as people and scripts use it. tests/crash has the programs that wrote the dumps.
#include <filesystem>
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/parsed_json.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;

std::string dump_path(const std::string& name) {
  return std::string(WARPWALK_SOURCE_DIR) + "/tests/crash/data/" + name + ".core.gz";
}

std::string program_path(const std::string& name) {
  return std::string(WARPWALK_SOURCE_DIR) + "/tests/crash/programs/" + name;
}

struct Expected {
  const char* name;
  const char* text;
};

class CoreDumpSentence : public ::testing::TestWithParam<Expected> {};

TEST_P(CoreDumpSentence, SaysWhatFailed) {
  const Outcome outcome = run({"info", dump_path(GetParam().name)});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.error, "");
  EXPECT_THAT(outcome.out, HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    Samples, CoreDumpSentence,
    ::testing::Values(
        Expected{"gather_triton",
                 "gather_kernel: thread (22,0,0) of block (1,0,0) reads 4 B at 0x7ef96d697000, 152.6 MiB "
                 "from the start of argument 0 (0x7ef963e00800)"},
        Expected{"null",
                 "add_bias: 32 threads of a warp, (0,0,0) to (31,0,0), of block (0,0,0) read 4 B at 0x0: "
                 "argument 1 (float const*) is null"},
        Expected{"misaligned",
                 "load_pairs: thread (9,0,0) of block (0,0,0) reads 8 B at 0x7f9f1fe0044c, which is "
                 "misaligned by 4 B"},
        Expected{"assertion", "sample: thread (70,0,0) of block (1,0,0) fails `assert(probability[i] >= 0.0f)`"},
        Expected{"trap", "refuse_nan: thread (5,0,0) of block (1,0,0) executes a trap"},
        Expected{"barrier",
                 "stage: warps 0, 1, 3 of block (0,0,0) and of 1 more block wait at barrier 0; warp 2 is not "
                 "there"}),
    [](const auto& sample) { return std::string(sample.param.name); });

// The calls beside a dump say how large an allocation is, and where the kernel was launched; without them, neither is
// known.
TEST(CoreDumpVerb, CallsOfAnArmedProgram) {
  const Outcome outcome = run({"info", dump_path("armed_scatter")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out,
              HasSubstr("thread (9,0,0) of block (3,0,0) writes 4 B at 0x7fc94be1d800, 64.0 GiB past the end "
                        "of the 39.1 KiB of argument"));
  EXPECT_THAT(outcome.out, HasSubstr("triton_scatter.py:8 place\n"));
  EXPECT_THAT(outcome.out, HasSubstr("call 112: cuLaunchKernelEx of scatter"));  // step 30 of 50
  const Outcome freed = run({"info", dump_path("armed_freed")});
  EXPECT_THAT(freed.out, HasSubstr("whose memory was freed"));
  EXPECT_THAT(freed.out, HasSubstr("67,108,864 B at "));
}

TEST(CoreDumpVerb, JsonOfCalls) {
  const Outcome outcome = run({"info", dump_path("armed_scatter"), "--json", "-"});
  const rapidjson::Document json = parsed_json(outcome.out);
  EXPECT_STREQ(json["crash"]["python"].GetString(), "triton_scatter.py:8");
  EXPECT_EQ(json["crash"]["near"]["block"]["wanted"].GetUint(), 40000u);
  EXPECT_STREQ(json["launch"]["name"].GetString(), "cuLaunchKernelEx");
  EXPECT_GT(json["launch"]["alike"].GetUint(), 1u);
  EXPECT_GT(json["launch"]["noticed_at"].GetUint(), json["launch"]["number"].GetUint());
  EXPECT_TRUE(json["replay"].IsNull());
  EXPECT_GT(json["calls"].Size(), 100u);
  const Outcome alone =
      run({"info", std::string(WARPWALK_SOURCE_DIR) + "/tests/crash/data/armed_scatter.calls", "--json", "-"});
  EXPECT_EQ(alone.status, 0) << alone.error;
  EXPECT_STREQ(parsed_json(alone.out)["format"].GetString(), "armed_calls");
}

// embed.py, a Python program of PyTorch's: an index of 5,000 into a table of 1,000 rows.
TEST(CoreDumpVerb, OperatorAndTensorsOfALaunch) {
  const Outcome outcome = run({"info", dump_path("armed_embed")});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("\n  by the operator aten::gather.out\n"));
  EXPECT_THAT(outcome.out, HasSubstr("`w`, float32 [1000, 64]\n"));
  EXPECT_THAT(outcome.out, HasSubstr("`x`, int64 [512]\n"));
  const Outcome written = run({"info", dump_path("armed_embed"), "--json", "-"});
  const rapidjson::Document json = parsed_json(written.out);
  EXPECT_STREQ(json["crash"]["kind"].GetString(), "assert");
  EXPECT_STREQ(json["crash"]["python"].GetString(), "embed.py:4");
  const auto& launch = json["launch"];
  EXPECT_STREQ(launch["op"].GetString(), "aten::gather.out");
  std::string shapes;
  for (const auto& tensor : launch["tensors"].GetArray()) {
    shapes += std::to_string(tensor["argument"].GetUint()) + ":";
    for (const auto& size : tensor["shape"].GetArray()) shapes += " " + std::to_string(size.GetInt64());
    shapes += "; ";
  }
  EXPECT_EQ(shapes, "1: 1000 64; 2: 512; ");
}

TEST(CoreDumpVerb, JsonOfAFailure) {
  const Outcome outcome = run({"info", dump_path("shared"), "--json", "-"});
  EXPECT_EQ(outcome.status, 0);
  const rapidjson::Document json = parsed_json(outcome.out);
  const auto& crash = json["crash"];
  EXPECT_STREQ(crash["kind"].GetString(), "out_of_range");
  EXPECT_STREQ(crash["kernel"].GetString(), "scatter");
  EXPECT_EQ(crash["thread"][0].GetUint(), 40u);
  EXPECT_EQ(crash["block"][0].GetUint(), 0u);
  EXPECT_STREQ(crash["space"].GetString(), "shared");
  EXPECT_EQ(crash["address"].GetUint64(), 81024u);
  EXPECT_STREQ(crash["file"].GetString(), "/opt/crash/shared.cu");
  EXPECT_EQ(crash["line"].GetUint(), 6u);
  EXPECT_STREQ(crash["instruction"].GetString(), "STS [R7], R0");
  EXPECT_TRUE(crash["python"].IsNull());
  EXPECT_EQ(json["waits"].Size(), 0u);
  EXPECT_EQ(json["devices"][0]["blocks"].Size(), 2u);
}

TEST(CoreDumpVerb, JsonOfWhatHangs) {
  const Outcome outcome = run({"info", dump_path("barrier"), "--json", "-"});
  EXPECT_EQ(outcome.status, 0);
  const rapidjson::Document json = parsed_json(outcome.out);
  EXPECT_TRUE(json["crash"].IsNull());
  const auto& wait = json["waits"][0];
  EXPECT_STREQ(wait["kind"].GetString(), "barrier");
  EXPECT_EQ(wait["missing_warps"][0].GetUint(), 2u);
}

TEST(CoreDumpVerb, LineOfPythonOfATritonKernel) {
  const rapidjson::Document json = parsed_json(run({"info", dump_path("gather_triton"), "--json", "-"}).out);
  EXPECT_STREQ(json["crash"]["python"].GetString(), "/opt/crash/triton/kernels/src/gather_triton.py:12");
}

TEST(CoreDumpVerb, SourceFilesBesideTheDumpGiveNamesAndLines) {
  const Folder folder;
  for (const char* const name : {"gather_triton", "null"})
    std::filesystem::copy(dump_path(name), folder.at(std::string(name) + ".core.gz"));
  std::filesystem::copy(program_path("gather_triton.py"), folder.path());
  std::filesystem::copy(program_path("null.cu"), folder.path());
  const Outcome triton = run({"info", folder.at("gather_triton.core.gz")});
  EXPECT_THAT(triton.out, HasSubstr("from the start of argument `table`"));
  EXPECT_THAT(triton.out, HasSubstr("tl.store(out + at, tl.load(table + where, mask=inside), mask=inside)"));
  EXPECT_THAT(run({"info", folder.at("null.core.gz")}).out, HasSubstr("argument `bias` is null"));
}

TEST(CoreDumpVerb, ACutDumpHasOneLine) {
  const Folder folder;
  // What a program leaves that ends while the driver writes: the header, then zeros.
  const std::string header(
      "\177ELF\2\1\1\x33\7\0\0\0\0\0\0\0\4\0\276\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc1"
      "\x27\x38\1\0\0\0\0\0\0\0\0\x40\0\0\0\0\0\x40\0\xa7\0\xa6\0",
      64);
  const Outcome outcome = run({"info", folder.file("cut.core", header + std::string(60000, '\0'))});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error_lines(), 1u);
  EXPECT_THAT(outcome.error, HasSubstr("the core dump is cut off or damaged"));
  const Outcome compared = run({"info", dump_path("spin"), "--fail-if", "kernels>1"});
  EXPECT_EQ(compared.status, 2);
  EXPECT_EQ(compared.error_lines(), 1u);
}

}  // namespace
}  // namespace warpwalk::testing
