// The labs of coalescing and bank conflicts against counts made one by one, and against those that Nsight Compute made
// on an H200 (tests/reference/sectors.csv, wavefronts.csv).
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/story/labs/warp/lane_pattern.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view coalescing_lab = "lab/coalescing", banks_lab = "lab/bank-conflicts";

// The recorded counts by kernel, width and distances of the addresses from the first lane's.
using Recorded = std::map<std::string, std::vector<int>>;

std::string access_key(std::string_view kernel, int bytes, const std::vector<std::uint64_t>& at) {
  std::string key = fmt::format("{} {}:", kernel, bytes);
  for (const std::uint64_t address : at) key += fmt::format(" {}", address);
  return key;
}

Recorded recorded_counts(const char* file) {
  Recorded rows;
  std::ifstream in(std::string(WARPWALK_SOURCE_DIR) + "/tests/reference/" + file);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::vector<std::string> fields;
    std::istringstream split(line);
    for (std::string field; std::getline(split, field, ',');) fields.push_back(field);
    std::vector<std::uint64_t> at;
    std::istringstream offsets(fields[3]);
    bool whole = true;
    for (std::string offset; offsets >> offset;) {
      whole = whole && std::ranges::all_of(offset, [](char c) { return c >= '0' && c <= '9'; });
      at.push_back(whole ? std::stoull(offset) : 0);
    }
    if (!whole || at.size() != 32) continue;
    std::vector<int>& counts = rows[access_key(fields[0], std::stoi(fields[1]), at)];
    for (std::size_t i = 4; i < fields.size(); ++i) counts.push_back(std::stoi(fields[i]));
  }
  return rows;
}

std::vector<std::uint64_t> addresses(const LanePattern& pattern) { return {pattern.at.begin(), pattern.at.end()}; }

// The sectors and lines of a pattern, and the bytes that it uses.
struct CountedBytes {
  std::set<std::uint64_t> sectors, lines, used;

  explicit CountedBytes(const LanePattern& pattern) {
    for (const std::uint64_t at : pattern.at)
      for (std::uint64_t byte = at; byte < at + static_cast<std::uint64_t>(pattern.bytes); ++byte) {
        sectors.insert(byte / 32);
        lines.insert(byte / 128);
        used.insert(byte);
      }
  }
};

// The picture: the sectors of the lines, or of two if only one is touched, with the bytes that are used; and from each
// lane an arrow to the middle of its bytes.
void expect_sectors(const LinkPicture& picture, const LanePattern& pattern) {
  const CountedBytes counted(pattern);
  std::vector<std::uint64_t> lines(counted.lines.begin(), counted.lines.end());
  if (lines.size() == 1) lines.push_back(lines[0] + 1);
  ASSERT_EQ(picture.to.size(), 4 * lines.size());
  const auto first_byte = [&](std::size_t cell) { return 128 * lines[cell / 4] + 32 * (cell % 4); };
  for (std::size_t cell = 0; cell < picture.to.size(); ++cell) {
    EXPECT_EQ(picture.to[cell].tone, counted.sectors.contains(first_byte(cell) / 32) ? Tone::shared : Tone::quiet);
    for (std::uint64_t byte = 0; byte < 32; ++byte) {
      const double middle = (static_cast<double>(byte) + 0.5) / 32;
      const bool coloured = std::ranges::any_of(
          picture.to[cell].parts, [&](const auto& part) { return part.first < middle && middle < part.second; });
      EXPECT_EQ(coloured, counted.used.contains(first_byte(cell) + byte)) << cell << " " << byte;
    }
  }
  ASSERT_EQ(picture.links.size(), 32u);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const Link& link = picture.links[lane];
    EXPECT_EQ(link.from, lane);
    EXPECT_DOUBLE_EQ(static_cast<double>(first_byte(link.to)) + 32 * link.at,
                     static_cast<double>(pattern.at[lane]) + pattern.bytes / 2.0);
  }
}

