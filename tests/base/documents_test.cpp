// The documents: links lead to files and headings that exist, and prose has at most 120 characters per line.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace warpwalk {
namespace {

namespace fs = std::filesystem;
const fs::path sources = WARPWALK_SOURCE_DIR;

std::vector<fs::path> documents() {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(sources)) files.push_back(entry.path());
  for (const char* const top : {"docs", "tests"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(sources / top))
      files.push_back(entry.path());
  std::erase_if(files, [](const fs::path& file) { return file.extension() != ".md"; });
  return files;
}

/// A line of a document, without those of code blocks.
struct Line {
  int number;
  std::string text;
};

std::vector<Line> lines_of(const fs::path& file) {
  std::vector<Line> lines;
  std::ifstream in(file);
  bool code = false;
  int number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    const bool fence = text.find("```") == text.find_first_not_of(' ') && !text.empty();
    if (fence) code = !code;
    if (!code && !fence && !text.starts_with("    ")) lines.push_back({number, text});
  }
  return lines;
}

/// The name of a heading in links: "Against an H200" is against-an-h200.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading.substr(heading.find_first_not_of("# "))) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_')
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (c == ' ')
      anchor += '-';
  }
  return anchor;
}

TEST(Documents, LinkToWhatExists) {
  const std::regex link(R"(\]\(([^)\s#]*)(#([^)\s]+))?\))");
  int links = 0;
  for (const fs::path& file : documents())
    for (const Line& line : lines_of(file))
      for (std::sregex_iterator at(line.text.begin(), line.text.end(), link), end; at != end; ++at) {
        const std::string path = (*at)[1], anchor = (*at)[3];
        if (path.starts_with("http")) continue;
        ++links;
        const fs::path target = path.empty() ? file : file.parent_path() / path;
        EXPECT_TRUE(fs::exists(target)) << file << ":" << line.number << ": " << at->str();
        if (anchor.empty()) continue;
        std::set<std::string> anchors;
        for (const Line& heading : lines_of(target))
          if (heading.text.starts_with('#')) anchors.insert(anchor_of(heading.text));
        EXPECT_TRUE(anchors.contains(anchor)) << file << ":" << line.number << ": " << at->str();
      }
  EXPECT_GT(links, 50);
}

TEST(Documents, HaveLinesOfAtMost120Characters) {
  for (const fs::path& file : documents()) {
    if (fs::relative(file, sources).string().starts_with("tests")) continue;
    for (const Line& line : lines_of(file)) {
      const auto characters = std::ranges::count_if(line.text, [](char c) { return (c & 0xC0) != 0x80; });
      const bool table = line.text.find('|') == line.text.find_first_not_of(' ');
      EXPECT_TRUE(table || characters <= 120) << file << ":" << line.number;
    }
  }
}

}  // namespace
}  // namespace warpwalk
