#pragma once

// The parts of labs: generic pictures, controls, facts, tasks, and words for shapes.
#include <string_view>
#include <vector>

#include "core/analysis/names/short_names.h"
#include "core/gpu/blocks/launch_shape.h"
#include "core/story/beats/beat_of.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/labs/labs.h"
#include "core/story/pictures/panels.h"
#include "core/story/stage/control_set.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// How number `i` in a shape follows from its coordinates, x fastest: "1 + 4 * (0 + 2 * 0) = 1".
std::string linear_text(std::int64_t i, const gpu::Shape& shape);

/// A legend of the tones that occur among the cells; each tone's word is a key of this section of the narration.
std::vector<std::pair<Tone, std::string>> legend(const CellGrid& cells, const SceneInput& input,
                                                 std::string_view section,
                                                 std::initializer_list<std::pair<Tone, std::string_view>> words);

/// A real number with up to `digits` significant ones: "0.09997559", "1.5e-08", "−inf".
std::string real_text(double value, int digits = 7);

/// The description of a GPU that launches were measured on; the first one there is, if it has none.
const gpu::Device& described_gpu(const Hardware& hardware, std::string_view id);

/// Its number in the list; 0 if it is not there.
std::size_t gpu_index(const Hardware& hardware, std::string_view id);
/// The name of a GPU without its maker and its memory: "H100", "RTX 4090", "2 SMs of an H200".
std::string short_gpu_name(const gpu::Device& device);

/// "12.5 %", "50 %": a percentage with one decimal place if it needs one.
std::string short_percent(double percent);

/// A measured time as a figure.
Figure measured_time(double ns);

/// Frame::complete of a lab whose subject has all of its controls.
template <class Lab>
void take_controls(Lab& lab, const Narration::Values&, Stage& stage) {
  stage.controls = lab.controls.take();
}
/// BeatOf::controls of a beat that shows none of them.
template <class Lab>
ControlNames no_controls(const Lab&) {
  return {};
}

/// Something for students to bring about with the controls of a lab.
struct Task {
  std::string_view key;  ///< of its text in [LAB.task]
  bool done = false;     ///< with the present settings
};

/// The tasks of a lab, each with whether it is done.
Panel tasks_panel(const SceneInput& input, std::string_view lab, const std::vector<Task>& tasks);

}  // namespace warpwalk::story
