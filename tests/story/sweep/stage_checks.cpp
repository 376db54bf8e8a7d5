// What every stage has to have.
#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/launch/picture.h"
#include "core/story/scenes/warehouse/picture.h"
#include "tests/story/stages.h"
#include "tests/story/sweep/sweep.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

class NoSentenceLacksAWordOrAValue : public SweepCheck {
 public:
  NoSentenceLacksAWordOrAValue() : SweepCheck("no sentence lacks a word or a value") {}
  void look_at(const SweptStage& at) override {
    ++stages_;
    for (const std::string_view gap : {"(no narration", "(no value"})
      EXPECT_EQ(at.everything().find(gap), std::string::npos) << at.where() << ": " << gap << "\n" << at.everything();
    EXPECT_FALSE(at.stage.title.empty()) << at.where();
    EXPECT_FALSE(at.stage.sentence.empty()) << at.where();
  }
  void end() override { EXPECT_GT(stages_, 2000u / walk_stride); }

 private:
  std::size_t stages_ = 0;
};

class AStageSaysWhereItIs : public SweepCheck {
 public:
  AStageSaysWhereItIs() : SweepCheck("a stage says where it is") {}
  void look_at(const SweptStage& at) override {
    const auto beats = static_cast<int>(at.scene.beats(at.walk.trace, at.walk.walk).size());
    EXPECT_EQ(at.stage.scene, at.scene.name) << at.where();
    EXPECT_EQ(at.stage.scene_number, at.scene.number) << at.where();
    EXPECT_EQ(at.stage.beats, beats) << at.where();
    EXPECT_EQ(at.stage.phase, 1) << at.where();
    EXPECT_FALSE(at.stage.now) << at.where();
    EXPECT_FALSE(at.stage.question) << at.where() << ": nobody is to be asked";
    if (!at.scene.is_lab()) {
      EXPECT_EQ(at.stage.route.size(), 10u) << at.where();
    }
  }
};

class NoFigureIsShownWithoutItsOriginOrFormula : public SweepCheck {
 public:
  NoFigureIsShownWithoutItsOriginOrFormula() : SweepCheck("no figure is shown without its origin or formula") {}
  void look_at(const SweptStage& at) override {
    for (const Fact& fact : at.stage.facts) {
      EXPECT_FALSE(fact.label.empty()) << at.where();
      EXPECT_FALSE(fact.figure.text().empty()) << at.where() << ": " << fact.label;
      if (fact.figure.origin() == Origin::derived) {
        EXPECT_FALSE(fact.figure.formula().empty()) << at.where() << ": " << fact.label;
      }
    }
  }
};

class ABarThatTheAxisCutsNamesItsWholeTime : public SweepCheck {
 public:
  ABarThatTheAxisCutsNamesItsWholeTime() : SweepCheck("a bar that the axis cuts names its whole time") {}
  void look_at(const SweptStage& at) override {
    if (at.walk.sample != "two_streams" || !is_of_the_walk(at.scene)) return;
    if (const auto* timeline = std::get_if<TimelinePicture>(&at.stage.picture)) look_at(at, *timeline);
    if (const auto* launch = std::get_if<std::shared_ptr<const LaunchPicture>>(&at.stage.picture))
      look_at(at, (*launch)->way.time);
  }
  void end() override { EXPECT_GT(cut_, 100u / walk_stride); }

 private:
  void look_at(const SweptStage& at, const TimelinePicture& picture) {
    for (const RowGroup& group : picture.groups)
      for (const Row& row : group.rows)
        for (const Bar& bar : row.bars) {
          const bool whole =
              static_cast<double>(bar.start) >= picture.from && static_cast<double>(bar.end) <= picture.to;
          cut_ += !whole;
          EXPECT_EQ(bar.label.find(" in all") != std::string::npos, !whole && !picture.untimed)
              << at.where() << ": " << bar.label;
        }
  }
  std::size_t cut_ = 0;
};

class TheAccountOfTheWarehouseAddsUp : public SweepCheck {
 public:
  TheAccountOfTheWarehouseAddsUp() : SweepCheck("the account of the warehouse adds up") {}
  void look_at(const SweptStage& at) override {
    const auto* const picture = std::get_if<std::shared_ptr<const WarehousePicture>>(&at.stage.picture);
    if (picture == nullptr || (at.walk.sample != "relu_matmul" && at.walk.sample != "mlp_train")) return;
    double sum = 0;
    for (const WarehousePart& part : (*picture)->parts) sum += part.figure.value();
    if ((*picture)->level_reserved >= 0 && !(*picture)->parts.empty()) {
      ++accounts_;
      EXPECT_EQ(sum, (*picture)->level_reserved) << at.where();
    }
    if (const Fact* const cached = find_fact(at.stage, "Free in the allocator's cache")) {
      EXPECT_EQ(cached->figure.value(), find_fact(at.stage, "Reserved by the allocator")->figure.value() -
                                            find_fact(at.stage, "Allocated")->figure.value())
          << at.where();
    }
  }
  void end() override { EXPECT_GT(accounts_, 100u / walk_stride); }

