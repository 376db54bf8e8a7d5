#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The labs, in the order of the start page. Adding a lab means a declaration below and a row in labs.cpp.
const std::vector<Scene>& labs();

// The beats and the stages of the labs. What a lab in a folder declares for its own files is in NAME/NAME.h. A stage is
// composed of the generic pictures.

/// `kernel<<<grid, block, shared, stream>>>(n)`: what each part means, the index arithmetic of any thread, and what is
/// out of range. Starts with the followed launch. Controls: grid_x, grid_y, block_x, block_y, shared (bytes), excess
/// (threads beyond the elements), and, set by pointing, block and thread.
const Contents& launch_anatomy_lab();

/// The followed kernel as the Kernel lab opens it: its code, launch and inputs; its figures; and a comparison with
/// another launch of the trace. Control: other (number of a launch with counters).
const Contents& kernel_lab();
const Contents& exercise_lab();

/// Every parameter of a simulated GPU, by group: value, unit, status, meaning and source. Starts with the GPU of the
/// walk. Control: device (number of the description).
const Contents& parameters_lab();

/// The receipts of the followed launch and of another one side by side, and the source of the difference. Control:
/// other (number of a kernel).
const Contents& receipts_lab();

/// Simulated against measured cycles of the launches with which the timing model was validated
/// (assets/devices/h200_validation.csv).
const Contents& validation_lab();

/// A launch on many descriptions of GPUs, from a sweep that the Python package made: cycles over a parameter with those
/// that no other GPU beats, and the sensitivity to each parameter. Controls: launch, parameter.
const Contents& sweep_lab();

/// One CPU core, all cores and a GPU on the same work, measured; the same grid on 2, 8 and 132 SMs, simulated.
/// Controls: steps and loads (of a thread alone), work, elements, blocks.
const Contents& why_gpus_lab();

/// Grid, cluster, block, warp and thread in one to three dimensions. Starts with the followed launch. Controls: grid_x
/// to grid_z, block_x to block_z, cluster (blocks in x), and, set by pointing, block and thread.
const Contents& hierarchy_lab();

/// A matrix product by tiles: bytes and reuse by the edge of a tile, the roofline, five kernels measured and simulated,
/// and copies that overlap with the arithmetic. Controls: tile (its edge), copy and multiply (ns of a step), buffers.
const Contents& tiling_lab();

/// The 32 addresses of a warp's access to global memory as lines and sectors, beside the code that makes them.
/// Controls: stride and offset (elements), width, order, layout and fields (of structures), and, set by pointing, lane.
const Contents& coalescing_lab();

/// A tile of 32 x 32 elements in shared memory, read by rows, columns, diagonals or with broadcasts: banks, wavefronts,
/// padding and swizzling. Controls: walk, width, padding, swizzle, and, set by pointing, element.
const Contents& bank_conflicts_lab();

/// Branches, cases and loops in one warp, with the mask of active lanes. Controls: shape, condition, split, body, and,
/// set by pointing, lane.
const Contents& divergence_lab();

/// Registers, shared memory and block size against the blocks that an SM takes, and occupancy against the bandwidth
/// that Little's law allows. Starts with the followed launch. Controls: device, block, registers, shared (bytes), loads
/// (in flight per warp), width (bytes per lane and load).
const Contents& occupancy_lab();

/// One warp scheduler cycle by cycle, issue slots and memory by the number of warps as measured, and Little's law.
/// Controls: warps (per scheduler), independent (instructions per warp), latency (cycles).
const Contents& latency_hiding_lab();

/// The levels of the memory by size and latency, a pointer chase that was measured and simulated, who can read what,
/// constant memory and textures as measured, and the names. Starts with the GPU of the walk. Controls: device (number
/// of the description), size (KiB of the chased buffer), addresses (different ones of a constant load).
const Contents& memory_hierarchy_lab();

/// The features of each compute capability, and the GPUs on which PTX and machine code run. Starts with the GPU of the
/// walk and the followed kernel's PTX. Controls: gpu, cubin, ptx (numbers in a list; 0: none).
const Contents& compute_capability_lab();

/// Source, PTX and machine code of a kernel: which lines belong together, what levels of optimisation change, what
/// ptxas did to each PTX instruction, and control codes. Starts with the followed kernel if it has both texts.
/// Controls: kernel, level, ptx (line), instruction (number), and, set by pointing, line (of the source).
const Contents& ptx_sass_lab();

/// One mma of a warp: D = A B + C by element, the lanes that hold the matrices, precision, formats by generation and
/// 2:4 sparsity. Controls: format, matrix, length (of a dot product), row (of weights), and, set by pointing, element
/// and lane.
const Contents& tensor_cores_lab();
const Contents& layouts_lab();

/// The formats in which GPUs keep numbers: bits, rounding, range, special values; a quantised vector, sums and scaled
/// gradients. Starts with an input of the followed op, if its elements are known. Controls: format, digits and power
/// (the number), scaled (format of the vector), outlier, term and terms (of the sum), scale (of the loss), and, set by
/// pointing, flips_high, flips_low and flips_of.
const Contents& number_formats_lab();

/// Allocation, copies, a kernel and the way back, as recorded on an H200 (assets/devices/h200_host_device.csv):
/// pageable, pinned, mapped and managed memory, what each call makes the CPU wait for, from when on a GPU with copies
/// is faster than the CPU, and what mistakes with pointers give. Controls: size (number in the list of recorded sizes),
/// way (kind of memory), advice (of managed memory), uses (kernels on the same data), adds (multiply-adds per element),
/// pinned (copies of the comparison), and, set by pointing, step and mistake.
const Contents& host_device_lab();

