"""Asks ptxas for which targets it accepts an instruction of each feature, and writes ptx_features.csv.

    python3 tests/gpu/ptx_features.py     needs ptxas of CUDA 13; the recorded file came from CUDA 13.0
"""

import pathlib
import subprocess
import tempfile

KERNEL = """.version 8.8
.target {target}
.address_size 64
.visible .entry k(.param .u64 p) {{
  .reg .b8 b; .reg .b16 h<8>; .reg .b32 r<20>; .reg .b64 d<8>; .reg .f32 f<20>;
  .shared .align 128 .b8 s[1024];
  mov.u32 r1, s;
  ld.param.u64 d1, [p];
  {instruction}
  ret;
}}
"""
FEATURES = {
    "tensor_f16": "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {f1,f2,f3,f4},{r2,r3},{r4},{f1,f2,f3,f4};",
    "tensor_bf16": "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {f1,f2,f3,f4},{r2,r3},{r4},{f1,f2,f3,f4};",
    "tensor_sparse": "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
                     " {f1,f2,f3,f4},{r2,r3},{r4,r5},{f1,f2,f3,f4},r6,0x0;",
    "async_copy": "cp.async.ca.shared.global [r1],[d1],16;",
    "mbarrier": "mbarrier.init.shared.b64 [r1],1;",
    "redux": "redux.sync.add.s32 r2,r3,-1;",
    "fp8": "cvt.rn.satfinite.e4m3x2.f32 h1,f1,f2;",
    "cluster": "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
    "tma": "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [r1],[d1],16,[r1];",
    "dependent_launch": "griddepcontrol.wait;",
    "wgmma": "wgmma.fence.sync.aligned;",
    "tcgen05": "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [r1],32;",
    "fp4": "cvt.rn.satfinite.e2m1x2.f32 b,f1,f2;",
}
TARGETS = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_103", "sm_103a", "sm_120",
           "sm_120a"]


def accepted(target: str, instruction: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "k.ptx"
        file.write_text(KERNEL.format(target=target, instruction=instruction))
        command = ["ptxas", f"-arch={target}", file, "-o", "/dev/null"]
        return subprocess.run(command, capture_output=True).returncode == 0


def main() -> None:
    rows = ["feature," + ",".join(TARGETS)]
    for feature, instruction in FEATURES.items():
        rows.append(feature + "," + ",".join(str(int(accepted(target, instruction))) for target in TARGETS))
    pathlib.Path(__file__).with_suffix(".csv").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