TEST(CoalescingLab, SectorsAndLinesAreCountedOneByOne) {
  for (const int order : {0, 1, 2, 3, 4, 5})
    for (const auto& [choice, bytes] : {std::pair{0, 1}, {2, 4}, {4, 16}})
      for (const int stride : {0, 1, 3, 40})
        for (const int offset : {0, 1, 32}) {
          const Stage stage = lab_with(coalescing_lab, 1,
                                       {{"order", order}, {"width", choice}, {"stride", stride}, {"offset", offset}});
          const LanePattern pattern = global_pattern(
              {.stride = stride, .offset = offset, .bytes = bytes, .order = static_cast<LaneOrder>(order)});
          const CountedBytes counted(pattern);
          EXPECT_EQ(fact_text(stage, "Sectors"), fmt::to_string(counted.sectors.size()));
          EXPECT_EQ(fact_text(stage, "Lines"), fmt::to_string(counted.lines.size()));
          EXPECT_EQ(fact_text(stage, "Efficiency"),
                    Figure::derived(100.0 * static_cast<double>(counted.used.size()) /
                                        (32.0 * static_cast<double>(counted.sectors.size())),
                                    Unit::percent, "")
                        .text());
          expect_sectors(panel_picture<LinkPicture>(stage, 1, 0), pattern);
        }
}

// A field of a structure lies once per structure, a field of its own array side by side.
TEST(CoalescingLab, TheLayoutDecidesWhatIsMoved) {
  for (const int fields : {2, 3, 8})
    for (const int layout : {0, 1, 2}) {
      const Stage stage = lab_with(coalescing_lab, 6, {{"layout", layout}, {"fields", fields}, {"stride", 7}});
      LanePattern pattern;
      for (std::uint64_t lane = 0; lane < 32; ++lane)
        pattern.at[lane] = 4 * lane * (layout == 1 ? static_cast<std::uint64_t>(fields) : 1);
      EXPECT_EQ(fact_text(stage, "Sectors"), fmt::to_string(CountedBytes(pattern).sectors.size()));
      expect_sectors(panel_picture<LinkPicture>(stage, 1, 0), pattern);
      // All fields: a load for each, of the same sectors in structures and of its own four in arrays.
      const auto& rows = panel_picture<TablePicture>(stage, 0, 1).rows;
      ASSERT_EQ(rows.size(), 4u);
      const int sectors = fields == 2 ? 8 : fields == 3 ? 12 : 32;
      EXPECT_EQ(rows[0].cells.at(1).shown(), fmt::to_string(sectors));
      EXPECT_EQ(rows[1].cells.at(1).shown(), fmt::to_string(sectors * fields));
      EXPECT_EQ(rows[2].cells.at(1).shown(), "4");
      EXPECT_EQ(rows[3].cells.at(1).shown(), fmt::to_string(4 * fields));
    }
  // The other beats are about an array, whatever was chosen there.
  EXPECT_EQ(fact_text(lab_with(coalescing_lab, 1, {{"layout", 1}}), "Sectors"), "4");
}

TEST(CoalescingLab, AgreesWithAnH200) {
  const Recorded rows = recorded_counts("sectors.csv");
  std::size_t found = 0;
  const int widths[] = {1, 2, 4, 8, 16};
  for (int width = 0; width < 5; ++width)
    for (int stride = 0; stride <= 40; ++stride)
      for (int offset = 0; offset <= 32; ++offset)
        for (const int order : {0, 1, 2}) {
          const int bytes = widths[width];
          const LanePattern pattern = global_pattern(
              {.stride = stride, .offset = offset, .bytes = bytes, .order = static_cast<LaneOrder>(order)});
          const auto row = rows.find(access_key("ldg", bytes, addresses(pattern)));
          if (row == rows.end()) continue;
          ++found;
          const Stage stage =
              lab_with(coalescing_lab, 1, {{"order", order}, {"width", width}, {"stride", stride}, {"offset", offset}});
          EXPECT_EQ(fact_text(stage, "Sectors"), fmt::to_string(row->second[0])) << row->first;
        }
  EXPECT_GT(found, 20u);
}

