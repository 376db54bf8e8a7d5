// From beat to beat nothing jumps: what a beat ends with, the next one begins with.
#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "core/story/scenes/map/picture.h"
#include "core/story/scenes/translator/picture.h"
#include "core/story/scenes/warehouse/picture.h"
#include "tests/story/sweep/sweep.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

/// The stage's picture, if it is a shared one of this kind.
template <class Picture>
const Picture* picture_of(const Stage& stage) {
  const auto* const held = std::get_if<std::shared_ptr<const Picture>>(&stage.picture);
  return held == nullptr ? nullptr : held->get();
}

const TimelinePicture* timeline_of(const Stage& stage) { return std::get_if<TimelinePicture>(&stage.picture); }

class TheAxisStaysWhereItWas : public SweepCheck {
 public:
  TheAxisStaysWhereItWas() : SweepCheck("the axis stays where it was") {}
  void look_at(const SweptBoundary& at) override {
    if (const TimelinePicture* const before = timeline_of(at.before)) {
      const TimelinePicture* const after = timeline_of(at.after());
      if (after == nullptr) return expect_no_axis(at);
      ++boundaries_;
      EXPECT_EQ(before->from, after->from) << at.where();
      EXPECT_EQ(before->to, after->to) << at.where();
    }
    if (const auto* const before = picture_of<ReceiptPicture>(at.before)) {
      const auto* const after = picture_of<ReceiptPicture>(at.after());
      if (after == nullptr) return expect_no_axis(at);
      EXPECT_EQ(before->from, after->from) << at.where();
      EXPECT_EQ(before->to, after->to) << at.where();
    }
  }
  void end() override { EXPECT_GT(boundaries_, 200u / walk_stride); }

 private:
  /// A picture over time may be followed by one of another kind, but not by another picture over time.
  static void expect_no_axis(const SweptBoundary& at) {
    EXPECT_EQ(timeline_of(at.after()), nullptr) << at.where();
    EXPECT_EQ(picture_of<ReceiptPicture>(at.after()), nullptr) << at.where();
  }
  std::size_t boundaries_ = 0;
};

class WhatWasFullyThereStays : public SweepCheck {
 public:
  WhatWasFullyThereStays() : SweepCheck("what was fully there stays, and what is new begins at nothing") {}
  void look_at(const SweptBoundary& at) override {
    if (const auto* const before = picture_of<ReceiptPicture>(at.before))
      if (const auto* const after = picture_of<ReceiptPicture>(at.after())) compare(at, *before, *after);
    if (const TimelinePicture* const before = timeline_of(at.before))
      if (const TimelinePicture* const after = timeline_of(at.after())) compare(at, *before, *after);
  }

 private:
  static void compare(const SweptBoundary& at, const ReceiptPicture& before, const ReceiptPicture& after) {
    ASSERT_EQ(before.lines.size(), after.lines.size()) << at.where();
    for (std::size_t i = 0; i < after.lines.size(); ++i)
      EXPECT_EQ(before.lines[i].shown, after.lines[i].shown) << at.where() << ": " << after.lines[i].key;
    for (std::size_t i = 0; i < after.stations.size(); ++i)
      EXPECT_EQ(before.stations[i].folded, after.stations[i].folded) << at.where();
    EXPECT_EQ(after.total_shown, before.total_shown) << at.where();
  }
  static void compare(const SweptBoundary& at, const TimelinePicture& before, const TimelinePicture& after) {
    ASSERT_EQ(before.groups.size(), after.groups.size()) << at.where();
    for (std::size_t g = 0; g < after.groups.size(); ++g)
      for (std::size_t r = 0; r < std::min(after.groups[g].rows.size(), before.groups[g].rows.size()); ++r)
        EXPECT_GE(after.groups[g].rows[r].shown, before.groups[g].rows[r].shown)
            << at.where() << ": the row " << after.groups[g].rows[r].name << " goes away";
    for (const Arrow& arrow : after.arrows) EXPECT_EQ(arrow.travelled, before.arrows.empty() ? 0 : 1) << at.where();
  }
};

class NothingJumpsInTheWarehouse : public SweepCheck {
 public:
  NothingJumpsInTheWarehouse() : SweepCheck("nothing jumps in the warehouse") {}
  void look_at(const SweptBoundary& at) override {
    if (at.scene.name != "warehouse" || at.walk.walk.empty()) return;
    const auto *const before = picture_of<WarehousePicture>(at.before), *const after =
                                                                            picture_of<WarehousePicture>(at.after());
    ASSERT_TRUE(before != nullptr && after != nullptr) << at.where();
    EXPECT_EQ(before->now, after->now) << at.where();
    EXPECT_EQ(before->level_allocated, after->level_allocated) << at.where();
    EXPECT_EQ(before->top, after->top) << at.where();
    EXPECT_EQ(before->capacity_shown, after->capacity_shown) << at.where();
    ASSERT_EQ(before->strips.size(), after->strips.size()) << at.where();
    for (std::size_t s = 0; s < before->strips.size(); ++s) {
      EXPECT_EQ(before->strips[s].address, after->strips[s].address) << at.where();
      EXPECT_EQ(before->strips[s].scale, after->strips[s].scale) << at.where();
      EXPECT_EQ(before->strips[s].ranges.size(), after->strips[s].ranges.size()) << at.where();
    }
  }
};

// Whichever pane a beat ends with, the next begins with, and the frame on the way stands still.
class NothingJumpsInTheTranslator : public SweepCheck {
 public:
  NothingJumpsInTheTranslator() : SweepCheck("nothing jumps in the translator") {}
  void look_at(const SweptBoundary& at) override {
    if (at.scene.name != "translator") return;
    const auto *const before = picture_of<TranslatorPicture>(at.before), *const after =
                                                                             picture_of<TranslatorPicture>(at.after());
    ASSERT_TRUE(before != nullptr && after != nullptr) << at.where();
    EXPECT_EQ(before->packet, after->packet) << at.where();
    const std::pair<double, double> shown[] = {{before->ops_shown, after->ops_shown},
                                               {before->keys_shown, after->keys_shown},
                                               {before->name_shown, after->name_shown},
                                               {before->order_shown, after->order_shown},
                                               {before->code_shown, after->code_shown}};
    for (const auto& [was, is] : shown) EXPECT_EQ(was, is) << at.where();
    if (!before->keys || !after->keys || after->keys_shown <= 0) return;
    EXPECT_EQ(before->keys->cursor, after->keys->cursor) << at.where();
    for (std::size_t r = 0; r < after->keys->rows.size(); ++r)
      EXPECT_EQ(after->keys->rows[r].passed, before->keys->rows[r].passed) << at.where();
  }
};

}  // namespace

SweepChecks continuity_checks() {
  SweepChecks checks;
  checks.push_back(std::make_unique<TheAxisStaysWhereItWas>());
  checks.push_back(std::make_unique<WhatWasFullyThereStays>());
  checks.push_back(std::make_unique<NothingJumpsInTheWarehouse>());
  checks.push_back(std::make_unique<NothingJumpsInTheTranslator>());
  return checks;
}

}  // namespace warpwalk::story::testing
