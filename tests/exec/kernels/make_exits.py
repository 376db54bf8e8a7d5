#!/usr/bin/env python3
"""Writes exits.ptx: kernels whose lanes exit before, during and after each instruction of a warp that waits for others.

    python3 tests/exec/kernels/make_exits.py > tests/exec/kernels/exits.ptx

A kernel NAME_WHEN(y) is launched with one warp and writes 64 words. The member mask always names all 32 lanes; those
that have exited need not arrive (PTX ISA, "Parallel Synchronization and Communication Instructions": non-exited
threads). The lanes before and after the instruction take different ways through the code, as compilers make them.
"""
# d: the result, v: the lane's value, t: its number, %all: the member mask. Shuffles read only lanes that have not exited.
INSTRUCTIONS = {
    "shfl_idx": ("shfl.sync.idx.b32 d, v, {last}, 31, %all;", None),
    "shfl_bfly": ("shfl.sync.bfly.b32 d, v, 1, 31, %all;", None),
    "shfl_up": ("shfl.sync.up.b32 d, v, 0, 0, %all;", None),
    "shfl_down": ("shfl.sync.down.b32 d, v, 0, 31, %all;", None),
    "ballot": ("setp.gt.u32 %q, v, 40; vote.sync.ballot.b32 d, %q, %all;", None),
    "all": ("setp.gt.u32 %q, v, 2; vote.sync.all.pred %s, %q, %all; selp.b32 d, 1, 2, %s;", None),
    "any": ("setp.gt.u32 %q, v, 70; vote.sync.any.pred %s, %q, %all; selp.b32 d, 1, 2, %s;", None),
    "uni": ("setp.gt.u32 %q, v, 50; vote.sync.uni.pred %s, %q, %all; selp.b32 d, 1, 2, %s;", None),
    "match_any": ("and.b32 d, v, 3; match.any.sync.b32 d, d, %all;", None),
    "match_all": ("shr.u32 d, v, 5; match.all.sync.b32 d|%s, d, %all; @%s add.u32 d, d, 7;", None),
    "redux_add": ("redux.sync.add.s32 d, v, %all;", None),
    "redux_max": ("redux.sync.max.u32 d, v, %all;", None),
    "redux_and": ("redux.sync.and.b32 d, v, %all;", None),
    "syncwarp": ("st.shared.u32 [%h], v; bar.warp.sync %all; ld.shared.u32 d, [held + {at}]; bar.warp.sync %all;", None),
    "elect": ("elect.sync d|%s, %all; @%s add.u32 d, d, 100;", None),
}
BEGIN = """.visible .entry {name}(.param .u64 y) {{
  .reg .b64 %y, %o; .reg .b32 t, v, d, e, i, %all, %h; .reg .pred %p, %q, %s;
  .shared .align 4 .b8 held[128];
  ld.param.u64 %y, [y]; cvta.to.global.u64 %y, %y;
  mov.u32 t, %tid.x; mul.wide.u32 %o, t, 4; add.s64 %y, %y, %o;
  mul.lo.u32 v, t, 37; and.b32 v, v, 63; add.u32 v, v, 3;
  mov.u32 %all, -1; mov.u32 %h, held; shl.b32 e, t, 2; add.u32 %h, %h, e;
"""
# The lanes from 18 on have exited; half of them by a return, the others at the end of the kernel.
BEFORE = """  setp.ge.u32 %p, t, 25; @%p exit;
  setp.ge.u32 %p, t, 18; @%p bra END;
  {one}
  st.global.u32 [%y], d;
END: ret;
}}
"""
# Lane t leaves the loop after t / 2 + 1 rounds, stores what it has added up, and exits.
DURING = """  mov.u32 i, 0; mov.u32 e, 0;
AGAIN:
  {one}
  mad.lo.u32 e, e, 3, d;
  add.u32 i, i, 1; shl.b32 d, i, 1; setp.le.u32 %p, d, t; @%p bra AGAIN;
  st.global.u32 [%y], e;
  ret;
}}
"""
# All lanes execute it; then pairs of odd numbers exit inside a branch, and the others execute it once more.
AFTER = """  {one}
  st.global.u32 [%y], d;
  and.b32 i, t, 2; setp.ne.u32 %p, i, 0; @!%p bra STAYS;
  st.global.u32 [%y + 128], t;
  exit;
STAYS:
  {two}
  st.global.u32 [%y + 128], d;
  ret;
}}
"""
print("""// Written by make_exits.py.
.version 8.0
.target sm_90
.address_size 64
""")
for name, (code, _) in INSTRUCTIONS.items():
    def with_lane(lane):
        return code.replace("{last}", str(lane)).replace("{at}", str(4 * lane))
    for when, body in (("before", BEFORE), ("during", DURING), ("after", AFTER)):
        last = 31 if when == "during" else 17
        text = BEGIN.format(name=f"{name}_{when}") + body.format(one=with_lane(last), two=with_lane(29))
        for word in ("t", "v", "d", "e", "i"):
            import re
            text = re.sub(rf"(?<![\w.%]){word}(?![\w.])", f"%{word}", text)
        print(text)
