// The panel that shows what the GPUs do now: with a fake NVML, with crafted samples, and without NVML.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/draw/image.h"
#include "app/draw/svg.h"
#include "app/pages/observe/observe_chart.h"
#include "app/pages/observe/observe_page.h"
#include "app/pages/observe/observe_panel.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using instrumentation::GpuSnapshot;
using pages::ObserveState;
using ::testing::HasSubstr;

// A minute of a GPU that is busy from time to time.
GpuSnapshot crafted(std::size_t gpus = 1, double seconds = 75) {
  GpuSnapshot watch;
  watch.at = seconds;
  for (std::size_t g = 0; g < gpus; ++g) {
    instrumentation::GpuHistory gpu;
    for (double at = std::max(0.0, seconds - 60); at <= seconds; at += 0.25) {
      const double wave = 0.5 + 0.5 * std::sin(at / 5 + static_cast<double>(g));
      const bool works = wave > 0.4;
      gpu.points.push_back({at, works ? static_cast<std::uint32_t>(60 + 40 * wave) : 0u,
                            works ? static_cast<std::uint32_t>(30 * wave) : 0u,
                            static_cast<std::uint32_t>(works ? 250000 + 300000 * wave : 76000),
                            std::uint64_t{works ? 62'000'000'000u : 20'000'000'000u}});
    }
    instrumentation::GpuSample& now = gpu.now;
    now.name = "NVIDIA H200";
    now.busy_pct = gpu.points.back().busy_pct;
    now.memory_busy_pct = gpu.points.back().memory_busy_pct;
    now.power_mw = gpu.points.back().power_mw;
    now.memory_used = gpu.points.back().memory_used;
    now.memory_total = 150'754'820'096;
    now.memory_free = *now.memory_total - *now.memory_used;
    now.sm_clock_mhz = 1980;
    now.memory_clock_mhz = 3201;
    now.power_limit_mw = 700'000;
    now.temperature_c = 43;
    for (std::uint32_t p = 0; p < 3 + 4 * g; ++p)
      now.processes.push_back({4000 + p, p == 1 ? "warpwalk" : "python3",
                               p == 0 ? std::nullopt : std::optional<std::uint64_t>{p * std::uint64_t{1'000'000'000}}});
    watch.gpus.push_back(std::move(gpu));
  }
  return watch;
}

pages::WalkMemory some_memory() {
  using story::Figure;
  return {Figure::recorded(786432, story::Unit::bytes, story::Origin::measured),
          Figure::recorded(2097152, story::Unit::bytes, story::Origin::measured),
          "At its highest in the walk that is open, relu(a @ b). It is over: this window holds none."};
}

/// Paints the panel alone; `keys` change `state`.
class Painter {
 public:
  Painter() {
    auto opened = draw::Offscreen::open({});
    EXPECT_TRUE(opened) << opened.error();
    offscreen_ = *std::move(opened);
  }
  // The text on the panel, from an SVG.
  std::string text(const GpuSnapshot& watch, ObserveState& state, std::vector<Key> keys = {}, bool still = false) {
    draw::SvgPage page(width, height, draw::dark_theme().ground, "", "");
    offscreen_->play(width, height,
                     [&](ImDrawList& list) { paint(list, watch, state, keys, still, draw::dark_theme(), &page); });
    return page.finish();
  }
  draw::Image picture(const GpuSnapshot& watch, bool still, const draw::Theme& theme) {
    ObserveState state;
    return offscreen_->draw(width, height, theme.ground,
                            [&](ImDrawList& list) { paint(list, watch, state, {}, still, theme, nullptr); });
  }
  draw::Image chart(const pages::StripChart& chart) {
    constexpr float high = 60;
    return offscreen_->draw(static_cast<int>(pages::chart_gutter) + 600, static_cast<int>(high), IM_COL32_BLACK,
                            [&](ImDrawList& list) {
                              draw::Canvas canvas(list, offscreen_->fonts(), draw::dark_theme(), width, high);
                              pages::paint_chart(canvas, {0, 0, pages::chart_gutter + 600, high}, chart);
                            });
  }

 private:
  static constexpr int width = 1440, height = 810;
  void paint(ImDrawList& list, const GpuSnapshot& watch, ObserveState& state, const std::vector<Key>& keys, bool still,
             const draw::Theme& theme, draw::SvgPage* page) {
    draw::Canvas canvas(list, offscreen_->fonts(), theme, width, height);
    canvas.record(page);
    draw::Input input;
    for (const Key key : keys) input.keys.push_back({key, 0, false, false});
    draw::UiMemory memory;
    draw::Ui ui(canvas, input, memory, english());
    pages::observe_panel(ui, state, watch, {}, some_memory(), still);
    ui.finish();
  }
  std::unique_ptr<draw::Offscreen> offscreen_;
};

bool has(const std::string& svg, std::string_view words) { return svg.find(words) != std::string::npos; }
std::size_t count_of(const std::string& svg, std::string_view words) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = svg.find(words, at)) != std::string::npos; at += words.size()) ++n;
  return n;
}

TEST(ObservePanel, EveryFigureStandsThereAndIsMeasured) {
  Painter painter;
  ObserveState state;
  const std::string svg = painter.text(crafted(), state);
  for (const char* words : {"NVIDIA H200",
                            "Utilization: a kernel ran",
                            "memory was read or written",
                            "57.7 GiB",
                            "of 140.4 GiB",
                            "82.7 GiB",
                            "1,980 MHz",
                            "3,201 MHz",
                            "700 W",
                            "43 °C",
                            "warpwalk",
                            "python3",
                            "1.9 GiB",
                            "768 KiB",
                            "2 MiB",
                            "60 s ago",
                            "asked of NVML every 250 ms",
                            "Memory used is not utilization",
                            "100 % is not all SMs busy",
                            "n/a"})
    EXPECT_TRUE(has(svg, words)) << words;
  // Three strips, six figures, two processes with known memory, allocated and reserved.
  EXPECT_EQ(count_of(svg, ">measured<"), 3u + 6 + 2 + 2);
  EXPECT_FALSE(has(svg, "…"));  // nothing is cut
}

TEST(ObservePanel, WhatAGpuDoesNotTellIsSaid) {
  Painter painter;
  ObserveState state;
  GpuSnapshot watch;
  watch.at = 1;
  watch.gpus.resize(1);
  watch.gpus[0].points.resize(2);
  const std::string svg = painter.text(watch, state);
  EXPECT_EQ(count_of(svg, ">n/a<"), 4u + 6);
  EXPECT_TRUE(has(svg, "NVML lists none"));
}

TEST(ObservePanel, KeysChooseTheGpuAndGoThroughProcesses) {
  Painter painter;
  ObserveState state;
  const GpuSnapshot watch = crafted(3);
  painter.text(watch, state, {Key::right, Key::right});
  EXPECT_EQ(state.gpu, 2u);
  std::string svg = painter.text(watch, state);
  EXPECT_TRUE(has(svg, "1 TO 4 OF 11"));
  EXPECT_TRUE(has(svg, ">4010<"));  // the most memory comes first
  painter.text(watch, state, {Key::down, Key::down});
  EXPECT_EQ(state.first_process, 2u);
  EXPECT_FALSE(has(painter.text(watch, state), ">4010<"));
  for (int i = 0; i < 20; ++i) painter.text(watch, state, {Key::down});
  EXPECT_EQ(state.first_process, 7u);
  EXPECT_TRUE(has(painter.text(watch, state), ">4000<"));  // of unknown memory, last
  painter.text(watch, state, {Key::right});
  EXPECT_EQ(state.gpu, 2u);
  painter.text(watch, state, {Key::home});
  EXPECT_EQ(state.gpu, 0u);
  EXPECT_EQ(state.first_process, 0u);
  painter.text(crafted(1), state);  // a GPU that went away
  EXPECT_EQ(state.gpu, 0u);
}

// With reduced motion a value stays in place; otherwise everything moves to the left.
TEST(ObservePanel, WithLessMotionNothingScrolls) {
  Painter painter;
  const auto pulse_at_20s = [&](double now, bool still) {
    pages::StripChart chart;
    chart.top = 1;
    chart.now = now;
    chart.still = still;
    chart.curves.push_back({IM_COL32_WHITE, {}, true});
    for (double at = 0; at <= now; at += 0.25) chart.curves[0].points.push_back({at, at > 20 && at < 22 ? 1.0 : 0.0});
    const draw::Image image = painter.chart(chart);
    // Columns that the curve fills to half its height; the mark is yellow, without blue.
    std::vector<int> columns;
    for (int x = static_cast<int>(pages::chart_gutter); x < image.width; ++x)
      if ((image.at(x, image.height / 3) >> 16 & 0xff) > 50) columns.push_back(x);
    EXPECT_FALSE(columns.empty());
    return columns;
  };
  EXPECT_EQ(pulse_at_20s(40, true).front(), pulse_at_20s(55, true).front());
  EXPECT_NEAR(pulse_at_20s(40, true).front(), pages::chart_gutter + 600 / 3.0, 4);
  EXPECT_NEAR(pulse_at_20s(40, false).front() - pulse_at_20s(55, false).front(), 600 / 4, 4);
  ObserveState state;
  EXPECT_TRUE(has(painter.text(crafted(), state, {}, true), "the newest value replaces"));
  EXPECT_FALSE(has(painter.text(crafted(), state, {}, true), "60 s ago"));
}

TEST(ObserveChart, APointThatWasNotToldLeavesAGap) {
  Painter painter;
  pages::StripChart chart;
  chart.top = 1;
  chart.now = 60;
  chart.curves.push_back({IM_COL32_WHITE, {}, true});
  for (int at = 0; at <= 60; ++at)
    chart.curves[0].points.push_back({static_cast<double>(at), at == 30 ? std::nullopt : std::optional(1.0)});
  const draw::Image image = painter.chart(chart);
  const auto bright = [&](double seconds) {
    const int x = static_cast<int>(pages::chart_gutter + 600 * seconds / 60);
    return (image.at(x, image.height / 3) & 0xff) > 50;
  };
  EXPECT_TRUE(bright(28.5));
  EXPECT_FALSE(bright(29.5));
  EXPECT_TRUE(bright(30.5));
}

TEST(WalkMemory, IsOfARealGpuAtItsHighest) {
  trace::Trace trace;
  EXPECT_FALSE(pages::walk_memory(english(), trace, "w").allocated);
  for (const std::int64_t bytes : {100, 300, 200}) {
    trace::MemoryEvent event;
    event.device_type = 1;
    event.allocated = bytes;
    event.reserved = 2 * bytes;
    trace.memory.push_back(event);
    event.device_type = 0;
    event.allocated = event.reserved = 10000;
    trace.memory.push_back(event);
  }
  const pages::WalkMemory memory = pages::walk_memory(english(), trace, "relu(a)");
  ASSERT_TRUE(memory.allocated && memory.reserved);
  EXPECT_EQ(memory.allocated->text(), "300 B");
  EXPECT_EQ(memory.reserved->text(), "600 B");
  EXPECT_EQ(memory.reserved->origin(), story::Origin::measured);
  EXPECT_THAT(memory.words, HasSubstr("relu(a)"));
  trace.records.sources.push_back({"times", "warpwalk", story::Origin::simulated});
  EXPECT_FALSE(pages::walk_memory(english(), trace, "w").reserved);
  EXPECT_THAT(pages::walk_memory(english(), trace, "w").words, HasSubstr("simulated GPU"));
}

TEST(WalkMemory, OfARecordedProgramIsWhatItTookFromTheDriver) {
  trace::Trace trace;
  for (const auto& [device, bytes] : {std::pair{0, 100}, {1, 500}, {0, 300}, {0, -100}, {1, -500}, {1, 200}})
    trace.driver_memory.push_back({0, 4096, bytes, device});
  const pages::WalkMemory memory = pages::walk_memory(english(), trace, "streams");
  ASSERT_TRUE(memory.taken);
  EXPECT_EQ(memory.taken->text(), "500 B");
  EXPECT_FALSE(memory.allocated || memory.reserved);
  EXPECT_THAT(memory.words, HasSubstr("streams"));
}

bool sees(Driver& driver, bool what) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto now = [&] { return driver.shell.page<pages::ObservePage>().gpus()->gpus.size() == 2; };
  while (now() != what && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    driver.frame();
  }
  return now() == what;
}

