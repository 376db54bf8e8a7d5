// "Who wrote this?": the instruction that wrote the value a person points at, and what it was computed from.
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/gpu/exec/launch_addresses.h"
#include "core/gpu/exec/program.h"
#include "core/run/replay/timed_writer.h"
#include "core/story/scenes/lanes/lanes.h"

namespace warpwalk::story {
namespace {

using PlaceKind = gpu::ValuePlace::Kind;

/// Longer launches take too long to run again while a person waits.
constexpr std::uint64_t longest_launch = 20'000'000;  // warp instructions
constexpr std::size_t most_sources = 3;               // of each kind in the table
constexpr std::uint64_t register_bytes = 128;         // of 32 lanes

/// The bits of a lane in the register of a step; none if they are not known.
std::optional<std::uint64_t> value_in(const gpu::WriterStep& step, int lane) {
  if (step.step.value_bytes == 0) return {};
  const std::uint32_t bit = 1U << lane;
  if (step.values.empty() || (step.step.lanes & bit) == 0) return step.step.value;
  return step.values[static_cast<std::size_t>(std::popcount(step.step.lanes & (bit - 1)))];
}

/// A value by its size: as a number with a fraction if it looks like one, else as a whole number.
std::string bits_text(std::uint64_t bits, std::size_t bytes) {
  if (bytes == 4) {
    const float number = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const float size = std::abs(number);
    if ((bits & 0x7fff'ffff) > 0x7f80'0000 && (bits & 0xff'ffff) != 0xff'ffff) return "NaN";
    if ((bits & 0x7fff'ffff) == 0x7fff'ffff) return "NaN";
    if (std::isinf(number)) return number > 0 ? "inf" : "\u2212inf";
    if (size > 1e-9f && size < 1e9f) return with_marks(fmt::format("{:.6g}", number));
    return fmt::format("{}", static_cast<std::int32_t>(bits));
  }
  if (bytes == 8) {
    const double number = std::bit_cast<double>(bits);
    if (std::abs(number) > 1e-9 && std::abs(number) < 1e12) return with_marks(fmt::format("{:.6g}", number));
    return fmt::format("{}", static_cast<std::int64_t>(bits));
  }
  return fmt::format("{:#x}", bits);
}

class AskedBuild {
 public:
  explicit AskedBuild(const LanesSubject& s) : input_(s.input), s_(s) {}

  /// The question; nullopt if there is nothing to ask about.
  std::optional<gpu::WriterQuestion> question(const AskedValue& asked) {
    if (asked.kind == AskedAbout::buffer) return of_buffer();
    if (s_.issue == nullptr) return {};
    if (asked.kind == AskedAbout::memory) return of_memory(asked.lane);
    if (asked.kind >= AskedAbout::first_register)
      return of_register(static_cast<std::uint64_t>(asked.kind - AskedAbout::first_register), asked.lane);
    // What the instruction is about: its result, or the memory that it writes, or what it reads.
    if (s_.access != nullptr && s_.access->writes) return of_memory(asked.lane);
    const auto& code = s_.travel.program().machine_code;
    if (code && s_.issue->what.instruction < code->uses.size()) {
      const sass::RegisterUse& use = code->uses[s_.issue->what.instruction];
      for (const sass::RegisterSet* const set : {&use.writes, &use.reads})
        for (std::size_t r = 0; r < set->general.size(); ++r)
          if (set->general.test(r)) return of_register(r, asked.lane);
    }
    return of_memory(asked.lane);
  }

  std::string name_of(const gpu::ValuePlace& place) const {
    if (place.kind == PlaceKind::lane_register) {
      const std::uint64_t general = s_.travel.program().machine_code->frame.general;
      return word("asked_register", {{"register", fmt::format("R{}", (place.address - general) / register_bytes)},
                                     {"lane", std::to_string(place.lane)}});
    }
    if (place.kind == PlaceKind::global) {
      const auto [buffer, offset] = s_.travel.place_of(place.address);
      if (!buffer.empty())
        return word("asked_buffer",
                    {{"buffer", buffer_name(buffer)}, {"byte", with_thousands(static_cast<std::int64_t>(offset))}});
      return fmt::format("{:#x}", place.address);
    }
    return word(place.kind == PlaceKind::shared ? "asked_shared" : "asked_local",
                {{"byte", fmt::format("{:#x}", place.address)}});
  }

  std::string line_text(std::uint32_t instruction) const {
    const std::int64_t line = instruction_text(s_.travel, s_.history, instruction).source_line;
    return line > 0 ? std::to_string(line) : "";
  }

  /// "lane 3" of the warp that is shown, else with its warp.
  std::string thread_text(const gpu::WarpPlace& warp, int lane) const {
    const std::string number = std::to_string(lane);
    if (s_.issue != nullptr && s_.issue->what.warp == warp) return word("asked_lane", {{"lane", number}});
    return word("lane_of", {{"lane", number}, {"warp", warp_name(input_.narration, warp)}});
  }

  /// A row for an instruction; a click goes there and asks on about `next`.
  TableRow row_of(std::string_view role, const gpu::OriginStep& step, const run::IssuePlace& place, int lane,
                  const std::string& value, int next) const {
    TableRow row;
    const auto code = [](std::string text, Tone tone = Tone::plain) {
      TableCell cell = word_cell(std::move(text), tone);
      cell.code = true;
      return cell;
    };
    row.cells = {word_cell(word(role), Tone::quiet),
                 code(value, Tone::followed),
                 code(instruction_text(s_.travel, s_.history, step.instruction).text),
                 word_cell(line_text(step.instruction)),
                 word_cell(thread_text(place.warp, lane)),
                 place.cycle >= 0 ? number_cell(place.cycle) : word_cell("")};
    if (place.cycle < 0) return row;
    row.cycle = place.cycle;
    row.sets = {{"lanes.sm", place.sm},      {"lanes.warp", place.warp.slot},
                {"schedulers.sm", place.sm}, {"schedulers.warp", place.warp.slot},
                {"lanes.asked", next},       {"lanes.asked_lane", lane}};
    return row;
  }

  /// The answer, and what it was computed from: each row leads on.
  Panel table() const {
    const run::TimedWriter& answer = *s_.asked->answer;
    const gpu::Writer& writer = answer.writer;
    TablePicture table;
    table.columns = {{"", 1, false, true},     {word("value"), 1, true, true},
                     {word("instruction"), 2}, {word("source_line"), 1, true, true},
                     {word("thread"), 1},      {input_.narration.text("schedulers.why", "cycle"), 1, true, true}};
    const auto lane_in = [&](const gpu::OriginStep& step) {
      return (step.lanes >> s_.asked->lane & 1) != 0 ? s_.asked->lane : std::countr_zero(step.lanes | 1U << 31);
    };
    const auto add = [&](std::string_view role, std::size_t i) {
      const gpu::WriterStep& step = writer.steps[i];
      const int lane = lane_in(step.step);
      const auto bits = value_in(step, lane);
      const bool reads = std::ranges::any_of(writer.reads, [&](const auto& read) { return read.step == i; });
      table.rows.push_back(row_of(role, step.step, answer.places[i], lane,
                                  bits ? bits_text(*bits, step.step.value_bytes) : "",
                                  reads ? AskedAbout::memory : AskedAbout::result));
    };
    if (!writer.written()) {
      if (writer.later)
        table.rows.push_back(row_of("asked_later", writer.later->step, *answer.later, lane_in(writer.later->step), "",
                                    AskedAbout::result));
      add_earlier(table);
    } else {
      const std::size_t last = writer.steps.size() - 1;
      add("asked_writer", last);
      table.rows.back().followed = true;
      add_nan(table);
      std::set<std::size_t> shown{last};
      for (const std::uint32_t from : writer.writer().step.from)
        if (shown.size() <= most_sources && shown.insert(from).second) add("asked_from", from);
      add_address(table);
      const std::size_t before = table.rows.size();
      for (std::size_t i = writer.reads.size(); i-- > 0;)
        if (table.rows.size() < before + most_sources && shown.insert(writer.reads[i].step).second)
          add("asked_read", writer.reads[i].step);
    }
    add_watch(table);
    return {word("asked_sources"), 2, std::move(table)};
  }

 private:
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input_.narration.text("lanes.word", key, values);
  }

  std::optional<gpu::WriterQuestion> of_register(std::uint64_t number, int lane) {
    const auto& code = s_.travel.program().machine_code;
    if (!code) return {};
    const gpu::WarpPlace& warp = s_.issue->what.warp;
    gpu::WriterQuestion question;
    question.place = {
        PlaceKind::lane_register, code->frame.general + register_bytes * number, 4, {warp.block, warp.warp}, lane};
    // As the picture shows it: after the instruction.
    question.before = s_.travel.writers().moment(s_.sm, warp, s_.issue->what.cycle + 1);
    return question;
  }

  std::optional<gpu::WriterQuestion> of_memory(int lane) {
    if (s_.access == nullptr || (s_.access->mask >> lane & 1) == 0) return {};
    const gpu::WarpPlace& warp = s_.issue->what.warp;
    gpu::WriterQuestion question;
    question.place = {s_.space() == LanesAccess::global   ? PlaceKind::global
                      : s_.space() == LanesAccess::shared ? PlaceKind::shared
                                                          : PlaceKind::local,
                      s_.access->at[static_cast<std::size_t>(lane)],
                      s_.access->bytes,
                      {warp.block, warp.warp},
                      lane};
    question.before = s_.travel.writers().moment(s_.sm, warp, s_.issue->what.cycle + (s_.access->writes ? 1 : 0));
    return question;
  }

  std::optional<gpu::WriterQuestion> of_buffer() {
    const auto buffer = input_.set("lanes", "asked_buffer");
    const auto byte = input_.set("lanes", "asked_byte");
    const gpu::Launch& before = s_.history.before;
    if (!buffer || *buffer < 0 || *buffer >= static_cast<double>(before.buffers.size())) return {};
    const auto index = static_cast<std::size_t>(*buffer);
    const std::uint64_t size = before.buffers[index].bytes.size();
    if (size == 0) return {};
    const auto last = static_cast<double>(size - 1);
    gpu::WriterQuestion question;
    question.place.address = gpu::buffer_addresses(s_.travel.program(), before)[index] +
                             static_cast<std::uint64_t>(std::clamp(byte.value_or(0), 0.0, last));
    question.place.bytes =
        static_cast<std::uint32_t>(std::clamp(input_.set("lanes", "asked_bytes").value_or(4), 1.0, 8.0));
    return question;
  }

  /// The last earlier launch that has the bytes among its buffers.
  void add_earlier(TablePicture& table) const {
    const gpu::ValuePlace& place = s_.asked->question.place;
    if (place.kind != PlaceKind::global || s_.history.stand_in) return;
    const gpu::Launch& before = s_.history.before;
    const std::vector<std::uint64_t> addresses = gpu::buffer_addresses(s_.travel.program(), before);
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      if (place.address < addresses[i] || place.address - addresses[i] >= before.buffers[i].bytes.size()) continue;
      const auto launches = run::launches_before(input_.trace, input_.walk.kernel, i, place.address - addresses[i]);
      if (launches.empty()) return;
      TableRow& row = table.rows.emplace_back();
      row.cells = {word_cell(word("asked_earlier"), Tone::quiet), word_cell(""),
                   word_cell(std::string(input_.trace.name(launches.back())))};
      row.follow = launches.back();
    }
  }

  /// What the writer computed its address and its guard from, if it accesses memory.
  void add_address(TablePicture& table) const {
    constexpr std::size_t most_rows = 1;
    const gpu::Writer& writer = s_.asked->answer->writer;
    if (!writer.written() || writer.writer().step.space == gpu::OriginStep::Space::none) return;
    const auto answered = s_.travel.writers().ask(gpu::address_question(writer.writer()));
    if (!answered || !(*answered)->writer.written()) return;
    const run::TimedWriter& address = **answered;
    const std::vector<std::uint32_t>& from = address.writer.writer().step.from;
    for (std::size_t i = 0; i < std::min(from.size(), most_rows); ++i) {
      const gpu::WriterStep& step = address.writer.steps[from[i]];
      const int lane = std::countr_zero(step.step.lanes | 1U << 31);
      const auto bits = value_in(step, lane);
      table.rows.push_back(row_of("asked_address", step.step, address.places[from[i]], lane,
                                  bits ? bits_text(*bits, step.step.value_bytes) : "", AskedAbout::result));
    }
  }

  /// Where the value comes from if it is a NaN.
  void add_nan(TablePicture& table) const {
    const gpu::Writer& writer = s_.asked->answer->writer;
    if (!writer.written()) return;
    const gpu::WriterStep& last = writer.writer();
    const auto bits = value_in(last, s_.asked->lane);
    if (!bits || last.step.value_bytes != 4 || !gpu::is_nan(*bits, 4, gpu::NumberFormat::f32)) return;
    const auto source = s_.travel.writers().nan_source(s_.asked->question);
    if (!source || *source == nullptr) return;
    const gpu::WriterStep& step = (*source)->step;
    const int lane = std::countr_zero(step.step.lanes | 1U << 31);
    const auto value = value_in(step, lane);
    table.rows.push_back(row_of("asked_nan", step.step, (*source)->place, lane,
                                value ? bits_text(*value, step.step.value_bytes) : "", AskedAbout::result));
  }

  /// The accesses to the value before and after the instruction that is shown.
  void add_watch(TablePicture& table) const {
    if (s_.issue == nullptr) return;
    const gpu::ValuePlace& place = s_.asked->question.place;
    for (const bool forward : {false, true}) {
      const auto access = run::next_access(s_.travel, s_.sm, place, s_.issue->what.cycle, forward);
      if (!access) continue;
      gpu::OriginStep step;
      step.instruction = access->what.instruction;
      TableRow row = row_of(forward ? "asked_next" : "asked_before", step,
                            {access->sm, access->what.warp, access->what.cycle}, access->lane, "", s_.asked->kind);
      row.cells[1] = word_cell(word(access->writes ? "writes" : "reads"), Tone::quiet);
      if (place.kind != PlaceKind::lane_register)
        std::ranges::find(row.sets, "lanes.asked", &std::pair<std::string, double>::first)->second = AskedAbout::memory;
      table.rows.push_back(std::move(row));
    }
  }

  const SceneInput& input_;
  const LanesSubject& s_;
};

}  // namespace

void answer_asked(LanesSubject& s, bool only_buffer) {
  const auto kind = static_cast<int>(s.controls.pointed("asked", AskedAbout::last, AskedAbout::nothing));
  const int usual = s.issue != nullptr && s.issue->what.executing != 0 ? std::countr_zero(s.issue->what.executing) : 0;
  const int lane = static_cast<int>(s.controls.pointed("asked_lane", 31, number_lane(s).value_or(usual)));
  if (kind == AskedAbout::nothing || (kind == AskedAbout::buffer) != only_buffer) return;
  AskedBuild build(s);
  AskedValue asked{kind, lane};
  const auto question = build.question(asked);
  if (!question) return;
  asked.question = *question;
  asked.name = build.name_of(question->place);
  if (s.history.simulation.counters.warp_instructions > longest_launch) {
    asked.no_answer = s.input.narration.text("lanes.word", "asked_long");
  } else if (auto answered = s.travel.writers().ask(*question)) {
    asked.answer = *answered;
    // The lane that wrote the byte is the one to look at.
    if (only_buffer && asked.answer->writer.written() && !s.input.set("lanes", "asked_lane"))
      asked.lane = std::countr_zero(asked.answer->writer.writer().step.lanes | 1U << 31);
  } else {
    asked.no_answer = answered.error();
  }
  s.asked = std::move(asked);
}

std::string asked_section(const LanesSubject& s) {
  if (s.asked->answer == nullptr) return "asked.impossible";
  const gpu::Writer& writer = s.asked->answer->writer;
  if (writer.written()) return "asked";
  return writer.before == gpu::Writer::Before::input ? "asked.input" : "asked.unwritten";
}

void add_asked_values(const LanesSubject& s, Narration::Values& values) {
  values["asked"] = s.asked->name;
  values["reason"] = s.asked->no_answer;
  if (s.asked->answer == nullptr || !s.asked->answer->writer.written()) return;
  const AskedBuild build(s);
  const run::TimedWriter& answer = *s.asked->answer;
  const gpu::OriginStep& step = answer.writer.writer().step;
  const int lane = (step.lanes >> s.asked->lane & 1) != 0 ? s.asked->lane : std::countr_zero(step.lanes | 1U << 31);
  const auto bits = value_in(answer.writer.writer(), lane);
  values["writer"] = instruction_text(s.travel, s.history, step.instruction).text;
  values["writer_lane"] = std::to_string(lane);
  values["writer_warp"] = warp_name(s.input.narration, answer.places.back().warp);
  values["writer_value"] = bits ? bits_text(*bits, step.value_bytes) : "?";
  const std::string line = build.line_text(step.instruction);
  values["writer_line"] =
      line.empty() ? "" : " " + s.input.narration.text("lanes.word", "asked_in_line", {{"line", line}});
}

Panel asked_table(const LanesSubject& s) { return AskedBuild(s).table(); }

}  // namespace warpwalk::story
