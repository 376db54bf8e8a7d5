#include "core/debug/tiles.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/debug/session.h"
#include "core/run/tiles/tile_problems.h"
#include "core/run/tiles/written_registers.h"

namespace warpwalk::debug {
namespace {

constexpr std::uint32_t several_blocks = ~std::uint32_t{0};
/// Evaluated sums and products differ from the run's by their order and by approximations.
constexpr double stored_tolerance = 2e-3;

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::string with_commas(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

}  // namespace

std::string Tile::basis() const {
  const std::string counts = fmt::format("{} of {}", with_commas(found.equal), with_commas(found.compared));
  switch (found.where) {
    case run::FoundTile::Where::registers:
      return written ? fmt::format("checked against the registers that the run wrote: {}", counts)
                     : fmt::format("checked against registers: {}", counts);
    case run::FoundTile::Where::shared:
      return fmt::format("checked against shared memory, from byte {} on: {}", found.shared_begin, counts);
    case run::FoundTile::Where::nowhere: break;
  }
  return "derived: " + found.reason;
}

std::optional<TilePart> parse_tile_part(std::string_view text) {
  text = without_blanks(text);
  TilePart part;
  const std::size_t bracket = text.find('[');
  part.name = without_blanks(text.substr(0, bracket));
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '#' || c == '.';
  };
  std::string_view name = part.name;
  if (name.starts_with('%')) name.remove_prefix(1);
  if (name.empty() || !std::ranges::all_of(name, fits)) return {};
  if (bracket == std::string_view::npos) return part;
  if (!text.ends_with(']')) return {};
  text = text.substr(bracket + 1, text.size() - bracket - 2);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view word = without_blanks(text.substr(0, end));
    std::int64_t index = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), index);
    if (word.empty() || error != std::errc() || stop != word.data() + word.size()) return {};
    part.indices.push_back(index);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return part.indices.empty() ? std::nullopt : std::optional(part);
}

std::optional<std::pair<std::size_t, std::size_t>> elements_of_part(const Tile& tile, const TilePart& part) {
  const auto& shape = tile.name->shape;
  if (part.indices.size() > shape.size()) return {};
  std::size_t first = 0, count = 1;
  for (std::size_t dim = 0; dim < shape.size(); ++dim) {
    const bool given = dim < part.indices.size();
    if (given && (part.indices[dim] < 0 || part.indices[dim] >= shape[dim])) return {};
    first = first * static_cast<std::size_t>(shape[dim]) + (given ? static_cast<std::size_t>(part.indices[dim]) : 0);
    if (!given) count *= static_cast<std::size_t>(shape[dim]);
  }
  return std::pair{first, count};
}

bool Tiles::written_elsewhere(const Recording& recording, std::uint64_t block, std::uint64_t address, int bytes) {
  const auto& regions = recording.regions();
  if (!writers_known_) {
    writers_known_ = true;
    writers_.resize(regions.size());
    const auto note = [&](std::uint64_t from, std::uint64_t size, std::uint64_t by) {
      for (std::size_t i = 0; i < regions.size(); ++i) {
        if (from < regions[i].base || from - regions[i].base >= regions[i].bytes) continue;
        writers_[i].resize((regions[i].bytes + 3) / 4);
        const std::uint64_t last = std::min(from - regions[i].base + size, regions[i].bytes);
        for (std::uint64_t word = (from - regions[i].base) / 4; word * 4 < last; ++word) {
          std::uint32_t& writer = writers_[i][word];
          const auto number = static_cast<std::uint32_t>(by + 1);
          writer = writer == 0 || writer == number ? number : several_blocks;
        }
      }
    };
    for (std::uint16_t sm = 0; sm < recording.sms(); ++sm) {
      const SmLog& log = recording.log(sm);
      for (const AccessRow& access : log.accesses()) {
        if (!access.writes || access.space != AccessRow::Space::global) continue;
        const std::uint64_t by = log.warp_of(access.issue).block;
        const AccessPattern& pattern = log.pattern_of(access);
        if (pattern.mask == 0) note(access.low, pattern.span, by);
        for (int lane = 0; lane < 32; ++lane)
          if ((pattern.mask >> lane & 1) != 0) note(log.address_of(access, lane), access.bytes, by);
      }
    }
  }
  for (std::size_t i = 0; i < regions.size() && i < writers_.size(); ++i) {
    if (writers_[i].empty() || address < regions[i].base || address - regions[i].base >= regions[i].bytes) continue;
    const std::uint64_t end = std::min(address - regions[i].base + static_cast<std::uint64_t>(bytes), regions[i].bytes);
    for (std::uint64_t word = (address - regions[i].base) / 4; word * 4 < end; ++word)
      if (const std::uint32_t writer = writers_[i][word]; writer != 0 && writer != block + 1) return true;
  }
  return false;
}

