#include "tests/run/planted_bug.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

namespace warpwalk::testing {

PlantedBug PlantedBug::in(const std::filesystem::path& folder) {
  std::stringstream text;
  text << std::ifstream(folder / "expect.json").rdbuf();
  rapidjson::Document json;
  json.Parse(text.str().c_str());
  PlantedBug bug;
  EXPECT_TRUE(json.IsObject() && json.HasMember("kind")) << folder;
  if (!json.IsObject() || !json.HasMember("kind")) return bug;
  bug.kind = json["kind"].GetString();
  if (json.HasMember("source_line")) bug.lines.push_back(json["source_line"].GetUint());
  if (json.HasMember("other_lines"))
    for (const auto& line : json["other_lines"].GetArray()) bug.lines.push_back(line.GetUint());
  const auto triple = [&](const char* name, auto& out) {
    if (!json.HasMember(name)) return;
    out.emplace();
    for (rapidjson::SizeType i = 0; i < 3; ++i) (*out)[i] = json[name][i].GetUint();
  };
  triple("block", bug.block);
  triple("thread", bug.thread);
  if (json.HasMember("machine_code"))
    for (const auto& opcode : json["machine_code"]["absent"].GetArray()) bug.absent.emplace_back(opcode.GetString());
  return bug;
}

bool PlantedBug::is_found_by(const gpu::Finding& finding) const {
  return gpu::name_of(finding.kind) == kind &&
         std::find(lines.begin(), lines.end(), finding.source_line) != lines.end() &&
         finding.source_file.ends_with("kernel.cu") && (!block || finding.block == *block) &&
         (!thread || finding.thread == *thread) && finding.message.find('\n') == std::string::npos;
}

bool PlantedBug::explains(const gpu::Finding& finding) const {
  return gpu::name_of(finding.kind) == kind ||
         (kind == "shared_race" && finding.kind == gpu::FindingKind::uninitialized);
}

bool PlantedBug::stops_a_gpu() const {
  return kind != "none" && kind != "uninitialized" && !kind.ends_with("_race") && kind != "barrier" &&
         kind != "inactive_lane";
}

}  // namespace warpwalk::testing
