// The picture of one instruction on its 32 lanes: what they read, the memory that they access, and their results.
#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "core/gpu/timing/coalescer.h"
#include "core/run/replay/number_trail.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/simulated/operand_places.h"
#include "core/story/scenes/lanes/lanes.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t words_of_line = 32, words_of_sector = 8;

class WarpBuild {
 public:
  explicit WarpBuild(const LanesSubject& s) : input_(s.input), s_(s) {
    const run::NumberTrail* const trail = s.input.history.trail;
    if (trail == nullptr) return;
    if (const auto number = followed_number(s.input.trace, s.input.walk, s.input.controls))
      places_.emplace(*number, *trail);
  }

  WarpPicture picture() {
    picture_.word_lane = word("lane");
    picture_.out = eased(part(input_.moment.phase, 0.05, 0.45));
    picture_.back = eased(part(input_.moment.phase, 0.55, 0.95));
    picture_.writes = s_.access != nullptr && s_.access->writes;
    const std::optional<int> followed = number_lane(s_);
    for (std::size_t lane = 0; lane < picture_.lanes.size(); ++lane) {
      picture_.lanes[lane].active = (s_.issue->what.executing >> lane & 1) != 0;
      picture_.lanes[lane].followed = followed && static_cast<std::size_t>(*followed) == lane;
    }
    add_values();
    if (s_.space() == LanesAccess::global) add_lines();
    if (s_.space() == LanesAccess::shared) add_banks();
    if (picture_.strips.empty()) picture_.instruction = s_.text.text;
    return std::move(picture_);
  }

