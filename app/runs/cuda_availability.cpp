#include "app/runs/cuda_availability.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <rapidjson/document.h>

#include "core/platform/read_file.h"
#include "core/platform/temporary_folder.h"
#include "core/platform/watched_program.h"

namespace warpwalk::runs {
namespace {

// Checks of doctor, in the order in which run --on cuda needs them. [cuda] has the words if one is missing.
constexpr std::array<std::string_view, 4> needed = {"recorder", "kernels", "driver", "CUPTI"};

std::string check_text(const rapidjson::Value& object, const char* name) {
  const auto found = object.FindMember(name);
  return found != object.MemberEnd() && found->value.IsString() ? found->value.GetString() : "";
}

bool is_missing(const rapidjson::Value& check) {
  const auto ok = check.FindMember("ok");
  return ok != check.MemberEnd() && ok->value.IsFalse();
}

// The first one that is missing. If the report cannot be read, nothing counts as missing: then the run itself fails.
NoCuda read_report(const std::filesystem::path& file, const story::Narration& words) {
  const auto read = platform::read_text_file(file);
  if (!read) return {};
  rapidjson::Document report;
  report.Parse(read->text.c_str());
  if (report.HasParseError() || !report.IsObject()) return {};
  const auto checks = report.FindMember("checks");
  if (checks == report.MemberEnd() || !checks->value.IsArray()) return {};
  for (const std::string_view name : needed)
    for (const rapidjson::Value& check : checks->value.GetArray())
      if (check.IsObject() && check_text(check, "name") == name && is_missing(check))
        return {fmt::format("{} ({})", words.text("cuda", name), check_text(check, "found")),
                check_text(check, "costs")};
  return {};
}

NoCuda ask_doctor(const std::filesystem::path& program, const story::Narration& words,
                  const std::atomic<bool>& cancel) {
  const platform::TemporaryFolder folder;
  if (folder.path().empty()) return {words.text("cuda", "no_folder"), words.text("cuda", "no_folder.more")};
  const std::filesystem::path file = folder.path() / "doctor.json";
  // Without a display: this window is using the one that doctor would try.
  const platform::WatchedCommand command = {program,
                                            {"doctor", "--json", file.string()},
                                            {"DISPLAY=", "WAYLAND_DISPLAY=", "TMPDIR=" + folder.path().string()}};
  const platform::WatchedEnd end = platform::run_watched(
      command, [](std::string_view) {}, cancel);
  if (!end.error.empty()) return {words.text("cuda", "not_started", {{"reason", end.error}}), ""};
  return read_report(file, words);
}

}  // namespace

CudaAvailability::CudaAvailability(std::filesystem::path program, const story::Narration& words)
    : program_(std::move(program)), words_(words) {
  found_.why = words.text("cuda", program_.empty() ? "no_program" : "looking");
}

CudaAvailability::~CudaAvailability() {
  cancel_ = true;
  if (thread_.joinable()) thread_.join();
}

void CudaAvailability::start() {
  if (busy() || found_.why.empty() || program_.empty()) return;
  ended_ = false;
  thread_ = std::thread([this] {
    seen_ = ask_doctor(program_, words_, cancel_);
    ended_ = true;
  });
}

void CudaAvailability::poll() {
  if (!thread_.joinable() || !ended_) return;
  thread_.join();
  found_ = std::exchange(seen_, {});
}

}  // namespace warpwalk::runs
