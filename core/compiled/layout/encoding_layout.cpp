#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/compiled/layout/encoding.h"

namespace warpwalk::compiled {
namespace {

using Coordinates = std::vector<std::int64_t>;
using Order = std::vector<std::size_t>;
using Input = LinearLayout::Input;

constexpr std::int64_t max_layout_dim = std::int64_t{1} << 31;
constexpr std::int64_t max_list_size = 1 << 16;  // registers, lanes or warps along a dimension
constexpr std::int64_t max_cluster_size = 1 << 8;
constexpr std::size_t max_layout_rank = 8, max_layout_bits = 40;

/// In a shape: as large as the layout itself.
constexpr std::int64_t natural_size = 0;

bool is_power_of_two(std::int64_t value) {
  return value > 0 && value <= max_layout_dim && std::has_single_bit(static_cast<std::uint64_t>(value));
}

/// A layout under construction, as bases with coordinates.
struct Tile {
  std::size_t rank = 0;
  Coordinates size;  ///< of what it covers so far
  std::array<std::vector<Coordinates>, LinearLayout::input_count> bases;

  explicit Tile(std::size_t dims) : rank(dims), size(dims, 1) {}

  /// The next `count` places along an input take the next elements of a dimension.
  void along(std::size_t dim, std::int64_t count, Input input) {
    for (std::int64_t step = 1; step < count; step *= 2) {
      bases[input].emplace_back(rank, 0)[dim] = size[dim];
      size[dim] *= 2;
    }
  }
  /// The next `count` places along an input hold copies.
  void copies(std::int64_t count, Input input) {
    for (std::int64_t step = 1; step < count; step *= 2) bases[input].emplace_back(rank, 0);
  }
  void extend(const Coordinates& to, const Order& order) {
    for (const std::size_t dim : order)
      if (to[dim] != natural_size) along(dim, std::max<std::int64_t>(1, to[dim] / size[dim]), Input::registers);
  }
  std::size_t bits() const {
    return std::accumulate(bases.begin(), bases.end(), std::size_t{0},
                           [](std::size_t sum, const auto& of_input) { return sum + of_input.size(); });
  }
};

/// What an attribute says of the blocks of a cluster: bases of the block's number, in blocks.
struct ClusterTile {
  std::vector<Coordinates> bases;
  Coordinates size;
};

Order order_of(std::span<const std::int64_t> list) { return {list.begin(), list.end()}; }

/// The last dimension first.
Order row_major(std::size_t rank) {
  Order order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  return order;
}

class LayoutBuilder {
 public:
  base::Result<LinearLayout> build(const Encoding& encoding, Coordinates shape) {
    if (shape.empty() || shape.size() > max_layout_rank)
      return base::Error{fmt::format("a tensor has 1 to {} dimensions", max_layout_rank)};
    if (encoding.is_shared()) shape = one_buffer(encoding, std::move(shape));
    for (const std::int64_t dim : shape)
      if (!is_power_of_two(dim))
        return base::Error{fmt::format("the shape {} has a size that is not a power of two", fmt::join(shape, "x"))};
    int bits = 0;
    for (const std::int64_t dim : shape) bits += std::countr_zero(static_cast<std::uint64_t>(dim));
    if (bits > static_cast<int>(max_layout_bits)) return base::Error{"the tensor is too large"};
    const auto tile = tile_of(encoding, shape);
    if (!tile) return base::Error{error_};
    if (tile->bits() > max_layout_bits) return base::Error{"the layout is too large"};
    LinearLayout layout;
    layout.shared = encoding.is_shared();
    layout.shape = std::move(shape);
    for (std::size_t input = 0; input < LinearLayout::input_count; ++input)
      for (const Coordinates& basis : tile->bases[input]) layout.bases[input].push_back(layout.element_at(basis));
    return layout;
  }

 private:
  std::nullopt_t fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
    return std::nullopt;
  }

