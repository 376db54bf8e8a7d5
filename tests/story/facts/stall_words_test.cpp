// One vocabulary for the reasons why warps do not issue: the names of gpu::StallReason, which are Nsight Compute's.
// Every list of them is known here, and has exactly these names.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/gpu/timing/stall_reason.h"
#include "core/run/launch/cycle_figures.h"
#include "core/story/facts/simulated/kernel_cycles.h"
#include "core/story/labs/kernel/kernel_figures.h"
#include "core/trace/ncu/metrics.h"
#include "tests/story/words.h"

namespace warpwalk::story {
namespace {

using testing::english;

const std::filesystem::path source_root = WARPWALK_SOURCE_DIR;
constexpr std::size_t list_size = 3;  // so many names in one place are a list

std::set<std::string> reason_names() {
  std::set<std::string> names;
  for (std::size_t i = 0; i < gpu::stall_reasons; ++i) names.emplace(gpu::name_of(static_cast<gpu::StallReason>(i)));
  return names;
}

std::string text_of_file(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// The keys of each section of a file of narration.
std::map<std::string, std::set<std::string>> keys_in(const std::filesystem::path& file) {
  std::map<std::string, std::set<std::string>> sections;
  std::istringstream lines(text_of_file(file));
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with('['))
      section = line.substr(1, line.find(']') - 1);
    else if (!line.empty() && line[0] != '#' && line[0] != ' ' && colon != std::string::npos)
      sections[section].insert(line.substr(0, colon));
  }
  return sections;
}

TEST(StallWords, EveryListOfTheNarrationHasExactlyTheReasons) {
  const std::set<std::string> names = reason_names();
  const std::set<std::string> known = {"stall", "schedulers.reason"};
  std::map<std::string, std::size_t> found;
  for (const auto& file : std::filesystem::recursive_directory_iterator(source_root / "assets/narration")) {
    if (file.path().extension() != ".txt") continue;
    for (const auto& [section, keys] : keys_in(file.path())) {
      std::set<std::string> reasons;
      for (const std::string& key : keys) {
        const std::string name = key.starts_with("stall_") ? key.substr(6) : key;
        if (names.contains(name)) reasons.insert(key);
      }
      if (reasons.size() < list_size) continue;
      EXPECT_TRUE(known.contains(section)) << file.path() << " [" << section << "] is a second list of reasons";
      EXPECT_EQ(keys, names) << file.path() << " [" << section << "]";
      ++found[section];
    }
  }
  EXPECT_EQ(found, (std::map<std::string, std::size_t>{{"stall", 2}, {"schedulers.reason", 2}}));  // en, de
}

TEST(StallWords, NoOtherSourceListsTheNames) {
  // The list itself; the metrics that Nsight Compute prints as columns, whose names hold those of the reasons.
  const std::set<std::string> known = {"core/gpu/timing/stall_reason.h", "core/trace/ncu/csv_columns.cpp"};
  const std::set<std::string> names = reason_names();
  for (const char* const room : {"core", "app", "instrumentation"}) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(source_root / room)) {
      const std::filesystem::path& path = file.path();
      if (path.extension() != ".cpp" && path.extension() != ".h") continue;
      const std::string text = text_of_file(path);
      if (text.find("_scoreboard") == std::string::npos && text.find("_throttle") == std::string::npos) continue;
      const auto listed = std::ranges::count_if(names, [&](const std::string& name) {
        return text.find('"' + name + '"') != std::string::npos || text.find("stalled_" + name) != std::string::npos;
      });
      const std::string place = path.lexically_relative(source_root).generic_string();
      EXPECT_TRUE(listed < static_cast<std::ptrdiff_t>(list_size) || known.contains(place)) << place;
    }
  }
}

TEST(StallWords, ReportsAndMeasurementsHaveTheNames) {
  std::set<std::string> reported;
  for (const run::CycleFigure& figure : run::stall_figures({})) reported.insert(figure.name);
  EXPECT_EQ(reported, reason_names());
  for (const std::string& name : reason_names())
    EXPECT_EQ(trace::ncu::sampled_stall("smsp__pcsamp_warps_issue_stalled_" + name), name);
  EXPECT_EQ(trace::ncu::sampled_stall("smsp__pcsamp_warps_issue_stalled_no_instructions"), "no_instruction");
  EXPECT_EQ(trace::ncu::sampled_stall("smsp__pcsamp_warps_issue_stalled_warpgroup_arrive"), "gmma");

  // The largest reasons of the recorded comparisons: columns stall_measured and stall_simulated.
  for (const char* const csv : {"h200_validation.csv", "h100_validation.csv"}) {
    std::istringstream rows(text_of_file(source_root / "assets/devices" / csv));
    std::string row;
    std::getline(rows, row);
    const auto cells = [&] {
      std::vector<std::string> all;
      std::istringstream text(row);
      for (std::string cell; std::getline(text, cell, ',');) all.push_back(cell);
      return all;
    };
    const std::vector<std::string> head = cells();
    std::size_t compared = 0;
    while (std::getline(rows, row)) {
      const std::vector<std::string> values = cells();
      for (std::size_t i = 0; i < std::min(head.size(), values.size()); ++i) {
        if (head[i] != "stall_measured" && head[i] != "stall_simulated") continue;
        EXPECT_TRUE(values[i].empty() || reason_names().contains(values[i])) << csv << ": " << values[i];
        ++compared;
      }
    }
    EXPECT_GT(compared, 50u) << csv;
  }
}

TEST(StallWords, TheWindowSaysTheNameAndAWordForIt) {
  EXPECT_EQ(stall_word(english(), "long_scoreboard"), "long_scoreboard (global memory)");
  EXPECT_EQ(stall_word(english(), "barrier"), "barrier");
  EXPECT_EQ(stall_word(english(), "of_the_future"), "of_the_future");
  EXPECT_EQ(stall_sentence(english(), gpu::StallReason::barrier), "It waits for other warps at a barrier (barrier)");
  EXPECT_EQ(lab_figure_name(english(), "stall_long_scoreboard"), "Warp-cycles: long_scoreboard (global memory)");
  EXPECT_EQ(lab_figure_name(english(), "registers"), "Registers per thread");
}

}  // namespace
}  // namespace warpwalk::story
