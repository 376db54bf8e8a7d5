#include "tests/app/studio.h"

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/shell/frame.h"
#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::testing {

const trace::Trace& sample(std::string_view name) {
  static std::map<std::string, trace::Trace, std::less<>> read;
  const auto found = read.find(name);
  if (found != read.end()) return found->second;
  trace::ReadResult result = trace::read_trace(fmt::format("{}/assets/walks/{}.json.gz", WARPWALK_SOURCE_DIR, name));
  EXPECT_FALSE(result.error) << *result.error;
  return read.emplace(std::string(name), std::move(result.trace)).first->second;
}

const story::Narration& english() {
  static const story::Narration narration = [] {
    auto loaded = story::Narration::load(WARPWALK_SOURCE_DIR "/assets/narration/en");
    EXPECT_TRUE(loaded) << loaded.error();
    return *std::move(loaded);
  }();
  return narration;
}

const records::Hardware& hardware() {
  static const records::Hardware shipped = [] {
    auto [loaded, error] = records::load_hardware(WARPWALK_SOURCE_DIR "/assets/devices");
    EXPECT_FALSE(error) << *error;
    return loaded;
  }();
  return shipped;
}

story::Stage stage_of(std::string_view walk, std::string_view scene, int beat, double phase) {
  const trace::Trace& trace = sample(walk);
  auto stage = story::stage_at(
      *story::find_scene(scene),
      {trace, story::default_walk(trace), english(), hardware(), {story::Moment::Kind::beat, beat, phase}});
  EXPECT_TRUE(stage) << stage.error();
  return *std::move(stage);
}

draw::Offscreen& studio(float scale, int threads) {
  static std::map<std::pair<float, int>, std::unique_ptr<draw::Offscreen>> open;
  std::unique_ptr<draw::Offscreen>& one = open[{scale, threads}];
  if (!one) {
    draw::Offscreen::Options options;
    options.fonts.scale = scale;
    options.fonts.only_text = "−×·…›µ";
    options.threads = threads;
    auto opened = draw::Offscreen::open(options);
    EXPECT_TRUE(opened) << opened.error();
    one = *std::move(opened);
  }
  return *one;
}

draw::Image frame(const story::Stage& stage, int width, int height, const draw::Theme& theme, int threads) {
  draw::Offscreen& offscreen = studio(shell::scale_for(width, height), threads);
  const float scale = offscreen.fonts().scale;
  return offscreen.draw(width, height, theme.ground, [&](ImDrawList& list) {
    draw::Canvas canvas(list, offscreen.fonts(), theme, static_cast<float>(width) / scale,
                        static_cast<float>(height) / scale);
    shell::paint_frame(canvas, stage, "relu_matmul.json.gz");
  });
}

void with_canvas(float scale, float width, float height, const std::function<void(draw::Canvas&)>& use) {
  draw::Offscreen& offscreen = studio(scale);
  offscreen.draw(static_cast<int>(std::lround(width * scale)), static_cast<int>(std::lround(height * scale)),
                 IM_COL32_BLACK, [&](ImDrawList& list) {
                   draw::Canvas canvas(list, offscreen.fonts(), draw::dark_theme(), width, height);
                   use(canvas);
                 });
}

}  // namespace warpwalk::testing