  /// A list of powers of two, one per dimension.
  const Coordinates* sizes(const Encoding& encoding, std::string_view key, std::size_t rank,
                           std::int64_t largest = max_list_size) {
    const auto at = encoding.lists.find(key);
    const bool fits =
        at != encoding.lists.end() && at->second.size() == rank &&
        std::ranges::all_of(at->second, [&](std::int64_t size) { return is_power_of_two(size) && size <= largest; });
    if (!fits) fail(fmt::format("{}: {} is not {} powers of two", encoding.name, key, rank));
    return fits ? &at->second : nullptr;
  }

  std::optional<Order> order(const Encoding& encoding, std::string_view key, std::size_t rank) {
    const auto at = encoding.lists.find(key);
    Coordinates sorted = at == encoding.lists.end() ? Coordinates{} : at->second;
    std::ranges::sort(sorted);
    Coordinates all(rank);
    std::iota(all.begin(), all.end(), 0);
    if (sorted != all) return fail(fmt::format("{}: {} is not an order of {} dimensions", encoding.name, key, rank));
    return order_of(at->second);
  }

  /// The shape without the dimensions that number buffers.
  static Coordinates one_buffer(const Encoding& encoding, Coordinates shape) {
    std::size_t rank = 2;
    if (const auto at = encoding.lists.find("order"); at != encoding.lists.end()) rank = at->second.size();
    for (const char* const key : {"offset", "CGALayout"})
      if (const auto at = encoding.list_of_lists.find(key); at != encoding.list_of_lists.end() && !at->second.empty())
        rank = at->second.front().size();
    if (rank > 0 && rank < shape.size()) shape.erase(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(rank));
    return shape;
  }

  std::optional<ClusterTile> cluster(const Encoding& encoding, std::size_t rank) {
    ClusterTile tile{{}, Coordinates(rank, 1)};
    if (const auto at = encoding.list_of_lists.find("CGALayout"); at != encoding.list_of_lists.end()) {
      if (at->second.size() > 8) return fail("a cluster has too many blocks");
      for (const Coordinates& basis : at->second) {
        if (basis.size() != rank || std::ranges::any_of(basis, [](auto c) { return c < 0 || c > max_cluster_size; }))
          return fail(fmt::format("{}: CGALayout does not fit {} dimensions", encoding.name, rank));
        tile.bases.push_back(basis);
        for (std::size_t dim = 0; dim < rank; ++dim)
          while (tile.size[dim] <= basis[dim]) tile.size[dim] *= 2;
      }
      return tile;
    }
    if (!encoding.lists.contains("CTAsPerCGA")) return tile;
    const Coordinates *const ctas = sizes(encoding, "CTAsPerCGA", rank, max_cluster_size), *const split = sizes(
                                                                                               encoding, "CTASplitNum",
                                                                                               rank, max_cluster_size);
    const auto by = order(encoding, "CTAOrder", rank);
    if (ctas == nullptr || split == nullptr || !by) return std::nullopt;
    for (const std::size_t dim : *by) {
      for (std::int64_t step = 1; step < (*split)[dim]; step *= 2) {
        tile.bases.emplace_back(rank, 0)[dim] = tile.size[dim];
        tile.size[dim] *= 2;
      }
      for (std::int64_t step = (*split)[dim]; step < (*ctas)[dim]; step *= 2) tile.bases.emplace_back(rank, 0);
    }
    return tile;
  }

  /// The shape that one block of a cluster holds.
  static Coordinates block_shape(const ClusterTile& blocks, const Coordinates& shape) {
    Coordinates own = shape;
    for (std::size_t dim = 0; dim < own.size(); ++dim)
      if (shape[dim] != natural_size) own[dim] = std::max<std::int64_t>(1, shape[dim] / blocks.size[dim]);
    return own;
  }

  /// Repeats a tile in more registers, or cuts it, so that it has the shape; then spreads it over the cluster.
  static void fit(Tile& tile, const ClusterTile& blocks, const Coordinates& shape, const Order& repeat) {
    const Coordinates own = block_shape(blocks, shape);
    tile.extend(own, repeat);
    for (std::size_t dim = 0; dim < tile.rank; ++dim) {
      if (own[dim] == natural_size) continue;
      for (auto& of_input : tile.bases)
        for (Coordinates& basis : of_input)
          if (basis[dim] >= own[dim]) basis[dim] = 0;
      tile.size[dim] = own[dim];
    }
    for (Coordinates basis : blocks.bases) {
      for (std::size_t dim = 0; dim < tile.rank; ++dim) {
        basis[dim] *= tile.size[dim];
        if (shape[dim] != natural_size && basis[dim] >= shape[dim]) basis[dim] = 0;
      }
      tile.bases[Input::blocks].push_back(std::move(basis));
    }
    for (std::size_t dim = 0; dim < tile.rank; ++dim)
      tile.size[dim] = shape[dim] == natural_size ? tile.size[dim] * blocks.size[dim] : shape[dim];
  }

