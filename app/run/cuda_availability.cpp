#include "app/run/cuda_availability.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <rapidjson/document.h>

#include "core/platform/temporary_folder.h"
#include "core/platform/watched_program.h"

namespace warpwalk::runs {
namespace {

struct Needed {
  std::string_view check;  // of doctor
  std::string_view lack;   // in a few words
};
// In the order in which run --on cuda needs them.
constexpr std::array needed = {Needed{"recorder", "warpwalk's libraries are missing"},
                               Needed{"kernels", "no CUDA kernels built"}, Needed{"driver", "no usable GPU"},
                               Needed{"CUPTI", "no CUPTI"}};

std::string text_at(const rapidjson::Value& object, const char* name) {
  const auto found = object.FindMember(name);
  return found != object.MemberEnd() && found->value.IsString() ? found->value.GetString() : "";
}

bool is_missing(const rapidjson::Value& check) {
  const auto ok = check.FindMember("ok");
  return ok != check.MemberEnd() && ok->value.IsFalse();
}

// The first that is missing. What cannot be read says nothing: then the run itself will tell.
NoCuda read_report(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  rapidjson::Document report;
  report.Parse(text.str().c_str());
  if (report.HasParseError() || !report.IsObject()) return {};
  const auto checks = report.FindMember("checks");
  if (checks == report.MemberEnd() || !checks->value.IsArray()) return {};
  for (const Needed& need : needed)
    for (const rapidjson::Value& check : checks->value.GetArray())
      if (check.IsObject() && text_at(check, "name") == need.check && is_missing(check))
        return {fmt::format("{} ({})", need.lack, text_at(check, "found")), text_at(check, "costs")};
  return {};
}

NoCuda look(const std::filesystem::path& program, const std::atomic<bool>& cancel) {
  const platform::TemporaryFolder folder;
  if (folder.path().empty()) return {"no temporary folder can be made", "see TMPDIR"};
  const std::filesystem::path file = folder.path() / "doctor.json";
  // Without a display: the one that doctor would try is in use, by this window.
  const platform::WatchedCommand command = {program,
                                            {"doctor", "--json", file.string()},
                                            {"DISPLAY=", "WAYLAND_DISPLAY=", "TMPDIR=" + folder.path().string()}};
  const platform::WatchedEnd end = platform::run_watched(
      command, [](std::string_view) {}, cancel);
  if (!end.error.empty()) return {fmt::format("warpwalk cannot start itself: {}", end.error), ""};
  return read_report(file);
}

}  // namespace

CudaAvailability::CudaAvailability(std::filesystem::path program) : program_(std::move(program)) {
  found_.why = program_.empty() ? "no program is known that reaches a GPU" : "looking for a GPU";
}

CudaAvailability::~CudaAvailability() {
  cancel_ = true;
  if (thread_.joinable()) thread_.join();
}

void CudaAvailability::start() {
  if (busy() || found_.why.empty() || program_.empty()) return;
  ended_ = false;
  thread_ = std::thread([this] {
    seen_ = look(program_, cancel_);
    ended_ = true;
  });
}

void CudaAvailability::poll() {
  if (!thread_.joinable() || !ended_) return;
  thread_.join();
  found_ = std::exchange(seen_, {});
}

}  // namespace warpwalk::runs
