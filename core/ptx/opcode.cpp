#include "core/ptx/opcode.h"

#include <array>
#include <string_view>
#include <unordered_map>

#include "core/ptx/lookup.h"

namespace warpwalk::ptx {
namespace {

constexpr std::size_t opcode_count = static_cast<std::size_t>(Opcode::stackrestore) + 1;

/// Indexed by Opcode.
constexpr std::array<std::string_view, opcode_count> opcode_names{
    "",
    "abs",
    "add",
    "addc",
    "bfe",
    "bfi",
    "bfind",
    "bmsk",
    "brev",
    "clz",
    "cnot",
    "copysign",
    "cos",
    "cvt",
    "cvt.pack",
    "div",
    "dp2a",
    "dp4a",
    "ex2",
    "fma",
    "fns",
    "lg2",
    "mad",
    "mad24",
    "madc",
    "max",
    "min",
    "mul",
    "mul24",
    "neg",
    "popc",
    "rcp",
    "rem",
    "rsqrt",
    "sad",
    "sin",
    "sqrt",
    "sub",
    "subc",
    "szext",
    "tanh",
    "testp",
    "vabsdiff",
    "vabsdiff2",
    "vabsdiff4",
    "vadd",
    "vadd2",
    "vadd4",
    "vavrg2",
    "vavrg4",
    "vmad",
    "vmax",
    "vmax2",
    "vmax4",
    "vmin",
    "vmin2",
    "vmin4",
    "vset",
    "vset2",
    "vset4",
    "vshl",
    "vshr",
    "vsub",
    "vsub2",
    "vsub4",
    "and",
    "or",
    "xor",
    "not",
    "lop3",
    "shf",
    "shl",
    "shr",
    "prmt",
    "mov",
    "selp",
    "slct",
    "set",
    "setp",
    "cvta",
    "isspacep",
    "mapa",
    "getctarank",
    "ld",
    "ldu",
    "st",
    "atom",
    "red",
    "prefetch",
    "prefetchu",
    "cp.async",
    "cp.async.commit_group",
    "cp.async.wait_group",
    "cp.async.wait_all",
    "cp.async.bulk",
    "cp.async.bulk.commit_group",
    "cp.async.bulk.wait_group",
    "cp.async.bulk.prefetch",
    "cp.async.bulk.tensor",
    "cp.async.bulk.prefetch.tensor",
    "cp.reduce.async.bulk",
    "cp.reduce.async.bulk.tensor",
    "tensormap.replace",
    "tensormap.cp_fenceproxy",
    "st.async",
    "red.async",
    "fence",
    "membar",
    "createpolicy",
    "discard",
    "applypriority",
    "mbarrier.init",
    "mbarrier.inval",
    "mbarrier.arrive",
    "mbarrier.arrive_drop",
    "mbarrier.expect_tx",
    "mbarrier.complete_tx",
    "mbarrier.test_wait",
    "mbarrier.try_wait",
    "mbarrier.pending_count",
    "cp.async.mbarrier.arrive",
    "bra",
    "brx.idx",
    "call",
    "ret",
    "exit",
    "trap",
    "brkpt",
    "nanosleep",
    "pmevent",
    "bar",
    "barrier",
    "bar.warp",
    "shfl",
    "vote",
    "match",
    "activemask",
    "redux",
    "elect",
    "griddepcontrol",
    "setmaxnreg",
    "mma",
    "ldmatrix",
    "stmatrix",
    "movmatrix",
    "wmma.load.a",
    "wmma.load.b",
    "wmma.load.c",
    "wmma.store.d",
    "wmma.mma",
    "wgmma.fence",
    "wgmma.mma_async",
    "wgmma.commit_group",
    "wgmma.wait_group",
    "tex",
    "tld4",
    "txq",
    "suld.b",
    "sust.b",
    "sust.p",
    "sured.b",
    "suq",
    "alloca",
    "stacksave",
    "stackrestore",
};

std::unordered_map<std::string_view, Opcode> opcodes_by_name() {
  std::unordered_map<std::string_view, Opcode> map;
  for (std::size_t i = 1; i < opcode_count; ++i) map.emplace(opcode_names[i], static_cast<Opcode>(i));
  return map;
}

}  // namespace

std::string_view name_of(Opcode opcode) { return opcode_names[static_cast<std::size_t>(opcode)]; }

Opcode match_opcode(std::string_view word, std::size_t& length) {
  static const std::unordered_map<std::string_view, Opcode> by_name = opcodes_by_name();
  Opcode best = Opcode::none;
  std::size_t end = 0;
  // No opcode has more than five parts.
  for (int parts = 0; parts < 5 && end != std::string_view::npos; ++parts) {
    end = word.find('.', parts == 0 ? 0 : end + 1);
    const auto found = by_name.find(word.substr(0, end));
    if (found == by_name.end()) continue;
    best = found->second;
    length = found->first.size();
  }
  return best;
}

}  // namespace warpwalk::ptx
