#include "core/story/elements/glossary.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

Glossary glossary(std::string_view text) {
  auto narration = Narration::parse(text, "g");
  EXPECT_TRUE(narration) << narration.error();
  return Glossary(*narration);
}

std::vector<std::string> terms(const Glossary& glossary, std::string_view text) {
  std::vector<std::string> found;
  for (const GlossaryEntry* entry : glossary.terms_in(text)) found.push_back(entry->term);
  return found;
}

TEST(Glossary, FindsWholeWordsInTheirOrderEachOnce) {
  const Glossary g = glossary("[glossary]\nwarp | warps: 32 threads\ngrid: blocks\n");
  EXPECT_EQ(terms(g, "The grid has warps, a Warp is no warpage; the grid."),
            (std::vector<std::string>{"grid", "warp"}));
  EXPECT_EQ(terms(g, "warpage gridded"), (std::vector<std::string>{}));
  EXPECT_EQ(terms(g, ""), (std::vector<std::string>{}));
}

TEST(Glossary, TheLongerTermCounts) {
  const Glossary g = glossary("[glossary]\nblock: a\nthread: b\nthread block: c\n");
  EXPECT_EQ(terms(g, "one thread block, one block"), (std::vector<std::string>{"thread block", "block"}));
}

TEST(Glossary, SaysWhereTheTermsAre) {
  const Glossary g = glossary("[glossary]\nwarp | warps: 32 threads\ngrid: blocks\n");
  const std::vector<GlossaryPlace> places = g.places_in("The grid has warps, and a warp.");
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0].from, 4u);
  EXPECT_EQ(places[0].length, 4u);
  EXPECT_EQ(places[1].from, 13u);
  EXPECT_EQ(places[1].length, 5u);
}

TEST(Glossary, AMeaningIsExplainedWithTheTermsThatItUses) {
  const Glossary g =
      glossary("[glossary]\nlane: A place in a warp of an SM.\nwarp: Threads with lanes.\nSM: A unit.\n");
  const GlossaryEntry& lane = *g.terms_in("lane").at(0);
  EXPECT_EQ(g.explained(lane, 3), "lane: A place in a warp of an SM.\nwarp: Threads with lanes.\nSM: A unit.");
  EXPECT_EQ(g.explained(lane, 1), "lane: A place in a warp of an SM.\nwarp: Threads with lanes.");
  EXPECT_EQ(g.explained(lane, 0), "lane: A place in a warp of an SM.");
}

TEST(Glossary, CapitalsAreCapitals) {
  const Glossary g = glossary("[glossary]\nSM: unit\nL2: cache\n");
  EXPECT_EQ(terms(g, "an SM and L2"), (std::vector<std::string>{"SM", "L2"}));
  EXPECT_EQ(terms(g, "an sm and l2"), (std::vector<std::string>{}));
}

TEST(Glossary, LettersBeyondAsciiBelongToWords) {
  const Glossary g = glossary("[glossary]\nop: x\n");
  EXPECT_EQ(terms(g, "Öop"), (std::vector<std::string>{}));
  EXPECT_EQ(terms(g, "aten::op"), (std::vector<std::string>{"op"}));
}

TEST(Glossary, AsDeliveredExplainsWhatTheScenesSay) {
  const Glossary g(english());
  EXPECT_GT(g.entries().size(), 45u);
  for (const GlossaryEntry& entry : g.entries()) {
    EXPECT_GT(entry.meaning.size(), 20u) << entry.term;
    for (const std::string& spelling : entry.spellings) {
      const auto found = g.terms_in(spelling);
      ASSERT_FALSE(found.empty()) << spelling;
      EXPECT_EQ(found.front()->term, entry.term) << spelling << " is explained twice";
    }
  }
  // The first stage explains the words that it starts with.
  const Stage first = find_scene("boardroom")
                          ->stage({sample("relu_matmul"),
                                   default_walk(sample("relu_matmul")),
                                   english(),
                                   hardware(),
                                   {Moment::Kind::beat, 1, 1}});
  const std::vector<std::string> there = terms(g, words_on(first));
  for (const std::string_view term : {"op", "aten", "stream", "kernel", "beat", "boardroom", "CPU", "GPU"})
    EXPECT_NE(std::find(there.begin(), there.end(), term), there.end()) << term << " in: " << words_on(first);
  // Every stop of the route and every stage has a word that can be looked up.
  for_each_beat(sample("relu_matmul"), default_walk(sample("relu_matmul")), english(),
                [&](const Scene& scene, const Stage& stage) {
                  EXPECT_FALSE(g.terms_in(stage.title + " " + stage.sentence).empty())
                      << scene.name << " " << stage.beat;
                });
}

// Texts about an AMD GPU call warps wavefronts; texts about shared memory use the word for a pass.
TEST(Glossary, ExplainsTheWordsOfAnAmdGpu) {
  const Glossary g(english());
  EXPECT_EQ(terms(g, "Wavefronts on 304 compute units, or on workgroup processors"),
            (std::vector<std::string>{"wavefront", "compute unit", "workgroup processor"}));
  const std::string& wavefront = g.terms_in("a wavefront").front()->meaning;
  for (const std::string_view sense : {"shared memory", "AMD", "warp"})
    EXPECT_NE(wavefront.find(sense), std::string::npos) << wavefront;
}

}  // namespace
}  // namespace warpwalk::story::testing
