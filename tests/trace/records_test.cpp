#include <string>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/base/base64.h"
#include "core/trace/chrome/records_json.h"
#include "core/trace/read/read_trace.h"
#include "tests/trace/random_trace.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

struct Read {
  Records records;
  Problems problems;
};

Read read_json(std::string_view json) {
  Trace trace;
  Read out;
  read_records(json, trace, out.problems, 99);
  out.records = std::move(trace.records);
  return out;
}

TEST(Records, WrittenAndReadAreTheSame) {
  std::size_t kernels = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Trace trace = random_trace(seed);
    const std::string json = records_json(trace.records);
    const Read again = read_json(json);
    ASSERT_TRUE(again.problems.rows().empty()) << again.problems.rows()[0].message;
    ASSERT_TRUE(again.records == trace.records) << "seed " << seed;
    ASSERT_EQ(records_json(again.records), json) << "seed " << seed;
    kernels += trace.records.kernels.size();
  }
  EXPECT_GT(kernels, 100u);
}

// The kernels of a source file are a module each.
TEST(Records, ASourceThatModulesShareIsWrittenAndReadOnce) {
  Records records;
  for (const char* const source : {"", "one", "two", "one", "", "two"}) records.modules.emplace_back().source = source;
  const std::string json = records_json(records);
  EXPECT_THAT(json, ::testing::HasSubstr(R"("modules":[{},{"source":"one"},{"source":"two"},{"source_of":1},{},)"
                                         R"({"source_of":2}])"));
  const Read again = read_json(json);
  EXPECT_TRUE(again.problems.rows().empty());
  EXPECT_EQ(again.records, records);
  const std::vector<Module>& modules = again.records.modules;
  ASSERT_EQ(modules.size(), 6u);
  EXPECT_EQ(modules[3].source.view().data(), modules[1].source.view().data());
  // Older files repeat the source in each module.
  EXPECT_EQ(read_json(R"({"format": 1, "modules": [{}, {"source": "one"}, {"source": "two"}, {"source": "one"}, {},
                          {"source": "two"}]})")
                .records,
            records);
}

TEST(Records, FormatComesFirst) { EXPECT_EQ(records_json({}), "{\"format\":1}"); }

TEST(Records, OfANewerFormatWhatIsUnderstoodIsKept) {
  const Read newer = read_json(
      R"({"format": 3, "expression": "a + b", "hologram": [1], "modules": [{"ptx": ".version", "smell": 1}]})");
  EXPECT_EQ(newer.records.expression, "a + b");
  ASSERT_EQ(newer.records.modules.size(), 1u);
  EXPECT_EQ(newer.records.modules[0].ptx, ".version");
  ASSERT_EQ(newer.problems.rows().size(), 1u);
  const Problem& problem = newer.problems.rows()[0];
  EXPECT_EQ(problem.kind, ProblemKind::bad_record);
  EXPECT_EQ(problem.count, 1u);
  EXPECT_EQ(problem.byte_offset, 99u);
  EXPECT_THAT(problem.message, ::testing::HasSubstr("written by a newer warpwalk (format 3)"));
}

// Each case has one fault, whose message contains the given words. Everything else is kept.
struct Fault {
  const char* json;
  const char* meaning;
};
class RecordFault : public testing::TestWithParam<Fault> {};

TEST_P(RecordFault, IsLeftOutCountedAndNamed) {
  const Read faulty = read_json(fmt::format(R"({{"format": 1, "expression": "kept", {}}})", GetParam().json));
  EXPECT_EQ(faulty.records.expression, "kept");
  ASSERT_EQ(faulty.problems.rows().size(), 1u);
  const Problem& problem = faulty.problems.rows()[0];
  EXPECT_EQ(problem.kind, ProblemKind::bad_record);
  EXPECT_EQ(problem.count, 1u) << problem.message;
  EXPECT_EQ(problem.byte_offset, 99u);
  EXPECT_THAT(problem.message, ::testing::HasSubstr("byte 99"));
  EXPECT_THAT(problem.message, ::testing::HasSubstr(GetParam().meaning));
}

