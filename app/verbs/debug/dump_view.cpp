#include "app/verbs/debug/dump_view.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "core/analysis/names/kernel_name.h"
#include "core/words/crash/crash_names.h"
#include "core/words/crash/crash_sentence.h"

namespace warpwalk::verbs {
namespace {

using debug::Value;

constexpr std::size_t most_threads_in_text = 64, most_frames = 64;

std::string_view without_space(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::string_view next_word(std::string_view& text) {
  text = without_space(text);
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text = without_space(text.substr(word.size()));
  return word;
}

std::optional<unsigned> number_after(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return {};
  unsigned number = 0;
  const auto [end, error] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return {};
  return number;
}

/// "(1,0,0)" or "1".
std::optional<crash::Extent3> extent_of(std::string_view text) {
  crash::Extent3 made{};
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  for (std::size_t i = 0; i < 3 && !text.empty(); ++i) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), made[i]);
    if (error != std::errc()) return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with(',')) text.remove_prefix(1);
  }
  return text.empty() ? std::optional(made) : std::nullopt;
}

}  // namespace

DumpView::DumpView(std::shared_ptr<words::OpenDump> open) : open_(std::move(open)) {
  for (const crash::DumpDevice& device : dump().devices)
    for (const crash::DumpSm& sm : device.sms)
      for (const crash::DumpBlock& block : sm.blocks)
        for (const crash::DumpWarp& warp : block.warps) {
          if (warp.lanes.empty()) continue;
          const auto grid = std::ranges::find(device.grids, block.grid, &crash::DumpGrid::id);
          warps_.push_back({&device, &sm, &block, &warp, grid == device.grids.end() ? nullptr : &*grid});
        }
  // The thread that failed, or the first that waits.
  const words::DumpReport& report = open_->report;
  const crash::DumpThread* const first = report.crash           ? &report.crash->thread
                                         : report.waits.empty() ? nullptr
                                                                : &report.waits.front().thread;
  if (!warps_.empty()) focus(0, -1);
  for (std::size_t i = 0; first != nullptr && i < warps_.size(); ++i)
    if (warps_[i].warp == first->warp) focus(i, first->lane != nullptr ? static_cast<int>(first->lane->lane) : -1);
}

base::Result<std::unique_ptr<DumpView>> DumpView::open(const std::filesystem::path& file) {
  auto opened = words::open_dump(file);
  if (!opened) return base::Error{opened.error()};
  std::unique_ptr<DumpView> made(new DumpView(std::move(*opened)));
  if (made->warps_.empty()) return base::Error{fmt::format("{}: the dump has no threads", file.string())};
  return made;
}

const crash::DumpLane* DumpView::thread() const {
  const std::vector<crash::DumpLane>& lanes = warps_[warp_].warp->lanes;
  const auto found = std::ranges::find(lanes, static_cast<std::uint32_t>(lane_), &crash::DumpLane::lane);
  return found == lanes.end() ? nullptr : &*found;
}

bool DumpView::focus(std::size_t warp, int lane) {
  if (warp >= warps_.size()) return false;
  const std::vector<crash::DumpLane>& lanes = warps_[warp].warp->lanes;
  const auto found =
      lane < 0 ? lanes.begin() : std::ranges::find(lanes, static_cast<std::uint32_t>(lane), &crash::DumpLane::lane);
  if (found == lanes.end()) return false;
  warp_ = warp;
  lane_ = static_cast<int>(found->lane);
  return true;
}

std::string DumpView::warp_text(std::size_t warp) const {
  const Warp& of = warps_[warp];
  return fmt::format("block {}, SM {} warp {}: threads {} to {}", words::extent_text(of.block->block), of.sm->sm,
                     of.warp->warp, words::extent_text(of.warp->lanes.front().thread),
                     words::extent_text(of.warp->lanes.back().thread));
}

std::string DumpView::thread_text() const {
  const Warp& of = warps_[warp_];
  return fmt::format("block {}, thread {}, SM {}, warp {}, lane {}", words::extent_text(of.block->block),
                     words::extent_text(thread()->thread), of.sm->sm, of.warp->warp, lane_);
}

