#include "core/story/stage/glossary.h"

#include <gtest/gtest.h>

#include "tests/story/small_trace.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

Glossary glossary(std::string_view text) {
  auto [narration, error] = Narration::parse(text, "g");
  EXPECT_FALSE(error) << *error;
  return Glossary(narration);
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
  // Every stop of the route and every stage has a word that can be looked up.
  for_each_beat(sample("relu_matmul"), default_walk(sample("relu_matmul")), english(),
                [&](const Scene& scene, const Stage& stage) {
                  EXPECT_FALSE(g.terms_in(stage.title + " " + stage.sentence).empty())
                      << scene.name << " " << stage.beat;
                });
}

}  // namespace
}  // namespace warpwalk::story::testing