TEST(CoalescingLab, TheChartShowsWhatEachStrideGives) {
  const Stage stage = lab_with(coalescing_lab, 2, {{"stride", 5}, {"width", 3}});
  const auto& chart = panel_picture<ChartPicture>(stage, 0, 1);
  ASSERT_EQ(chart.steps.size(), 41u);
  for (int stride = 0; stride <= 40; ++stride)
    EXPECT_EQ(fmt::to_string(chart.steps[static_cast<std::size_t>(stride)].value),
              fact_text(lab_with(coalescing_lab, 1, {{"stride", stride}, {"width", 3}}), "Sectors"));
  EXPECT_EQ(chart.here.at, 5);
}

TEST(CoalescingLab, TasksAreDoneByTheirSettings) {
  EXPECT_EQ(tasks_done(coalescing_lab, {}), "-------");
  EXPECT_EQ(tasks_done(coalescing_lab, {{"stride", 8}}), "x------");
  EXPECT_EQ(tasks_done(coalescing_lab, {{"stride", 2}}), "-x-----");
  EXPECT_EQ(tasks_done(coalescing_lab, {{"offset", 1}}), "--x----");
  EXPECT_EQ(tasks_done(coalescing_lab, {{"stride", 0}}), "---x---");
  EXPECT_EQ(tasks_done(coalescing_lab, {{"width", 4}}), "----x--");
  EXPECT_EQ(tasks_done(coalescing_lab, {{"order", 1}}), "-----x-");
  EXPECT_EQ(tasks_done(coalescing_lab, {{"layout", 1}, {"fields", 2}}), "------x");
}

// The most distinct words in a bank, by hand, for accesses that all lanes make together.
std::pair<int, int> by_hand(const LanePattern& pattern) {
  const int together = pattern.bytes == 4 ? 32 : pattern.bytes == 8 ? 16 : 8;
  int passes = 0, conflicts = 0;
  for (int first = 0; first < 32; first += together) {
    std::map<std::uint64_t, std::set<std::uint64_t>> banks;
    for (int lane = first; lane < first + together; ++lane)
      for (int word = 0; word < pattern.bytes / 4; ++word) {
        const std::uint64_t at = pattern.at[static_cast<std::size_t>(lane)] / 4 + static_cast<std::uint64_t>(word);
        banks[at % 32].insert(at);
      }
    std::size_t most = 0;
    for (const auto& [bank, taken] : banks) most = std::max(most, taken.size());
    passes += static_cast<int>(most);
    conflicts += static_cast<int>(most) - 1;
  }
  return {passes, conflicts};
}

TEST(BankConflictsLab, WavefrontsAreCountedByHand) {
  for (const int walk : {0, 1, 2, 3, 4})
    for (const auto& [choice, bytes] : {std::pair{0, 4}, {1, 8}, {2, 16}})
      for (const int padding : {0, 1, 2, 7, 32})
        for (const int swizzle : {0, 1})
          for (const int element : {0, 99, 1023}) {
            const Stage stage = lab_with(
                banks_lab, 1,
                {{"walk", walk}, {"width", choice}, {"padding", padding}, {"swizzle", swizzle}, {"element", element}});
            const int row = element / 32, column = element % 32;
            LanePattern pattern;
            pattern.bytes = bytes;
            for (int lane = 0; lane < 32; ++lane) {
              const int r = walk == 0 || walk >= 3 ? row : lane;
              const int c = walk == 0   ? lane
                            : walk == 1 ? column
                            : walk == 2 ? (lane + column - row + 32) % 32
                            : walk == 3 ? lane / 2
                                        : column;
              pattern.at[static_cast<std::size_t>(lane)] =
                  static_cast<std::uint64_t>((r * (32 + padding) + (swizzle != 0 ? c ^ r : c)) * bytes);
            }
            if (walk < 3 || bytes == 4) {  // wider loads that lanes share may be served together
              const auto [passes, conflicts] = by_hand(pattern);
              EXPECT_EQ(fact_text(stage, "Wavefronts of this access"), fmt::to_string(passes))
                  << walk << bytes << padding << swizzle;
              EXPECT_EQ(fact_text(stage, "Conflicts of this access"), fmt::to_string(conflicts));
            }
            // The arrows: to the banks of each lane's words, and below each bank its distinct words.
            const auto& picture = panel_picture<LinkPicture>(stage, 1, 0);
            std::map<std::uint64_t, std::set<std::uint64_t>> words;
            ASSERT_EQ(picture.links.size(), 32u);
            for (std::size_t lane = 0; lane < 32; ++lane) {
              EXPECT_EQ(picture.links[lane].to, pattern.at[lane] / 4 % 32);
              for (std::uint64_t word = 0; word < static_cast<std::uint64_t>(bytes) / 4; ++word)
                words[(pattern.at[lane] / 4 + word) % 32].insert(pattern.at[lane] / 4 + word);
            }
            for (std::size_t bank = 0; bank < 32; ++bank) {
              EXPECT_EQ(picture.to.at(bank).label, fmt::to_string(bank));
              EXPECT_EQ(picture.groups.at(bank), words[bank].empty() ? "" : fmt::to_string(words[bank].size()));
            }
          }
}

