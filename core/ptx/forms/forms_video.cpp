#include <array>

#include "core/ptx/forms/form.h"

namespace warpwalk::ptx {
namespace {

using enum Opcode;

/// Video instructions on one value, two halves or four bytes (PTX ISA 9.0, "Video Instructions"). core/ptx/parse
/// checks their selectors (video_check.h).
constexpr std::array video_table{
    Row{vadd, "m:sat?", "int32 int32 int32", "H0 h1 h2 s0?"},
    Row{vadd, "m:sat? a:add|min|max", "int32 int32 int32", "d0 h1 h2 s0"},
    Row{vsub, "m:sat?", "int32 int32 int32", "H0 h1 h2 s0?"},
    Row{vsub, "m:sat? a:add|min|max", "int32 int32 int32", "d0 h1 h2 s0"},
    Row{vabsdiff, "m:sat?", "int32 int32 int32", "H0 h1 h2 s0?"},
    Row{vabsdiff, "m:sat? a:add|min|max", "int32 int32 int32", "d0 h1 h2 s0"},
    Row{vmin, "m:sat?", "int32 int32 int32", "H0 h1 h2 s0?"},
    Row{vmin, "m:sat? a:add|min|max", "int32 int32 int32", "d0 h1 h2 s0"},
    Row{vmax, "m:sat?", "int32 int32 int32", "H0 h1 h2 s0?"},
    Row{vmax, "m:sat? a:add|min|max", "int32 int32 int32", "d0 h1 h2 s0"},
    Row{vshl, "m:sat? m:clamp|wrap", "int32 int32 u32", "H0 h1 h2 s0?"},
    Row{vshl, "m:sat? m:clamp|wrap a:add|min|max", "int32 int32 u32", "d0 h1 h2 s0"},
    Row{vshr, "m:sat? m:clamp|wrap", "int32 int32 u32", "H0 h1 h2 s0?"},
    Row{vshr, "m:sat? m:clamp|wrap a:add|min|max", "int32 int32 u32", "d0 h1 h2 s0"},
    Row{vmad, "m:po? m:sat? m:shr7|shr15?", "int32 int32 int32", "d0 h1 h2 g0"},
    Row{vset, "signed_order", "int32 int32", "Hu h0 h1 su?"},
    Row{vset, "signed_order a:add|min|max", "int32 int32", "du h0 h1 su"},
    Row{vadd2, "m:sat?", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vadd2, "a:add", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vsub2, "m:sat?", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vsub2, "a:add", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vavrg2, "m:sat?", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vavrg2, "a:add", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vabsdiff2, "m:sat?", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vabsdiff2, "a:add", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vmin2, "m:sat?", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vmin2, "a:add", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vmax2, "m:sat?", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vmax2, "a:add", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vset2, "signed_order a:add?", "int32 int32", "Hu h0 h1 ru"},
    Row{vadd4, "m:sat?", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vadd4, "a:add", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vsub4, "m:sat?", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vsub4, "a:add", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vavrg4, "m:sat?", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vavrg4, "a:add", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vabsdiff4, "m:sat?", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vabsdiff4, "a:add", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vmin4, "m:sat?", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vmin4, "a:add", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vmax4, "m:sat?", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vmax4, "a:add", "int32 int32 int32", "H0 h1 h2 r0"},
    Row{vset4, "signed_order a:add?", "int32 int32", "Hu h0 h1 ru"},
};

}  // namespace

std::span<const Row> video_rows() { return video_table; }

}  // namespace warpwalk::ptx
