#!/usr/bin/env python3
"""PTX of single instructions for record.py, many of which no kernel of this repository has: tensor memory accesses,
matrix products of warp groups, sparse matrix products, transaction barriers, cache hints, packed and narrow types.

Each instruction stands in a kernel of its own. Registers are named by size: %h 16 bits, %r 32, %d 64, %q 128, %p a
predicate. All registers of an instruction are loaded before it and stored after it, so that ptxas keeps it.
"""
import itertools
import re

HEAD = ".version 9.0\n.target sm_{target}\n.address_size 64\n.extern .shared .align 1024 .b8 s[];\n"
SIZES = {"h": 16, "r": 32, "d": 64, "q": 128}


def kernel(number, instruction):
    used = sorted(set(re.findall(r"%([hrdqp])(\d+)", instruction)), key=lambda u: (u[0], int(u[1])))
    lines = [f".visible .entry k{number}(.param .u64 p)", "{", "  .reg .b64 %m;", "  .reg .b32 %t;"]
    for kind, index in used:
        lines.append(f"  .reg .{'pred' if kind == 'p' else 'b' + str(SIZES[kind])} %{kind}{index};")
    lines += ["  ld.param.u64 %m, [p];", "  cvta.to.global.u64 %m, %m;"]
    for place, (kind, index) in enumerate(used):
        if kind == "p":
            lines += [f"  ld.volatile.global.b32 %t, [%m+{16 * place}];", f"  setp.ne.b32 %p{index}, %t, 0;"]
        elif kind == "q":
            lines += ["  { .reg .b64 %x, %y;", f"  ld.volatile.global.v2.b64 {{%x, %y}}, [%m+{16 * place}];",
                      f"  mov.b128 %q{index}, {{%x, %y}}; }}"]
        else:
            lines.append(f"  ld.volatile.global.b{SIZES[kind]} %{kind}{index}, [%m+{16 * place}];")
    lines += ["  " + part for part in instruction.split("\n")]
    for place, (kind, index) in enumerate(used):
        if kind == "p":
            lines += [f"  selp.b32 %t, 1, 0, %p{index};", f"  st.volatile.global.b32 [%m+{16 * place}], %t;"]
        elif kind == "q":
            lines += ["  { .reg .b64 %x, %y;", f"  mov.b128 {{%x, %y}}, %q{index};",
                      f"  st.volatile.global.v2.b64 [%m+{16 * place}], {{%x, %y}}; }}"]
        else:
            lines.append(f"  st.volatile.global.b{SIZES[kind]} [%m+{16 * place}], %{kind}{index};")
    return "\n".join(lines + ["  ret;", "}", ""])


def regs(count, first=0, kind="r"):
    return "{" + ", ".join(f"%{kind}{first + i}" for i in range(count)) + "}"


