#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "core/ptx/lookup.h"

namespace warpwalk::ptx {
namespace {

constexpr Suffix modifier(Modifier value, std::string_view text) {
  return {Field::modifier, static_cast<std::uint8_t>(value), text};
}
constexpr Suffix compare(Compare value, std::string_view text) {
  return {Field::compare, static_cast<std::uint8_t>(value), text};
}
constexpr Suffix action(Action value, std::string_view text) {
  return {Field::action, static_cast<std::uint8_t>(value), text};
}
constexpr Suffix rounding(Rounding value, std::string_view text) {
  return {Field::rounding, static_cast<std::uint8_t>(value), text};
}
constexpr Suffix space(Space value, std::string_view text) {
  return {Field::space, static_cast<std::uint8_t>(value), text};
}

/// If a modifier has several texts, the first is its name.
constexpr std::array suffixes{
    modifier(Modifier::ftz, "ftz"),
    modifier(Modifier::sat, "sat"),
    modifier(Modifier::satfinite, "satfinite"),
    modifier(Modifier::relu, "relu"),
    modifier(Modifier::approx, "approx"),
    modifier(Modifier::full, "full"),
    modifier(Modifier::wide, "wide"),
    modifier(Modifier::hi, "hi"),
    modifier(Modifier::lo, "lo"),
    modifier(Modifier::cc, "cc"),
    modifier(Modifier::nan, "NaN"),
    modifier(Modifier::xorsign, "xorsign"),
    modifier(Modifier::abs, "abs"),
    modifier(Modifier::noftz, "noftz"),
    modifier(Modifier::oob, "oob"),
    modifier(Modifier::shiftamt, "shiftamt"),
    modifier(Modifier::clamp, "clamp"),
    modifier(Modifier::wrap, "wrap"),
    modifier(Modifier::po, "po"),
    modifier(Modifier::shr7, "shr7"),
    modifier(Modifier::shr15, "shr15"),
    modifier(Modifier::l, "l"),
    modifier(Modifier::r, "r"),
    modifier(Modifier::to, "to"),
    modifier(Modifier::uni, "uni"),
    modifier(Modifier::sync, "sync"),
    modifier(Modifier::aligned, "aligned"),
    modifier(Modifier::arrive, "arrive"),
    modifier(Modifier::wait, "wait"),
    modifier(Modifier::red, "red"),
    modifier(Modifier::noinc, "noinc"),
    modifier(Modifier::complete_tx, "mbarrier::complete_tx::bytes"),
    modifier(Modifier::mask, "mask"),
    modifier(Modifier::no_complete, "noComplete"),
    modifier(Modifier::expect_tx, "expect_tx"),
    modifier(Modifier::parity, "parity"),
    modifier(Modifier::launch_dependents, "launch_dependents"),
    modifier(Modifier::read, "read"),
    modifier(Modifier::bulk_group, "bulk_group"),
    modifier(Modifier::multicast, "multicast::cluster"),
    modifier(Modifier::tile, "tile"),
    modifier(Modifier::im2col, "im2col"),
    modifier(Modifier::im2col_no_offs, "im2col_no_offs"),
    modifier(Modifier::tensormap, "tensormap"),
    modifier(Modifier::global_address, "global_address"),
    modifier(Modifier::map_rank, "rank"),
    modifier(Modifier::box_dim, "box_dim"),
    modifier(Modifier::global_dim, "global_dim"),
    modifier(Modifier::global_stride, "global_stride"),
    modifier(Modifier::element_stride, "element_stride"),
    modifier(Modifier::elemtype, "elemtype"),
    modifier(Modifier::interleave_layout, "interleave_layout"),
    modifier(Modifier::swizzle_mode, "swizzle_mode"),
    modifier(Modifier::fill_mode, "fill_mode"),
    modifier(Modifier::b1024, "b1024"),
    modifier(Modifier::cta, "cta"),
    modifier(Modifier::cluster, "cluster"),
    modifier(Modifier::gpu, "gpu"),
    modifier(Modifier::gpu, "gl"),
    modifier(Modifier::sys, "sys"),
    modifier(Modifier::weak, "weak"),
    modifier(Modifier::volatile_, "volatile"),
    modifier(Modifier::mmio, "mmio"),
    modifier(Modifier::relaxed, "relaxed"),
    modifier(Modifier::acquire, "acquire"),
    modifier(Modifier::release, "release"),
    modifier(Modifier::acq_rel, "acq_rel"),
    modifier(Modifier::sc, "sc"),
    modifier(Modifier::mbarrier_init, "mbarrier_init"),
    modifier(Modifier::proxy, "proxy"),
    modifier(Modifier::alias, "alias"),
    modifier(Modifier::async_, "async"),
    modifier(Modifier::async_, "async::generic"),
    modifier(Modifier::tensormap_generic, "tensormap::generic"),
    modifier(Modifier::sync_restrict, "sync_restrict::shared::cluster"),
    modifier(Modifier::sync_restrict, "sync_restrict::shared::cta"),
    modifier(Modifier::shared_cluster, "shared::cluster"),
    modifier(Modifier::shared_cta, "shared::cta"),
    modifier(Modifier::entry, "param::entry"),
    modifier(Modifier::global, "global"),
    modifier(Modifier::nc, "nc"),
    modifier(Modifier::ca, "ca"),
    modifier(Modifier::cg, "cg"),
    modifier(Modifier::cs, "cs"),
    modifier(Modifier::cv, "cv"),
    modifier(Modifier::lu, "lu"),
    modifier(Modifier::wb, "wb"),
    modifier(Modifier::wt, "wt"),
    modifier(Modifier::l1_hint, "L1::evict_normal"),
    modifier(Modifier::l1_hint, "L1::evict_unchanged"),
    modifier(Modifier::l1_hint, "L1::evict_first"),
    modifier(Modifier::l1_hint, "L1::evict_last"),
    modifier(Modifier::l1_hint, "L1::no_allocate"),
    modifier(Modifier::l2_hint, "L2::evict_normal"),
    modifier(Modifier::l2_hint, "L2::evict_unchanged"),
    modifier(Modifier::l2_hint, "L2::evict_first"),
    modifier(Modifier::l2_hint, "L2::evict_last"),
    modifier(Modifier::l2_prefetch, "L2::64B"),
    modifier(Modifier::l2_prefetch, "L2::128B"),
    modifier(Modifier::l2_prefetch, "L2::256B"),
    modifier(Modifier::cache_hint, "L2::cache_hint"),
    modifier(Modifier::prefetch_l1, "L1"),
    modifier(Modifier::prefetch_l2, "L2"),
    modifier(Modifier::fractional, "fractional"),
    modifier(Modifier::cvt, "cvt"),
    modifier(Modifier::range, "range"),
    modifier(Modifier::row, "row"),
    modifier(Modifier::col, "col"),
    modifier(Modifier::trans, "trans"),
    modifier(Modifier::x1, "x1"),
    modifier(Modifier::x2, "x2"),
    modifier(Modifier::x4, "x4"),
    modifier(Modifier::m8n8, "m8n8"),
    modifier(Modifier::m8n8k4, "m8n8k4"),
    modifier(Modifier::m8n8k16, "m8n8k16"),
    modifier(Modifier::m16n8k4, "m16n8k4"),
    modifier(Modifier::m16n8k8, "m16n8k8"),
    modifier(Modifier::m16n8k16, "m16n8k16"),
    modifier(Modifier::m16n8k32, "m16n8k32"),
    modifier(Modifier::bit_count, "popc"),
    modifier(Modifier::m8n8k32, "m8n8k32"),
    modifier(Modifier::m16n8k64, "m16n8k64"),
    modifier(Modifier::m8n8k128, "m8n8k128"),
    modifier(Modifier::m16n8k128, "m16n8k128"),
    modifier(Modifier::m16n8k256, "m16n8k256"),
    modifier(Modifier::m16n16k16, "m16n16k16"),
    modifier(Modifier::m16n16k8, "m16n16k8"),
    modifier(Modifier::m8n32k16, "m8n32k16"),
    modifier(Modifier::m32n8k16, "m32n8k16"),
    modifier(Modifier::line, "1d"),
    modifier(Modifier::plane, "2d"),
    modifier(Modifier::volume, "3d"),
    modifier(Modifier::n4d, "4d"),
    modifier(Modifier::n5d, "5d"),
    modifier(Modifier::line_array, "a1d"),
    modifier(Modifier::plane_array, "a2d"),
    modifier(Modifier::cube, "cube"),
    modifier(Modifier::cube_array, "acube"),
    modifier(Modifier::base, "base"),
    modifier(Modifier::level, "level"),
    modifier(Modifier::grad, "grad"),
    modifier(Modifier::green, "g"),
    modifier(Modifier::blue, "b"),
    modifier(Modifier::alpha, "a"),
    modifier(Modifier::trap, "trap"),
    modifier(Modifier::zero, "zero"),
    modifier(Modifier::width, "width"),
    modifier(Modifier::height, "height"),
    modifier(Modifier::depth, "depth"),
    modifier(Modifier::channel_data_type, "channel_data_type"),
    modifier(Modifier::channel_order, "channel_order"),
    modifier(Modifier::normalized_coords, "normalized_coords"),
    modifier(Modifier::array_size, "array_size"),
    modifier(Modifier::num_mipmap_levels, "num_mipmap_levels"),
    modifier(Modifier::num_samples, "num_samples"),

    compare(Compare::eq, "eq"),
    compare(Compare::ne, "ne"),
    compare(Compare::lt, "lt"),
    compare(Compare::le, "le"),
    compare(Compare::gt, "gt"),
    compare(Compare::ge, "ge"),
    compare(Compare::lo, "lo"),
    compare(Compare::ls, "ls"),
    compare(Compare::hi, "hi"),
    compare(Compare::hs, "hs"),
    compare(Compare::equ, "equ"),
    compare(Compare::neu, "neu"),
    compare(Compare::ltu, "ltu"),
    compare(Compare::leu, "leu"),
    compare(Compare::gtu, "gtu"),
    compare(Compare::geu, "geu"),
    compare(Compare::num, "num"),
    compare(Compare::nan, "nan"),

    action(Action::and_, "and"),
    action(Action::or_, "or"),
    action(Action::xor_, "xor"),
    action(Action::cas, "cas"),
    action(Action::exch, "exch"),
    action(Action::add, "add"),
    action(Action::inc, "inc"),
    action(Action::dec, "dec"),
    action(Action::min, "min"),
    action(Action::max, "max"),
    action(Action::popc, "popc"),
    action(Action::all, "all"),
    action(Action::any, "any"),
    action(Action::uni, "uni"),
    action(Action::ballot, "ballot"),
    action(Action::up, "up"),
    action(Action::down, "down"),
    action(Action::bfly, "bfly"),
    action(Action::idx, "idx"),
    action(Action::f4e, "f4e"),
    action(Action::b4e, "b4e"),
    action(Action::rc8, "rc8"),
    action(Action::ecl, "ecl"),
    action(Action::ecr, "ecr"),
    action(Action::rc16, "rc16"),
    action(Action::finite, "finite"),
    action(Action::infinite, "infinite"),
    action(Action::number, "number"),
    action(Action::notanumber, "notanumber"),
    action(Action::normal, "normal"),
    action(Action::subnormal, "subnormal"),

    rounding(Rounding::rn, "rn"),
    rounding(Rounding::rz, "rz"),
    rounding(Rounding::rm, "rm"),
    rounding(Rounding::rp, "rp"),
    rounding(Rounding::rna, "rna"),
    rounding(Rounding::rni, "rni"),
    rounding(Rounding::rzi, "rzi"),
    rounding(Rounding::rmi, "rmi"),
    rounding(Rounding::rpi, "rpi"),

    space(Space::param, "param"),
    space(Space::param, "param::func"),
    space(Space::param, "param::entry"),
    space(Space::constant, "const"),
    space(Space::global, "global"),
    space(Space::shared, "shared"),
    space(Space::shared, "shared::cta"),
    space(Space::shared, "shared::cluster"),
    space(Space::local, "local"),

    Suffix{Field::a_layout, static_cast<std::uint8_t>(Modifier::row), "row"},
    Suffix{Field::a_layout, static_cast<std::uint8_t>(Modifier::a_col), "col"},
    Suffix{Field::b_layout, static_cast<std::uint8_t>(Modifier::b_row), "row"},
    Suffix{Field::b_layout, static_cast<std::uint8_t>(Modifier::col), "col"},

    Suffix{Field::vector, 2, "v2"},
    Suffix{Field::vector, 4, "v4"},
};

/// The shapes of wgmma.mma_async, .m64n8k8 to .m64n256k32.
class GroupShapes {
 public:
  GroupShapes() {
    for (const int k : {8, 16, 32})
      for (int n = 8; n <= 256; n += 8) names_.push_back(fmt::format("m64n{}k{}", n, k));
    for (std::size_t i = 0; i < names_.size(); ++i)
      suffixes_.push_back({Field::columns, static_cast<std::uint8_t>(i % 32 + 1), names_[i]});
  }
  const std::vector<Suffix>& suffixes() const { return suffixes_; }

