// Titles and sentences fit their place on the smallest picture that is usual on a projector, so no words are cut.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/shell/frame.h"
#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "tests/app/studio.h"

namespace warpwalk::testing {
namespace {

constexpr int picture_width = 1280, picture_height = 720;
constexpr float margin = 32;  // left and right of the stage
constexpr int lines = 2;      // of a sentence

// Divides a picture of this width in the same way as app/shell/frame.cpp.
float stage_width(float units) { return units - std::clamp(units * 0.215f, 280.0f, 340.0f) - 2 * margin; }

TEST(Sentences, FitTheirLines) {
  const float scale = shell::scale_for(picture_width, picture_height);
  const float units = static_cast<float>(picture_width) / scale;
  std::size_t stages = 0;
  with_canvas(scale, units, static_cast<float>(picture_height) / scale, [&](draw::Canvas& canvas) {
    const auto check = [&](const std::string& what, const trace::Trace& trace, const story::Walk& walk) {
      for (const story::Scene& scene : story::scenes()) {
        const auto beats = static_cast<std::int64_t>(scene.beats(trace, walk).size());
        for (std::int64_t beat = 1; beat <= beats; ++beat) {
          const story::Stage stage =
              scene.stage({trace, walk, english(), hardware(), {story::Moment::Kind::beat, beat, 1}});
          ++stages;
          EXPECT_LE(canvas.wrapped(draw::Style::sentence, stage.sentence, stage_width(units), lines + 1).size(),
                    static_cast<std::size_t>(lines))
              << what << ", " << scene.name << " b" << beat << ": " << stage.sentence;
          EXPECT_LE(canvas.text_width(draw::Style::heading, stage.title), stage_width(units))
              << what << ", " << scene.name << " b" << beat << ": " << stage.title;
        }
      }
    };
    for (const char* name : {"relu_matmul", "two_streams", "mlp_train", "h200_cuda_graph", "h200_relu_matmul"}) {
      const trace::Trace& trace = sample(name);
      check(name, trace, story::default_walk(trace));
      for (std::size_t k = 0; k < std::min<std::size_t>(trace.kernel_order.size(), 20); ++k)
        check(fmt::format("{} kernel:{}", name, k), trace, story::follow_gpu_work(trace, trace.kernel_order[k]));
    }
  });
  EXPECT_GT(stages, 1000u);
}

}  // namespace
}  // namespace warpwalk::testing