base::Result<const run::BlockValues*> Tiles::values_of(Recording& recording, std::uint64_t block) {
  return kernel_->block(recording.program(), recording.before(), block,
                        [&recording, block, this](std::uint64_t address, int bytes) {
                          return written_elsewhere(recording, block, address, bytes);
                        });
}

base::Result<const run::BlockValues*> Tiles::block(Session& session) {
  return values_of(session.recording(), session.focus().block);
}

void Tiles::look(Session& session) {
  const Focus& focus = session.focus();
  const std::pair now{session.cycle(), std::pair{focus.block, focus.warp}};
  if (stop_ == now) return;
  stop_ = now;
  tiles_.reset();
  values_ = nullptr;
  by_value_.clear();
  progress_.clear();
  warps_.clear();
  shared_.clear();
  Recording& recording = session.recording();
  const auto values = values_of(recording, focus.block);
  if (!values) {
    problem_ = values.error();
    return;
  }
  values_ = *values;
  look_at_block(session);
  recording_ = &recording;
  for (std::size_t i = 0; i < values_->values.size(); ++i)
    by_value_[{values_->values[i].op, values_->values[i].result}].push_back(static_cast<std::uint32_t>(i));
  if (places_.empty())
    for (std::uint32_t i = 0; i < recording.program().sources.size(); ++i)
      places_.push_back(run::place_of_instruction(recording.program(), i));
  const auto sm = recording.sm_of(focus.block);
  if (!sm) return;
  const SmLog& log = recording.log(*sm);
  std::vector<Progress> by_instruction(places_.size());
  for (auto issue = log.first_of_warp(focus.block, focus.warp, 0); issue; issue = log.next_of_warp(*issue)) {
    Progress& of = by_instruction[log.issues()[*issue].instruction];
    ++of.all;
    if (log.issues()[*issue].cycle < session.cycle()) ++of.issued;
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (by_instruction[i].all == 0) continue;
    Progress& of = progress_[places_[i]];
    of.all += by_instruction[i].all;
    of.issued += by_instruction[i].issued;
  }
  for (std::uint32_t warp = 0; warp < recording.warps_per_block(); ++warp) {
    run::WarpRegisters& registers = warps_.emplace_back();
    registers.warp = warp;
    Moment moment = session.moment({focus.block, warp, 0});
    for (const RegisterRow& row : moment.registers()) {
      run::WarpRegisters::Row& to = registers.rows.emplace_back();
      to.name = row.name;
      for (std::size_t lane = 0; lane < 32 && lane < row.lanes.size(); ++lane)
        to.lanes[lane] = static_cast<std::uint32_t>(row.lanes[lane]);
    }
  }
  shared_.resize(recording.shared_bytes());
  if (!shared_.empty() && !session.moment().read_shared(0, shared_)) shared_.clear();
}

/// How many executions of a value's operation the thread in focus has behind it: by the share of the instructions of
/// its place that it has issued.
std::uint32_t Tiles::done(const run::TileName& name) const {
  if (name.op < 0) return 1;
  const auto& executions = values_->executions;
  const std::uint32_t all = executions[static_cast<std::size_t>(name.op)];
  if (all == 0) return 0;
  const auto part = [&](std::string_view place) -> std::optional<std::uint32_t> {
    const auto at = progress_.find(place);
    if (at == progress_.end() || at->second.all == 0) return {};
    return static_cast<std::uint32_t>(at->second.issued * all / at->second.all);
  };
  if (const auto exactly = part(name.place)) return *exactly;
  // Without instructions of its own, it is done when those are that follow it.
  const compiled::MlirModule& module = kernel_->module();
  const compiled::MlirOp& op = module.ops[static_cast<std::size_t>(name.op)];
  bool behind = false;
  for (const std::int32_t index : module.blocks[static_cast<std::size_t>(op.block)].ops) {
    if (behind && executions[static_cast<std::size_t>(index)] == all) {
      const auto& other = module.ops[static_cast<std::size_t>(index)];
      if (const auto follows = part(run::place_of_location(module, other.location))) return *follows;
    }
    behind = behind || index == name.op;
  }
  const auto line = std::ranges::find_if(
      progress_, [&](const auto& of) { return of.first.ends_with(fmt::format("{}:{};", name.file, name.line)); });
  return line == progress_.end() ? 0 : *part(line->first);
}

void Tiles::look_at_block(Session& session) {
  if (block_ == session.focus().block) return;
  block_ = session.focus().block;
  written_tiles_.clear();
  written_.clear();
  const Recording& recording = session.recording();
  if (auto written = run::written_registers(recording.device(), recording.program(), recording.before(), *block_))
    written_ = std::move(*written);
}

