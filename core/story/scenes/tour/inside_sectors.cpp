// Chapter 4 of the tour: what a warp reads travels in sectors.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/gpu/timing/coalescer.h"
#include "core/story/elements/moment.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/tour/inside.h"

namespace warpwalk::story {
namespace {

using Type = PlaneItem::Type;
using Align = PlaneItem::Align;

constexpr std::uint64_t bytes_per_sector = 32;
constexpr std::int64_t number_bytes = 4;

// What a warp asks for when it loads its part of b's first tile; without the kernel's threads, one row of 32 numbers.
struct WarpLoad32 {
  std::vector<ElementIndex> elements;  ///< of b, by lane
  std::vector<std::uint64_t> addresses;
  gpu::CoalescedAccess access;
};

WarpLoad32 loaded_by_warp(const Tour& s, std::int64_t stride) {
  WarpLoad32 load;
  const auto place = thread_place(s);
  gpu::LoggedAccess logged;
  logged.bytes = number_bytes;
  logged.mask = 0xffffffff;
  for (std::int64_t lane = 0; lane < ThreadPlace::lanes; ++lane) {
    const std::int64_t row = place ? place->row_of(lane) : 0, column = place ? place->column_of(lane) : lane;
    load.elements.push_back({row, tile_column(s) + column * stride});
    // PyTorch's tensors begin at multiples of 512 bytes.
    load.addresses.push_back(static_cast<std::uint64_t>(
        (load.elements.back().row * s.product.n + load.elements.back().column) * number_bytes));
    logged.at[static_cast<std::size_t>(lane)] = load.addresses.back();
  }
  load.access = gpu::coalesce(logged);
  return load;
}

constexpr std::int64_t tried_stride = 2;

// Whether a row of b is long enough for lanes that take every second number.
bool stride_fits(const Tour& s) {
  const auto place = thread_place(s);
  const std::int64_t columns = place ? place->columns : ThreadPlace::lanes;
  return tile_column(s) + (columns - 1) * tried_stride < s.product.n;
}

std::int64_t bytes_used() { return ThreadPlace::lanes * number_bytes; }

}  // namespace

std::optional<Ask> sectors_question(const Tour& s) {
  if (!stride_fits(s)) return {};
  const std::int64_t right = loaded_by_warp(s, tried_stride).access.sectors();
  Ask ask{.key = "sectors", .about = "sectors", .options = {}, .facts = {}};
  ask.options = number_options(s.input.narration, "sector", right, {2, 4, 8, 16, 32});
  return ask;
}

void sectors_values(const Tour& s, Narration::Values& values) {
  const std::int64_t sectors = loaded_by_warp(s, 1).access.sectors(),
                     strided = loaded_by_warp(s, tried_stride).access.sectors();
  values.insert_or_assign("warp", fmt::to_string(followed_warp(s)));
  values.insert_or_assign("sectors", fmt::to_string(sectors));
  values.insert_or_assign("strided_sectors", fmt::to_string(strided));
  values.insert_or_assign("strided_bytes", with_thousands(strided * static_cast<std::int64_t>(bytes_per_sector)));
}

PlanePicture sectors_plane(const Tour& s, double phase) {
  const InsideSm sm(s, s.sm);
  Plane plane(sm.camera());
  sm.draw(plane, s, false);
  const bool asked = open_question(s, sectors_question(s));
  const WarpLoad32 load = loaded_by_warp(s, 1);
  const std::int64_t own = followed_warp(s), followed = followed_lane(s);
  plane.text("sectors head", sm.at(24, 8, 700, 28), s.word("warp_loads", {{"n", fmt::to_string(own)}}), Type::heading);
  constexpr double left = 24, each = 37, lanes_y = 48, lane_high = 44, sectors_y = 150, sector_high = 52;
  plane.frame(fmt::format("warp {}", own), sm.at(left - 5, lanes_y - 5, each * ThreadPlace::lanes + 8, lane_high + 10),
              Tone::followed);
  const auto x = [&](std::int64_t lane) { return left + each * static_cast<double>(lane); };
  // Longer numbers have no room.
  constexpr std::size_t most_letters = 3;
  const bool values = std::ranges::all_of(
      load.elements, [&](const ElementIndex& at) { return s.element(1, at.row, at.column).size() <= most_letters; });
  // First the first eight lanes, then all.
  const auto comes = [&](std::int64_t lane) { return lane < 8 ? part(phase, 0, 0.25) : part(phase, 0.35, 0.55); };
  for (std::int64_t lane = 0; lane < ThreadPlace::lanes; ++lane) {
    const auto i = static_cast<std::size_t>(lane);
    PlaneItem& box = plane.box(fmt::format("lane {}", lane), sm.at(x(lane), lanes_y, each - 2, lane_high),
                               lane == followed ? Tone::followed : Tone::quiet, fmt::to_string(lane));
    box.tip = s.word("lane_address", {{"n", fmt::to_string(lane)},
                                      {"element", element_name('b', load.elements[i].row, load.elements[i].column)},
                                      {"bytes", with_thousands(static_cast<std::int64_t>(load.addresses[i]))}});
    plane
        .arrow(fmt::format("asks {}", lane), sm.at(x(lane) + each / 2 - 1, lanes_y + lane_high + 2, 0, 0).x,
               sm.y(lanes_y + lane_high + 8), sm.x(x(lane) + each / 2 - 1), sm.y(sectors_y - 4),
               lane == followed ? Tone::followed : Tone::memory)
        .shown = comes(lane);
    plane
        .box(fmt::format("element {}", lane), sm.at(x(lane), sectors_y, each - 2, sector_high), Tone::memory,
             values ? s.element(1, load.elements[i].row, load.elements[i].column) : std::string())
        .shown = comes(lane);
  }
  // The lanes of one sector stand beside one another.
  for (std::int64_t lane = 0; lane < ThreadPlace::lanes;) {
    std::int64_t end = lane + 1;
    const auto sector = [&](std::int64_t of) {
      return load.addresses[static_cast<std::size_t>(of)] / bytes_per_sector;
    };
    while (end < ThreadPlace::lanes && sector(end) == sector(lane)) ++end;
    const double wide = each * static_cast<double>(end - lane);
    const ElementIndex first = load.elements[static_cast<std::size_t>(lane)],
                       last = load.elements[static_cast<std::size_t>(end - 1)];
    plane
        .frame(fmt::format("sector {}", lane), sm.at(x(lane) - 2, sectors_y - 3, wide + 1, sector_high + 6),
               Tone::memory)
        .shown = comes(lane);
    if (wide > 120)
      plane
          .text(fmt::format("sector {} name", lane), sm.at(x(lane), sectors_y + sector_high + 6, wide - 4, 24),
                s.word("sector", {{"elements", fmt::format("b[{}, {}..{}]", first.row, first.column, last.column)}}),
                Type::label, Align::centre)
          .shown = comes(lane);
    lane = end;
  }
  const double all = part(phase, 0.5, 0.65), strided = asked ? 0 : part(phase, 0.75, 1);
  const auto count_line = [&](const char* id, double y, const WarpLoad32& of, double shown) {
    const std::int64_t sectors = of.access.sectors(), bytes = sectors * static_cast<std::int64_t>(bytes_per_sector);
    PlaneItem& item = plane.text(id, sm.at(left, y, 1184, 36),
                                 s.word("sectors_count", {{"sectors", count_text(s.input.narration, "sector", sectors)},
                                                          {"bytes", with_thousands(bytes)},
                                                          {"used", with_thousands(bytes_used())}}),
                                 Type::figure);
    item.shown = shown;
    item.tip = s.word("sectors_tip");
    item.origin = Origin::derived;
  };
  count_line("sectors count", 240, load, all);
  if (!stride_fits(s)) return plane.take();
  // A stride is tried.
  const WarpLoad32 tried = loaded_by_warp(s, tried_stride);
  plane.line("sectors rule", sm.x(left), sm.y(290), sm.x(1208), sm.y(290));
  plane.text("stride name", sm.at(left, 302, 1184, 28), s.word("stride_tried"), Type::heading).shown =
      asked ? 1 : part(phase, 0.65, 0.75);
  std::vector<Tone> tones;
  std::vector<std::uint64_t> sectors;
  for (const std::uint64_t address : tried.addresses)
    if (std::ranges::find(sectors, address / bytes_per_sector) == sectors.end())
      sectors.push_back(address / bytes_per_sector);
  for (std::size_t i = 0; i < sectors.size(); ++i) {
    std::vector<Tone> words;
    for (std::uint64_t word = 0; word < bytes_per_sector / static_cast<std::uint64_t>(number_bytes); ++word)
      words.push_back(std::ranges::find(tried.addresses, sectors[i] * bytes_per_sector +
                                                             word * static_cast<std::uint64_t>(number_bytes)) !=
                              tried.addresses.end()
                          ? Tone::memory
                          : Tone::quiet);
    const double wide = 1184.0 / static_cast<double>(sectors.size());
    const int across = static_cast<int>(words.size());
    plane
        .cells(fmt::format("strided {}", i), sm.at(left + wide * static_cast<double>(i), 342, wide - 8, 52), across,
               std::move(words))
        .shown = strided;
    plane
        .frame(fmt::format("strided {} frame", i), sm.at(left + wide * static_cast<double>(i) - 3, 339, wide - 3, 58),
               Tone::memory)
        .shown = strided;
  }
  count_line("strided count", 410, tried, strided);
  plane.text("strided note", sm.at(left, 454, 1184, 40), s.word("strided_note"), Type::body).shown = strided;
  return plane.take();
}

}  // namespace warpwalk::story