std::string DumpView::headline() {
  words::DumpReport& report = open_->report;
  if (report.crash && report.crash->thread.grid != nullptr) {
    const crash::Crash& crash = *report.crash;
    return words::crash_sentence(
        crash, words::kernel_words(*crash.thread.grid, report.code_of(*crash.thread.device), report.sources));
  }
  if (report.crash) return fmt::format("{} on SM {}", report.crash->exception.name, report.crash->sm);
  if (report.waits.empty()) return "no warp failed, and none waits";
  const crash::Wait& wait = report.waits.front();
  return words::wait_sentence(
      wait, words::kernel_words(*wait.thread.grid, report.code_of(*wait.thread.device), report.sources));
}

std::vector<DumpView::Frame> DumpView::frames() {
  std::vector<Frame> made;
  const crash::DumpLane* const of = thread();
  const auto add = [&](std::uint64_t address) {
    const auto place = code().at(address);
    if (!place) {
      made.push_back({fmt::format("{:#x}", address), {}, 0, address});
      return;
    }
    // The compiler names functions that a kernel calls "$kernel$function".
    std::string_view name = place->function_name();
    if (name.starts_with('$')) name.remove_prefix(name.rfind('$') + 1);
    const std::vector<sass::SourcePosition> positions = place->sources();
    for (std::size_t i = 0; i + 1 < positions.size(); ++i)
      made.push_back({"inlined code", std::string(positions[i].file), positions[i].line, address});
    Frame frame{analysis::read_kernel_name(name).function, {}, 0, address};
    if (!positions.empty()) {
      frame.file = positions.back().file;
      frame.line = positions.back().line;
    }
    made.push_back(std::move(frame));
  };
  const Warp& in = warps_[warp_];
  const bool failed_here = in.warp->error_pc && open_->report.crash && open_->report.crash->thread.warp == in.warp;
  add(failed_here ? *in.warp->error_pc : of->pc);
  for (std::size_t i = 0; i < std::min(of->frames.size(), most_frames); ++i) {
    // The return address is that of the instruction after the call.
    const std::uint64_t address = of->frames[i].return_address - sass::instruction_bytes;
    add(!code().at(address) && in.grid != nullptr && code().at(in.grid->entry + address) ? in.grid->entry + address
                                                                                         : address);
  }
  return made;
}

std::vector<DumpView::Instruction> DumpView::instructions(std::uint64_t address, std::int64_t first,
                                                          std::size_t count) {
  std::vector<Instruction> made;
  const auto place = code().at(address);
  if (!place) return made;
  const auto size = static_cast<std::int64_t>(place->loaded->code.size());
  for (std::int64_t i = static_cast<std::int64_t>(place->index) + first; count > 0; ++i, --count) {
    Instruction row;
    row.address =
        address + static_cast<std::uint64_t>(i - static_cast<std::int64_t>(place->index)) * sass::instruction_bytes;
    if (i >= 0 && i < size) {
      const crash::CodePlace here{place->loaded, static_cast<std::size_t>(i)};
      row.text = here.text();
      if (row.text.empty()) row.text = "(unknown instruction)";
      const sass::SourcePosition position = words::shown_position(here.sources());
      row.file = position.file;
      row.line = position.line;
    }
    made.push_back(std::move(row));
  }
  return made;
}

std::vector<std::string> DumpView::register_names() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < thread()->registers.size(); ++i) names.push_back(fmt::format("R{}", i));
  for (std::size_t i = 0; i < warps_[warp_].warp->uniform_registers.size(); ++i)
    names.push_back(fmt::format("UR{}", i));
  return names;
}

std::vector<std::string> DumpView::predicate_names() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(thread()->predicates.size(), sass::true_predicate); ++i)
    names.push_back(fmt::format("P{}", i));
  return names;
}

