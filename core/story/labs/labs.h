#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

// The beats and the stages of labs. The larger labs declare theirs in NAME/beats.h. A stage is composed of the generic
// pictures.

/// `kernel<<<grid, block, shared, stream>>>(n)`: what each part means, the index arithmetic of any thread, and what is
/// out of range. Starts with the followed launch. Controls: grid_x, grid_y, block_x, block_y, shared (bytes), excess
/// (threads beyond the elements), and, set by pointing, block and thread.
std::vector<Beat> launch_anatomy_beats(const Trace& trace, const Walk& walk);
Stage launch_anatomy(const SceneInput& input);

/// The followed kernel as the Kernel lab opens it: its code, launch and inputs; its figures; and a comparison with
/// another launch of the trace. Control: other (number of a launch with counters).
std::vector<Beat> kernel_lab_beats(const Trace& trace, const Walk& walk);
Stage kernel_lab(const SceneInput& input);

/// Every parameter of a simulated GPU, by group: value, unit, status, meaning and source. Starts with the GPU of the
/// walk. Control: device (number of the description).
std::vector<Beat> parameters_beats(const Trace& trace, const Walk& walk);
Stage parameters(const SceneInput& input);

/// The receipts of the followed launch and of another one side by side, and the source of the difference. Control:
/// other (number of a kernel).
std::vector<Beat> receipts_beats(const Trace& trace, const Walk& walk);
Stage receipts(const SceneInput& input);

/// Simulated against measured cycles of the launches with which the timing model was validated
/// (assets/devices/h200_validation.csv).
std::vector<Beat> validation_beats(const Trace& trace, const Walk& walk);
Stage validation(const SceneInput& input);

/// One CPU core, all cores and a GPU on the same work, measured; the same grid on 2, 8 and 132 SMs, simulated. Controls:
/// steps and loads (of a thread alone), work, elements, blocks.
std::vector<Beat> why_gpus_beats(const Trace& trace, const Walk& walk);
Stage why_gpus(const SceneInput& input);

/// Grid, cluster, block, warp and thread in one to three dimensions. Starts with the followed launch. Controls: grid_x
/// to grid_z, block_x to block_z, cluster (blocks in x), and, set by pointing, block and thread.
std::vector<Beat> hierarchy_beats(const Trace& trace, const Walk& walk);
Stage hierarchy(const SceneInput& input);

/// A matrix product by tiles: bytes and reuse by the edge of a tile, the roofline, five kernels measured and simulated,
/// and copies that overlap with the arithmetic. Controls: tile (its edge), copy and multiply (ns of a step), buffers.
std::vector<Beat> tiling_beats(const Trace& trace, const Walk& walk);
Stage tiling(const SceneInput& input);

/// The 32 addresses of a warp's access to global memory as lines and sectors. Controls: stride and offset (elements),
/// width, order, and, set by pointing, lane.
std::vector<Beat> coalescing_beats(const Trace& trace, const Walk& walk);
Stage coalescing(const SceneInput& input);

/// A tile of 32 x 32 elements in shared memory, read by rows, columns or diagonals: banks, wavefronts, padding and
/// swizzling. Controls: walk, width, padding, swizzle, and, set by pointing, element.
std::vector<Beat> bank_conflicts_beats(const Trace& trace, const Walk& walk);
Stage bank_conflicts(const SceneInput& input);

/// Branches, cases and loops in one warp, with the mask of active lanes. Controls: shape, condition, split, body, and,
/// set by pointing, lane.
std::vector<Beat> divergence_beats(const Trace& trace, const Walk& walk);
Stage divergence(const SceneInput& input);

/// Registers, shared memory and block size against the blocks that an SM takes, and occupancy against the bandwidth
/// that Little's law allows. Starts with the followed launch. Controls: device, block, registers, shared (bytes), loads
/// (in flight per warp), width (bytes per lane and load).
std::vector<Beat> occupancy_lab_beats(const Trace& trace, const Walk& walk);
Stage occupancy_lab(const SceneInput& input);

/// One warp scheduler cycle by cycle, issue slots and memory by the number of warps as measured, and Little's law.
/// Controls: warps (per scheduler), independent (instructions per warp), latency (cycles).
std::vector<Beat> latency_hiding_beats(const Trace& trace, const Walk& walk);
Stage latency_hiding(const SceneInput& input);

/// The levels of the memory by size and latency, a pointer chase that was measured and simulated, who can read what, and
/// the names. Starts with the GPU of the walk. Controls: device (number of the description), size (of the chased buffer:
/// the logarithm of its KiB).
std::vector<Beat> memory_hierarchy_beats(const Trace& trace, const Walk& walk);
Stage memory_hierarchy(const SceneInput& input);

/// The features of each compute capability, and the GPUs on which PTX and machine code run. Starts with the GPU of the
/// walk and the followed kernel's PTX. Controls: gpu, cubin, ptx (numbers in a list; 0: none).
std::vector<Beat> compute_capability_beats(const Trace& trace, const Walk& walk);
Stage compute_capability(const SceneInput& input);

/// Source, PTX and machine code of a kernel: which lines belong together, what levels of optimisation change, what
/// ptxas did to each PTX instruction, and control codes. Starts with the followed kernel if it has both texts. Controls:
/// kernel, level, ptx (line), instruction (number), and, set by pointing, line (of the source).
std::vector<Beat> ptx_sass_beats(const Trace& trace, const Walk& walk);
Stage ptx_sass(const SceneInput& input);

/// One mma of a warp: D = A B + C by element, the lanes that hold the matrices, precision, formats by generation and
/// 2:4 sparsity. Controls: format, matrix, length (of a dot product), row (of weights), and, set by pointing, element
/// and lane.
std::vector<Beat> tensor_cores_beats(const Trace& trace, const Walk& walk);
Stage tensor_cores(const SceneInput& input);

/// The formats in which GPUs keep numbers: bits, rounding, range, special values; a quantised vector, sums and scaled
/// gradients. Starts with an input of the followed op, if its elements are known. Controls: format, digits and power
/// (the number), scaled (format of the vector), outlier, term and terms (of the sum), scale (of the loss), and, set by
/// pointing, flips_high, flips_low and flips_of.
std::vector<Beat> number_formats_beats(const Trace& trace, const Walk& walk);
Stage number_formats(const SceneInput& input);

}  // namespace warpwalk::story