 private:
  std::size_t accounts_ = 0;
};

/// The first size in powers of 1,000, "kB": all are in powers of 1,024, KiB, except for rates, "GB/s", and the name of
/// a GPU. Empty if there is none.
std::string_view decimal_size_in(std::string_view text) {
  constexpr std::string_view letters = "kKMGT", gpu = "A100 (40";
  for (std::size_t at = text.find(' '); at != std::string_view::npos; at = text.find(' ', at + 1)) {
    const std::string_view before = text.substr(0, at), unit = text.substr(at + 1);
    if (unit.size() < 2 || letters.find(unit[0]) == std::string_view::npos || unit[1] != 'B') continue;
    const char next = unit.size() > 2 ? unit[2] : ' ';
    if (next == '/' || std::isalnum(static_cast<unsigned char>(next)) != 0 || before.ends_with(gpu)) continue;
    return text.substr(at - std::min<std::size_t>(at, 20), 43);
  }
  return {};
}

class SizesAreInPowersOf1024 : public SweepCheck {
 public:
  SizesAreInPowersOf1024() : SweepCheck("sizes are in powers of 1,024") {}
  void look_at(const SweptStage& at) override {
    EXPECT_EQ(decimal_size_in(at.everything()), "") << at.where();
    sizes_ += at.everything().find("iB") != std::string::npos;
  }
  void end() override { EXPECT_GT(sizes_, 200u / walk_stride); }

 private:
  std::size_t sizes_ = 0;
};

TEST(SizesAreInPowersOf1024, OthersAreFound) {
  EXPECT_EQ(decimal_size_in("it has 4.2 MB."), "it has 4.2 MB.");
  EXPECT_EQ(decimal_size_in("49.2 kB"), "49.2 kB");
  EXPECT_EQ(decimal_size_in("MB in flight, in GB"), "MB in flight, in GB");
  for (const std::string_view right : {"48 KiB", "1.5 GiB", "4.8 TB/s", "GB/s", "NVIDIA H100 80GB HBM3",
                                       "NVIDIA A100 (40 GB)", "12 B", "an MBarrier", " ", ""})
    EXPECT_EQ(decimal_size_in(right), "") << right;
}

TEST(SizesAreInPowersOf1024, InTheNarration) { EXPECT_EQ(decimal_size_in(english_text()), ""); }

/// Every card of the last page leads to a beat that this walk has, or to a key.
class EveryCardLeadsSomewhere : public SweepCheck {
 public:
  EveryCardLeadsSomewhere() : SweepCheck("every card leads somewhere") {}
  void look_at(const SweptStage& at) override {
    if (at.walk.sample.empty() || at.walk.walk.empty() || at.scene.name != "map") return;
    if (at.scene.beats(at.walk.trace, at.walk.walk)[static_cast<std::size_t>(at.stage.beat) - 1].key != "closing")
      return;
    for (const CardColumn& column : panel_picture<CardPicture>(at.stage).columns) {
      EXPECT_FALSE(column.cards.empty());
      for (const Card& card : column.cards) {
        ++cards_;
        EXPECT_FALSE(card.link.empty()) << at.where() << ": " << card.heading;
        if (card.link.scene.empty()) continue;
        std::set<std::string> keys;
        for (const Beat& beat : find_scene(card.link.scene)->beats(at.walk.trace, at.walk.walk)) keys.insert(beat.key);
        EXPECT_TRUE(keys.contains(card.link.beat)) << at.where() << ": " << card.heading;
        for (const std::string& setting : card.link.settings) EXPECT_TRUE(parse_setting(setting)) << setting;
      }
    }
  }
  void look_at(const SweptWalk& swept) override {
    if (swept.sample.empty() || swept.walk.empty()) return;
    const std::vector<Beat> beats = find_scene("map")->beats(swept.trace, swept.walk);
    EXPECT_NE(std::ranges::find(beats, "closing", &Beat::key), beats.end()) << swept.name << " has no last page";
  }
  void end() override { EXPECT_GT(cards_, 500u / walk_stride); }

 private:
  std::size_t cards_ = 0;
};

}  // namespace

SweepChecks stage_checks() {
  SweepChecks checks;
  checks.push_back(std::make_unique<NoSentenceLacksAWordOrAValue>());
  checks.push_back(std::make_unique<AStageSaysWhereItIs>());
  checks.push_back(std::make_unique<NoFigureIsShownWithoutItsOriginOrFormula>());
  checks.push_back(std::make_unique<ABarThatTheAxisCutsNamesItsWholeTime>());
  checks.push_back(std::make_unique<TheAccountOfTheWarehouseAddsUp>());
  checks.push_back(std::make_unique<SizesAreInPowersOf1024>());
  checks.push_back(std::make_unique<EveryCardLeadsSomewhere>());
  return checks;
}

}  // namespace warpwalk::story::testing