// Lanes that read the same word share it; lanes of a column read 32 words of one bank.
TEST(BankConflictsLab, ABroadcastNeedsOneWavefront) {
  EXPECT_EQ(fact_text(lab_with(banks_lab, 3), "Wavefronts of this access"), "1");
  EXPECT_EQ(fact_text(lab_with(banks_lab, 3, {{"walk", 3}}), "Wavefronts of this access"), "1");
  EXPECT_EQ(fact_text(lab_with(banks_lab, 3, {{"walk", 1}}), "Wavefronts of this access"), "32");
}

TEST(BankConflictsLab, AgreesWithAnH200) {
  const Recorded rows = recorded_counts("wavefronts.csv");
  std::size_t found = 0;
  for (const int walk : {0, 1, 2})
    for (const auto& [choice, bytes] : {std::pair{0, 4}, {1, 8}, {2, 16}})
      for (int padding = 0; padding <= 32; ++padding) {
        const LanePattern pattern = tile_pattern({bytes, padding, false}, static_cast<TileWalk>(walk), 0);
        const auto row = rows.find(access_key("lds", bytes, addresses(pattern)));
        if (row == rows.end()) continue;
        ++found;
        const Stage stage =
            lab_with(banks_lab, 1, {{"walk", walk}, {"width", choice}, {"padding", padding}, {"element", 0}});
        EXPECT_EQ(fact_text(stage, "Wavefronts of this access"), fmt::to_string(row->second[0])) << row->first;
        EXPECT_EQ(fact_text(stage, "Conflicts of this access"), fmt::to_string(row->second[1])) << row->first;
      }
  EXPECT_GT(found, 4u);
}

TEST(BankConflictsLab, SwizzlingKeepsEachElementOnce) {
  std::set<std::uint64_t> offsets;
  for (int row = 0; row < 32; ++row)
    for (int column = 0; column < 32; ++column) offsets.insert(tile_offset({4, 0, true}, row, column));
  EXPECT_EQ(offsets.size(), 1024u);
  EXPECT_EQ(*offsets.rbegin(), 4 * 1023u);
}

TEST(BankConflictsLab, TasksAreDoneByTheirSettings) {
  EXPECT_EQ(tasks_done(banks_lab, {{"walk", 0}}), "-------");
  EXPECT_EQ(tasks_done(banks_lab, {}), "x------");
  EXPECT_EQ(tasks_done(banks_lab, {{"padding", 1}}), "-x-----");
  EXPECT_EQ(tasks_done(banks_lab, {{"padding", 2}}), "--x-x--");
  EXPECT_EQ(tasks_done(banks_lab, {{"swizzle", 1}}), "---x---");
  EXPECT_EQ(tasks_done(banks_lab, {{"walk", 0}, {"width", 2}}), "-----x-");
  EXPECT_EQ(tasks_done(banks_lab, {{"walk", 3}}), "------x");
}

}  // namespace
}  // namespace warpwalk::story::testing