INSTANTIATE_TEST_SUITE_P(
    All, RecordFault,
    testing::Values(
        Fault{R"("modules": 7)", "modules is not an array"},
        Fault{R"("modules": ["x"])", "modules[0] is not an object"},
        Fault{R"("modules": [{"ptx": 5}])", "modules[0].ptx is not a string"},
        Fault{R"("modules": [{"cubin": "f0VMRg="}])", "modules[0].cubin is not valid base64"},
        Fault{R"("modules": [{"source": 5}])", "modules[0].source is not a string"},
        Fault{R"("modules": [{"source_of": 0}])", "modules[0].source_of is 0, but there are 0 rows"},
        Fault{R"("modules": [{"line_map": [[1, 2]]}])", "modules[0].line_map[0] is not three whole numbers"},
        Fault{R"("kernels": [{"module": 0}])", "kernels[0].module is 0, but there are 0 rows"},
        Fault{R"("allocations": [{}], "kernels": [{}, {"arguments": [{"kind": "pointer", "allocation": 1}]}])",
              "kernels[1].arguments[0].allocation is 1, but there are 1 rows"},
        Fault{R"("kernels": [{"arguments": [{"kind": "scalar", "dtype": "f32", "bytes": "AAA="}]}])",
              "kernels[0].arguments[0].bytes has 2 bytes, but f32 has 4"},
        Fault{R"("kernels": [{"arguments": [{"kind": "scalar", "bytes": "A*A="}]}])",
              "arguments[0].bytes is not valid base64"},
        Fault{R"("kernels": [{"arguments": [{"kind": "tensor"}]}])", "arguments[0].kind is neither"},
        Fault{R"("kernels": [{"grid": [1, 2]}])", "kernels[0].grid is not three whole numbers"},
        Fault{R"("kernels": [{"grid": [1, 2, -3]}])", "kernels[0].grid is not a non-negative whole number"},
        Fault{R"("kernels": [{"registers": 5000000000}])", "kernels[0].registers is out of range"},
        Fault{R"("kernels": [{"grid": [2, 2, 1], "placement_origin": "measured", "placement": [[0, 0, 0]]}])",
              "kernels[0].placement has 1 blocks, but the grid is 2 x 2 x 1"},
        Fault{R"("kernels": [{"placement_origin": "measured", "placement": [[0, 0]]}])",
              "kernels[0].placement[0] is not three"},
        Fault{R"("kernels": [{"counters": [{"name": "n", "value": "big", "origin": "derived"}]}])",
              "counters[0].value is not a number"},
        Fault{R"("kernels": [{"counters": [{"name": "n", "value": 1}]}])", "counters[0].origin is missing"},
        Fault{R"("kernels": [{"cycles": 5, "cycles_origin": "guessed"}])", "kernels[0].cycles_origin is not one of"},
        Fault{R"("kernels": [{"digests": [{"sha256": "abc"}]}])", "digests[0].sha256 is not 64"},
        Fault{R"("kernels": [{"buffers": [{"kind": "bytes", "dtype": "i32", "count": 2, "bytes": "AAAAAA=="}]}])",
              "buffers[0].bytes has 4 bytes, which does not match 2 elements of i32"},
        Fault{R"("kernels": [{"buffers": [{"kind": "magic"}]}])", "buffers[0].kind is not one of"},
        Fault{R"("kernels": [{"inside": 5}])", "kernels[0].inside is not an object"},
        Fault{R"("kernels": [{"inside": {"memory": [{"address": 64, "bytes": 4, "content": "lost"}]}}])",
              "memory[0].content is not one of bytes, seed, unwritten"},
        Fault{
            R"("kernels": [{"inside": {"memory": [{"address": 64, "bytes": 4, "content": "bytes", "before": "AAAA"}]}}])",
            "memory[0].before does not hold 4 bytes compressed by zlib"},
        Fault{R"("kernels": [{"inside": {"memory": [{"address": 64, "bytes": 4000000000000, "content": "bytes"}]}}])",
              "memory[0].before does not hold 4000000000000 bytes"},
        Fault{R"("kernels": [{"inside": {"memory": [{"address": 64, "bytes": 0, "content": "unwritten"}]}}])",
              "memory[0].bytes is 0, or past the last address"},
        Fault{R"("kernels": [{"inside": {"memory": [{"address": 64, "bytes": 8, "content": "unwritten"},
                                                    {"address": 68, "bytes": 8, "content": "unwritten"}]}}])",
              "memory[1].address is not after the range before it"},
        Fault{
            R"("kernels": [{"inside": {"memory": [{"address": 64, "bytes": 8, "content": "seed", "dtype": "f31"}]}}])",
            "memory[0].dtype is not a known element type"},
        Fault{R"("sources": [{"what": "times", "origin": "believed"}])", "sources[0].origin is not one of"},
        Fault{R"("dispatches": [{"op": "o", "origin": "derived", "steps": [{"key": 1}]}])",
              "dispatches[0].steps[0].key is not a string"}));

