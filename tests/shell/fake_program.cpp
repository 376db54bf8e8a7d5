#include "tests/shell/fake_program.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

namespace warpwalk::shell {
namespace {

// Writes down its arguments, one per line, and the folder for temporary files.
const std::string beginning = R"(#!/bin/sh
here=$(dirname "$0")
verb=$1
for word; do
  case $last in -o) walk=$word ;; --json) report=$word ;; esac
  last=$word
done
if [ "$verb" = run ]; then
printf '%s\n' "$@" > "$here/words"
printf '%s' "$TMPDIR" > "$here/tmpdir"
)";

}  // namespace

const std::string FakeProgram::all_is_there = R"(cat > "$report" <<END
{"checks": [{"name": "driver", "ok": true, "found": "1 GPU", "costs": ""},
            {"name": "kernels", "ok": true, "found": "242 kernels", "costs": ""},
            {"name": "NVML", "ok": false, "found": "not found", "costs": "no live figures"},
            {"name": "CUPTI", "ok": true, "found": "API 130001", "costs": ""},
            {"name": "recorder", "ok": true, "found": "there", "costs": ""}]}
END
)";

std::string FakeProgram::walks(const std::string& report, int exit_status) {
  return "echo 'progress: recording the run' >&2\ncp '" WARPWALK_SOURCE_DIR
         "/assets/walks/h200_relu_matmul.json.gz' \"$walk\"\ncat > \"$report\" <<'END'\n" +
         report + "\nEND\nexit " + std::to_string(exit_status) + "\n";
}

std::string FakeProgram::good_report() {
  return R"({"result": {"dtype": "f32", "shape": [256, 64]}, "checks": [
    {"op": "aten::mm", "kernel": "matmul_tiled", "elements": 16384, "mismatches": 0, "max_abs_error": 0.5,
     "max_error_share": 0.25, "allowed": "so much", "reason": "rounding"},
    {"op": "aten::relu", "kernel": "relu", "elements": 16384, "mismatches": 0, "max_abs_error": 0,
     "max_error_share": 0, "allowed": "to the bit", "reason": "one way"}]})";
}

FakeProgram::FakeProgram(const std::string& run, const std::string& doctor) {
  std::string name = (std::filesystem::path(::testing::TempDir()) / "fake_program_XXXXXX").string();
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  folder_ = name;
  std::ofstream(path()) << beginning << run << "else\n" << doctor << "fi\n";
  std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
}

FakeProgram::~FakeProgram() { std::filesystem::remove_all(folder_); }

std::string FakeProgram::text_of(const std::string& name) const {
  std::ifstream in(file(name));
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

bool FakeProgram::has_written(const std::string& name) const {
  for (int i = 0; i < 1000 && text_of(name).empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !text_of(name).empty();
}

bool FakeProgram::has_ended(const std::string& name) const {
  const std::string number = std::to_string(std::atoi(text_of(name).c_str()));
  EXPECT_NE(number, "0");
  for (int i = 0; i < 300; ++i) {
    std::ifstream in("/proc/" + number + "/stat");
    std::string stat;
    if (!std::getline(in, stat) || stat.find(") Z") != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace warpwalk::shell
