// Readable colours in every theme: WCAG 2.1 requires a contrast of 4.5 for text and 3 for marks.
#include "app/draw/theme.h"

#include <iterator>
#include <set>

#include <gtest/gtest.h>

#include "app/pictures/tone.h"

namespace warpwalk::draw {
namespace {

const Theme* const all_themes[] = {&dark_theme(), &light_theme(), &high_contrast_theme()};

constexpr story::Role all_roles[] = {story::Role::python, story::Role::op,   story::Role::call,
                                     story::Role::launch, story::Role::wait, story::Role::kernel,
                                     story::Role::copy,   story::Role::fill, story::Role::overhead};

TEST(Contrast, IsTheOneOfWcag) {
  EXPECT_NEAR(contrast(IM_COL32_WHITE, IM_COL32_BLACK), 21, 0.001);
  EXPECT_NEAR(contrast(IM_COL32_BLACK, IM_COL32_WHITE), 21, 0.001);
  EXPECT_NEAR(contrast(IM_COL32(119, 119, 119, 255), IM_COL32_WHITE), 4.48, 0.01);  // #777, known as just too faint
  EXPECT_NEAR(contrast(IM_COL32(255, 0, 0, 255), IM_COL32_WHITE), 4.00, 0.01);
  EXPECT_FLOAT_EQ(contrast(IM_COL32(9, 99, 199, 255), IM_COL32(9, 99, 199, 255)), 1);
}

TEST(Contrast, OfText) {
  for (const Theme* theme : all_themes) {
    EXPECT_GE(contrast(theme->text, theme->ground), 4.5) << theme->name;
    EXPECT_GE(contrast(theme->text, theme->panel), 4.5) << theme->name;
    EXPECT_GE(contrast(theme->second, theme->ground), 4.5) << theme->name;
    EXPECT_GE(contrast(theme->second, theme->panel), 4.5) << theme->name;
  }
}

TEST(Contrast, OfNamesThatAreFaintSinceTheTraceDoesNotSayTheirValue) {
  // Stops without a value must be readable too: they name the rest of the way from Python to the registers.
  for (const Theme* theme : all_themes) {
    EXPECT_GE(contrast(theme->faint, theme->panel), 4.5) << theme->name;
    EXPECT_GE(contrast(theme->faint, theme->ground), 4.5) << theme->name;
  }
}

TEST(Contrast, OfNumbersInTheElementsOfATensor) {
  for (const Theme* theme : all_themes) {
    EXPECT_GE(contrast(theme->text, mixed(theme->memory, theme->ground, 0.45f)), 4.5) << theme->name;
    EXPECT_GE(contrast(theme->second, mixed(theme->memory, theme->ground, 0.16f)), 4.5) << theme->name;
  }
}

TEST(Contrast, OfMarks) {
  for (const Theme* theme : all_themes) {
    for (const story::Role role : all_roles)
      EXPECT_GE(contrast(colour_of(role, *theme), theme->ground), 3) << theme->name << ": " << story::name_of(role);
    for (const ImU32 colour : {theme->now, theme->memory, theme->done, theme->shared, theme->launch, theme->barrier}) {
      EXPECT_GE(contrast(colour, theme->ground), 3) << theme->name;
      EXPECT_GE(contrast(colour, theme->panel), 3) << theme->name;
    }
  }
}

TEST(Contrast, OfTextOnFullColours) {
  for (const Theme* theme : all_themes)
    for (const story::Role role : {story::Role::launch, story::Role::kernel, story::Role::copy})
      EXPECT_GE(contrast(theme->on_colour, colour_of(role, *theme)), 4.5)
          << theme->name << ": " << story::name_of(role);
}

TEST(Contrast, OfTheTagsThatSayWhereAValueComesFrom) {
  // A tag's word is on a ground with a fifth of its colour. The tags are neutral: colours mean things, not origins.
  for (const Theme* theme : all_themes)
    EXPECT_GE(contrast(theme->second, mixed(theme->second, theme->panel, 0.2f)), 4.5) << theme->name;
}

TEST(Contrast, OfTheMeasuresWords) {
  for (const Theme* theme : all_themes) EXPECT_GE(contrast(theme->now, theme->ground), 4.5) << theme->name;
}

TEST(Contrast, IsHighWhereItIsCalledSo) {
  const Theme& theme = high_contrast_theme();
  for (const ImU32 colour : {theme.text, theme.second, theme.faint, theme.now, theme.memory, theme.done, theme.shared,
                             theme.launch, theme.barrier, theme.host})
    EXPECT_GE(contrast(colour, theme.ground), 7);
  EXPECT_GE(contrast(theme.line, theme.ground), 4.5);
}

TEST(Themes, AreFoundByNameAndByNoOther) {
  for (const Theme* theme : all_themes) {
    const std::optional<Theme> found = theme_named(theme->name);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->ground, theme->ground);
  }
  EXPECT_FALSE(theme_named(""));
  EXPECT_FALSE(theme_named("Dark"));
}

TEST(Themes, WhatMeansSomethingElseLooksDifferent) {
  for (const Theme* theme : all_themes) {
    const ImU32 meanings[] = {theme->now,    theme->memory,  theme->done, theme->shared,
                              theme->launch, theme->barrier, theme->host};
    EXPECT_EQ(std::set<ImU32>(std::begin(meanings), std::end(meanings)).size(), std::size(meanings)) << theme->name;
    EXPECT_NE(colour_of(story::Role::launch, *theme), colour_of(story::Role::kernel, *theme));
  }
}

TEST(Mixing, GoesFromOneColourToTheOtherAndStaysOpaque) {
  const ImU32 a = IM_COL32(255, 100, 0, 255), b = IM_COL32(1, 200, 50, 255);
  EXPECT_EQ(mixed(a, b, 1), a);
  EXPECT_EQ(mixed(a, b, 0), b);
  EXPECT_EQ(mixed(a, b, 7), a);
  EXPECT_EQ(mixed(a, b, -7), b);
  EXPECT_EQ(mixed(a, b, 0.5f), IM_COL32(128, 150, 25, 255));
  EXPECT_EQ(with_alpha(a, 0.5f), IM_COL32(255, 100, 0, 128));
  EXPECT_EQ(with_alpha(a, 1), a);
}

// Labels stand on marks of every tone: white on yellow would be 1.1 to 1.
TEST(Tones, TextOnThemCanBeRead) {
  using story::Tone;
  for (const Theme* theme : all_themes)
    for (const Tone tone : {Tone::plain, Tone::quiet, Tone::work, Tone::memory, Tone::shared, Tone::barrier, Tone::host,
                            Tone::refused, Tone::followed}) {
      const ImU32 text = pictures::text_on(tone, *theme);
      EXPECT_GE(contrast(text, pictures::fill_of(tone, *theme)), 4.5) << theme->name << " " << static_cast<int>(tone);
    }
  for (const Theme* theme : all_themes)
    EXPECT_GE(contrast(pictures::text_on(Tone::refused, *theme), pictures::hatch_of_refused(*theme)), 4.5)
        << theme->name;
}

}  // namespace
}  // namespace warpwalk::draw