std::vector<std::string> DumpView::argument_names() {
  std::vector<std::string> names;
  const crash::DumpGrid* const grid = warps_[warp_].grid;
  const auto entry = grid != nullptr ? code().at(grid->entry) : std::nullopt;
  if (!entry || grid->parameters.empty()) return names;
  const words::KernelWords words = words::kernel_words(*grid, code(), open_->report.sources);
  for (const sass::CubinParameter& parameter : entry->loaded->function->parameters) {
    const std::string_view name = words.argument_name(parameter.ordinal);
    names.push_back(name.empty() ? fmt::format("p{}", parameter.ordinal) : std::string(name));
  }
  return names;
}

base::Result<Value> DumpView::evaluate(std::string_view expression) {
  const auto parsed = debug::Expression::parse(expression);
  if (!parsed) return base::Error{parsed.error()};
  return parsed->evaluate(*this);
}

base::Result<Value> DumpView::find(std::string_view name) {
  const Warp& in = warps_[warp_];
  const crash::DumpLane& of = *thread();
  const auto word = [&](const crash::Words& words, unsigned index, std::string_view what) -> base::Result<Value> {
    const auto bits = words.at(index);
    if (!bits) return base::Error{fmt::format("the dump does not have {}{}", what, index)};
    return Value::of(*bits, 4);
  };
  if (const auto i = number_after(name, "R")) return word(of.registers, *i, "R");
  if (const auto i = number_after(name, "UR")) return word(in.warp->uniform_registers, *i, "UR");
  if (const auto i = number_after(name, "P")) return word(of.predicates, *i, "P");
  if (const auto i = number_after(name, "UP")) return word(in.warp->uniform_predicates, *i, "UP");
  const std::pair<std::string_view, const crash::Extent3*> extents[] = {
      {"threadIdx", &of.thread},
      {"blockIdx", &in.block->block},
      {"blockDim", in.grid != nullptr ? &in.grid->block : nullptr},
      {"gridDim", in.grid != nullptr ? &in.grid->grid : nullptr}};
  for (const auto& [prefix, extent] : extents)
    if (extent != nullptr && name.size() == prefix.size() + 2 && name.starts_with(prefix) && name.back() >= 'x' &&
        name.back() <= 'z')
      return Value::of((*extent)[static_cast<std::size_t>(name.back() - 'x')], 4);
  if (name == "warpSize") return Value::of(32, 4);
  if (name == "$lane") return Value::of(lane_, 4);
  if (name == "$warp") return Value::of(in.warp->warp, 4);
  if (name == "$sm") return Value::of(in.sm->sm, 4);
  if (name == "$pc") return Value::of(static_cast<std::int64_t>(of.pc));
  if (name == "shared") return Value::pointer_to(0, ops::DType::u8, Value::Space::shared);
  if (name == "local") return Value::pointer_to(of.local_address, ops::DType::u8, Value::Space::local);
  // Arguments of the kernel.
  const std::vector<std::string> names = argument_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (name != names[i] && name != fmt::format("p{}", i)) continue;
    const sass::CubinParameter& parameter = code().at(in.grid->entry)->loaded->function->parameters[i];
    if (parameter.offset + std::uint64_t{parameter.bytes} > in.grid->parameters.size()) break;
    std::uint64_t bits = 0;
    const std::size_t bytes = std::min<std::size_t>(parameter.bytes, 8);
    std::memcpy(&bits, in.grid->parameters.data() + parameter.offset, bytes);
    return Value::of(static_cast<std::int64_t>(bits), static_cast<std::uint8_t>(bytes));
  }
  return base::Error{fmt::format(
      "no `{}` in the dump: known are registers (R4, P0), arguments (p0), shared, local, threadIdx.x; memory at an "
      "address is ((float*)ADDRESS)[0]",
      name)};
}

