// "Who wrote this?" in the lanes: the answer, and where its rows lead.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/lanes/asked_control.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

Stage lanes_at(const Crafted& one, const Moment& moment, const Controls& controls) {
  return stage_of(*find_scene("lanes"),
                  {one.trace, one.walk, english(), hardware(), moment, controls, Naming::both, {}, one.view()});
}

/// The last beat, which shows any cycle.
Stage last_lanes(const Crafted& one, const Controls& controls) {
  const auto beats = find_scene("lanes")->beats(one.trace, one.walk).size();
  return lanes_at(one, {Moment::Kind::beat, static_cast<std::int64_t>(beats), 1}, controls);
}

/// The table of the answer; null if there is none.
const TablePicture* answer_in(const Stage& stage) {
  const auto* const panels = std::get_if<std::shared_ptr<const Panels>>(&stage.picture);
  if (panels == nullptr) return nullptr;
  for (const PanelRow& row : (*panels)->rows)
    for (const Panel& panel : row.panels)
      if (panel.heading == english().text("lanes.word", "asked_sources"))
        return std::get_if<TablePicture>(&panel.picture);
  return nullptr;
}

/// The row with these words in its first cell; null if there is none.
const TableRow* row_with(const TablePicture& table, std::string_view word) {
  const std::string text = english().text("lanes.word", word);
  const auto found = std::ranges::find_if(table.rows, [&](const TableRow& row) { return row.cells[0].text == text; });
  return found == table.rows.end() ? nullptr : &*found;
}

/// Does what a click on a row does.
Stage after_click(const Crafted& one, const TableRow& row, Controls& controls) {
  for (const auto& [name, value] : row.sets) controls.set(name, value);
  EXPECT_TRUE(row.cycle);
  return lanes_at(one, {Moment::Kind::cycle, row.cycle.value_or(0), 1}, controls);
}

TEST(Asked, LeadsFromAByteOfABufferBackToWhatWasRead) {
  const Crafted& one = crafted_inner_named("inner: who wrote it");
  Controls controls = one.controls;
  const Stage of_buffer = last_lanes(one, controls);
  EXPECT_EQ(of_buffer.title, "Who wrote byte 128 of data?");
  EXPECT_NE(of_buffer.sentence.find("st.global"), std::string::npos) << of_buffer.sentence;
  const TablePicture* table = answer_in(of_buffer);
  ASSERT_NE(table, nullptr);
  const TableRow* writer = row_with(*table, "asked_writer");
  ASSERT_NE(writer, nullptr);
  // The stage shows the store.
  ASSERT_TRUE(of_buffer.cycle);
  EXPECT_EQ(writer->cycle, of_buffer.cycle->at);
  // It stores what was loaded from shared memory.
  const TableRow* from = row_with(*table, "asked_from");
  ASSERT_NE(from, nullptr);
  const Stage of_load = after_click(one, *from, controls);
  EXPECT_NE(of_load.title.find("of shared memory"), std::string::npos) << of_load.title;
  table = answer_in(of_load);
  ASSERT_NE(table, nullptr);
  writer = row_with(*table, "asked_writer");
  ASSERT_NE(writer, nullptr);
  EXPECT_EQ(writer->cells[2].text.find("st.shared"), 0U) << writer->cells[2].text;
  EXPECT_LT(*writer->cycle, *from->cycle);
  // The product that was stored there comes from global memory, which was there before.
  from = row_with(*table, "asked_read");
  ASSERT_NE(from, nullptr);
  const Stage of_input = after_click(one, *from, controls);
  EXPECT_NE(of_input.title.find("Nothing in this launch wrote byte 128 of data"), std::string::npos) << of_input.title;
  // The watch: the store to the same byte comes later.
  table = answer_in(of_input);
  ASSERT_NE(table, nullptr);
  const TableRow* const next = row_with(*table, "asked_next");
  ASSERT_NE(next, nullptr);
  EXPECT_EQ(next->cycle, of_buffer.cycle->at);
}

TEST(Asked, FollowsARegisterOfMachineCode) {
  const Crafted& one = crafted_inner_named("inner: machine code");
  Controls controls;
  const Stage plain = last_lanes(one, controls);
  ASSERT_TRUE(plain.cycle);
  EXPECT_EQ(answer_in(plain), nullptr);
  controls.set("lanes.asked", AskedAbout::result);
  const Stage asked = lanes_at(one, {Moment::Kind::cycle, plain.cycle->at, 1}, controls);
  const TablePicture* const table = answer_in(asked);
  ASSERT_NE(table, nullptr) << asked.title;
  const TableRow* const writer = row_with(*table, "asked_writer");
  ASSERT_NE(writer, nullptr);
  EXPECT_LE(*writer->cycle, plain.cycle->at);
  // Every row leads to an instruction that the stage then shows.
  for (const TableRow& row : table->rows) {
    if (!row.cycle) continue;
    Controls then = controls;
    const Stage there = after_click(one, row, then);
    ASSERT_TRUE(there.cycle);
    EXPECT_EQ(there.cycle->at, *row.cycle);
  }
}

}  // namespace
}  // namespace warpwalk::story::testing