const Tiles::WrittenTile& Tiles::written_tile(const run::TileName& name, std::size_t value) {
  const auto [block, warp] = stop_->second;
  const auto [at, fresh] = written_tiles_.try_emplace({value, warp});
  WrittenTile& tile = at->second;
  if (!fresh) return tile;
  tile.found =
      run::find_in_registers(name, *values_->values[value].value, kernel_->register_layouts(name), written_, warp);
  if (tile.found.where != run::FoundTile::Where::registers) return tile;
  for (const run::WarpRegisters& of : written_) {
    if (of.warp != warp) continue;
    for (const std::int32_t row : tile.found.rows[warp]) {
      if (row < 0) continue;
      const run::WarpRegisters::Row& by = of.rows[static_cast<std::size_t>(row)];
      // A register that is not in the cycles that were simulated is never complete.
      const auto issued = recording_->nth_issue(block, warp, by.instruction, by.occurrence);
      tile.cycle = std::max<std::int64_t>(tile.cycle, issued ? issued->cycle : recording_->end() + 1);
    }
  }
  return tile;
}

void Tiles::find_now(Tile& tile, const std::vector<compiled::LinearLayout>& layouts) const {
  run::FoundTile now = run::find_in_registers(*tile.name, tile.tensor(), layouts, warps_, stop_->second.second);
  if (now.where == run::FoundTile::Where::nowhere)
    if (const auto shared = kernel_->shared_layouts(*tile.name); !shared.empty())
      if (auto there = run::find_in_shared(*tile.name, tile.tensor(), shared, shared_);
          there.where != run::FoundTile::Where::nowhere)
        now = std::move(there);
  if (now.where == run::FoundTile::Where::nowhere) return;  // the reason of the search among all registers says more
  tile.found = std::move(now);
  tile.written = false;
}

std::optional<Tile> Tiles::tile_of(const run::TileName& name) {
  const auto at = by_value_.find({name.op, name.result});
  if (at == by_value_.end()) return {};
  const std::vector<std::uint32_t>& indices = at->second;
  // The share of instructions says it about; the registers that the run wrote say when a value was complete.
  std::size_t behind = std::min<std::size_t>(done(name), indices.size());
  const auto complete = [&](std::size_t execution) {
    const WrittenTile& written = written_tile(name, indices[execution]);
    if (written.found.where != run::FoundTile::Where::registers) return std::optional<bool>();
    return std::optional(written.cycle < stop_->first);
  };
  if (name.op >= 0) {
    while (behind < indices.size() && complete(behind) == true) ++behind;
    while (behind > 0 && complete(behind - 1) == false) --behind;
  }
  const auto layouts = kernel_->register_layouts(name);
  const auto made = [&](std::size_t execution) {
    Tile tile{&name, &values_->values[indices[execution]], static_cast<std::uint32_t>(indices.size()), {}};
    tile.found = written_tile(name, indices[execution]).found;
    tile.written = tile.found.where != run::FoundTile::Where::nowhere;
    find_now(tile, layouts);
    return tile;
  };
  std::optional<Tile> tile;
  if (behind > 0) tile = made(behind - 1);
  const bool found = tile && tile->found.where != run::FoundTile::Where::nowhere;
  // A copy to shared memory has no registers, and it may be complete before all instructions of its line are issued.
  if (!found && behind < indices.size() && !kernel_->shared_layouts(name).empty())
    if (Tile next = made(behind); next.found.where == run::FoundTile::Where::shared) return next;
  return tile;
}

std::optional<run::ElementRegister> Tiles::written_register(const Tile& tile, std::size_t element) const {
  const auto at =
      written_tiles_.find({static_cast<std::size_t>(tile.value - values_->values.data()), stop_->second.second});
  if (at == written_tiles_.end()) return {};
  return run::register_of(at->second.found, written_, element);
}

bool Tiles::knows(std::string_view name) const {
  return std::ranges::any_of(kernel_->names(),
                             [&](const run::TileName& of) { return of.name == name || of.value == name; });
}

base::Result<const std::vector<Tile>*> Tiles::at(Session& session) {
  look(session);
  if (values_ == nullptr) return base::Error{problem_};
  if (tiles_) return &*tiles_;
  // Of each name, the value that is the program's latest.
  std::map<std::string, Tile> latest;
  for (const run::TileName& name : kernel_->names()) {
    if (!name.last || name.name.empty() || name.op < 0) continue;
    auto tile = tile_of(name);
    if (!tile) continue;
    const auto at = latest.find(name.name);
    if (at == latest.end() || at->second.value < tile->value) latest.insert_or_assign(name.name, std::move(*tile));
  }
  tiles_.emplace();
  for (auto& [name, tile] : latest) tiles_->push_back(std::move(tile));
  std::ranges::sort(*tiles_, {}, [](const Tile& tile) { return std::pair{tile.name->line, tile.name->op}; });
  return &*tiles_;
}