base::Result<Value> DumpView::load(const Value& pointer, std::int64_t index) {
  if (pointer.kind != Value::Kind::pointer)
    return base::Error{"only an address can be read; write (float*)ADDRESS for a number"};
  std::uint64_t at = pointer.address + static_cast<std::uint64_t>(index) * pointer.stride;
  const std::size_t bytes = ops::bytes_of(pointer.element);
  Value::Space space = pointer.space;
  for (const crash::DumpContext& context : warps_[warp_].device->contexts) {
    // Generic addresses of shared and local memory.
    constexpr std::uint64_t window = std::uint64_t{1} << 24;
    if (space != Value::Space::global || warps_[warp_].grid == nullptr || context.id != warps_[warp_].grid->context)
      continue;
    if (context.shared_window != 0 && at >= context.shared_window && at - context.shared_window < window) {
      space = Value::Space::shared;
      at -= context.shared_window;
    } else if (context.local_window != 0 && at >= context.local_window && at - context.local_window < window) {
      space = Value::Space::local;
      at -= context.local_window;
    }
  }
  std::string_view from;
  const auto part = [&](std::string_view all, std::uint64_t offset) {
    return offset <= all.size() && bytes <= all.size() - offset ? all.substr(offset, bytes) : std::string_view();
  };
  if (space == Value::Space::global) from = dump().memory_at(at, bytes);
  if (space == Value::Space::shared) from = part(warps_[warp_].block->shared_memory, at);
  if (space == Value::Space::local) from = part(thread()->local_memory, at - thread()->local_address);
  if (from.size() < bytes) return base::Error{fmt::format("the dump does not have {:#x}", at)};
  std::array<std::uint8_t, 8> raw{};
  std::memcpy(raw.data(), from.data(), bytes);
  return debug::value_of_bits(pointer.element, ops::load_bits(pointer.element, raw.data()));
}

std::string DumpView::place() {
  const Frame at = frames().front();
  std::string text = thread_text() + "\n";
  if (at.line == 0) return text + fmt::format("{} {:#x}\n", at.function, at.address);
  const std::string_view line = open_->report.sources.line(at.file, at.line);
  return text + fmt::format("{} at {}:{}{}{}\n", at.function, at.file, at.line, line.empty() ? "" : "   ", line);
}

std::string DumpView::threads_text() {
  std::string text;
  const std::size_t now = warp_;
  const int lane = lane_;
  for (std::size_t i = 0; i < std::min(warps_.size(), most_threads_in_text); ++i) {
    focus(i, -1);
    const Frame at = frames().front();
    text += fmt::format("{} {:<4} {}  {}{}\n", i == now ? '*' : ' ', i, warp_text(i), at.function,
                        at.line == 0 ? "" : fmt::format(" at {}:{}", at.file, at.line));
  }
  if (warps_.size() > most_threads_in_text) text += fmt::format("and {} more\n", warps_.size() - most_threads_in_text);
  focus(now, lane);
  return text;
}

base::Result<std::string> DumpView::choose(std::string_view rest) {
  std::optional<crash::Extent3> block, thread;
  std::size_t warp = warp_;
  int lane = -1;
  while (!rest.empty()) {
    const std::string_view what = next_word(rest);
    const std::string_view given = next_word(rest);
    const auto numbers = extent_of(given);
    if (!numbers || given.empty())
      return base::Error{"focus: write warp N (info warps has the numbers) lane L, or block (x,y,z) thread (x,y,z)"};
    if (what == "block") block = *numbers;
    if (what == "thread") thread = *numbers;
    if (what == "warp") warp = (*numbers)[0];
    if (what == "lane") lane = static_cast<int>(std::min((*numbers)[0], 64U));
  }
  for (std::size_t i = 0; (block || thread) && i < warps_.size(); ++i)
    for (const crash::DumpLane& of : warps_[i].warp->lanes)
      if (warps_[i].block->block == block.value_or(warps_[warp_].block->block) && (!thread || of.thread == *thread) &&
          (thread || lane < 0 || of.lane == static_cast<std::uint32_t>(lane))) {
        focus(i, static_cast<int>(of.lane));
        return place();
      }
  if (block || thread || !focus(warp, lane)) return base::Error{"focus: the dump has no such thread"};
  return place();
}

