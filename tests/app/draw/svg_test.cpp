// Pictures as SVG: well-formed, complete, deterministic, and at the same positions as in the PNG.
#include "app/draw/svg.h"

#include <cmath>
#include <limits>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/film/studio.h"
#include "core/story/scene_list.h"
#include "tests/app/studio.h"
#include "tests/app/xml.h"

namespace warpwalk::testing {
namespace {

using draw::SvgPage;

constexpr ImU32 white = IM_COL32(255, 255, 255, 255);

Xml parsed_svg(const std::string& text) {
  Xml xml = parse_xml(text);
  EXPECT_FALSE(xml.error) << *xml.error << " of\n" << text.substr(0, 4000);
  return xml;
}

// The drawing of a canvas as SVG.
std::string recorded(float scale, const std::function<void(draw::Canvas&)>& paint) {
  SvgPage page(400, 300, IM_COL32_BLACK, "title", "description");
  with_canvas(scale, 400 / scale, 300 / scale, [&](draw::Canvas& canvas) {
    canvas.record(&page);
    paint(canvas);
    canvas.record(nullptr);
    canvas.dot({1, 1}, 1, white);  // no more
  });
  return page.finish();
}

std::string of(const Element& element, const std::string& attribute) {
  const auto found = element.attributes.find(attribute);
  return found == element.attributes.end() ? "" : found->second;
}
double number_of(const Element& element, const std::string& attribute) { return std::stod(of(element, attribute)); }

TEST(Xml, TheCheckerFindsWhatIsNotWellFormed) {
  for (const char* bad : {"", "<a>", "<a></b>", "<a b=\"1\" b=\"2\"/>", "<a b=1/>", "<a>&nbsp;</a>", "<a>&</a>",
                          "<a/><b/>", "<a b=\"<\"/>", "<a>\x01</a>", "<a"})
    EXPECT_TRUE(parse_xml(bad).error) << bad;
  const Xml good = parsed_svg("<a b=\"&quot;1\">x &amp; y<c/><d>e</d></a>\n");
  ASSERT_EQ(good.elements.size(), 3u);
  EXPECT_EQ(good.elements[0].text, "x & y");
  EXPECT_EQ(of(good.elements[0], "b"), "\"1");
  EXPECT_EQ(good.elements[2].text, "e");
}

TEST(SvgStage, EveryBeatIsWellFormedAndSaysWhatItShows) {
  for (const char* walk : {"relu_matmul", "mlp_train"})
    for (const story::Scene& scene : story::scenes()) {
      const auto beats = scene.beats(sample(walk), story::default_walk(sample(walk))).size();
      for (int beat = 1; beat <= static_cast<int>(beats); ++beat) {
        const story::Stage stage = stage_of(walk, scene.name, beat, beat % 2 == 0 ? 1 : 0.4);
        const auto svg = film::stage_svg(stage, draw::light_theme(), "mine & yours.json", 1280, 720);
        ASSERT_TRUE(svg) << svg.error();
        const Xml xml = parsed_svg(*svg);
        for (const char* no : {"nan", "inf", "NaN"})
          for (const Element& element : xml.elements)
            for (const auto& [key, value] : element.attributes)
              if (key != "font-family") {
                EXPECT_THAT(value, ::testing::Not(::testing::HasSubstr(no))) << element.name << " " << key;
              }
        std::string words;
        for (const Element* text : xml.all("text")) words += text->text + "\n";
        EXPECT_THAT(words, ::testing::HasSubstr("mine & yours.json"));
        EXPECT_THAT(words, ::testing::HasSubstr(stage.title.substr(0, 12)));
        for (const story::Fact& fact : stage.facts)
          if (fact.figure.text().size() < 12) {
            EXPECT_THAT(words, ::testing::HasSubstr(fact.figure.text()));
          }
        ASSERT_FALSE(xml.all("title").empty());
        EXPECT_EQ(xml.all("title")[0]->text, stage.title);
        EXPECT_THAT(xml.all("desc")[0]->text, ::testing::HasSubstr(stage.sentence));
      }
    }
}

TEST(SvgStage, IsTheSameForTheSame) {
  const story::Stage stage = stage_of("relu_matmul", "boardroom", 4);
  const auto first = film::stage_svg(stage, draw::dark_theme(), "a.json");
  ASSERT_TRUE(first) << first.error();
  EXPECT_EQ(*film::stage_svg(stage, draw::dark_theme(), "a.json"), *first);
  EXPECT_NE(*film::stage_svg(stage, draw::light_theme(), "a.json"), *first);
  EXPECT_NE(*film::stage_svg(stage, draw::dark_theme(), "b.json"), *first);
}

TEST(SvgCanvas, ShapesHaveTheirPlaceAndColourInPixels) {
  const Xml xml = parsed_svg(recorded(2, [](draw::Canvas& canvas) {
    canvas.fill({10, 20, 30, 40}, IM_COL32(255, 128, 0, 128), 5);
    canvas.outline({10, 20, 30, 40}, white, 5, 1);
    canvas.dot({50, 60}, 4, white);
    canvas.fill({60, 20, 30, 40}, white, 5, ImDrawFlags_RoundCornersLeft);
    canvas.line({0, 5}, {100, 5}, white);
    canvas.line({0, 5}, {30, 45}, white);
    canvas.triangle({1, 1}, {2, 1}, {1, 2}, white);
    canvas.dashed({0, 50}, {100, 50}, white);
  }));
  const auto rects = xml.all("rect");
  ASSERT_GE(rects.size(), 4u);  // the first is the ground
  EXPECT_EQ(of(*rects[0], "fill"), "#000000");
  EXPECT_EQ(number_of(*rects[0], "width"), 400);
  const Element& box = *rects[1];
  EXPECT_EQ(number_of(box, "x"), 20);
  EXPECT_EQ(number_of(box, "y"), 40);
  EXPECT_EQ(number_of(box, "width"), 60);
  EXPECT_EQ(number_of(box, "height"), 80);
  EXPECT_EQ(number_of(box, "rx"), 10);
  EXPECT_EQ(of(box, "fill"), "#ff8000");
  EXPECT_NEAR(number_of(box, "fill-opacity"), 128 / 255.0, 0.001);
  const Element& frame = *rects[2];
  EXPECT_EQ(of(frame, "fill"), "none");
  EXPECT_EQ(number_of(frame, "x"), 21);  // the middle of a line of two pixels
  EXPECT_EQ(number_of(frame, "width"), 58);
  EXPECT_EQ(number_of(frame, "rx"), 9);
  EXPECT_EQ(number_of(frame, "stroke-width"), 2);
  EXPECT_EQ(of(frame, "stroke-opacity"), "");
  const Element& line = *rects[3];
  EXPECT_EQ(number_of(line, "height"), 2);
  EXPECT_EQ(number_of(line, "width"), 200);
  const auto circles = xml.all("circle");
  ASSERT_EQ(circles.size(), 1u);
  EXPECT_EQ(number_of(*circles[0], "cx"), 100);
  EXPECT_EQ(number_of(*circles[0], "r"), 8);
  const auto paths = xml.all("path");
  ASSERT_EQ(paths.size(), 4u);
  EXPECT_EQ(of(*paths[0], "d"), "M130 40L180 40L180 120L130 120A10 10 0 0 1 120 110L120 50A10 10 0 0 1 130 40Z");
  EXPECT_EQ(of(*paths[1], "d"), "M1 11L61 91");
  EXPECT_EQ(of(*paths[2], "d"), "M2 2L4 2L2 4Z");
  EXPECT_EQ(of(*paths[3], "stroke-dasharray"), "8");
}

TEST(SvgCanvas, TextIsTextWithItsTypeItsWidthAndItsAnchor) {
  float width = 0;
  const Xml xml = parsed_svg(recorded(1, [&](draw::Canvas& canvas) {
    width = canvas.text({10, 20}, draw::Style::body, white, "a < b & \"c\" µ");
    canvas.text({200, 40}, draw::Style::mono, white, "aten::mm", 1e6f, draw::Align::right);
    canvas.text({200, 60}, draw::Style::small_caps, white, "WHAT", 1e6f, draw::Align::centre);
    canvas.text({200, 80}, draw::Style::body, white, "cut to its start", 60);
  }));
  const auto texts = xml.all("text");
  ASSERT_EQ(texts.size(), 4u);
  EXPECT_EQ(texts[0]->text, "a < b & \"c\" µ");
  EXPECT_EQ(number_of(*texts[0], "x"), 10);
  EXPECT_NEAR(number_of(*texts[0], "textLength"), width, 0.01);
  EXPECT_GT(number_of(*texts[0], "y"), 30);  // the baseline
  EXPECT_LT(number_of(*texts[0], "y"), 37);
  EXPECT_TRUE(of(*texts[0], "font-family").ends_with(", sans-serif")) << of(*texts[0], "font-family");
  EXPECT_LT(number_of(*texts[0], "font-size"), 17);  // an em is less than from ascender to descender
  EXPECT_GT(number_of(*texts[0], "font-size"), 12);
  EXPECT_EQ(of(*texts[1], "text-anchor"), "end");
  EXPECT_NEAR(number_of(*texts[1], "x"), 200, 0.51);
  EXPECT_TRUE(of(*texts[1], "font-family").ends_with(", monospace"));
  EXPECT_EQ(of(*texts[2], "text-anchor"), "middle");
  EXPECT_NEAR(number_of(*texts[2], "x"), 200, 0.51);
  EXPECT_FALSE(of(*texts[2], "letter-spacing").empty());
  EXPECT_TRUE(texts[3]->text.ends_with("…")) << texts[3]->text;
}

TEST(SvgCanvas, ClipsHoldWhatIsDrawnInThemAndAreClosed) {
  const std::string svg = recorded(1, [](draw::Canvas& canvas) {
    canvas.clip({10, 10, 50, 50});
    canvas.hatch({20, 20, 10, 10}, white);
    canvas.dot({15, 15}, 3, white);
    canvas.unclip();
    canvas.triangle({1, 1}, {9, 1}, {1, 9}, white);
    canvas.clip({0, 0, 5, 5});
    canvas.dot({25, 25}, 2, white);
    canvas.unclip();
  });
  const Xml xml = parsed_svg(svg);
  const auto depth = [&](std::string_view name, std::size_t i) { return xml.all(name).at(i)->depth; };
  EXPECT_EQ(xml.all("clipPath").size(), 3u);
  EXPECT_EQ(depth("path", 0), 3);  // hatching in its own clip, in the outer one
  EXPECT_EQ(depth("circle", 0), 2);
  EXPECT_EQ(depth("path", 1), 1);
  EXPECT_EQ(depth("circle", 1), 2);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string id = of(*xml.all("clipPath")[i], "id");
    EXPECT_EQ(of(*xml.all("g")[i], "clip-path"), "url(#" + id + ")");
  }
}

TEST(SvgPage, LeavesOutWhatHasNoPlaceAndClosesWhatIsOpen) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  SvgPage page(10, 10, white, "", "");
  const std::string empty = SvgPage(10, 10, white, "", "").finish();
  page.box({nan, 0}, {1, 1}, white, {});
  page.box({5, 5}, {5, 9}, white, {});
  page.box({0, 0}, {9, 9}, IM_COL32(1, 2, 3, 0), {});
  page.frame({0, 0}, {infinity, 1}, white, 1, {});
  page.disc({0, 0}, nan, white);
  page.disc({0, nan}, 1, white);
  page.stroke(std::array{ImVec2(0, 0), ImVec2(nan, 1)}, white, 1);
  page.polygon(std::array{ImVec2(0, 0), ImVec2(infinity, 1), ImVec2(1, 1)}, white);
  page.dashes({0, 0}, {nan, 1}, white, 1, 1);
  page.text({nan, 0}, 10, 0, {"Inter", 400, 10, 0}, white, "a");
  page.text({0, 0}, 0, 0, {"Inter", 400, 10, 0}, white, "");
  page.unclip();
  EXPECT_EQ(page.finish(), empty);
  SvgPage open(10, 10, white, "", "");
  open.clip({0, 0}, {5, 5});
  open.clip({nan, 0}, {5, 5});
  const Xml xml = parsed_svg(open.finish());
  EXPECT_EQ(xml.all("g").size(), 2u);
}

TEST(SvgPage, NamesOfAllSortsStayWellFormed) {
  SvgPage page(10, 10, white, "a<b>&\"'", "\x01\x02 two\nlines\t");
  page.text({0, 0}, 10, 0, {"A & \"B\"", 400, 10, 0}, white,
            "\xff\xc3\x28 ok \xed\xa0\x80 \xef\xbf\xbf \xf0\x9f\x98\x80 \xc3");
  const Xml xml = parsed_svg(page.finish());
  EXPECT_EQ(xml.all("title")[0]->text, "a<b>&\"'");
  EXPECT_EQ(xml.all("desc")[0]->text, " two\nlines\t");
  EXPECT_EQ(xml.all("text")[0]->text, "\uFFFD\uFFFD( ok \uFFFD\uFFFD\uFFFD \uFFFD\uFFFD\uFFFD \xf0\x9f\x98\x80 \uFFFD");
  EXPECT_EQ(draw::xml_text("µ × …"), "µ × …");
}

}  // namespace
}  // namespace warpwalk::testing
