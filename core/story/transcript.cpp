#include <fmt/format.h>

#include "core/story/scene.h"

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
  std::string out = fmt::format("  axis: {}\n",
                                range(static_cast<std::int64_t>(picture.from), static_cast<std::int64_t>(picture.to)));
  for (const RowGroup& group : picture.groups)
    for (const Row& row : group.rows) {
      if (row.shown <= 0) continue;
      for (const Bar& bar : row.bars)
        if (bar.followed || bar.role == Role::overhead || bar.role == Role::wait)
          out += fmt::format("  bar: {} / {}: {}, {}\n", group.name, row.name, bar.label, range(bar.start, bar.end));
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
  if (picture.total && picture.total_shown > 0) out += fmt::format("  total: {}\n", picture.total->text());
  return out;
}

std::string picture_text(const std::monostate&) { return {}; }

}  // namespace

std::string transcript(const Stage& stage) {
  std::string out = fmt::format("{} {}/{}  {}\n{}\n{}\n", stage.scene, stage.beat, stage.beats, stage.scene_label,
                                stage.title, stage.sentence);
  for (const Fact& fact : stage.facts) out += line_of(fact);
  out += std::visit([](const auto& picture) { return picture_text(picture); }, stage.picture);
  for (const std::string& missing : stage.missing) out += "  not in this trace: " + missing + "\n";
  return out;
}

}  // namespace warpwalk::story
