#include <fmt/format.h>

#include "core/story/scenes/launch/picture.h"
#include "core/story/scenes/sm/picture.h"
#include "core/story/scenes/translator/picture.h"
#include "core/story/scenes/warehouse/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {
namespace {

std::string line_of(const Fact& fact) {
  std::string line = fmt::format("  {}: {} [{}", fact.label, fact.figure.text(), trace::name_of(fact.figure.origin()));
  if (!fact.figure.formula().empty()) line += ": " + fact.figure.formula();
  return line + "]\n";
}

std::string range(std::int64_t start, std::int64_t end) {
  return fmt::format("{} to {}", time_text(static_cast<double>(start)), time_text(static_cast<double>(end)));
}

std::string picture_text(const TimelinePicture& picture) {
  std::string out = picture.untimed ? fmt::format("  axis: {}\n", picture.scale_note)
                                    : fmt::format("  axis: {}\n", range(static_cast<std::int64_t>(picture.from),
                                                                        static_cast<std::int64_t>(picture.to)));
  for (const RowGroup& group : picture.groups)
    for (const Row& row : group.rows) {
      if (row.shown <= 0) continue;
      for (const Bar& bar : row.bars)
        if (bar.followed || bar.role == Role::overhead || bar.role == Role::wait)
          out += fmt::format("  bar: {} / {}: {}{}\n", group.name, row.name, bar.label,
                             picture.untimed ? "" : ", " + range(bar.start, bar.end));
    }
  for (const Measure& measure : picture.measures)
    if (measure.shown > 0) out += fmt::format("  measure: {}\n", measure.label);
  return out;
}

std::string picture_text(const ReceiptPicture& picture) {
  std::string out;
  for (const Station& station : picture.stations)
    out += fmt::format("  station: {} = {}: {}\n", station.company, station.hardware,
                       station.value.empty() ? station.missing : station.value);
  for (const Station& station : picture.stations)
    if (!station.task.empty()) out += fmt::format("  {}: {}\n", station.hardware, station.task);
  for (const ReceiptLine& line : picture.lines)
    if (line.shown > 0)
      out +=
          fmt::format("  line: {}: {}{}\n", line.label, line.time->text(), line.share ? ", " + line.share->text() : "");
  for (const CountedLine& line : picture.counted)
    if (line.shown > 0)
      out += fmt::format("  counted: {}: {}{}; {}\n", line.label, line.count.text(),
                         line.each ? ", " + line.each->text() : "", line.note);
  if (!picture.banner.empty()) out += fmt::format("  banner: {}\n", picture.banner);
  for (const ComparedLine& line : picture.compared)
    if (line.shown > 0)
      out += fmt::format("  compared: {}: measured {}, simulated {}{}; {}\n", line.label, line.measured.text(),
                         line.simulated.text(), line.error ? ", error " + line.error->text() : "", line.note);
  if (picture.total && picture.total_shown > 0) out += fmt::format("  total: {}\n", picture.total->text());
  return out;
}

std::string picture_text(const std::monostate&) { return {}; }

template <class Picture>
std::string picture_text(const std::shared_ptr<const Picture>& picture) {
  return text_of(*picture);
}

std::string everything_in(const std::monostate&) { return {}; }

std::string everything_in(const TimelinePicture& picture) {
  std::string out = fmt::format("{}\n{} {} {}\n", picture.scale_note, picture.from, picture.to, picture.untimed);
  for (const auto& [role, word] : picture.legend) out += word + "\n";
  for (const RowGroup& group : picture.groups) {
    out += group.name + "\n";
    for (const Row& row : group.rows) {
      out += fmt::format("{} {}\n", row.name, row.shown);
      for (const Bar& bar : row.bars)
        out += fmt::format("{} {} {} {} {} {} {}\n", bar.label, bar.slice, bar.start, bar.end,
                           static_cast<int>(bar.role), bar.followed, bar.merged);
    }
  }
  for (const Measure& measure : picture.measures)
    out += fmt::format("{} {} {} {}\n", measure.label, measure.start, measure.end, measure.shown);
  for (const Arrow& arrow : picture.arrows) out += fmt::format("{} {} {}\n", arrow.from, arrow.to, arrow.travelled);
  return out;
}

std::string everything_in(const ReceiptPicture& picture) {
  std::string out =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{} {} {}\n", picture.head_receipt, picture.head_time, picture.head_share,
                  picture.word_profiler, picture.word_total, picture.from, picture.to, picture.total_shown);
  for (const Station& s : picture.stations)
    out += fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n", s.company, s.hardware, s.value, s.missing, s.formula, s.task,
                       s.folded);
  for (const ReceiptLine& line : picture.lines) {
    out += fmt::format("{}\n{}\n{} {} {} {} {} {}\n", line.label, line.note, line.start, line.end, line.overhead_start,
                       line.overhead_end, line.shown, line.current);
    if (line.time) out += line.time->text() + line.time->formula() + "\n";
    if (line.share) out += line.share->text() + line.share->formula() + "\n";
  }
  for (const CountedLine& line : picture.counted)
    out += fmt::format("{}\n{}\n{}\n{}\n{} {}\n", line.label, line.note, line.count.text(),
                       line.each ? line.each->text() + line.each->formula() : "", line.shown, line.current);
  out += fmt::format("{}\n{}\n{}\n{}\n", picture.banner, picture.head_measured, picture.head_simulated,
                     picture.head_error);
  for (const ComparedLine& line : picture.compared)
    out += fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", line.label, line.note, line.measured.text(), line.simulated.text(),
                       line.error ? line.error->text() + line.error->formula() : "", line.shown);
  return out;
}

template <class Picture>
std::string everything_in(const std::shared_ptr<const Picture>& picture) {
  return everything_in(*picture);
}

}  // namespace

std::string transcript(const Stage& stage) {
  std::string out = fmt::format("{} {}/{}  {}\n{}\n{}\n", stage.scene, stage.beat, stage.beats, stage.scene_label,
                                stage.title, stage.sentence);
  for (const Fact& fact : stage.facts) out += line_of(fact);
  out += std::visit([](const auto& picture) { return picture_text(picture); }, stage.picture);
  for (const Control& control : stage.controls)
    if (control.kind != Control::Kind::hidden)
      out += fmt::format("  control: {}: {} ({})\n", control.label, control.shown,
                         control.set ? stage.word_set : control.source);
  for (const std::string& missing : stage.missing) out += "  not in this trace: " + missing + "\n";
  return out;
}

std::string everything_on(const Stage& stage) {
  std::string out = transcript(stage);
  const auto add = [&](std::string_view word) { out.append(word).append("\n"); };
  for (const Stop& stop : stage.route) add(fmt::format("{} {} {}", stop.name, stop.value, stop.here));
  for (const std::string* word : {&stage.head_facts, &stage.head_missing, &stage.place, &stage.note, &stage.word_set})
    add(*word);
  for (const std::string& word : stage.origin_words) add(word);
  for (const Control& control : stage.controls) {
    add(fmt::format("{} {} {} {}", control.label, control.value, control.shown, control.source));
    for (const std::string& word : control.words) add(word);
  }
  add(fmt::format("{} {} {} {}", stage.beat, stage.beats, stage.phase, stage.now.value_or(-1)));
  return out + std::visit([](const auto& picture) { return everything_in(picture); }, stage.picture);
}

}  // namespace warpwalk::story
