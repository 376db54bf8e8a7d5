// What must not get into the repository: rests of merges and patches, and large files.
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace warpwalk {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest = 1'000'000;  // bytes

/// Larger files that stay, each with its reason.
constexpr std::array allowed_to_be_large = {
    // Every distinct machine instruction that NVIDIA's disassembler was asked about, already compressed. Encodings are
    // close to random, so a stronger compression would not get it below the limit without another decoder.
    std::string_view("tests/sass/data/instructions.gz"),
};

/// Visits the files at the top of a tree and those of its source folders: a build, or what a person keeps beside the
/// sources, is not part of it. Walks the folders, because tests also run where there is no git.
void for_each_file(const fs::path& tree, const std::function<void(const std::string&, std::uintmax_t)>& visit) {
  const auto visit_entry = [&](const fs::directory_entry& entry) {
    if (entry.is_regular_file() && !entry.is_symlink())
      visit(entry.path().lexically_relative(tree).generic_string(), entry.file_size());
  };
  for (const fs::directory_entry& entry : fs::directory_iterator(tree)) visit_entry(entry);
  for (const char* const top : {"app", "assets", "cmake", "core", "docs", "instrumentation", "kernels", "package",
                                "python", "scripts", "tests"})
    if (fs::exists(tree / top))
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(tree / top)) visit_entry(entry);
}

/// Why a file does not belong into the repository; empty if it does.
std::string objection(std::string_view file, std::uintmax_t bytes) {
  if (file.ends_with(".orig") || file.ends_with(".rej")) return "the rest of a merge or of a patch; remove it";
  if (bytes > largest && std::ranges::find(allowed_to_be_large, file) == allowed_to_be_large.end())
    return "more than 1 MB; make it smaller, or allow it in tests/base/files_test.cpp with a reason";
  return {};
}

TEST(Files, AreNoRestsOfMergesAndAtMost1MB) {
  std::size_t files = 0;
  for_each_file(WARPWALK_SOURCE_DIR, [&](const std::string& file, std::uintmax_t bytes) {
    ++files;
    EXPECT_EQ(objection(file, bytes), "") << file;
  });
  EXPECT_GT(files, 5000u);
}

// A list of files in CMakeLists.txt that lacks one leaves its tests out without a word.
TEST(Files, EveryTestIsCompiled) {
  std::size_t tests = 0;
  for_each_file(WARPWALK_SOURCE_DIR, [&](const std::string& file, std::uintmax_t) {
    if (!file.starts_with("tests/") || !file.ends_with("_test.cpp")) return;
    ++tests;
    fs::path room = (fs::path(WARPWALK_SOURCE_DIR) / file).parent_path();
    while (!fs::exists(room / "CMakeLists.txt")) room = room.parent_path();
    std::ifstream in(room / "CMakeLists.txt");
    const std::string list{std::istreambuf_iterator<char>(in), {}};
    EXPECT_TRUE(list.find(fs::path(file).filename().string()) != std::string::npos ||
                list.find("GLOB") != std::string::npos)
        << file << " is not in its room's CMakeLists.txt";
  });
  EXPECT_GT(tests, 300u);
}

// A beat is a value with functions of its own (core/story/beats); code that asks for its key belongs into it.
TEST(Files, NoCodeBranchesOnTheTextOfABeatsKey) {
  const std::regex comparison(R"(\bbeat(\.key|->key)?\s*[!=]=\s*")");
  EXPECT_TRUE(std::regex_search(R"(if (beat == "wait"))", comparison));
  EXPECT_TRUE(std::regex_search(R"(shown = beat.key!="wait";)", comparison));
  EXPECT_FALSE(std::regex_search(R"({.key = "wait"})", comparison));
  for (const char* const top : {"core/story", "app"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(WARPWALK_SOURCE_DIR) / top)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      std::ifstream in(entry.path());
      int number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        EXPECT_FALSE(std::regex_search(line, comparison)) << entry.path() << ":" << number;
      }
    }
}

TEST(Files, AnAllowedOneIsThereAndLarge) {
  for (const std::string_view file : allowed_to_be_large)
    EXPECT_GT(fs::file_size(fs::path(WARPWALK_SOURCE_DIR) / file), largest) << file << " needs no exception";
}

TEST(Files, OnlyThoseThatDoNotBelongAreRefused) {
  EXPECT_NE(objection("core/a.cpp.orig", 10), "");
  EXPECT_NE(objection("core/a.cpp.rej", 10), "");
  EXPECT_NE(objection("assets/a.bin", largest + 1), "");
  EXPECT_EQ(objection("assets/a.bin", largest), "");
  EXPECT_EQ(objection("core/original.cpp", 10), "");
}

}  // namespace
}  // namespace warpwalk