TEST(Observe, AKeyOpensItAndSamplesOnlyWhileItIsOpen) {
  Driver driver(1600, 900, false, WARPWALK_FAKE_NVML);
  driver.open(walk_file("relu_matmul"));
  EXPECT_FALSE(driver.shell.observing());
  driver.press(U'u');
  EXPECT_EQ(driver.shell.sheet(), "observe");
  EXPECT_TRUE(driver.shell.observing());
  EXPECT_FALSE(driver.shell.busy());  // a script that waits for work to end is not held up
  EXPECT_TRUE(sees(driver, true));
  driver.press(Key::right);  // a GPU's, not the walk's
  EXPECT_EQ(driver.shell.opened().stage->beat, 1);
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_FALSE(driver.shell.observing());
  EXPECT_TRUE(sees(driver, false));
  driver.press(U'u');
  EXPECT_TRUE(sees(driver, true));
  driver.press(U'u');
  EXPECT_FALSE(driver.shell.observing());
  ASSERT_FALSE(driver.reports.empty());
  EXPECT_NE(
      std::ranges::find_if(driver.reports, [](const std::string& line) { return has(line, "\"sheet\":\"observe\""); }),
      driver.reports.end());
}

TEST(Observe, WithoutADocumentAndWithoutNvml) {
  Driver driver;
  driver.press(U'u');
  EXPECT_EQ(driver.shell.sheet(), "observe");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto& page = driver.shell.page<pages::ObservePage>();
  while (page.gpus()->error.empty() && std::chrono::steady_clock::now() < end) driver.frame();
  EXPECT_THAT(page.gpus()->error, HasSubstr("libno-such-nvml.so.1 was not found"));
  driver.press(Key::escape);
  EXPECT_FALSE(driver.shell.observing());
}

