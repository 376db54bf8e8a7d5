#include "core/gpu/device/device_file.h"

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/gpu/devices.h"

namespace warpwalk::gpu {
namespace {

std::optional<std::string> no_base(std::string_view) { return {}; }

std::string text_of(std::string_view id) {
  std::ifstream in(devices_folder() / (std::string(id) + ".json"));
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Returns the shipped T4 description with one substring replaced.
std::string t4_with(std::string_view old, std::string_view now) {
  std::string text = text_of("t4");
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), now);
}

std::string error_of(std::string_view text) {
  const auto device = parse_device(text, "x.json", no_base);
  EXPECT_FALSE(device) << text;
  const std::string error = device ? "" : device.error();
  EXPECT_THAT(error, ::testing::Not(::testing::HasSubstr("\n")));
  return error;
}

std::string h200_with(std::string_view parameters) {
  return fmt::format(R"({{"id": "x", "name": "X", "base": "h200", "parameters": {{{}}}}})", parameters);
}

std::string error_on_h200(std::string_view parameter) {
  const std::string text = h200_with(parameter);
  const auto device = parse_device(text, "x.json", [](std::string_view base) { return text_of(base); });
  return device ? "" : device.error();
}

std::string parameter(std::string_view name, std::string_view value, std::string_view unit) {
  return fmt::format(R"("{}": {{"value": {}, "unit": "{}", "status": "assumed", "source": "a test"}})", name, value,
                     unit);
}

TEST(DeviceFile, AFileThatIsNotThere) {
  const auto device = load_device("/nowhere/h200.json");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error(), "/nowhere/h200.json: there is no such file");
  EXPECT_TRUE(device_ids("/nowhere").empty());
}

