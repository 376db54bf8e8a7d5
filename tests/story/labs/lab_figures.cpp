#include "tests/story/labs/lab_figures.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {

namespace {

Stage lab_stage(const Hardware& gpus, std::string_view lab, std::int64_t beat, const Controls& controls) {
  const Trace& trace = sample("relu_matmul");
  return stage_of(*find_scene(lab),
                  {trace, default_walk(trace), english(), gpus, {Moment::Kind::beat, beat, 1}, controls});
}

}  // namespace

Stage lab_with(std::string_view lab, std::int64_t beat,
               std::initializer_list<std::pair<const char*, double>> settings) {
  Controls controls;
  for (const auto& [name, value] : settings) controls.set(fmt::format("{}.{}", lab, name), value);
  return lab_stage(hardware(), lab, beat, controls);
}

Stage lab_without_records(std::string_view lab, std::int64_t beat) {
  Hardware gpus;
  gpus.devices = hardware().devices;
  return lab_stage(gpus, lab, beat, {});
}

const Panels& lab_panels(const Stage& stage) { return *std::get<std::shared_ptr<const Panels>>(stage.picture); }

double lab_control(const Stage& stage, std::string_view name) {
  for (const Control& control : stage.controls)
    if (control.name == name) return control.value;
  return std::nan("");
}

std::string tasks_done(std::string_view lab, std::initializer_list<std::pair<const char*, double>> settings) {
  const Stage stage = lab_with(lab, lab_with(lab, 1).beats, settings);
  std::string done;
  for (const TableRow& row : panel_picture<TablePicture>(stage).rows)
    done += row.cells.back().tone == Tone::work ? 'x' : '-';
  return done;
}

}  // namespace warpwalk::story::testing