def warp_group_products():
    """wgmma.mma_async; A in registers or in shared memory."""
    types = [("f16", "f16", 16), ("f32", "f16", 16), ("f32", "bf16", 16), ("f32", "tf32", 8)]
    types += [(d, f"{a}.{b}", 32) for d in ("f16", "f32") for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")]
    types += [("s32", f"{a}.{b}", 32) for a in ("s8", "u8") for b in ("s8", "u8")]
    order = "wgmma.fence.sync.aligned;\n{}\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned {};"
    for (d, ab, k), n in itertools.product(types, (8, 24, 64, 96, 128, 256)):
        both = ab if "." in ab else f"{ab}.{ab}"
        count = n // 2 if d != "f16" else n // 4
        is_half = k == 16
        out = regs(count)
        for in_registers, sparse in itertools.product((False, True), (False, True)):
            if (n not in (8, 64)) and (in_registers or sparse):
                continue
            kk = 2 * k if sparse else k
            a = regs(4, 300) if in_registers else "%d0"
            name = f"wgmma.mma_async{'.sp' if sparse else ''}.sync.aligned.m64n{n}k{kk}.{d}.{both}"
            meta = ", %r310, 0" if sparse else ""
            if d == "s32":
                tails = ["%p0"] + (["1"] if n == 8 else [])
            else:
                signs = [("1", "1"), ("-1", "1"), ("1", "-1")] if n == 8 else [("1", "1")]
                tails = []
                for x, y in signs:
                    if is_half and not in_registers:
                        tails += [f"%p0, {x}, {y}, 0, 0"] + ([f"%p0, {x}, {y}, 1, 0", f"1, {x}, {y}, 0, 1", "0, 1, 1, 1, 1"] if n in (8, 64) else [])
                    elif is_half:
                        tails += [f"%p0, {x}, {y}, 0"] + ([f"%p0, {x}, {y}, 1"] if n in (8, 64) else [])
                    else:
                        tails += [f"%p0, {x}, {y}"] + (["0, 1, 1"] if n == 8 else [])
            for tail in tails:
                yield order.format(f"{name} {out}, {a}, %d1{meta}, {tail};", n % 3)
            if d == "s32":
                yield order.format(f"{name}.satfinite {out}, {a}, %d1{meta}, %p0;", 0)
    for n in (8, 64, 256):
        for a in (regs(4, 300), "%d0"):
            yield order.format(f"wgmma.mma_async.sync.aligned.m64n{n}k256.s32.b1.b1.and.popc {regs(n // 2)}, {a}, %d1, %p0;", 1)
    # Several products in flight share registers of A or descriptors.
    body = "\n".join(f"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {regs(32)}, %d{i}, %d{i + 4}, 1, 1, 1, 0, 0;" for i in range(4))
    yield order.format(body, 0)
    body = "\n".join(f"wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {regs(32)}, {regs(4, 300 + 4 * i)}, %d{i + 4}, 1, 1, 1, 0;" for i in range(3))
    yield order.format(body, 0)


def tensor_copies():
    """cp.async.bulk.tensor and the like."""
    for dim in range(1, 6):
        at = "{" + ", ".join(f"%r{i}" for i in range(dim)) + "}"
        modes = [(".tile", "")] + ([(".im2col", ", {" + ", ".join(f"%h{i}" for i in range(dim - 2)) + "}")] if dim >= 3 else [])
        for mode, offsets in modes:
            load = f"cp.async.bulk.tensor.{dim}d.shared::cluster.global{mode}.mbarrier::complete_tx::bytes"
            yield f"{load} [%r10], [%d0, {at}], [%r11]{offsets};"
            yield f"{load}.multicast::cluster [%r10], [%d0, {at}], [%r11]{offsets}, %h9;"
            yield f"{load}.L2::cache_hint [%r10], [%d0, {at}], [%r11]{offsets}, %d1;"
            yield f"{load}.multicast::cluster.L2::cache_hint [%r10], [%d0, {at}], [%r11]{offsets}, %h9, %d1;"
            yield f"@%p0 {load} [%r10], [%d0, {at}], [%r11]{offsets};"
            yield f"cp.async.bulk.prefetch.tensor.{dim}d.L2.global{mode} [%d0, {at}]{offsets};"
            yield f"cp.async.bulk.prefetch.tensor.{dim}d.L2.global{mode}.L2::cache_hint [%d0, {at}]{offsets}, %d1;"
            store = ".im2col_no_offs" if mode == ".im2col" else ".tile"
            yield f"cp.async.bulk.tensor.{dim}d.global.shared::cta{store}.bulk_group [%d0, {at}], [%r10];"
            yield f"cp.async.bulk.tensor.{dim}d.global.shared::cta{store}.bulk_group.L2::cache_hint [%d0, {at}], [%r10], %d1;"
            for op in ("add", "min", "max", "inc", "dec", "and", "or", "xor"):
                yield f"cp.reduce.async.bulk.tensor.{dim}d.global.shared::cta.{op}{store}.bulk_group [%d0, {at}], [%r10];"
            yield f"cp.reduce.async.bulk.tensor.{dim}d.global.shared::cta.add{store}.bulk_group.L2::cache_hint [%d0, {at}], [%r10], %d1;"
    bulk = "cp.async.bulk"
    yield f"{bulk}.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d0], %r1, [%r2];"
    yield f"{bulk}.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r0], [%d0], %r1, [%r2], %d1;"
    yield f"{bulk}.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r0], [%d0], %r1, [%r2], %h0;"
    yield f"{bulk}.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%r0], [%d0], %r1, [%r2], %h0, %d1;"
    yield f"{bulk}.shared::cta.global.mbarrier::complete_tx::bytes [%r0], [%d0], 64, [%r2];"
    yield f"{bulk}.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r0], [%r1], %r2, [%r3];"
    yield f"{bulk}.global.shared::cta.bulk_group [%d0], [%r0], %r1;"
    yield f"{bulk}.global.shared::cta.bulk_group.L2::cache_hint [%d0], [%r0], %r1, %d1;"
    yield f"{bulk}.prefetch.L2.global [%d0], %r0;"
    yield f"{bulk}.prefetch.L2.global.L2::cache_hint [%d0], %r0, %d1;"
    for types, ops in (("u32", "add min max inc dec"), ("s32", "add min max"), ("u64", "add min max"), ("s64", "min max"),
                       ("b32", "and or xor"), ("b64", "and or xor"), ("f32", "add"), ("f64", "add"),
                       ("f16", "min max"), ("bf16", "min max")):
        for op in ops.split():
            yield f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{op}.{types} [%d0], [%r0], %r1;"
    yield "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%d0], [%r0], %r1;"
    yield "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%d0], [%r0], %r1;"
    yield "cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.u32 [%d0], [%r0], %r1, %d1;"
    for op, t in itertools.product("add min max inc dec and or xor".split(), ("u32", "s32", "b32", "u64")):
        yield f"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{op}.{t} [%r0], [%r1], %r2, [%r3];"
    yield "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;"
    yield "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 3;"
    yield "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;"
    yield "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 1;"
    for field in ("global_address", "rank", "box_dim", "global_dim", "global_stride", "element_stride", "elemtype",
                  "interleave_layout", "swizzle_mode", "fill_mode"):
        for space in ("global", "shared::cta"):
            address = "%d0" if space == "global" else "%r9"
            wide = "b64" if field in ("global_address", "global_stride") else "b32"
            value = "%d1" if wide == "b64" else "%r1"
            if field in ("elemtype", "interleave_layout", "swizzle_mode", "fill_mode"):
                value = "1"
            ordinal = ", 2" if field in ("box_dim", "global_dim", "global_stride", "element_stride") else ""
            yield f"tensormap.replace.tile.{field}.{space}.b1024.{wide} [{address}]{ordinal}, {value};"
    yield "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d0], [%r0], 128;"
    for scope in ("cta", "cluster", "gpu", "sys"):
        yield f"fence.proxy.tensormap::generic.release.{scope};"
        yield f"fence.proxy.tensormap::generic.acquire.{scope} [%d0], 128;"
    yield "prefetch.tensormap [%d0];"
    yield "prefetch.param.tensormap [p];"
    for proxy in ("alias", "async", "async.global", "async.shared::cta", "async.shared::cluster"):
        yield f"fence.proxy.{proxy};"
    yield "fence.mbarrier_init.release.cluster;"


def transaction_barriers():
    m = "mbarrier"
    yield f"{m}.init.shared.b64 [%r0], %r1;"
    yield f"{m}.init.shared.b64 [%r0+64], 7;"
    yield f"{m}.inval.shared.b64 [%r0];"
    for kind in ("arrive", "arrive_drop"):
        yield f"{m}.{kind}.shared.b64 %d0, [%r0];"
        yield f"{m}.{kind}.shared.b64 %d0, [%r0], %r1;"
        yield f"{m}.{kind}.noComplete.shared.b64 %d0, [%r0], %r1;"
        yield f"{m}.{kind}.shared.b64 _, [%r0], 5;"
        yield f"{m}.{kind}.expect_tx.shared::cta.b64 %d0, [%r0], %r1;"
        yield f"{m}.{kind}.expect_tx.shared::cta.b64 _, [%r0+16], 128;"
        yield f"{m}.{kind}.release.cluster.shared::cluster.b64 _, [%r0];"
        yield f"{m}.{kind}.release.cluster.shared::cluster.b64 _, [%r0], %r1;"
        yield f"{m}.{kind}.expect_tx.release.cluster.shared::cluster.b64 _, [%r0], %r1;"
        yield f"{m}.{kind}.relaxed.cta.shared::cta.b64 %d0, [%r0], %r1;"
    for scope in ("cta", "cluster"):
        for space in ("shared::cta", "shared::cluster"):
            yield f"{m}.expect_tx.relaxed.{scope}.{space}.b64 [%r0], %r1;"
            yield f"{m}.complete_tx.relaxed.{scope}.{space}.b64 [%r0], %r1;"
    for wait in ("test_wait", "try_wait"):
        hints = ["", ", %r2", ", 1000"] if wait == "try_wait" else [""]
        for hint in hints:
            yield f"{m}.{wait}.shared.b64 %p0, [%r0], %d0{hint};"
            yield f"{m}.{wait}.parity.shared.b64 %p0, [%r0], %r1{hint};"
            yield f"{m}.{wait}.parity.acquire.cluster.shared::cta.b64 %p0, [%r0+8], %r1{hint};"
            yield f"{m}.{wait}.relaxed.cta.shared::cta.b64 %p0, [%r0], %d0{hint};"
    yield f"{m}.pending_count.b64 %r0, %d0;"
    yield "cp.async.mbarrier.arrive.shared.b64 [%r0];"
    yield "cp.async.mbarrier.arrive.noinc.shared.b64 [%r0+8];"
    yield "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r0], %r1, [%r2];"
    yield "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%r0], %d1, [%r2];"
    yield "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r0], {%r3, %r4}, [%r2];"
    yield "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r0], {%r3, %r4, %r5, %r6}, [%r2];"
    for op, t in (("inc", "u32"), ("dec", "u32"), ("min", "u32"), ("max", "s32"), ("add", "u32"), ("and", "b32"),
                  ("or", "b32"), ("xor", "b32"), ("add", "u64")):
        value = "%d1" if t == "u64" else "%r1"
        yield f"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{op}.{t} [%r0], {value}, [%r2];"


def clusters():
    yield "setmaxnreg.inc.sync.aligned.u32 240;"
    yield "setmaxnreg.dec.sync.aligned.u32 40;"
    yield "elect.sync %r0|%p0, 0xffffffff;"
    yield "elect.sync _|%p0, %r1;"
    for arrive, wait in itertools.product(("", ".relaxed", ".release"), ("", ".acquire")):
        yield f"barrier.cluster.arrive{arrive}.aligned;\nbarrier.cluster.wait{wait}.aligned;"
        yield f"barrier.cluster.arrive{arrive};\nbarrier.cluster.wait{wait};"
    yield "mapa.shared::cluster.u32 %r0, %r1, %r2;"
    yield "mapa.u64 %d0, %d1, %r2;"
    yield "getctarank.shared::cluster.u32 %r0, %r1;"
    yield "getctarank.u64 %r0, %d1;"
    yield "isspacep.shared::cluster %p0, %d0;"
    yield "isspacep.shared::cta %p0, %d0;"
    for size in ("b8", "b16", "b32", "b64", "v2.b32", "v4.b32"):
        values = {"b8": "%h0", "b16": "%h0", "b32": "%r1", "b64": "%d1", "v2.b32": "{%r1, %r2}", "v4.b32": "{%r1, %r2, %r3, %r4}"}[size]
        yield f"ld.shared::cluster.{size} {values}, [%r0];"
        yield f"st.shared::cluster.{size} [%r0], {values};"
    for op in ("add.u32", "min.s32", "max.u32", "inc.u32", "exch.b32", "xor.b32", "or.b32", "add.f32"):
        yield f"atom.shared::cluster.{op} %r0, [%r1], %r2;"
        yield f"red.shared::cluster.{op} [%r1], %r2;" if not op.startswith("exch") else f"atom.shared::cluster.cas.b32 %r0, [%r1], %r2, %r3;"
    yield "atom.shared::cluster.add.u64 %d0, [%r1], %d2;"
    yield "atom.shared::cluster.cas.b64 %d0, [%r1], %d2, %d3;"
    yield "griddepcontrol.launch_dependents;"
    yield "griddepcontrol.wait;"
    for op in ("add", "min", "max"):
        for t in ("f16x2", "bf16x2"):
            yield f"multimem.ld_reduce.relaxed.sys.global.{op}.{t} %r0, [%d0];"
            yield f"multimem.ld_reduce.weak.global.{op}.v4.{t} {{%r0, %r1, %r2, %r3}}, [%d0];"
        for t in ("u32", "s32"):
            yield f"multimem.ld_reduce.relaxed.gpu.global.{op}.{t} %r0, [%d0];"
    yield "multimem.ld_reduce.relaxed.sys.global.add.acc::f32.v4.bf16x2 {%r0, %r1, %r2, %r3}, [%d0];"
    yield "multimem.ld_reduce.relaxed.sys.global.add.f32 %r0, [%d0];"
    yield "multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%r0, %r1, %r2, %r3}, [%d0];"
    yield "multimem.ld_reduce.relaxed.sys.global.and.b32 %r0, [%d0];"
    yield "multimem.ld_reduce.relaxed.sys.global.add.u64 %d1, [%d0];"
    yield "multimem.st.relaxed.sys.global.f32 [%d0], %r0;"
    yield "multimem.st.weak.global.v4.f32 [%d0], {%r0, %r1, %r2, %r3};"
    yield "multimem.red.relaxed.sys.global.add.f32 [%d0], %r0;"
    yield "multimem.red.relaxed.sys.global.add.v4.f32 [%d0], {%r0, %r1, %r2, %r3};"
    yield "multimem.red.relaxed.sys.global.add.u32 [%d0], %r0;"
    yield "multimem.red.release.gpu.global.add.u32 [%d0], 1;"


def wide_atomics():
    for op in ("add", "min", "max"):
        for t, count in itertools.product(("f16x2", "bf16x2"), (2, 4)):
            v = f".noftz.v{count}.{t}"
            yield f"red.global.{op}{v} [%d0], {regs(count)};"
            yield f"atom.global.{op}{v} {regs(count)}, [%d0], {regs(count, 8)};"
        for t, count in itertools.product(("f16", "bf16"), (2, 4, 8)):
            v = f".noftz.v{count}.{t}"
            yield f"red.global.{op}{v} [%d0], {regs(count, 0, 'h')};"
            yield f"atom.global.{op}{v} {regs(count, 0, 'h')}, [%d0], {regs(count, 8, 'h')};"
    for count in (2, 4):
        yield f"red.global.add.v{count}.f32 [%d0], {regs(count)};"
        yield f"atom.global.add.v{count}.f32 {regs(count)}, [%d0], {regs(count, 8)};"
        yield f"red.relaxed.gpu.global.add.v{count}.f32 [%d0+16], {regs(count)};"
    yield "atom.global.cas.b128 %q0, [%d0], %q1, %q2;"
    yield "atom.global.exch.b128 %q0, [%d0], %q1;"
    yield "atom.shared.exch.b128 %q0, [%r0], %q1;"
    yield "atom.shared.cas.b128 %q0, [%r0], %q1, %q2;"
    yield "ld.relaxed.sys.global.b128 %q0, [%d0];"
    yield "st.relaxed.sys.global.b128 [%d0], %q0;"


def atomics():
    for space, at in (("global", "%d0"), ("shared", "%r0"), ("", "%d0")):
        name = f".{space}" if space else ""
        for op, t in (("add", "f16x2"), ("add", "bf16x2"), ("add", "f32"), ("min", "s32"), ("max", "u32"), ("inc", "u32"), ("and", "b32")):
            ftz = ".noftz" if "16" in t else ""
            yield f"atom{name}.{op}{ftz}.{t} %r1, [{at}], %r2;"
            yield f"red{name}.{op}{ftz}.{t} [{at}], %r2;"
        for t in ("f16", "bf16"):
            yield f"atom{name}.add.noftz.{t} %h1, [{at}], %h2;"
            yield f"red{name}.add.noftz.{t} [{at}], %h2;"
        for op, t in (("add", "f64"), ("min", "s64"), ("max", "u64"), ("xor", "b64"), ("exch", "b64"), ("add", "u64")):
            yield f"atom{name}.{op}.{t} %d1, [{at}], %d2;"
            if op != "exch":
                yield f"red{name}.{op}.{t} [{at}], %d2;"
        yield f"atom{name}.cas.b16 %h0, [{at}], %h1, %h2;"
    for order, scope in itertools.product(("relaxed", "acquire", "release", "acq_rel"), ("cta", "gpu", "sys")):
        yield f"atom.{order}.{scope}.global.add.u32 %r1, [%d0], %r2;"
        yield f"atom.{order}.{scope}.global.cas.b64 %d1, [%d0], %d2, %d3;"
    yield "atom.global.add.L2::cache_hint.u32 %r1, [%d0], %r2, %d1;"
    yield "red.global.add.L2::cache_hint.u32 [%d0], %r2, %d1;"
    yield "red.relaxed.gpu.global.add.L2::cache_hint.f32 [%d0], %r2, %d1;"


def cache_hints():
    for level1 in ("", ".L1::evict_normal", ".L1::evict_unchanged", ".L1::evict_first", ".L1::evict_last", ".L1::no_allocate"):
        for size in ("", ".L2::64B", ".L2::128B", ".L2::256B"):
            yield f"ld.global{level1}{size}.b32 %r0, [%d0];"
            yield f"ld.global.nc{level1}{size}.v4.b32 {{%r0, %r1, %r2, %r3}}, [%d0];"
        yield f"ld.global{level1}.L2::cache_hint.b32 %r0, [%d0], %d1;"
        yield f"ld.global.nc{level1}.L2::cache_hint.b64 %d2, [%d0], %d1;"
        yield f"st.global{level1}.b32 [%d0], %r0;"
        yield f"st.global{level1}.L2::cache_hint.v2.b32 [%d0], {{%r0, %r1}}, %d1;"
        yield f"ld{level1}.b32 %r0, [%d0];"
    for cache in ("ca", "cg", "cs", "lu", "cv"):
        yield f"ld.global.{cache}.b32 %r0, [%d0];"
        yield f"ld.{cache}.b16 %h0, [%d0];"
        yield f"ld.local.{cache}.b32 %r0, [%d0];"
    for cache in ("wb", "cg", "cs", "wt"):
        yield f"st.global.{cache}.b32 [%d0], %r0;"
        yield f"st.{cache}.b8 [%d0], %h0;"
        yield f"st.local.{cache}.b32 [%d0], %r0;"
    for scope in ("cta", "gpu", "sys"):
        for t, v in (("b8", "%h0"), ("b32", "%r0"), ("b64", "%d1"), ("v2.b64", "{%d1, %d2}")):
            if not t.startswith("v2"):
                yield f"ld.relaxed.{scope}.global.{t} {v}, [%d0];"
                yield f"ld.acquire.{scope}.{t} {v}, [%d0];"
                yield f"st.relaxed.{scope}.global.{t} [%d0], {v};"
                yield f"st.release.{scope}.{t} [%d0], {v};"
        yield f"ld.acquire.{scope}.shared.b32 %r0, [%r1];"
        yield f"st.release.{scope}.shared.b32 [%r1], %r0;"
        for f in ("sc", "acq_rel", "acquire", "release"):
            yield f"fence.{f}.{scope};"
        yield f"membar.{ {'cta': 'cta', 'gpu': 'gl', 'sys': 'sys'}[scope] };"
    yield "ld.mmio.relaxed.sys.global.b32 %r0, [%d0];"
    yield "st.mmio.relaxed.sys.global.b32 [%d0], %r0;"
    yield "ld.volatile.b64 %d1, [%d0];"
    yield "ld.volatile.shared.b32 %r0, [%r1];"
    for a, b in itertools.product(("evict_last", "evict_normal", "evict_first", "evict_unchanged"), ("", "evict_first", "evict_unchanged")):
        second = f".L2::{b}" if b else ""
        yield f"createpolicy.fractional.L2::{a}{second}.b64 %d0, 0.5;"
        yield f"createpolicy.range.global.L2::{a}{second}.b64 %d0, [%d1], %r0, %r1;"
    yield "createpolicy.fractional.L2::evict_last.b64 %d0, %r0;"
    yield "createpolicy.cvt.L2.b64 %d0, 0x10f0000000000000;"
    for level in ("L1", "L2", "L2::evict_last", "L2::evict_normal"):
        yield f"prefetch.global.{level} [%d0];"
    yield "prefetch.L2 [%d0];"
    yield "prefetch.local.L1 [%d0];"
    yield "prefetchu.L1 [%d0];"
    yield "applypriority.global.L2::evict_normal [%d0], 128;"
    yield "discard.global.L2 [%d0], 128;"
    for cache, size in (("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)):
        for l2 in ("", ".L2::64B", ".L2::128B", ".L2::256B"):
            yield f"cp.async.{cache}.shared.global{l2} [%r0], [%d0], {size};"
        yield f"cp.async.{cache}.shared.global [%r0], [%d0], {size}, %r1;"
        yield f"cp.async.{cache}.shared.global [%r0], [%d0], {size}, %p0;"
        yield f"cp.async.{cache}.shared.global.L2::cache_hint [%r0], [%d0], {size}, %d1;"
    yield "cp.async.commit_group;\ncp.async.wait_group 2;\ncp.async.wait_all;"


def matrix_products():
    """mma and mma.sp of every type."""
    for d, ab in (("f16", "f16"), ("f32", "f16"), ("f32", "bf16")):
        n = 2 if d == "f16" else 4
        for k, a, b in ((8, 2, 1), (16, 4, 2)):
            yield f"mma.sync.aligned.m16n8k{k}.row.col.{d}.{ab}.{ab}.{d} {regs(n)}, {regs(a, 8)}, {regs(b, 16)}, {regs(n, 20)};"
        for k, a, b in ((16, 2, 2), (32, 4, 4)):
            for order in ("", "::ordered_metadata"):
                for selector in ((0, 1, 2, 3) if k == 16 else (0, 1)):
                    yield f"mma.sp{order}.sync.aligned.m16n8k{k}.row.col.{d}.{ab}.{ab}.{d} {regs(n)}, {regs(a, 8)}, {regs(b, 16)}, {regs(n, 20)}, %r30, {selector};"
    for a, b in itertools.product(("row", "col"), repeat=2):
        for d, n in (("f16", 4), ("f32", 8)):
            yield f"mma.sync.aligned.m8n8k4.{a}.{b}.{d}.f16.f16.{d} {regs(n)}, {regs(2, 8)}, {regs(2, 16)}, {regs(n, 20)};"
    for k, a, b in ((4, 2, 1), (8, 4, 2)):
        yield f"mma.sync.aligned.m16n8k{k}.row.col.f32.tf32.tf32.f32 {regs(4)}, {regs(a, 8)}, {regs(b, 16)}, {regs(4, 20)};"
    for order in ("", "::ordered_metadata"):
        yield f"mma.sp{order}.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {regs(4)}, {regs(2, 8)}, {regs(2, 16)}, {regs(4, 20)}, %r30, 0;"
        yield f"mma.sp{order}.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {regs(4)}, {regs(4, 8)}, {regs(4, 16)}, {regs(4, 20)}, %r30, 1;"
    yield f"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {regs(2, 0, 'd')}, {{%d4}}, {{%d5}}, {regs(2, 6, 'd')};"
    for k, a, b in ((4, 2, 1), (8, 4, 2), (16, 8, 4)):
        for rounding in ("", ".rz", ".rm"):
            yield f"mma.sync.aligned.m16n8k{k}.row.col{rounding}.f64.f64.f64.f64 {regs(4, 0, 'd')}, {regs(a, 8, 'd')}, {regs(b, 16, 'd')}, {regs(4, 20, 'd')};"
    for a, b in itertools.product(("s8", "u8"), repeat=2):
        for sat in ("", ".satfinite"):
            yield f"mma.sync.aligned.m8n8k16.row.col{sat}.s32.{a}.{b}.s32 {regs(2)}, {{%r8}}, {{%r9}}, {regs(2, 20)};"
            yield f"mma.sync.aligned.m16n8k16.row.col{sat}.s32.{a}.{b}.s32 {regs(4)}, {regs(2, 8)}, {{%r16}}, {regs(4, 20)};"
            yield f"mma.sync.aligned.m16n8k32.row.col{sat}.s32.{a}.{b}.s32 {regs(4)}, {regs(4, 8)}, {regs(2, 16)}, {regs(4, 20)};"
            for order in ("", "::ordered_metadata"):
                yield f"mma.sp{order}.sync.aligned.m16n8k32.row.col{sat}.s32.{a}.{b}.s32 {regs(4)}, {regs(2, 8)}, {regs(2, 16)}, {regs(4, 20)}, %r30, 1;"
                yield f"mma.sp{order}.sync.aligned.m16n8k64.row.col{sat}.s32.{a}.{b}.s32 {regs(4)}, {regs(4, 8)}, {regs(4, 16)}, {regs(4, 20)}, %r30, 0;"
    for a, b in itertools.product(("s4", "u4"), repeat=2):
        for sat in ("", ".satfinite"):
            yield f"mma.sync.aligned.m8n8k32.row.col{sat}.s32.{a}.{b}.s32 {regs(2)}, {{%r8}}, {{%r9}}, {regs(2, 20)};"
            yield f"mma.sync.aligned.m16n8k32.row.col{sat}.s32.{a}.{b}.s32 {regs(4)}, {regs(2, 8)}, {{%r16}}, {regs(4, 20)};"
            yield f"mma.sync.aligned.m16n8k64.row.col{sat}.s32.{a}.{b}.s32 {regs(4)}, {regs(4, 8)}, {regs(2, 16)}, {regs(4, 20)};"
            for order in ("", "::ordered_metadata"):
                yield f"mma.sp{order}.sync.aligned.m16n8k64.row.col{sat}.s32.{a}.{b}.s32 {regs(4)}, {regs(2, 8)}, {regs(2, 16)}, {regs(4, 20)}, %r30, 1;"
                yield f"mma.sp{order}.sync.aligned.m16n8k128.row.col{sat}.s32.{a}.{b}.s32 {regs(4)}, {regs(4, 8)}, {regs(4, 16)}, {regs(4, 20)}, %r30, 0;"
    for op in ("xor", "and"):
        yield f"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.{op}.popc {regs(2)}, {{%r8}}, {{%r9}}, {regs(2, 20)};"
        yield f"mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.{op}.popc {regs(4)}, {regs(2, 8)}, {{%r16}}, {regs(4, 20)};"
        yield f"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.{op}.popc {regs(4)}, {regs(4, 8)}, {regs(2, 16)}, {regs(4, 20)};"
    for a, b in itertools.product(("e4m3", "e5m2"), repeat=2):
        for d, n in (("f32", 4), ("f16", 2)):
            yield f"mma.sync.aligned.m16n8k32.row.col.{d}.{a}.{b}.{d} {regs(n)}, {regs(4, 8)}, {regs(2, 16)}, {regs(n, 20)};"
            yield f"mma.sync.aligned.m16n8k16.row.col.{d}.{a}.{b}.{d} {regs(n)}, {regs(2, 8)}, {{%r16}}, {regs(n, 20)};"
            yield f"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.{d}.{a}.{b}.{d} {regs(n)}, {regs(4, 8)}, {regs(4, 16)}, {regs(n, 20)}, %r30, 0;"
    for count in (1, 2, 4):
        for trans in ("", ".trans"):
            yield f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {regs(count)}, [%r9+32];"
            yield f"stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%r9+32], {regs(count)};"
    yield "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;"


def conversions():
    for t in ("e4m3x2", "e5m2x2"):
        for relu in ("", ".relu"):
            yield f"cvt.rn.satfinite{relu}.{t}.f32 %h0, %r1, %r2;"
            yield f"cvt.rn.satfinite{relu}.{t}.f16x2 %h0, %r1;"
            yield f"cvt.rn{relu}.f16x2.{t} %r0, %h1;"
    for t in ("f16x2", "bf16x2"):
        for rounding, relu, sat in itertools.product(("rn", "rz"), ("", ".relu"), ("", ".satfinite")):
            yield f"cvt.{rounding}{relu}{sat}.{t}.f32 %r0, %r1, %r2;"
            yield f"cvt.{rounding}{relu}{sat}.{t[:-2]}.f32 %h0, %r1;"
    for rounding, relu, sat in itertools.product(("rna", "rn", "rz"), ("", ".relu"), ("", ".satfinite")):
        yield f"cvt.{rounding}{relu}{sat}.tf32.f32 %r0, %r1;"
    sizes = {"8": "%h", "16": "%h", "32": "%r", "64": "%d"}
    for a, b in itertools.product(("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"), repeat=2):
        if a != b:
            for sat in ("", ".sat"):
                yield f"cvt{sat}.{a}.{b} {sizes[a[1:]]}0, {sizes[b[1:]]}1;"
    for a, b in itertools.product(("f16", "bf16", "f32", "f64"), ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64")):
        register = {"f16": "%h", "bf16": "%h", "f32": "%r", "f64": "%d"}[a]
        for rounding in ("rn", "rz", "rm", "rp"):
            yield f"cvt.{rounding}.{a}.{b} {register}0, {sizes[b[1:]]}1;"
            yield f"cvt.{rounding}i.{b}.{a} {sizes[b[1:]]}0, {register}1;"
        yield f"cvt.rzi.sat.{b}.{a} {sizes[b[1:]]}0, {register}1;"
        yield f"cvt.rzi.ftz.{b}.f32 {sizes[b[1:]]}0, %r1;"
    for a, b in itertools.product(("f16", "bf16", "f32", "f64"), repeat=2):
        register = {"f16": "%h", "bf16": "%h", "f32": "%r", "f64": "%d"}
        for rounding in ("", ".rn", ".rz", ".rm", ".rp", ".rni", ".rzi", ".rmi", ".rpi"):
            for rest in ("", ".ftz", ".sat"):
                yield f"cvt{rounding}{rest}.{a}.{b} {register[a]}0, {register[b]}1;"
    for t in ("u8", "s8", "u16", "s16"):
        yield f"cvt.pack.sat.{t}.s32 %r0, %r1, %r2;" if t[1:] == "16" else f"cvt.pack.sat.{t}.s32.b32 %r0, %r1, %r2, %r3;"
    for t in ("u4", "s4", "u2", "s2"):
        yield f"cvt.pack.sat.{t}.s32.b32 %r0, %r1, %r2, %r3;"


def arithmetic():
    for op in ("ex2.approx.ftz.bf16", "tanh.approx.bf16", "ex2.approx.f16", "ex2.approx.ftz.f16", "tanh.approx.f16"):
        yield f"{op} %h0, %h1;"
        yield f"{op}x2 %r0, %r1;"
    for op in ("rcp", "rsqrt", "sqrt", "sin", "cos", "lg2", "ex2"):
        yield f"{op}.approx.f32 %r0, %r1;"
        yield f"{op}.approx.ftz.f32 %r0, %r1;"
    yield "tanh.approx.f32 %r0, %r1;"
    yield "rcp.approx.ftz.f64 %d0, %d1;"
    yield "rsqrt.approx.ftz.f64 %d0, %d1;"
    for t, r in (("f16", "%h"), ("f16x2", "%r"), ("bf16", "%h"), ("bf16x2", "%r")):
        for rest in ("", ".ftz", ".sat", ".ftz.sat", ".relu", ".ftz.relu", ".oob", ".oob.relu"):
            yield f"fma.rn{rest}.{t} {r}0, {r}1, {r}2, {r}3;"
            yield f"add.rn{rest}.{t} {r}0, {r}1, {r}2;"
            yield f"mul.rn{rest}.{t} {r}0, {r}1, {r}2;"
            yield f"sub{rest}.{t} {r}0, {r}1, {r}2;"
        for rest in ("", ".ftz", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs", ".ftz.NaN.xorsign.abs"):
            yield f"min{rest}.{t} {r}0, {r}1, {r}2;"
            yield f"max{rest}.{t} {r}0, {r}1, {r}2;"
        yield f"neg.{t} {r}0, {r}1;"
        yield f"abs.{t} {r}0, {r}1;"
        for compare in ("eq", "ltu", "num", "nan"):
            second = "%p0|%p1" if "x2" in t else "%p0"
            yield f"setp.{compare}.{t} {second}, {r}1, {r}2;"
            yield f"setp.{compare}.and.{t} {second}, {r}1, {r}2, %p2;"
            yield f"set.{compare}.f16.f16 %h0, %h1, %h2;"
            yield f"set.{compare}.{'f16x2.f16x2' if t == 'f16x2' else 'bf16.bf16'} {'%r0, %r1, %r2' if t == 'f16x2' else '%h0, %h1, %h2'};"
            yield f"set.{compare}.u32.{t} %r0, {r}1, {r}2;"
    for rest in ("", ".ftz", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs", ".ftz.NaN.xorsign.abs"):
        yield f"min{rest}.f32 %r0, %r1, %r2;"
        yield f"max{rest}.f32 %r0, %r1, %r2;"
    for t in ("u16x2", "s16x2"):
        yield f"min.{t} %r0, %r1, %r2;"
        yield f"max.{t} %r0, %r1, %r2;"
        yield f"add.{t} %r0, %r1, %r2;"
    yield "min.relu.s16x2 %r0, %r1, %r2;"
    yield "max.relu.s32 %r0, %r1, %r2;"
    for op, t in itertools.product(("min", "max"), ("s32", "u32", "s16x2", "u16x2")):
        yield f"add.{t} %r0, %r1, %r2;\n{op}.{t} %r0, %r0, %r3;"
        yield f"{op}.{t} %r0, %r1, %r2;\n{op}.{t} %r0, %r0, %r3;"
    for op in ("vadd", "vsub", "vabsdiff", "vmin", "vmax"):
        yield f"{op}.s32.s32.u32.sat %r0, %r1, %r2;"
        yield f"{op}.u32.u32.u32.add %r0, %r1.b1, %r2.h1, %r3;"
        yield f"{op}2.s32.s32.s32 %r0, %r1, %r2, %r3;"
        yield f"{op}2.u32.u32.u32.add %r0, %r1, %r2, %r3;"
        yield f"{op}4.s32.s32.s32.sat %r0, %r1, %r2, %r3;"
        yield f"{op}4.u32.u32.u32.add %r0, %r1, %r2, %r3;"
    for op in ("vavrg2", "vavrg4"):
        yield f"{op}.s32.s32.s32 %r0, %r1, %r2, %r3;"
    for n in ("2", "4"):
        for c in ("eq", "lt", "ge"):
            yield f"vset{n}.s32.u32.{c} %r0, %r1, %r2, %r3;"
    yield "vshl.u32.u32.u32.clamp %r0, %r1, %r2;"
    yield "vshr.s32.u32.u32.wrap %r0, %r1.h1, %r2.b0;"
    yield "vmad.s32.s32.u32.shr7 %r0, %r1.h0, %r2.h1, %r3;"
    for a, b in itertools.product(("u32", "s32"), repeat=2):
        yield f"dp4a.{a}.{b} %r0, %r1, %r2, %r3;"
        yield f"dp2a.lo.{a}.{b} %r0, %r1, %r2, %r3;"
        yield f"dp2a.hi.{a}.{b} %r0, %r1, %r2, %r3;"
    for t in ("u32", "s32", "u64", "s64"):
        r = "%r" if "32" in t else "%d"
        yield f"bfe.{t} {r}0, {r}1, %r2, %r3;"
        yield f"bfi.b{t[1:]} {r}0, {r}1, {r}4, %r2, %r3;"
        yield f"bfind.{t} %r0, {r}1;"
        yield f"bfind.shiftamt.{t} %r0, {r}1;"
        yield f"mul.hi.{t} {r}0, {r}1, {r}2;"
        yield f"mad.hi.{t} {r}0, {r}1, {r}2, {r}3;"
        yield f"popc.b{t[1:]} %r0, {r}1;"
        yield f"clz.b{t[1:]} %r0, {r}1;"
        yield f"brev.b{t[1:]} {r}0, {r}1;"
        yield f"abs.s{t[1:]} {r}0, {r}1;"
        yield f"div.{t} {r}0, {r}1, {r}2;"
        yield f"rem.{t} {r}0, {r}1, {r}2;"
    for mode in ("clamp", "wrap"):
        yield f"szext.{mode}.s32 %r0, %r1, %r2;"
        yield f"szext.{mode}.u32 %r0, %r1, %r2;"
        yield f"bmsk.{mode}.b32 %r0, %r1, %r2;"
        yield f"shf.l.{mode}.b32 %r0, %r1, %r2, %r3;"
        yield f"shf.r.{mode}.b32 %r0, %r1, %r2, %r3;"
    yield "fns.b32 %r0, %r1, %r2, %r3;"
    for mode in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        yield f"prmt.b32.{mode} %r0, %r1, %r2, %r3;"
    for t in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
        yield f"testp.{t}.f32 %p0, %r0;"
        yield f"testp.{t}.f64 %p0, %d0;"
    for mode in ("up", "down", "bfly", "idx"):
        yield f"shfl.sync.{mode}.b32 %r0|%p0, %r1, %r2, %r3, %r4;"
    for t in ("add.u32", "add.s32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"):
        yield f"redux.sync.{t} %r0, %r1, %r2;"
    for t in ("any.b32", "all.b32"):
        r = "%r0|%p0" if t.startswith("all") else "%r0"
        yield f"match.sync.{t} {r}, %r1, %r2;"
        yield f"match.sync.{t[:3]}.b64 {r}, %d1, %r2;"
    for v in ("all.pred %p0", "any.pred %p0", "uni.pred %p0", "ballot.b32 %r0"):
        yield f"vote.sync.{v}, %p1, %r2;"
    yield "nanosleep.u32 %r0;"
    yield "nanosleep.u32 200;"
    yield "pmevent 3;"
    yield "pmevent.mask 0xff;"
    yield "brkpt;"
    yield "trap;"
    yield "bar.warp.sync %r0;"
    yield "barrier.sync %r0, %r1;"
    yield "barrier.sync.aligned 3, 64;"
    yield "barrier.arrive %r0, %r1;"
    yield "barrier.red.popc.u32 %r0, %r1, %r2, %p0;"
    yield "barrier.red.and.pred %p1, 2, !%p0;"
    yield "activemask.b32 %r0;"
    yield "stacksave.u64 %d0;\nalloca.u64 %d1, %d2;\nst.local.b32 [%d1], %r0;\nstackrestore.u64 %d0;"
    for name in ("clock", "smid", "nsmid", "warpid", "nwarpid", "laneid", "lanemask_lt", "lanemask_eq", "gridid", "clock_hi",
                 "total_smem_size", "dynamic_smem_size", "aggr_smem_size", "is_explicit_cluster", "envreg3", "pm0", "globaltimer_lo",
                 "globaltimer_hi", "cluster_ctarank", "cluster_nctarank", "reserved_smem_offset_begin"):
        yield f"mov.u32 %r0, %{name};"
    for name in ("cluster_ctaid", "clusterid", "nclusterid", "cluster_nctaid"):
        yield f"mov.u32 %r0, %{name}.x;\nmov.u32 %r1, %{name}.y;"
    for name in ("clock64", "globaltimer", "pm0_64", "current_graph_exec"):
        yield f"mov.u64 %d0, %{name};"


def blackwell():
    """What compute capability 10.0 added for ordinary kernels: two floats in a register pair, three-input minimum and
    maximum, 32-byte accesses, redux of floats."""
    for mode in ("rn", "rz", "rm", "rp", "rn.ftz"):
        yield f"add.{mode}.f32x2 %d0, %d1, %d2;"
        yield f"sub.{mode}.f32x2 %d0, %d1, %d2;"
        yield f"mul.{mode}.f32x2 %d0, %d1, %d2;"
        yield f"fma.{mode}.f32x2 %d0, %d1, %d2, %d3;"
    for name in ("min", "max"):
        for modifiers in ("", ".ftz", ".NaN", ".ftz.NaN"):
            yield f"{name}{modifiers}.f32 %r0, %r1, %r2, %r3;"
        for modifiers in ("", ".abs", ".NaN", ".abs.NaN"):
            yield f"redux.sync.{name}{modifiers}.f32 %r0, %r1, %r2;"
    words = ", ".join(f"%r{i}" for i in range(8))
    pairs = ", ".join(f"%d{i}" for i in range(4))
    for cache in ("", ".L2::evict_last", ".L2::evict_first"):
        yield f"ld.global{cache}.v8.b32 {{{words}}}, [%d9];"
        yield f"ld.global.nc{cache}.v4.b64 {{{pairs}}}, [%d9];"
        yield f"st.global{cache}.v8.b32 [%d9], {{{words}}};"
        yield f"st.global{cache}.v4.b64 [%d9+32], {{{pairs}}};"
    for form in ("e2m1x2", "e3m2x2", "e2m3x2"):
        yield f"{{ .reg .b8 %b; .reg .b16 %y; cvt.rn.satfinite.{form}.f32 %b, %r1, %r2; cvt.u16.u8 %h0, %b; }}" \
            if form == "e2m1x2" else f"cvt.rn.satfinite.{form}.f32 %h0, %r1, %r2;"
    for form in ("e3m2x2", "e2m3x2"):
        yield f"cvt.rn.f16x2.{form} %r0, %h1;"
    for mode in ("rz", "rp"):
        yield f"cvt.{mode}.satfinite.ue8m0x2.f32 %h0, %r1, %r2;"
    yield "cvt.rn.bf16x2.ue8m0x2 %r0, %h1;"
    yield "cvt.rs.f16x2.f32 %r0, %r1, %r2, %r3;"
    yield "cvt.rs.satfinite.bf16x2.f32 %r0, %r1, %r2, %r3;"
    yield "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r0], [%r1];"
    yield "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p0, %q1;"
    for shape, transposed in (("m16n16", ".trans"), ("m8n16", "")):
        for count, registers in (("x1", 1), ("x2", 2)):
            wide = registers * (2 if shape == "m16n16" else 1)
            listed = ", ".join(f"%r{i}" for i in range(wide))
            yield f"ldmatrix.sync.aligned.{shape}.{count}{transposed}.shared.b8 {{{listed}}}, [%r9];" \
                if shape == "m16n16" else \
                f"ldmatrix.sync.aligned.{shape}.{count}.shared.b8x16.b6x16_p32 {{{listed}}}, [%r9];"


# Lowest compute capability, instructions.
GROUPS = [(90, warp_group_products), (90, tensor_copies), (90, transaction_barriers), (90, clusters), (90, wide_atomics),
          (75, atomics), (75, cache_hints), (75, matrix_products), (75, conversions), (75, arithmetic),
          (80, transaction_barriers), (100, blackwell)]


def instructions(target):
    """The instructions of each group. An architecture lacks some of them, and some combinations do not exist."""
    groups = {}
    for lowest, group in GROUPS:
        if int(target.rstrip("a")) >= lowest and (group is not warp_group_products or target == "90a"):
            groups[group.__name__] = list(group())
    return groups


def module(target, texts):
    return HEAD.format(target=target) + "\n".join(kernel(i, text) for i, text in enumerate(texts))


def rejected(ptx, messages):
    """The numbers of the kernels that ptxas rejects."""
    lines = ptx.split("\n")
    numbers = set()
    for match in re.finditer(r"line (\d+); (?:error|fatal)", messages):
        line = int(match[1]) - 1
        while line >= 0 and not lines[line].startswith(".visible .entry"):
            line -= 1
        if line >= 0:
            numbers.add(int(re.match(r"\.visible \.entry k(\d+)", lines[line])[1]))
    return numbers