  std::optional<Tile> tile_of(const Encoding& encoding, const Coordinates& shape) {
    if (encoding.name == "blocked") return blocked(encoding, shape);
    if (encoding.name == "linear") return linear(encoding, shape, {"register", "lane", "warp", "block"});
    if (encoding.name == "shared_linear") return linear(encoding, shape, {"offset", "", "", "block"});
    if (encoding.name == "slice") return slice(encoding, shape);
    if (encoding.name == "nvidia_mma" || encoding.name == "mma") return mma(encoding, shape);
    if (encoding.name == "dot_op") return dot_operand(encoding, shape);
    if (encoding.name == "swizzled_shared") return swizzled(encoding, shape);
    if (encoding.name == "nvmma_shared")
      return matrix_shared(encoding, shape, encoding.number("swizzlingByteWidth"), encoding.number("elementBitWidth"),
                           encoding.number("transposed") != 0);
    if (encoding.name == "shared") {
      if (encoding.number("hasLeadingOffset") == 0) return swizzled(encoding, shape);
      const std::int64_t vec = encoding.number("vec"), per_phase = encoding.number("perPhase");
      const auto at = encoding.lists.find("order");
      if (!is_power_of_two(vec) || vec > 16 || !is_power_of_two(per_phase) || at == encoding.lists.end())
        return fail("shared: vec, perPhase and order are needed");
      return matrix_shared(encoding, shape, 128 / per_phase, 128 / vec, !at->second.empty() && at->second.front() == 0);
    }
    return fail(fmt::format("the layout {} is not known", encoding.name.substr(0, 60)));
  }

  std::optional<Tile> blocked(const Encoding& encoding, const Coordinates& shape) {
    const std::size_t rank = shape.size();
    const Coordinates *const registers = sizes(encoding, "sizePerThread", rank),
                             *const lanes = sizes(encoding, "threadsPerWarp", rank),
                             *const warps = sizes(encoding, "warpsPerCTA", rank);
    const auto by = order(encoding, "order", rank);
    const auto blocks = cluster(encoding, rank);
    if (registers == nullptr || lanes == nullptr || warps == nullptr || !by || !blocks) return std::nullopt;
    Tile tile(rank);
    for (const std::size_t dim : *by) tile.along(dim, (*registers)[dim], Input::registers);
    for (const std::size_t dim : *by) tile.along(dim, (*lanes)[dim], Input::lanes);
    for (const std::size_t dim : *by) tile.along(dim, (*warps)[dim], Input::warps);
    if (tile.bits() > max_layout_bits) return fail("the layout is too large");
    fit(tile, *blocks, shape, *by);
    return tile;
  }

  std::optional<Tile> linear(const Encoding& encoding, const Coordinates& shape,
                             const std::array<std::string_view, LinearLayout::input_count>& names) {
    const std::size_t rank = shape.size();
    Tile tile(rank);
    Order repeat;
    for (std::size_t input = 0; input < names.size(); ++input) {
      const auto at = encoding.list_of_lists.find(names[input]);
      if (names[input].empty() || at == encoding.list_of_lists.end()) continue;
      for (const Coordinates& basis : at->second) {
        if (basis.size() != rank || std::ranges::any_of(basis, [](auto c) { return c < 0 || c >= max_layout_dim; }))
          return fail(fmt::format("{}: {} does not fit {} dimensions", encoding.name, names[input], rank));
        tile.bases[input].push_back(basis);
        for (std::size_t dim = 0; dim < rank; ++dim) {
          while (tile.size[dim] <= basis[dim]) tile.size[dim] *= 2;
          if (basis[dim] != 0 && std::ranges::find(repeat, dim) == repeat.end()) repeat.push_back(dim);
        }
      }
    }
    for (const std::size_t dim : row_major(rank))
      if (std::ranges::find(repeat, dim) == repeat.end()) repeat.push_back(dim);
    fit(tile, {{}, Coordinates(rank, 1)}, shape, repeat);
    return tile;
  }