TEST(Records, ABrokenRowKeepsTheNumbersOfTheOthers) {
  const Read faulty = read_json(R"({"format": 1, "allocations": ["no", {"name": "b", "bytes": 8}],
      "kernels": [5, {"entry": "k", "arguments": [{"kind": "pointer", "allocation": 1, "offset": 4}]}, {"entry": "l",
                  "arguments": [{"kind": "pointer", "allocation": 1}, {"kind": "pointer", "allocation": 0}]}]})");
  ASSERT_EQ(faulty.records.kernels.size(), 3u);
  EXPECT_EQ(faulty.records.kernels[0], KernelRecord{});
  ASSERT_EQ(faulty.records.kernels[1].arguments.size(), 1u);
  EXPECT_EQ(faulty.records.kernels[1].arguments[0].allocation, 1u);
  EXPECT_EQ(faulty.records.allocations[1].name, "b");
  // Dropping one argument would describe a different launch, so none is kept.
  EXPECT_EQ(faulty.records.kernels[2].entry, "l");
  EXPECT_TRUE(faulty.records.kernels[2].arguments.empty());
  EXPECT_EQ(faulty.problems.count_of(ProblemKind::bad_record), 3u);
}

TEST(Records, AreReadFromAFileAndOnlyOnce) {
  const std::string kernel = slice("kernel", "k", 2, 5, "\"warpwalk record\": 0", 0, 7);
  const ReadResult result =
      read_trace_text("{\"traceEvents\": [" + kernel + R"(], "warpwalk": {"format": 1, "kernels": [{"entry": "a"}]},
      "warpwalk": {"format": 1, "kernels": [{"entry": "b"}]}})");
  ASSERT_EQ(result.trace.records.kernels.size(), 1u);
  EXPECT_EQ(result.trace.records.kernels[0].entry, "a");
  EXPECT_EQ(result.trace.kernels[0].record, 0);
  EXPECT_EQ(result.problems.count_of(ProblemKind::duplicate_key), 1u);
}

TEST(Records, WhatIsNoObjectIsNamed) {
  for (const char* json : {"[]", "5", "\"x\""})
    EXPECT_EQ(read_json(json).problems.count_of(ProblemKind::bad_record), 1u) << json;
}

TEST(Base64, MatchesTheExamplesOfItsStandard) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : examples) {
    const std::string_view view = plain;
    const std::vector<std::uint8_t> bytes(view.begin(), view.end());
    EXPECT_EQ(base::to_base64(bytes), encoded);
    EXPECT_EQ(base::from_base64(encoded), bytes);
  }
  for (const char* bad : {"Z", "Zg", "Zg=", "Z===", "====", "Zh==", "Zm9=", "Zm 9v", "Zg==Zg=="})
    EXPECT_FALSE(base::from_base64(bad)) << bad;
  std::vector<std::uint8_t> all(256);
  for (std::size_t i = 0; i < 256; ++i) all[i] = static_cast<std::uint8_t>(i);
  EXPECT_EQ(base::from_base64(base::to_base64(all)), all);
}

}  // namespace
}  // namespace warpwalk::trace::test