TEST(Observe, StandsOnTheSheetOfKeysAndBesideRun) {
  const auto& keys = pages::shortcuts();
  EXPECT_NE(std::ranges::find(keys, pages::Action::observe, &pages::Shortcut::action), keys.end());
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  for (int i = 0; i < 60 && driver.shell.sheet() == ""; ++i) {
    driver.press(Key::tab);
    if (has(driver.reports.back(), "transport.observe")) driver.press(Key::enter);
  }
  EXPECT_EQ(driver.shell.sheet(), "observe");
  driver.frame();
  EXPECT_TRUE(driver.shell.observing());
}

// Set WARPWALK_PICTURES to a folder to write the pictures.
TEST(ObservePanel, Pictures) {
  const char* const folder = std::getenv("WARPWALK_PICTURES");
  if (folder == nullptr) GTEST_SKIP() << "WARPWALK_PICTURES names no folder";
  Painter painter;
  const std::filesystem::path out = folder;
  EXPECT_TRUE(draw::write_png(painter.picture(crafted(), false, draw::dark_theme()), out / "observe_dark.png"));
  EXPECT_TRUE(draw::write_png(painter.picture(crafted(8), true, draw::light_theme()), out / "observe_light.png"));
  EXPECT_TRUE(
      draw::write_png(painter.picture(crafted(3), false, draw::high_contrast_theme()), out / "observe_high.png"));
  GpuSnapshot none;
  none.error = "libnvidia-ml.so.1 was not found; it comes with NVIDIA's driver";
  Driver driver(1440, 810, false, WARPWALK_FAKE_NVML);
  driver.open(walk_file("relu_matmul"));
  driver.press(U'u');
  EXPECT_TRUE(sees(driver, true));
  EXPECT_TRUE(draw::write_png(driver.picture(), out / "observe_shell.png"));
  driver.press(U'u');
  driver.press(U'?');
  EXPECT_TRUE(draw::write_png(driver.picture(), out / "observe_help.png"));
  EXPECT_TRUE(draw::write_png(painter.picture(none, false, draw::dark_theme()), out / "observe_none.png"));
}

}  // namespace
}  // namespace warpwalk::shell