  /// A dimension of the parent is left out. Registers that differ only there are left out, too.
  std::optional<Tile> slice(const Encoding& encoding, const Coordinates& shape) {
    const std::int64_t dim = encoding.number("dim", -1);
    if (!encoding.parent || dim < 0 || static_cast<std::size_t>(dim) > shape.size() || shape.size() >= max_layout_rank)
      return fail("slice: it needs a parent and a dimension of it");
    Coordinates parent_shape = shape;
    parent_shape.insert(parent_shape.begin() + dim, natural_size);
    auto parent = tile_of(*encoding.parent, parent_shape);
    if (!parent) return std::nullopt;
    Tile tile(shape.size());
    for (std::size_t input = 0; input < LinearLayout::input_count; ++input)
      for (Coordinates basis : parent->bases[input]) {
        const bool differs_there = basis[static_cast<std::size_t>(dim)] != 0;
        basis.erase(basis.begin() + dim);
        const bool differs_here = std::ranges::any_of(basis, [](std::int64_t c) { return c != 0; });
        if (input != Input::registers || !differs_there || differs_here) tile.bases[input].push_back(std::move(basis));
      }
    tile.size = shape;
    for (std::size_t i = 0; i < shape.size(); ++i)
      if (shape[i] == natural_size) tile.size[i] = parent->size[i < static_cast<std::size_t>(dim) ? i : i + 1];
    return tile;
  }

  /// The part of a fragment of mma or wgmma that repeats: a lane holds `width` adjacent elements along `inner`, four
  /// lanes follow one another there, eight along `outer`.
  static void fragment(Tile& tile, std::size_t inner, std::int64_t inner_size, std::size_t outer,
                       std::int64_t outer_size, std::int64_t width) {
    tile.along(inner, width, Input::registers);
    tile.along(inner, 4, Input::lanes);
    tile.along(outer, 8, Input::lanes);
    tile.along(outer, outer_size / 8, Input::registers);
    tile.along(inner, inner_size / (4 * width), Input::registers);
  }

  /// Of wgmma (3), warps follow one another along M first, of mma (2) along N.
  static Order warp_order(std::int64_t version, std::size_t rank) {
    Order by = row_major(rank);
    if (version == 3 && rank >= 2) std::swap(by[0], by[1]);
    return by;
  }

  bool check_mma(const Encoding& encoding, std::size_t rank) {
    const std::int64_t version = encoding.number("versionMajor");
    if (version != 2 && version != 3) fail(fmt::format("mma: version {} is not known", version));
    if (rank < 2) fail("mma: a tensor has two dimensions at least");
    return error_.empty();
  }

  std::optional<Tile> mma(const Encoding& encoding, const Coordinates& shape) {
    const std::size_t rank = shape.size();
    if (!check_mma(encoding, rank)) return std::nullopt;
    const std::int64_t version = encoding.number("versionMajor");
    const Coordinates* const warps = sizes(encoding, "warpsPerCTA", rank);
    const auto blocks = cluster(encoding, rank);
    const auto at = encoding.lists.find("instrShape");
    if (warps == nullptr || !blocks) return std::nullopt;
    // Version 2: [16, 8], with leading 1s for batches; version 3: [16, N, K].
    if (at == encoding.lists.end() || at->second.size() < 2) return fail("mma: instrShape is needed");
    const Coordinates& instruction = at->second;
    const std::size_t last = version == 3 ? 1 : instruction.size() - 1;
    std::int64_t m = instruction[last - 1], n = instruction[last];
    if (version == 3) n = n > 0 ? n & -n : n;  // N of wgmma is a multiple of 8; the tensor's size, a power of two
    if (!is_power_of_two(m) || m < 8 || m > 64 || !is_power_of_two(n) || n < 8 || n > 256)
      return fail("mma: instrShape is not known");
    Tile tile(rank);
    fragment(tile, rank - 1, n, rank - 2, m, 2);
    for (const std::size_t dim : warp_order(version, rank)) tile.along(dim, (*warps)[dim], Input::warps);
    if (tile.bits() > max_layout_bits) return fail("the layout is too large");
    fit(tile, *blocks, shape, row_major(rank));
    return tile;
  }