TEST(DeviceFile, BrokenJsonTellsTheLine) {
  EXPECT_EQ(error_of("{\n\"id\": \"x\",\n,}"), "x.json: line 3: Missing a name for object member.");
  EXPECT_EQ(error_of(""), "x.json: line 1: The document is empty.");
  EXPECT_EQ(error_of("[1]"), "x.json: must be an object with id, name and parameters");
  EXPECT_FALSE(error_of(std::string(200'000, '[')).empty());
}

TEST(DeviceFile, TheOutside) {
  EXPECT_EQ(error_of(R"({"name": "X", "parameters": {}})"), "x.json: id is missing");
  EXPECT_EQ(error_of(R"({"id": "x", "name": 3, "parameters": {}})"), "x.json: name must be a non-empty string");
  EXPECT_EQ(error_of(R"({"id": "x", "name": "X"})"), "x.json: parameters is missing");
  EXPECT_EQ(error_of(R"({"id": "x", "name": "X", "parameters": []})"), "x.json: parameters: must be an object");
  EXPECT_EQ(error_of(R"({"id": "x", "name": "X", "note": "", "parameters": {}})"),
            "x.json: note must be a non-empty string");
  EXPECT_EQ(error_of(R"({"id": "x", "nmae": "X", "parameters": {}})"),
            "x.json: unknown member \"nmae\"; expected id, name, note, base or parameters");
  EXPECT_EQ(error_of(R"({"id": "x", "n\name": "X", "parameters": {}})"),
            "x.json: unknown member \"n ame\"; expected id, name, note, base or parameters");
  EXPECT_EQ(error_of(R"({"id": "x", "name": "X", "parameters": {}})"),
            "x.json: parameters.compute_capability is missing");
}

TEST(DeviceFile, AParameter) {
  const std::string right = R"("sm_count": {"value": 40, "unit": "SMs", "status": "spec")";
  EXPECT_EQ(error_of(t4_with("\"sm_count\"", "\"sms\"")),
            "x.json: parameters.sms: is not a device parameter; see core/gpu/device/parameters.cpp for the names");
  EXPECT_EQ(error_of(t4_with("\"tpc_sms\"", "\"sm_count\"")), "x.json: parameters.sm_count: is listed twice");
  EXPECT_EQ(error_of(t4_with("\"sm_count\": {", "\"sm_count\": 40, \"tpc_sms\": {")),
            "x.json: parameters.sm_count: must be an object with value, unit, status and source");
  EXPECT_EQ(error_of(t4_with(right, R"("sm_count": {"unit": "SMs", "status": "spec")")),
            "x.json: parameters.sm_count: value is missing");
  EXPECT_EQ(error_of(t4_with(right, R"("sm_count": {"value": 40.5, "unit": "SMs", "status": "spec")")),
            "x.json: parameters.sm_count: value must be an integer");
  EXPECT_EQ(error_of(t4_with(right, R"("sm_count": {"value": 0, "unit": "SMs", "status": "spec")")),
            "x.json: parameters.sm_count: value is 0; it must be 1 or more");
  EXPECT_EQ(error_of(t4_with(right, R"("sm_count": {"value": 40, "status": "spec")")),
            "x.json: parameters.sm_count: unit is missing");
  EXPECT_EQ(error_of(t4_with(right, R"("sm_count": {"value": 40, "unit": "GPCs", "status": "spec")")),
            "x.json: parameters.sm_count: unit is \"GPCs\"; it must be \"SMs\"");
  EXPECT_EQ(error_of(t4_with(right, R"("sm_count": {"value": 40, "unit": "SMs", "status": "sure")")),
            "x.json: parameters.sm_count: status is \"sure\"; it must be spec, measured, fitted or assumed");
  EXPECT_EQ(error_of(t4_with(right, R"("sm_count": {"value": 40, "unit": "SMs", "statsu": "spec")")),
            "x.json: parameters.sm_count: unknown member \"statsu\"; expected value, unit, status or source");
  EXPECT_EQ(error_of(t4_with(right + ",\n      \"source\": \"NVIDIA Turing architecture whitepaper\"", right)),
            "x.json: parameters.sm_count: source is missing");
  EXPECT_EQ(error_of(t4_with("[32768, 65536]", "[32768, \"64 KB\"]")),
            "x.json: parameters.carveouts: value [1] must be an integer");
  EXPECT_EQ(error_of(t4_with("[32768, 65536]", "[]")), "x.json: parameters.carveouts: value must be a non-empty list");
  EXPECT_EQ(error_of(t4_with("\"sm_count\": {", "\"sm_count\": null, \"sm_count\": {")),
            "x.json: parameters.sm_count: must be an object with value, unit, status and source");
}

TEST(DeviceFile, Bases) {
  EXPECT_EQ(error_on_h200(parameter("latency_l2", "300", "cycles")), "");
  EXPECT_EQ(error_of(R"({"id": "x", "name": "X", "base": "h300", "parameters": {}})"),
            "x.json: base: there is no h300.json in the same folder");
  EXPECT_EQ(error_of(R"({"id": "x", "name": "X", "base": "../h200", "parameters": {}})"),
            "x.json: base: \"../h200\" must be the id of a file in the same folder");
  const auto device = parse_device(R"({"id": "x", "name": "X", "base": "h200_2sm", "parameters": {}})", "x.json",
                                   [](std::string_view base) { return text_of(base); });
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error(), "h200_2sm.json: base: the base of another device must not have a base itself");
}

TEST(DeviceFile, NullDropsWhatTheBaseKnows) {
  const auto with = [](std::string_view parameters) {
    const std::string text = h200_with(parameters);
    return parse_device(text, "x.json", [](std::string_view base) { return text_of(base); });
  };
  EXPECT_TRUE(with("")->latency_l2);
  EXPECT_FALSE(with("\"latency_l2\": null")->latency_l2);
  EXPECT_EQ(with("\"sm_count\": null").error(), "x.json: parameters.sm_count is missing");
}

TEST(DeviceFile, Contradictions) {
  EXPECT_EQ(error_on_h200(parameter("sm_count", "133", "SMs")),
            "x.json: parameters.gpcs: 132 SMs are listed, but sm_count is 133");
  EXPECT_EQ(error_on_h200(parameter("sm_count", "131", "SMs")),
            "x.json: parameters.small_groups: SM 131 does not exist; sm_count is 131");
  EXPECT_EQ(error_on_h200(parameter("sm_count", "70000", "SMs")),
            "x.json: parameters.sm_count: is 70000; the model supports at most 65535");
  EXPECT_EQ(error_on_h200(parameter("small_groups", "[[124, 125, 126, 124]]", "SM ids")),
            "x.json: parameters.small_groups: SM 124 is listed twice");
  EXPECT_EQ(error_on_h200(parameter("small_groups", "[[124, 125, 126]]", "SM ids")),
            "x.json: parameters.small_groups: a group of 3 SMs does not divide into TPCs of 2");
  EXPECT_EQ(error_on_h200("\"gpcs\": null"), "x.json: parameters.small_groups: requires gpcs");
  EXPECT_EQ(error_on_h200("\"deal_gpc\": null"),
            "x.json: parameters.small_groups: requires run_ahead_first, run_ahead_again, deal_base, deal_pass, "
            "deal_small and deal_gpc");
  EXPECT_EQ(error_on_h200(parameter("carveouts", "[0, 65536]", "B")),
            "x.json: parameters.carveouts: the largest is 65536, but shared_per_sm is 233472");
  EXPECT_EQ(error_on_h200(parameter("carveouts", "[65536, 65536, 233472]", "B")),
            "x.json: parameters.carveouts: must be in increasing order");
  EXPECT_EQ(error_on_h200(parameter("shared_per_block", "232449", "B")),
            "x.json: parameters.shared_per_block: must not exceed shared_per_block_optin");
  EXPECT_EQ(error_on_h200(parameter("shared_per_block_optin", "232449", "B")),
            "x.json: parameters.shared_per_block_optin: the sum with shared_reserved_per_block must not exceed "
            "shared_per_sm");
  EXPECT_EQ(error_on_h200(parameter("shared_per_block_optin", "9223372036854775807", "B")),
            "x.json: parameters.shared_per_block_optin: the sum with shared_reserved_per_block must not exceed "
            "shared_per_sm");
  EXPECT_EQ(error_on_h200(parameter("l1_bytes", "1000", "B")),
            "x.json: parameters.l1_bytes: must not be less than shared_per_sm");
  EXPECT_EQ(error_on_h200(parameter("sub_partitions", "3", "schedulers")),
            "x.json: parameters.registers_per_sm: must be divisible by sub_partitions");
  EXPECT_EQ(error_on_h200(parameter("registers_per_block", "65537", "registers")),
            "x.json: parameters.registers_per_block: must not exceed registers_per_sm");
  for (const char* text : {"9", "9.", ".0", "9.01", "123.0", "9.x", "x.0", "9,0"})
    EXPECT_EQ(error_of(t4_with("\"7.5\"", fmt::format("\"{}\"", text))),
              fmt::format("x.json: parameters.compute_capability: \"{}\" is not of the form 9.0", text));
}

TEST(DeviceFile, IsNamedAsItWasGiven) {
  const std::string file = ::testing::TempDir() + "device_file_test." + std::to_string(getpid()) + ".json";
  std::ofstream(file) << "{";
  const auto device = load_device(file);
  std::filesystem::remove(file);
  ASSERT_FALSE(device);
  EXPECT_TRUE(device.error().starts_with(file + ": line 1: ")) << device.error();
}

}  // namespace
}  // namespace warpwalk::gpu
