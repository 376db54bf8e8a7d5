// The first two beats: a line of code with its numbers, and the company that works on it.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/records/hardware.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/simulated/line_matrices.h"
#include "core/story/facts/words/ask.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/pictures/panels.h"
#include "core/story/scenes/boardroom/boardroom.h"
#include "core/story/stage/control_set.h"

namespace warpwalk::story {
namespace {

using From = OpeningLine::From;

OpeningPicture opening_picture(const Boardroom& s) {
  const SceneInput& input = s.input;
  const OpeningLine& line = *s.line;
  const double phase = input.moment.phase;
  OpeningPicture picture;
  const auto count = static_cast<double>(line.tokens.size());
  for (std::size_t i = 0; i < line.tokens.size(); ++i) {
    const double from = 0.3 * static_cast<double>(i) / count;
    picture.tokens.push_back({line.tokens[i].text, line.tokens[i].followed, eased(part(phase, from, from + 0.1))});
  }
  static constexpr std::array<std::string_view, 4> sources = {"typed", "ops", "op", "launch"};
  picture.source = input.narration.text("boardroom.source", sources[static_cast<std::size_t>(line.from)], s.values);
  add_line_matrices(input, line, "?", picture);
  if (OpeningMatrix* const made = marked_result(picture)) {
    made->row_control = fmt::format("{}.{}", element_scene, element_row);
    made->column_control = fmt::format("{}.{}", element_scene, element_column);
  }
  for (std::size_t i = 0; i < picture.matrices.size(); ++i) {
    const double from = 0.3 + 0.12 * static_cast<double>(i);
    picture.matrices[i].shown = eased(part(phase, from, from + 0.2));
  }
  return picture;
}

// CPU and GPU with what each does; only after the answer.
void add_parts(const Boardroom& s, OpeningPicture& picture) {
  const Narration& n = s.input.narration;
  if (kernel_detail(s.trace(), s.walk()) == nullptr) return;
  const std::string_view cpu = s.line->from == From::launch ? "cpu_launch" : "cpu";
  picture.parts = {{n.text("name.cpu", "hardware"), n.text("boardroom.part", cpu, s.values), Tone::host},
                   {s.values.at("device"), n.text("boardroom.part", "gpu", s.values), Tone::work}};
  picture.parts_shown = eased(part(s.input.moment.phase, 0.75, 1));
}

struct Member {
  std::string_view key;   ///< of [boardroom.who]
  std::string_view name;  ///< of [name.NAME]
  CastMember::Kind kind;
  Tone tone;
};
constexpr std::array on_cpu = {Member{"boardroom", "cpu", CastMember::Kind::room, Tone::host},
                               Member{"translator", "dispatcher", CastMember::Kind::person, Tone::host},
                               Member{"courier", "driver", CastMember::Kind::person, Tone::refused}};
constexpr std::array on_gpu = {Member{"tray", "stream", CastMember::Kind::tray, Tone::refused},
                               Member{"ceo", "front_end", CastMember::Kind::person, Tone::work},
                               Member{"vp", "sm", CastMember::Kind::person, Tone::work},
                               Member{"manager", "scheduler", CastMember::Kind::person, Tone::work},
                               Member{"crew", "warp", CastMember::Kind::crew, Tone::work},
                               Member{"warehouse", "memory", CastMember::Kind::store, Tone::memory}};

template <class Members>
CastHouse house_of(const SceneInput& input, std::string_view name, const Members& members, std::size_t before) {
  const Narration& n = input.narration;
  constexpr double all = on_cpu.size() + on_gpu.size();
  CastHouse house;
  house.name = n.text("boardroom.who", name);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string section = fmt::format("name.{}", members[i].name);
    CastMember member;
    member.kind = members[i].kind;
    member.tone = members[i].tone;
    member.name = n.text(section, input.naming == Naming::hardware ? "hardware" : "company");
    if (input.naming == Naming::both) member.other = n.text(section, "hardware");
    member.task = n.text("boardroom.who", members[i].key);
    // One after the other; the last one is there a little before the motion ends.
    const double from = 0.95 * static_cast<double>(before + i) / all;
    member.shown = eased(part(input.moment.phase, from, from + 0.05));
    house.members.push_back(std::move(member));
  }
  return house;
}

}  // namespace

std::string line_section(const Boardroom& s) {
  if (s.walk().kernel == no_slice) return "line.quiet";
  if (kernel_detail(s.trace(), s.walk()) == nullptr) return "line.transfer";
  return s.line->from == From::launch ? "line.launch" : "line";
}

void line_facts(const Boardroom& s, FactWriter& facts) {
  const Walk& walk = s.walk();
  const SliceId root = walk.ops.empty() ? walk.op : walk.ops.front();
  if (root != no_slice) facts.duration("on_cpu", root);
  if (walk.kernel != no_slice) facts.duration("on_gpu", walk.kernel);
}

void line_picture(const Boardroom& s, Stage& stage) {
  OpeningPicture picture = opening_picture(s);
  add_parts(s, picture);
  stage.picture = only(std::move(picture));
  const auto number = followed_number(s.trace(), s.walk(), s.input.controls);
  if (!number) return;
  ControlSet controls(s.input, element_scene);
  constexpr double most = 1 << 14;
  const auto slider = [&](std::string_view name, std::int64_t size, std::int64_t at) {
    controls.slider(name, steps_by(0, std::min(static_cast<double>(size - 1), most), 1), at, "near");
  };
  slider(element_row, number->result.sizes[0], number->at.row);
  slider(element_column, number->result.sizes[1], number->at.column);
  stage.controls = controls.take();
}

std::optional<Ask> line_question(const Boardroom& s) {
  if (kernel_detail(s.trace(), s.walk()) == nullptr) return {};
  Options options;
  for (const std::string_view one : {"cpu", "gpu", "both"}) {
    options.words.push_back(s.input.narration.text("boardroom.answer", one));
    options.keys.emplace_back(one);
  }
  options.right = 1;
  return Ask{s.line->from == From::launch ? "who_launch" : "who",
             "",
             std::move(options),
             {},
             [before = opening_picture(s)](Stage& asked) { asked.picture = only(before); }};
}

void company_picture(const Boardroom& s, Stage& stage) {
  CastPicture picture;
  picture.houses = {house_of(s.input, "cpu_house", on_cpu, 0), house_of(s.input, "gpu_house", on_gpu, on_cpu.size())};
  picture.link = s.input.narration.text("boardroom.who", "link");
  stage.picture = only(std::move(picture));
}

}  // namespace warpwalk::story