  std::optional<Tile> dot_operand(const Encoding& encoding, const Coordinates& shape) {
    const std::size_t rank = shape.size();
    const std::int64_t operand = encoding.number("opIdx", -1);
    if (!encoding.parent || operand < 0 || operand > 1 || rank < 2)
      return fail("dot_op: it needs opIdx, 0 or 1, a parent and two dimensions");
    const std::size_t k = operand == 0 ? rank - 1 : rank - 2, other = operand == 0 ? rank - 2 : rank - 1;
    const Encoding& parent = *encoding.parent;
    if (parent.name == "blocked") return dot_operand_of_blocked(parent, shape, k);
    if (parent.name != "nvidia_mma" && parent.name != "mma")
      return fail(fmt::format("dot_op: the parent {} is not known", parent.name.substr(0, 60)));
    if (!check_mma(parent, rank)) return std::nullopt;
    const std::int64_t width = encoding.number("kWidth"), version = parent.number("versionMajor");
    const Coordinates* const warps = sizes(parent, "warpsPerCTA", rank);
    auto blocks = cluster(parent, rank);
    if (warps == nullptr || !blocks) return std::nullopt;
    if (!is_power_of_two(width) || width > 32) return fail("dot_op: kWidth is not known");
    Tile tile(rank);
    fragment(tile, k, 8 * width, other, operand == 0 ? 16 : 8, width);
    spread_warps(tile, *warps, warp_order(version, rank), k);
    Order repeat = row_major(rank);
    repeat[0] = k, repeat[1] = other;
    if (tile.bits() > max_layout_bits) return fail("the layout is too large");
    fit(tile, without(*blocks, k), shape, repeat);
    return tile;
  }

  /// All elements along K are in each thread.
  std::optional<Tile> dot_operand_of_blocked(const Encoding& parent, const Coordinates& shape, std::size_t k) {
    const std::size_t rank = shape.size();
    const Coordinates *const registers = sizes(parent, "sizePerThread", rank),
                             *const lanes = sizes(parent, "threadsPerWarp", rank),
                             *const warps = sizes(parent, "warpsPerCTA", rank);
    const auto by = order(parent, "order", rank);
    const auto blocks = cluster(parent, rank);
    if (registers == nullptr || lanes == nullptr || warps == nullptr || !by || !blocks) return std::nullopt;
    Tile tile(rank);
    for (const std::size_t dim : *by)
      tile.along(dim, dim == k ? std::max<std::int64_t>(1, shape[dim]) : (*registers)[dim], Input::registers);
    for (const std::size_t dim : *by)
      dim == k ? tile.copies((*lanes)[dim], Input::lanes) : tile.along(dim, (*lanes)[dim], Input::lanes);
    spread_warps(tile, *warps, *by, k);
    if (tile.bits() > max_layout_bits) return fail("the layout is too large");
    fit(tile, without(*blocks, k), shape, *by);
    return tile;
  }

  /// Warps that differ along K hold the same elements of an operand.
  static void spread_warps(Tile& tile, const Coordinates& warps, const Order& by, std::size_t k) {
    for (const std::size_t dim : by)
      dim == k ? tile.copies(warps[dim], Input::warps) : tile.along(dim, warps[dim], Input::warps);
  }

  /// Likewise, blocks that differ along K.
  static ClusterTile without(ClusterTile blocks, std::size_t k) {
    for (Coordinates& basis : blocks.bases) basis[k] = 0;
    blocks.size[k] = 1;
    return blocks;
  }

