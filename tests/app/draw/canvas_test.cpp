#include "app/draw/canvas.h"

#include <random>

#include <gtest/gtest.h>

#include "tests/app/studio.h"

namespace warpwalk::draw {
namespace {

constexpr Style all_styles[] = {Style::title,      Style::heading, Style::sentence, Style::body,      Style::label,
                                Style::small_caps, Style::figure,  Style::mono,     Style::mono_small};

constexpr std::string_view sample_texts[] = {
    "Down to aten::mm, which knows the kernel for these tensors.",
    "µ × − … › · µ×−…›· µµµµµµµµµµµµµµµµµµµµµµ",
    "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize128x64x8_stage3_warpsize2x2x1_execute_kernel__5x_cublas",
    "1,593.9 µs",
    "a  b   c",
    "x",
    "",
};

// No incomplete character at either end.
bool whole_characters(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (std::size_t k = 1; k < length; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
    i += length;
  }
  return true;
}

TEST(Fitted, IsNeverWiderThanAskedAndCutsBetweenCharacters) {
  testing::with_canvas(1.5f, 400, 100, [](Canvas& canvas) {
    for (const Style style : all_styles)
      for (const std::string_view text : sample_texts)
        for (float width = 0; width < 500; width += 3.7f) {
          const std::string shown = canvas.fitted(style, text, width);
          ASSERT_LE(canvas.text_width(style, shown), width + 0.01f) << text << " in " << width << ": " << shown;
          ASSERT_TRUE(whole_characters(shown)) << shown;
          if (shown == text || shown.empty()) continue;
          ASSERT_TRUE(shown.ends_with("…")) << shown;
          ASSERT_TRUE(text.starts_with(shown.substr(0, shown.size() - 3))) << shown;
          ASSERT_FALSE(shown.ends_with(" …")) << shown;
        }
  });
}

TEST(Fitted, KeepsAsMuchAsFits) {
  testing::with_canvas(1, 400, 100, [](Canvas& canvas) {
    const std::string_view text = "sm80_xmma_gemm";
    const float whole = canvas.text_width(Style::mono, text);
    EXPECT_EQ(canvas.fitted(Style::mono, text, whole), text);
    const float letter = canvas.text_width(Style::mono, "m");
    EXPECT_EQ(canvas.fitted(Style::mono, text, whole - 0.5f), "sm80_xmma_ge…");
    EXPECT_EQ(canvas.fitted(Style::mono, text, 5.2f * letter), "sm80…");
  });
}

TEST(FittedName, KeepsBothEnds) {
  testing::with_canvas(1, 400, 100, [](Canvas& canvas) {
    for (const std::string_view text : sample_texts)
      for (float width = 0; width < 500; width += 3.7f) {
        const std::string shown = canvas.fitted_name(Style::mono, text, width);
        ASSERT_LE(canvas.text_width(Style::mono, shown), width + 0.01f) << text << " in " << width << ": " << shown;
        ASSERT_TRUE(whole_characters(shown)) << shown;
        if (shown == text || shown.empty()) continue;
        const std::size_t cut = text.find("…") == std::string::npos ? shown.find("…") : std::string::npos;
        if (cut == std::string::npos) continue;  // the text has an ellipsis of its own
        ASSERT_TRUE(text.starts_with(shown.substr(0, cut))) << shown;
        ASSERT_TRUE(text.ends_with(shown.substr(cut + 3))) << shown;
      }
    const float letter = canvas.text_width(Style::mono, "m");
    EXPECT_EQ(canvas.fitted_name(Style::mono, "multi_tensor_apply", 9.5f * letter), "mult…pply");
  });
}

TEST(WholeSentences, EndWhereOneEnds) {
  testing::with_canvas(1, 400, 100, [](Canvas& canvas) {
    const std::string_view text = "It is 1.5 times as long. It waits; nobody helps. Done.";
    const auto in = [&](std::string_view room) {
      return canvas.whole_sentences(Style::label, text, canvas.text_width(Style::label, room) + 1, 1);
    };
    EXPECT_EQ(in(text), text);
    EXPECT_EQ(in(text.substr(0, text.size() - 1)), "It is 1.5 times as long. It waits; nobody helps.");
    EXPECT_EQ(in("It is 1.5 times as long. It waits; nobody"), "It is 1.5 times as long. It waits");
    EXPECT_EQ(in("It is 1.5 times as long. It"), "It is 1.5 times as long.");
    EXPECT_EQ(in("It is 1.5 times"), text);  // nothing whole fits
    EXPECT_EQ(canvas.whole_sentences(Style::label, text, canvas.text_width(Style::label, text) * 0.6f, 2), text);
  });
}

TEST(Wrapped, LinesAreNeverWiderThanAskedAndLoseNothing) {
  testing::with_canvas(1.5f, 400, 100, [](Canvas& canvas) {
    for (const Style style : all_styles)
      for (const std::string_view text : sample_texts)
        for (float width = 40; width < 700; width += 13.3f) {
          std::string together;
          for (const std::string& line : canvas.wrapped(style, text, width, 1000)) {
            ASSERT_LE(canvas.text_width(style, line), width + 0.01f) << line;
            ASSERT_TRUE(whole_characters(line)) << line;
            ASSERT_FALSE(line.empty());
            together += line;
          }
          const auto without_spaces = [](std::string_view from) {
            std::string out;
            for (const char c : from)
              if (c != ' ') out += c;
            return out;
          };
          ASSERT_EQ(without_spaces(together), without_spaces(text)) << width;
        }
  });
}

TEST(Wrapped, BreaksAtSpacesAndEndsWithAnEllipsisWhereItIsCut) {
  testing::with_canvas(1, 400, 100, [](Canvas& canvas) {
    const float width = canvas.text_width(Style::body, "one two three") + 1;
    EXPECT_EQ(canvas.wrapped(Style::body, "one two three four", width, 5),
              (std::vector<std::string>{"one two three", "four"}));
    const auto cut = canvas.wrapped(Style::body, "one two three four five six seven eight", width, 2);
    ASSERT_EQ(cut.size(), 2u);
    EXPECT_EQ(cut[0], "one two three");
    EXPECT_TRUE(cut[1].ends_with("…")) << cut[1];
    EXPECT_EQ(canvas.wrapped(Style::body, "one", width, 1), std::vector<std::string>{"one"});
    EXPECT_TRUE(canvas.wrapped(Style::body, "", width, 3).empty());
  });
}

TEST(Wrapped, EndsEvenWhereNoCharacterFits) {
  testing::with_canvas(1, 400, 100, [](Canvas& canvas) {
    EXPECT_EQ(canvas.wrapped(Style::title, "abc", 1, 100), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(canvas.fitted(Style::title, "abc", 1), "");
  });
}

TEST(Paragraph, IsAsHighAsItsLines) {
  testing::with_canvas(2, 400, 100, [](Canvas& canvas) {
    const float line = canvas.line_height(Style::label) * 1.2f;
    EXPECT_FLOAT_EQ(canvas.paragraph({0, 0}, Style::label, IM_COL32_WHITE, "one", 300, 3), line);
    const std::string_view text = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
    const std::size_t lines = canvas.wrapped(Style::label, text, 200, 100).size();
    ASSERT_GT(lines, 2u);
    EXPECT_FLOAT_EQ(canvas.paragraph({0, 0}, Style::label, IM_COL32_WHITE, text, 200, 100),
                    line * static_cast<float>(lines));
  });
}

TEST(TextWidth, IsTheSameInUnitsAtEveryScale) {
  float at_one = 0;
  testing::with_canvas(1, 400, 100,
                       [&](Canvas& canvas) { at_one = canvas.text_width(Style::sentence, sample_texts[0]); });
  for (const float scale : {1.5f, 2.0f, 3.0f})
    testing::with_canvas(scale, 400, 100, [&](Canvas& canvas) {
      EXPECT_NEAR(canvas.text_width(Style::sentence, sample_texts[0]), at_one, at_one * 0.04f) << scale;
    });
}

}  // namespace
}  // namespace warpwalk::draw