/// A tensor over its storage: the place of an element, views, contiguity, chains of steps that give a view or a copy,
/// the cost for a warp to read a view, and device, layout and dtype. Controls: tensor, step1 to step3, stride and width
/// (of a warp's read), device, layout, dtype, nonzeros, and, set by pointing, element and entry (of the sparse matrix).
const Contents& tensors_lab();

/// A call on its way through PyTorch's dispatcher: the Python binding, the set of keys bit by bit, the table, the call
/// of warpwalk's own dispatcher, the choice by element type, and where each part lies in PyTorch's tree. Controls: op,
/// arguments (the Python call), device, layout, dtype, grad (requires_grad), mode, and, set by pointing, bit.
const Contents& dispatch_lab();

/// Autograd on small tensors: the tape of an expression, the way back node by node, the vector-Jacobian product and the
/// Jacobian of a node beside finite differences, leaves and .grad, and the version counters that guard saved tensors.
/// Everything is run by the op library of core/ops. Starts with the walk's expression, if it was run with gradients.
/// Controls: expression (text), example, step, seed, argument, size, frozen, mode, rounds, write, how, and, set by
/// pointing, node.
const Contents& autograd_lab();

/// The text control of the lab.
constexpr TextControl autograd_text = {"expression", 120};

/// An op, leaky_relu, written part by part: schema, output, switch over types, kernel, result, derivative. Its kernel
/// runs on the simulated GPU. Controls: slope (hundredths), n (elements), dtype, block, layout, mistake.
const Contents& writing_a_kernel_lab();

/// A call of a Linear layer frame by frame, from nn.Module down to the kernels and back, and its backward pass. Starts
/// with the call around the followed work, else with the trace's first one. Controls: call (number of the call), and,
/// set by pointing, frame.
const Contents& forward_pass_lab();

/// Copies, kernels, events and synchronization on several streams: what overlaps and what waits, recorded and
/// scheduled; graphs against single launches. Controls: preset (of the program), streams, default (stream), host
/// (memory), engines (for copies), call (µs of the CPU), pN_opM, pN_streamM and pN_usM (what call M of preset N is, its
/// stream and its µs, shown for the chosen call), inside (what the default stream runs), events (program with events),
/// kernel (of the measured series), and, set by pointing, step (the chosen call, from 1).
const Contents& streams_lab();

/// malloc and free against PyTorch's caching allocator: costs, rules, a plan step by step, fragmentation, settings; and
/// with a memory snapshot (torch.cuda.memory._dump_snapshot), its segments, blocks, lines of Python, history and
/// verdict. Controls: elements (of one request), plan, step, setting, batches, batch, kept, wanted (MiB), limit (MiB),
/// edit, and for the own plan what_N and size_N; with a snapshot device, entry, callers (frames further out), and, set
/// by pointing, segment and block.
const Contents& caching_allocator_lab();

/// One recorded moment as nvidia-smi, NVML, PyTorch's memory functions, profilers and hardware counters report it.
/// Controls: moment, kernel and gap (µs), blocks, burst (recorded kernels), window and offset (ms), and, set by
/// pointing, instrument.
const Contents& observe_lab();

/// relu and vecadd in CUDA C++ and in Triton: threads and program instances, Triton's layout and masks, PTX and
/// counters of both, measured times, autotuning, torch.compile's kernel, and a Triton op in PyTorch. Controls: kernel,
/// n (elements), block (threads), block_size (elements per program instance), warps, size (of matrices), config (that
/// is predicted), op, and, set by pointing, element and line (of the generated source).
const Contents& cuda_triton_lab();

/// Lines of PyTorch in eager mode and as torch.compile makes them: launches, code, measured times, bytes and cycles.
/// Controls: line, way (compiled, or with max-autotune).
const Contents& torch_compile_lab();

/// A file on its way from NVMe drives to GPU memory: through the page cache, by direct I/O into a pinned buffer, and by
/// cuFile straight into GPU memory (GPUDirect Storage). Controls: route, gds (available or compatibility mode), file
/// (MiB), chunk (KiB), depth (chunks in flight), threads (that copy), drives, drive, link, copy, memory (GB/s), latency
/// and request (µs), offset (bytes from a multiple of 4 KiB), and, set by pointing, call.
const Contents& storage_lab();

/// How GPUs add up their gradients: ring and tree all-reduce chunk by chunk, their times by the alpha-beta model beside
/// NCCL's as measured on H100s (assets/devices/h200_collectives.csv), the other collectives, a late GPU for which all
/// wait, and a pipeline's bubble. All of it is simulated. Controls: gpus, trees, collective, algorithm, size (of the
/// message: log2 of its bytes), latency (ns), bandwidth (GB/s), late_gpu, late and compute (µs), stages, microbatches,
/// order, backward (units of a forward), and ring_step, tree_step and other_step.
const Contents& collectives_lab();

/// How the whole trace spends its time: the bottleneck, kernels and ops by cost, launches over time, the critical path,
/// a comparison of steps, and the differences from a second trace (SceneInput::compared). A click on a row follows its
/// op or work in the boardroom. Controls: step (0: the whole trace), list (order of the critical path), sort (order of
/// the kernels).
const Contents& overview_lab();

}  // namespace warpwalk::story