  /// Elements in the order of the dimensions; in each row, groups of `vec` elements are exchanged: their number is
  /// XORed with the row's phase.
  std::optional<Tile> swizzled(const Encoding& encoding, const Coordinates& shape) {
    const std::size_t rank = shape.size();
    const auto by = order(encoding, "order", rank);
    const auto blocks = cluster(encoding, rank);
    if (!by || !blocks) return std::nullopt;
    const std::int64_t vec = encoding.number("vec"), per_phase = encoding.number("perPhase"),
                       max_phase = encoding.number("maxPhase");
    if (!is_power_of_two(vec) || !is_power_of_two(per_phase) || !is_power_of_two(max_phase) || vec > 1 << 16 ||
        max_phase > 1 << 12)
      return fail("swizzled_shared: vec, perPhase and maxPhase are powers of two");
    const Coordinates own = block_shape(*blocks, shape);
    Tile tile(rank);
    for (std::size_t i = 0; i < rank; ++i) {
      const std::size_t first = tile.bases[Input::registers].size(), dim = (*by)[i];
      tile.along(dim, own[dim], Input::registers);
      if (i != 1) continue;
      const std::size_t column = (*by)[0];
      for (std::size_t bit = first; bit < tile.bases[Input::registers].size(); ++bit) {
        Coordinates& basis = tile.bases[Input::registers][bit];
        basis[column] = vec * (basis[dim] / per_phase % max_phase) % own[column];
      }
    }
    fit(tile, *blocks, shape, *by);
    return tile;
  }

  /// The layouts that TMA writes and wgmma reads: tiles of 8 rows of `width` bytes, in which groups of 16 bytes are
  /// exchanged; width 0: not exchanged, row by row.
  std::optional<Tile> matrix_shared(const Encoding& encoding, const Coordinates& shape, std::int64_t width,
                                    std::int64_t bits, bool transposed) {
    const std::size_t rank = shape.size();
    const auto blocks = cluster(encoding, rank);
    if (!blocks) return std::nullopt;
    if (encoding.number("fp4Padded") != 0) return fail("nvmma_shared: padded elements of 4 bits are not known");
    if ((width != 0 && width != 32 && width != 64 && width != 128) || (bits != 8 && bits != 16 && bits != 32))
      return fail("nvmma_shared: swizzlingByteWidth or elementBitWidth is not known");
    const Coordinates own = block_shape(*blocks, shape);
    // TMA copies boxes of at most 256 elements along a dimension, and of `width` bytes along the adjacent one.
    Order by = row_major(rank);
    if (transposed) std::rotate(by.begin(), by.end() - 1, by.end());
    const std::size_t column = by[0];
    Coordinates box = own;
    for (std::int64_t& size : box) size = std::min<std::int64_t>(size, 256);
    Tile tile(rank);
    if (width == 0) {
      for (const std::size_t dim : row_major(rank)) tile.along(dim, box[dim], Input::registers);
    } else {
      if (rank < 2) return fail("nvmma_shared: a swizzle needs two dimensions");
      const std::int64_t columns = 8 * width / bits, vec = 128 / bits, per_phase = 128 / width, phases = width / 16;
      std::int64_t rows = 1;
      for (std::size_t i = 1; i < rank; ++i) rows *= box[by[i]];
      if (own[column] < columns || rows < 8)
        return fail(fmt::format("nvmma_shared: a swizzle of {} bytes needs 8 rows of {} elements", width, columns));
      box[column] = columns;
      tile.along(column, columns, Input::registers);
      std::int64_t row = 1;
      for (std::size_t i = 1; i < rank; ++i) {
        const std::size_t first = tile.bases[Input::registers].size();
        tile.along(by[i], box[by[i]], Input::registers);
        for (std::size_t bit = first; bit < tile.bases[Input::registers].size(); ++bit, row *= 2)
          if (row < 8) tile.bases[Input::registers][bit][column] = vec * (row / per_phase % phases);
      }
    }
    Order repeat(rank);
    std::iota(repeat.begin(), repeat.end(), std::size_t{0});
    fit(tile, *blocks, shape, repeat);
    return tile;
  }

  std::string error_;
};

}  // namespace

base::Result<LinearLayout> layout_of(const Encoding& encoding, const std::vector<std::int64_t>& shape) {
  return LayoutBuilder().build(encoding, shape);
}

}  // namespace warpwalk::compiled
