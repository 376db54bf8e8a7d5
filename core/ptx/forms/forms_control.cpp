#include <array>

#include "core/ptx/forms/form.h"

namespace warpwalk::ptx {
namespace {

using enum Opcode;

/// Control flow, barriers and warp-level communication (PTX ISA 9.0, "Control Flow", "Parallel Synchronization",
/// "shfl.sync"). The operands of `call`, `bra` and `brx.idx` name functions and labels and are parsed separately.
constexpr std::array control_table{
    Row{bra, "m:uni?", "", ""},
    Row{brx_idx, "m:uni?", "", ""},
    Row{call, "m:uni?", "", ""},
    Row{ret, "m:uni?", "", ""},
    Row{exit, "", "", ""},
    Row{trap, "", "", ""},
    Row{brkpt, "", "", ""},
    Row{nanosleep, "", "u32", "s0"},
    Row{pmevent, "", "", "ie"},
    Row{pmevent, "m:mask", "", "ia"},

    Row{bar, "m:cta? m:sync", "", "sb st?"},
    Row{bar, "m:cta? m:arrive", "", "sb st"},
    Row{bar, "m:cta? m:red a:popc", "u32", "d0 sb st? n"},
    Row{bar, "m:cta? m:red a:and|or", "pred", "d0 sb st? n"},
    Row{barrier, "m:cta? m:sync m:aligned?", "", "sb st?"},
    Row{barrier, "m:cta? m:arrive m:aligned?", "", "sb st"},
    Row{barrier, "m:cta? m:red a:popc m:aligned?", "u32", "d0 sb st? n"},
    Row{barrier, "m:cta? m:red a:and|or m:aligned?", "pred", "d0 sb st? n"},
    Row{barrier, "m:cluster m:arrive m:release|relaxed? m:aligned?", "", ""},
    Row{barrier, "m:cluster m:wait m:acquire? m:aligned?", "", ""},
    Row{bar_warp, "m:sync", "", "su"},

    Row{shfl, "m:sync a:up|down|bfly|idx", "b32", "e0 s0 su su su"},
    Row{vote, "m:sync a:all|any|uni", "pred", "d0 n su"},
    Row{vote, "m:sync a:ballot", "b32", "d0 n su"},
    Row{match, "a:any m:sync", "b32|b64", "du s0 su"},
    Row{match, "a:all m:sync", "b32|b64", "eu s0 su"},
    Row{activemask, "", "b32", "d0"},
    Row{redux, "m:sync a:add|min|max", "int32", "d0 s0 su"},
    Row{redux, "m:sync a:and|or|xor", "b32", "d0 s0 su"},
    Row{elect, "m:sync", "", "Eu su"},
    Row{griddepcontrol, "m:launch_dependents|wait", "", ""},
    Row{setmaxnreg, "a:inc|dec m:sync m:aligned", "u32", "ir"},
};

}  // namespace

std::span<const Row> control_rows() { return control_table; }

}  // namespace warpwalk::ptx
