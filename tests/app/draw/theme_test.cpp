// Readable colours in every theme: WCAG 2.1 requires a contrast of 4.5 for text and 3 for marks.
#include "app/draw/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

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

TEST(Contrast, OfPaleMarks) {
  for (const Theme* theme : all_themes)
    for (int tone = 0; tone <= static_cast<int>(story::Tone::followed); ++tone)
      for (const float share : {0.0f, 0.16f, 0.3f, 0.8f}) {
        const ImU32 mark = pictures::mark_of(static_cast<story::Tone>(tone), *theme, share);
        EXPECT_GE(contrast(mark, theme->ground), 3) << theme->name << ", tone " << tone << ", share " << share;
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

// A colour as eyes see it to which one kind of cones is missing: linear RGB by the matrices of Machado, Oliveira and
// Fernandes (2009), severity 1.
using Matrix = std::array<std::array<double, 3>, 3>;
constexpr Matrix all_cones = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix protanopia = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix deuteranopia = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix tritanopia = {
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

using Triple = std::array<double, 3>;

Triple product(const Matrix& matrix, const Triple& vector) {
  Triple out = {};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) out[i] += matrix[i][j] * vector[j];
  return out;
}

// L*, a*, b* of CIE 1976 for the white of sRGB.
Triple lab(ImU32 colour, const Matrix& eyes) {
  const auto linear = [&](int shift) {
    const double c = (colour >> shift & 255) / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  Triple seen = product(eyes, {linear(IM_COL32_R_SHIFT), linear(IM_COL32_G_SHIFT), linear(IM_COL32_B_SHIFT)});
  for (double& c : seen) c = std::clamp(c, 0.0, 1.0);
  constexpr Matrix xyz = {{{0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047},
                           {0.2126729, 0.7151522, 0.0721750},
                           {0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883}}};
  Triple f = product(xyz, seen);
  for (double& t : f) t = t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double distance(ImU32 a, ImU32 b, const Matrix& eyes) {
  const Triple p = lab(a, eyes), q = lab(b, eyes);
  return std::sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
}

TEST(ColourBlindness, DistancesAreThoseOfLab) {
  EXPECT_NEAR(distance(IM_COL32_WHITE, IM_COL32_BLACK, all_cones), 100, 0.01);
  // Red and the green that protanopes take for it: far apart for others.
  EXPECT_GT(distance(IM_COL32(255, 0, 0, 255), IM_COL32(94, 83, 12, 255), all_cones), 80);
  EXPECT_LT(distance(IM_COL32(255, 0, 0, 255), IM_COL32(94, 83, 12, 255), protanopia), 12);
}

// About 2 is the least that is seen between neighbouring areas; marks of a raster lie apart. One man in twelve lacks a
// red or green cone, one person in ten thousand a blue one.
TEST(ColourBlindness, LeavesTheMeaningsApart) {
  for (const Theme* theme : all_themes) {
    const std::pair<const char*, ImU32> meanings[] = {
        {"now", theme->now},       {"memory", theme->memory},   {"done", theme->done}, {"shared", theme->shared},
        {"launch", theme->launch}, {"barrier", theme->barrier}, {"host", theme->host}};
    for (const auto& [eyes, matrix, least] :
         {std::tuple{"all cones", &all_cones, 20.0}, std::tuple{"protanopia", &protanopia, 14.0},
          std::tuple{"deuteranopia", &deuteranopia, 14.0}, std::tuple{"tritanopia", &tritanopia, 9.0}})
      for (const auto& [name, colour] : meanings)
        for (const auto& [other_name, other] : meanings)
          if (colour < other) {
            EXPECT_GE(distance(colour, other, *matrix), least)
                << theme->name << ", " << eyes << ": " << name << " and " << other_name;
          }
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