base::Result<std::string> DumpView::execute(std::string_view line) {
  std::string_view rest = line;
  const std::string_view word = next_word(rest);
  std::string text;
  if (word.empty() || word.starts_with('#')) return text;
  if (word == "quit" || word == "q") {
    done_ = true;
    return text;
  }
  if (word == "help" || word == "h")
    return std::string(
        "bt, list, disassemble, info warps|registers|args|findings|line, print EXPRESSION, lanes EXPRESSION,\n"
        "focus warp N lane L, focus block (x,y,z) thread (x,y,z), quit; nothing moves in a core dump\n");
  if (word == "bt" || word == "backtrace" || word == "where") {
    std::size_t number = 0;
    for (const Frame& frame : frames())
      text += fmt::format("#{}  {}{}\n", number++, frame.function,
                          frame.line == 0 ? "" : fmt::format(" at {}:{}", frame.file, frame.line));
    return text;
  }
  if (word == "focus" || word == "thread") return choose(rest);
  if (word == "print" || word == "p" || word == "p/x" || word == "print/x") {
    const auto value = evaluate(rest);
    if (!value) return base::Error{fmt::format("print {}: {}", rest, value.error())};
    return word.ends_with("/x") ? fmt::format("{} = {:#x}\n", rest, static_cast<std::uint64_t>(value->integer))
                                : fmt::format("{} = {}\n", rest, debug::text_of(*value));
  }
  if (word == "lanes") {
    const int now = lane_;
    for (const crash::DumpLane& of : warps_[warp_].warp->lanes) {
      lane_ = static_cast<int>(of.lane);
      const auto value = evaluate(rest);
      text += fmt::format("lane {:<3} {}\n", lane_, value ? debug::text_of(*value) : value.error());
    }
    lane_ = now;
    return text;
  }
  if (word == "list" || word == "l") {
    const Frame at = frames().front();
    const std::vector<std::string_view> lines = source_lines(at.file);
    for (std::size_t i = at.line > 6 ? at.line - 6 : 0; i < std::min<std::size_t>(lines.size(), at.line + 5U); ++i)
      text += fmt::format("{} {:<5} {}\n", i + 1 == at.line ? "=>" : "  ", i + 1, lines[i]);
    return text.empty() ? fmt::format("the source {} is not here\n", at.file) : text;
  }
  if (word == "disassemble" || word == "disas") {
    const std::uint64_t at = frames().front().address;
    for (const Instruction& row : instructions(at, -8, 17))
      if (!row.text.empty())
        text += fmt::format("{} {:#x}  {}\n", row.address == at ? "=>" : "  ", row.address, row.text);
    return text.empty() ? fmt::format("no module has code at {:#x}\n", at) : text;
  }
  if (word == "info" || word == "i") {
    const std::string_view what = next_word(rest);
    if (what == "warps" || what == "threads") return threads_text();
    if (what == "findings") return headline() + "\n";
    if (what == "line" || what.empty()) return place();
    const bool registers = what == "registers" || what == "r";
    if (what == "locals")
      return std::string("variables of the source are not shown for core dumps; see info registers\n");
    if (!registers && what != "args") return base::Error{"info: write warps, registers, args, findings or line"};
    for (const std::string& name : registers ? register_names() : argument_names())
      if (const auto value = find(name); value && (rest.empty() || rest == name))
        text += registers ? fmt::format("{:<6}{:#010x}  {}\n", name, value->integer,
                                        std::bit_cast<float>(static_cast<std::uint32_t>(value->integer)))
                          : fmt::format("{} = {}\n", name, debug::text_of(*value));
    if (registers && rest.empty())
      for (const std::string& name : predicate_names())
        if (const auto value = find(name)) text += fmt::format("{:<6}{}\n", name, value->integer);
    return text.empty() ? std::string("the dump does not have them\n") : text;
  }
  return base::Error{fmt::format("{}: {}; see help", word, dump_stands)};
}

}  // namespace warpwalk::verbs