base::Result<Tile> Tiles::find(Session& session, std::string_view name) {
  const auto all = at(session);
  if (!all) return base::Error{all.error()};
  for (const Tile& tile : **all)
    if (tile.name->name == name || tile.name->value == name) return tile;
  bool known = false;
  for (const run::TileName& of : kernel_->names()) {
    if (of.value != name && of.name != name) continue;
    known = true;
    if (of.value == name || of.op < 0)
      if (auto tile = tile_of(of)) return *tile;
  }
  return base::Error{known ? fmt::format("{} is not computed yet by the thread in focus", name)
                           : fmt::format("no variable `{}` in {}; see info tiles", name, kernel_->kernel())};
}

base::Result<Tiles::StoredValues> Tiles::compare_stores(Session& session) {
  Recording& recording = session.recording();
  StoredValues sum;
  const std::int64_t after = recording.end() + (std::int64_t{1} << 40);  // when all SMs see all writes
  for (std::uint64_t number = 0; number < recording.blocks(); ++number) {
    const auto values = values_of(recording, number);
    if (!values) return base::Error{values.error()};
    if (!(*values)->incomplete.empty()) sum.incomplete = (*values)->incomplete;
    ++sum.blocks;
    struct Element {
      const run::TileAccess* access = nullptr;
      std::size_t index = 0;
    };
    std::map<std::uint64_t, Element> last;
    for (const run::TileAccess& access : (*values)->accesses) {
      if (access.access.kind != compiled::EvaluatedOp::Kind::store) continue;
      const auto& mask = access.access.mask;
      for (std::size_t i = 0; i < access.access.addresses->numbers.size(); ++i)
        if (mask == nullptr || mask->numbers[mask->numbers.size() == 1 ? 0 : i] != 0)
          last[static_cast<std::uint64_t>(access.access.addresses->numbers[i])] = {&access, i};
    }
    // Small differences are measured against all values that one operation stores.
    std::map<const run::TileAccess*, double> sizes;
    for (const auto& [address, element] : last) {
      const compiled::TensorValue* const value = element.access->access.result.get();
      if (value == nullptr || !value->floating || sizes.contains(element.access)) continue;
      double squares = 0;
      for (const double real : value->reals) squares += std::isfinite(real) ? real * real : 0;
      sizes[element.access] = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, value->reals.size())));
    }
    for (const auto& [address, element] : last) {
      const compiled::EvaluatedOp& access = element.access->access;
      const int bytes = compiled::mlir_bits(access.element) / 8;
      if (bytes == 0 || written_elsewhere(recording, number, address, bytes)) continue;
      ++sum.elements;
      std::uint64_t bits = 0;
      if (!recording.read_global(0, after, address,
                                 {reinterpret_cast<std::uint8_t*>(&bits), static_cast<std::size_t>(bytes)}))
        continue;
      const compiled::TensorValue* const value = access.result.get();
      const std::size_t at = value != nullptr && value->size() == 1 ? 0 : element.index;
      bool equal = false, same = false;
      std::string expected = "a value that is not known";
      if (value != nullptr && at < value->size() && !value->is_undefined(at)) {
        if (value->floating) {
          const double has = compiled::read_real(access.element, bits), wants = value->reals[at];
          same = compiled::real_bits(access.element, wants) == bits || (std::isnan(has) && std::isnan(wants));
          equal = same || std::abs(has - wants) <= stored_tolerance * (std::abs(wants) + sizes[element.access]);
          expected = fmt::format("{} instead of {}", has, wants);
        } else {
          const int width = 8 * bytes;
          same = equal = compiled::read_number(width, bits) ==
                         compiled::read_number(width, static_cast<std::uint64_t>(value->numbers[at]));
          expected = fmt::format("{} instead of {}", compiled::read_number(width, bits), value->numbers[at]);
        }
      }
      sum.equal += equal ? 1 : 0;
      sum.same_bits += same ? 1 : 0;
      if (!equal && sum.first_difference.empty())
        sum.first_difference = fmt::format("block {}, element {} of the store at line {} of the TTIR: {}", number,
                                           run::index_text(access.addresses->shape, element.index),
                                           kernel_->module().ops[static_cast<std::size_t>(access.op)].line, expected);
    }
  }
  // The values of the block in focus are no longer those that are kept.
  stop_.reset();
  written_tiles_.clear();
  return sum;
}

std::string Tiles::of_finding(const Recording& recording, const gpu::Finding& finding) {
  stop_.reset();
  written_tiles_.clear();
  return run::tile_of_finding(*kernel_, finding, recording.program(), recording.before());
}

}  // namespace warpwalk::debug