 private:
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input_.narration.text("lanes.word", key, values);
  }

  bool accesses(std::size_t lane) const { return s_.access != nullptr && (s_.access->mask >> lane & 1) != 0; }

  void add_values() {
    const std::vector<LaneRegister> registers = lane_registers(s_);
    const auto add = [&](const LaneRegister& one) {
      WarpValue& value = picture_.values.emplace_back();
      value.name = one.written ? word("after", {{"register", one.name}}) : one.name;
      value.result = one.written;
      value.tone = one.written ? Tone::work : Tone::plain;
      for (std::size_t lane = 0; lane < value.lanes.size(); ++lane)
        if (picture_.lanes[lane].active || !one.written) value.lanes[lane] = one.values[lane];
    };
    for (const LaneRegister& one : registers)
      if (!one.written) add(one);
    if (s_.access != nullptr) add_addresses();
    for (const LaneRegister& one : registers)
      if (one.written) add(one);
  }

  // The matrix that all lanes access: 'a', 'b' or 'c'.
  std::optional<char> matrix() const {
    if (!places_ || s_.space() != LanesAccess::global) return {};
    std::optional<char> found;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if (!accesses(lane)) continue;
      const auto element = places_->element_at(s_.access->at[lane]);
      if (!element || (found && *found != element->matrix)) return {};
      found = element->matrix;
    }
    return found;
  }

  void add_addresses() {
    WarpValue& value = picture_.values.emplace_back();
    value.tone = Tone::memory;
    const std::optional<char> named = matrix();
    value.name = named ? std::string(1, *named) : word("offset");
    for (std::size_t lane = 0; lane < value.lanes.size(); ++lane) {
      if (!accesses(lane)) continue;
      const std::uint64_t address = s_.access->at[lane];
      if (named) {
        const auto element = places_->element_at(address);
        value.lanes[lane] = fmt::format("[{}, {}]", element->row, element->column);
      } else {
        value.lanes[lane] = access_address_text(s_, address);
      }
    }
  }

  std::string line_name(std::uint64_t address) const {
    if (places_)
      if (const auto element = places_->element_at(address)) return element->name();
    const auto [name, offset] = s_.travel.place_of(address);
    if (name.empty()) return fmt::format("{:#x}", address);
    return word("line_name",
                {{"buffer", buffer_name(name)}, {"offset", with_thousands(static_cast<std::int64_t>(offset))}});
  }

  // Lines of 128 bytes, each four sectors of eight words.
  void add_lines() {
    const gpu::CoalescedAccess access = gpu::coalesce(*s_.access);
    std::vector<gpu::LineAccess> lines(access.lines.begin(), access.lines.begin() + access.count);
    std::ranges::sort(lines, {}, &gpu::LineAccess::line);
    bool unused = false, not_fetched = false;
    for (std::size_t number = 0; number < lines.size(); ++number) {
      const std::uint64_t begin = lines[number].line * 128;
      WarpStrip& strip = picture_.strips.emplace_back(WarpStrip{line_name(begin), words_of_sector, {}});
      std::array<std::vector<int>, words_of_line> users;
      for (std::size_t lane = 0; lane < 32; ++lane) {
        if (!accesses(lane)) continue;
        for (std::size_t w = 0; w < words_of_line; ++w) {
          const std::uint64_t at = begin + 4 * w;
          if (s_.access->at[lane] >= at + 4 || s_.access->at[lane] + s_.access->bytes <= at) continue;
          users[w].push_back(static_cast<int>(lane));
          picture_.lanes[lane].words.emplace_back(number, w);
        }
      }
      for (std::size_t w = 0; w < words_of_line; ++w) {
        const std::size_t sector = w / words_of_sector, first = sector * words_of_sector;
        std::vector<int> lanes;
        for (std::size_t in = first; in < first + words_of_sector; ++in)
          lanes.insert(lanes.end(), users[in].begin(), users[in].end());
        std::ranges::sort(lanes);
        lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
        const Tone tone = !users[w].empty() ? Tone::memory : lanes.empty() ? Tone::quiet : Tone::plain;
        unused = unused || tone == Tone::plain;
        not_fetched = not_fetched || tone == Tone::quiet;
        strip.words.push_back({tone, "",
                               word("sector_tip", {{"line", fmt::format("{:#x}", begin)},
                                                   {"sector", std::to_string(sector)},
                                                   {"lanes", ranges_text(lanes)}})});
      }
    }
    picture_.legend = {{Tone::memory, word("used")}};
    if (unused) picture_.legend.emplace_back(Tone::plain, word("unused"));
    if (not_fetched) picture_.legend.emplace_back(Tone::quiet, word("not_fetched"));
  }

  // A strip is a wavefront: the words that the banks give at a time to the lanes that are served together.
  void add_banks() {
    bool again = false;
    for (const std::uint32_t group : lane_groups(*s_.access)) {
      std::array<std::map<std::uint64_t, std::vector<int>>, 32> words;  // by bank
      for (std::uint32_t left = group & s_.access->mask; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        const std::uint64_t at = s_.access->at[static_cast<std::size_t>(lane)];
        for (std::uint64_t w = at / 4; w <= (at + s_.access->bytes - 1) / 4; ++w) words[w % 32][w].push_back(lane);
      }
      std::size_t rows = 0;
      for (const auto& bank : words) rows = std::max(rows, bank.size());
      again = again || rows > 1;
      for (std::size_t row = 0; row < rows; ++row) add_wavefront(words, row);
    }
    picture_.legend = {{Tone::shared, word("first_word")}};
    if (again) picture_.legend.emplace_back(Tone::refused, word("further_word"));
    picture_.note = word("banks_note");
  }

  void add_wavefront(const std::array<std::map<std::uint64_t, std::vector<int>>, 32>& words, std::size_t row) {
    const std::size_t number = picture_.strips.size();
    WarpStrip& strip = picture_.strips.emplace_back();
    strip.name = word("wavefront", {{"number", std::to_string(number + 1)}});
    for (std::size_t bank = 0; bank < words.size(); ++bank) {
      const std::string name = std::to_string(bank);
      if (row >= words[bank].size()) {
        strip.words.push_back({Tone::quiet, name, word("bank_free", {{"bank", name}})});
        continue;
      }
      const auto& [at, lanes] = *std::next(words[bank].begin(), static_cast<std::ptrdiff_t>(row));
      strip.words.push_back(
          {row == 0 ? Tone::shared : Tone::refused, name,
           word("bank_tip",
                {{"bank", name}, {"offset", fmt::format("{:#x}", at * 4)}, {"lanes", ranges_text(lanes)}})});
      for (const int lane : lanes) picture_.lanes[static_cast<std::size_t>(lane)].words.emplace_back(number, bank);
    }
  }

  const SceneInput& input_;
  const LanesSubject& s_;
  std::optional<OperandPlaces> places_;
  WarpPicture picture_;
};

}  // namespace

std::string ranges_text(const std::vector<int>& lanes) {
  std::string text;
  for (std::size_t i = 0; i < lanes.size();) {
    std::size_t end = i;
    while (end + 1 < lanes.size() && lanes[end + 1] == lanes[end] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += end > i ? fmt::format("{}-{}", lanes[i], lanes[end]) : fmt::format("{}", lanes[i]);
    i = end + 1;
  }
  return text.empty() ? "-" : text;
}

WarpPicture warp_picture(const LanesSubject& subject) { return WarpBuild(subject).picture(); }

}  // namespace warpwalk::story
