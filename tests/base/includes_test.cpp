// The arrows between rooms and folders, as the includes draw them (docs/architecture.md).
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwalk {
namespace {

namespace fs = std::filesystem;
const fs::path source_dir = WARPWALK_SOURCE_DIR;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Include {
  std::string file, included;  // paths in the repository
};

std::string folder_of(const std::string& file) { return fs::path(file).parent_path().string(); }

/// All includes of the program's own files by its own files.
const std::vector<Include>& includes() {
  static const std::vector<Include> all = [] {
    std::vector<Include> found;
    for (const char* const top : {"app", "core", "instrumentation"})
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_dir / top)) {
        if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
        const std::string file = fs::relative(entry.path(), source_dir).generic_string();
        std::ifstream in(entry.path());
        for (std::string line; std::getline(in, line);)
          if (line.starts_with("#include \"")) found.push_back({file, line.substr(10, line.rfind('"') - 10)});
      }
    return found;
  }();
  return all;
}

/// Rooms by folder, each with the rooms that CMake links it with, and those that they are linked with.
std::map<std::string, std::set<std::string>> rooms() {
  const std::string cmake = text_of(source_dir / "CMakeLists.txt");
  std::map<std::string, std::set<std::string>> linked;
  std::map<std::string, std::string> room_of_library;
  const std::regex call(R"(warpwalk_room\(([a-z_/]+)([^)]*)\))"), library("warpwalk_(core|app|instrumentation)[a-z_]*");
  for (std::sregex_iterator at(cmake.begin(), cmake.end(), call), end; at != end; ++at) {
    std::string name = (*at)[1];
    std::ranges::replace(name, '/', '_');
    room_of_library["warpwalk_" + name] = (*at)[1];
    const std::string arguments = (*at)[2];
    std::set<std::string>& uses = linked[(*at)[1]];
    for (std::sregex_iterator used(arguments.begin(), arguments.end(), library); used != end; ++used) {
      const std::string below = room_of_library[used->str()];
      EXPECT_NE(below, "") << used->str() << " is linked before it is made";
      uses.insert(below);
      uses.insert(linked[below].begin(), linked[below].end());
    }
  }
  return linked;
}

/// The room of a file: the longest folder that is one. Empty if it is in none.
std::string room_of(const std::string& file, const std::map<std::string, std::set<std::string>>& all) {
  for (std::string folder = folder_of(file); !folder.empty(); folder = folder_of(folder))
    if (all.contains(folder)) return folder;
  return {};
}

TEST(Includes, GoOnlyToTheRoomsBelow) {
  const auto all = rooms();
  ASSERT_GT(all.size(), 20u);
  for (const Include& one : includes()) {
    // Programs and libraries that are no rooms.
    if (one.file == "app/main.cpp" || one.file.starts_with("instrumentation/inject/") ||
        one.file.starts_with("instrumentation/armed/"))
      continue;
    if (one.included.starts_with("kernels/")) continue;  // what the CUDA library exports
    const std::string from = room_of(one.file, all), to = room_of(one.included, all);
    ASSERT_NE(from, "") << one.file;
    EXPECT_TRUE(from == to || all.at(from).contains(to)) << one.file << " includes " << one.included;
  }
}

/// What explains a trace in figures builds without scenes.
TEST(Includes, FiguresOfATraceNeedNoStory) {
  const auto all = rooms();
  for (const char* const room : {"core/analysis", "core/words", "app/query", "app/verbs/info"})
    EXPECT_FALSE(all.at(room).contains("core/story")) << room;
  for (const char* const room : {"core/words", "core/run"})
    EXPECT_FALSE(all.at("core/analysis").contains(room)) << room;
}