 private:
  std::vector<std::string> names_;
  std::vector<Suffix> suffixes_;
};

const std::vector<Suffix>& group_shapes() {
  static const GroupShapes shapes;
  return shapes.suffixes();
}

using ByText = std::unordered_map<std::string_view, const Suffix*>;

std::array<ByText, field_count> suffixes_by_text() {
  std::array<ByText, field_count> maps;
  for (const Suffix& suffix : suffixes) maps[static_cast<std::size_t>(suffix.field)].emplace(suffix.text, &suffix);
  for (const Suffix& shape : group_shapes()) maps[static_cast<std::size_t>(shape.field)].emplace(shape.text, &shape);
  return maps;
}

}  // namespace

const Suffix* find_suffix(Field field, std::string_view text) {
  static const std::array<ByText, field_count> maps = suffixes_by_text();
  const ByText& map = maps[static_cast<std::size_t>(field)];
  const auto found = map.find(text);
  return found == map.end() ? nullptr : found->second;
}

bool is_suffix(std::string_view text) {
  if (find_type(text) != Type::none) return true;
  for (const Suffix& suffix : suffixes)
    if (suffix.text == text) return true;
  return find_suffix(Field::columns, text) != nullptr;
}

std::string_view name_of(Modifier name) {
  if (name == Modifier::a_col) return "col";
  if (name == Modifier::b_row) return "row";
  for (const Suffix& suffix : suffixes)
    if (suffix.field == Field::modifier && suffix.value == static_cast<std::uint8_t>(name)) return suffix.text;
  return "";
}

}  // namespace warpwalk::ptx
