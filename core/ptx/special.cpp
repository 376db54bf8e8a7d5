#include "core/ptx/special.h"

#include <algorithm>
#include <array>

#include "core/ptx/lookup.h"

namespace warpwalk::ptx {
namespace {

/// Indexed by Special.
constexpr std::array<std::string_view, special_count> special_names{
    "",
    "%tid.x",
    "%tid.y",
    "%tid.z",
    "%ntid.x",
    "%ntid.y",
    "%ntid.z",
    "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    "%nctaid.x",
    "%nctaid.y",
    "%nctaid.z",
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%lanemask_eq",
    "%lanemask_lt",
    "%lanemask_le",
    "%lanemask_gt",
    "%lanemask_ge",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%dynamic_smem_size",
    "%total_smem_size",
    "%aggr_smem_size",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end",
    "%reserved_smem_offset_cap",
    "%reserved_smem_offset_0",
    "%reserved_smem_offset_1",
    "%clusterid.x",
    "%clusterid.y",
    "%clusterid.z",
    "%nclusterid.x",
    "%nclusterid.y",
    "%nclusterid.z",
    "%cluster_ctaid.x",
    "%cluster_ctaid.y",
    "%cluster_ctaid.z",
    "%cluster_nctaid.x",
    "%cluster_nctaid.y",
    "%cluster_nctaid.z",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%is_explicit_cluster",
    "%envreg1",
    "%envreg2",
    "%current_graph_exec",
};

}  // namespace

std::string_view name_of(Special special) { return special_names[static_cast<std::size_t>(special)]; }

Special find_special(std::string_view name) {
  const auto found = std::find(special_names.begin() + 1, special_names.end(), name);
  return found == special_names.end() ? Special::none : static_cast<Special>(found - special_names.begin());
}

Type type_of(Special special) {
  switch (special) {
    case Special::gridid:
    case Special::clock64:
    case Special::current_graph_exec:
    case Special::globaltimer: return Type::u64;
    case Special::is_explicit_cluster: return Type::pred;
    default: return Type::u32;
  }
}

}  // namespace warpwalk::ptx
