#!/bin/bash
# Records everything that this folder records into $OUT (a machine with a GPU and PyTorch 2.x).
unset PYTORCH_CUDA_ALLOC_CONF PYTORCH_ALLOC_CONF
timeout 80 python3 record_settings.py "$OUT/allocator_settings.json" > "$OUT/settings.log" 2>&1
timeout 30 python3 snapshots.py training "$OUT/training.pickle" > "$OUT/training.log" 2>&1
timeout 30 python3 snapshots.py fragmented "$OUT/fragmented.pickle" > "$OUT/fragmented.log" 2>&1
timeout 30 python3 snapshots.py full "$OUT/full.pickle" > "$OUT/full.log" 2>&1
PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True PYTORCH_ALLOC_CONF=expandable_segments:True \
  timeout 30 python3 snapshots.py fragmented "$OUT/expandable.pickle" > "$OUT/expandable.log" 2>&1
timeout 60 python3 times.py "$OUT/h200_allocator.csv" > "$OUT/times.log" 2>&1
for snapshot in "$OUT"/*.pickle; do gzip -9 -n "$snapshot"; done
true