TEST(Includes, DrawNoCircleOfFolders) {
  std::map<std::string, std::map<std::string, Include>> arrows;
  for (const Include& one : includes())
    if (folder_of(one.file) != folder_of(one.included))
      arrows[folder_of(one.file)].try_emplace(folder_of(one.included), one);
  std::set<std::string> done;
  std::vector<std::string> path;
  const std::function<void(const std::string&)> follow = [&](const std::string& folder) {
    if (const auto again = std::ranges::find(path, folder); again != path.end()) {
      std::string circle;
      for (auto at = again; at != path.end(); ++at) {
        const Include& arrow = arrows[*at].at(at + 1 == path.end() ? folder : at[1]);
        circle += "\n  " + arrow.file + " includes " + arrow.included;
      }
      ADD_FAILURE() << "a circle:" << circle;
      return;
    }
    if (done.contains(folder)) return;
    path.push_back(folder);
    for (const auto& [next, arrow] : arrows[folder]) follow(next);
    path.pop_back();
    done.insert(folder);
  };
  std::vector<std::string> folders;
  for (const auto& [folder, next] : arrows) folders.push_back(folder);
  ASSERT_GT(folders.size(), 80u);
  for (const std::string& folder : folders) follow(folder);
}

/// The part of a path that says where in a room a file is: a folder, or "." for the files beside the folders. Empty if
/// it is in another room.
std::string folder_in(const std::string& room, const std::string& file) {
  if (!file.starts_with(room + '/')) return {};
  const std::string rest = file.substr(room.size() + 1);
  return rest.find('/') != std::string::npos ? rest.substr(0, rest.find('/')) : ".";
}

/// The words in backticks of a text.
std::vector<std::string> quoted_words(const std::string& text) {
  std::vector<std::string> words;
  const std::regex word("`([^`]+)`");
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) words.push_back((*at)[1]);
  return words;
}

/// The rows of "room | order of its folders" in docs/architecture.md.
TEST(Includes, KeepTheOrderOfFolders) {
  std::istringstream page(text_of(source_dir / "docs/architecture.md"));
  std::string line;
  while (std::getline(page, line) && line != "  | room | order of its folders |") {
  }
  std::getline(page, line);  // the rule of the table
  int orders = 0;
  while (std::getline(page, line) && line.starts_with("  | `")) {
    const std::size_t column = line.find(" | `", 3);
    ASSERT_NE(column, std::string::npos) << line;
    const std::string room = quoted_words(line.substr(0, column)).at(0);
    std::map<std::string, int> place;
    std::istringstream levels(line.substr(column));
    std::string level;
    for (int number = 1; std::getline(levels, level, ';'); ++number)
      for (const std::string& folder : quoted_words(level)) place[folder] = number;
    for (const Include& one : includes()) {
      const std::string from = folder_in(room, one.file), to = folder_in(room, one.included);
      if (from.empty() || to.empty() || from == to) continue;
      ASSERT_TRUE(place.contains(from) && place.contains(to)) << room << ": the order lacks " << from << " or " << to;
      EXPECT_LT(place[from], place[to]) << one.file << " includes " << one.included;
    }
    ++orders;
  }
  EXPECT_GE(orders, 8);
}

TEST(Includes, AreOfFilesThatAre) {
  for (const Include& one : includes())
    EXPECT_TRUE(fs::exists(source_dir / one.included)) << one.file << " includes " << one.included;
}

TEST(Folders, HaveAtMost45SourceFiles) {
  std::map<std::string, int> files;
  for (const char* const top : {"app", "core", "instrumentation", "tests"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_dir / top))
      if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
        ++files[fs::relative(entry.path(), source_dir).parent_path().generic_string()];
  for (const auto& [folder, count] : files) EXPECT_LE(count, 45) << folder;
}

TEST(Architecture, NamesEveryRoomThatIsBuilt) {
  const std::string page = text_of(source_dir / "docs/architecture.md");
  for (const auto& [room, below] : rooms()) EXPECT_THAT(page, ::testing::HasSubstr(room));
}

}  // namespace
}  // namespace warpwalk
