// Triangular systems with a matrix of blocks: cusparse[SDCZ]bsrsv2 and cusparse[SDCZ]bsrsm2.
#include <climits>
#include <memory>

#include "instrumentation/simulated/libraries/cusparse/solve.h"

namespace warpwalk::simulated::libraries {
namespace {

/// What a bsrsv2Info_t or bsrsm2Info_t points to.
struct BlockSolveInfo {
  DeviceMemory::Place zero_pivot;  ///< an int in device memory: the first row with a zero pivot, or INT_MAX
};

/// The matrix of blocks that the functions take as arrays.
struct BlockTriangle {
  int direction;  ///< cusparseDirection_t: 1 by columns
  SparseOp op;
  int block_rows, blocks;
  const SparseMatDescr* descr;
  const void* values;
  const int *offsets, *columns;
  int block;
};

SparseStatus create_info(const char* function, BlockSolveInfo** info) {
  return guarded<SparseStatus>(function, SparseStatus::alloc_failed, [&] {
    if (info == nullptr) return SparseStatus::invalid_value;
    auto made = std::make_unique<BlockSolveInfo>();
    made->zero_pivot = Gpu::the().memory.allocate(MemoryKind::device, sizeof(int), "cudaMalloc");
    if (made->zero_pivot == nullptr) return SparseStatus::alloc_failed;
    made->zero_pivot->owned = true;
    *info = made.release();
    return SparseStatus::success;
  });
}

SparseStatus destroy_info(BlockSolveInfo* info) {
  const std::unique_ptr<BlockSolveInfo> owned(info);
  if (info == nullptr) return SparseStatus::invalid_value;
  Gpu& gpu = Gpu::the();
  gpu.queue.wait_all();
  if (gpu.memory.find(info->zero_pivot->address) == info->zero_pivot) gpu.memory.free(info->zero_pivot->address);
  return SparseStatus::success;
}

SparseStatus check_triangle(const SparseHandle* handle, const BlockTriangle& a, const BlockSolveInfo* info) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (a.block_rows < 0 || a.blocks < 0 || a.block < 1 || a.descr == nullptr || info == nullptr)
    return SparseStatus::invalid_value;
  return SparseStatus::success;
}

SparseStatus block_solve_bytes(const SparseHandle* handle, const BlockTriangle& a, const BlockSolveInfo* info,
                               int* bytes) {
  if (const auto wrong = check_triangle(handle, a, info); wrong != SparseStatus::success) return wrong;
  if (bytes == nullptr) return SparseStatus::invalid_value;
  *bytes = 0;
  return SparseStatus::success;
}

/// Forgets zero pivots of earlier solutions.
SparseStatus analyse_blocks(const char* function, const SparseHandle* handle, const BlockTriangle& a,
                            const BlockSolveInfo* info) {
  return guarded<SparseStatus>(function, SparseStatus::internal_error, [&] {
    if (const auto wrong = check_triangle(handle, a, info); wrong != SparseStatus::success) return wrong;
    return sparse_status(api_call(Api::runtime, "cudaMemsetAsync", [&](Gpu& gpu) {
      Stream* const stream = gpu.streams.find(handle->stream);
      if (stream == nullptr) return Error::invalid_resource_handle;
      Fill fill;
      fill.address = info->zero_pivot->address;
      fill.value = INT_MAX, fill.value_bytes = sizeof(int), fill.width = 1, fill.pitch = sizeof(int);
      return gpu.fill(fill, *stream, false);
    }));
  });
}

SparseStatus solve_blocks(const char* function, const SparseHandle* handle, SparseData data, const BlockTriangle& a,
                          const BlockSolveInfo* info, const void* alpha, Dense b, Dense x, int columns) {
  return guarded<SparseStatus>(function, SparseStatus::internal_error, [&] {
    if (const auto wrong = check_triangle(handle, a, info); wrong != SparseStatus::success) return wrong;
    if (alpha == nullptr || columns < 0) return SparseStatus::invalid_value;
    SparseSystem system;
    system.a = rows_of(*a.descr, a.offsets, a.columns, a.values, a.blocks, a.block, a.direction == 1);
    system.b = b, system.x = x;
    system.rows = std::int64_t{a.block_rows} * a.block, system.columns = columns;
    system.op = a.op, system.fill = a.descr->fill, system.diagonal = a.descr->diagonal;
    system.alpha = alpha, system.data = data;
    system.zero_pivot = reinterpret_cast<int*>(info->zero_pivot->address);
    return solve(function, handle, system);
  });
}

/// A matrix that is stored by columns, or by rows if it counts as transposed.
Dense by_columns(const void* at, int leading, SparseOp op) {
  const bool plain = op == SparseOp::none;
  return {const_cast<void*>(at), plain ? 1 : leading, plain ? leading : 1, 0};
}

/// Waits for the solution. `position` gets the row of the zero pivot; -1: there is none.
SparseStatus zero_pivot(const char* function, const SparseHandle* handle, const BlockSolveInfo* info, int* position) {
  return guarded<SparseStatus>(function, SparseStatus::internal_error, [&] {
    if (handle == nullptr) return SparseStatus::not_initialized;
    if (info == nullptr || position == nullptr) return SparseStatus::invalid_value;
    if (handle->scalars_on_device) return sparse_not_supported(function, "a position in device memory");
    int row = INT_MAX;
    const Error error = read_back(*handle, &row, reinterpret_cast<const void*>(info->zero_pivot->address), sizeof row);
    if (error != Error::success) return sparse_status(error);
    *position = row == INT_MAX ? -1 : row;
    return row == INT_MAX ? SparseStatus::success : SparseStatus::zero_pivot;
  });
}

}  // namespace

extern "C" {

SparseStatus cusparseCreateBsrsv2Info(BlockSolveInfo** info) { return create_info("cusparseCreateBsrsv2Info", info); }
SparseStatus cusparseDestroyBsrsv2Info(BlockSolveInfo* info) { return destroy_info(info); }
SparseStatus cusparseCreateBsrsm2Info(BlockSolveInfo** info) { return create_info("cusparseCreateBsrsm2Info", info); }
SparseStatus cusparseDestroyBsrsm2Info(BlockSolveInfo* info) { return destroy_info(info); }
SparseStatus cusparseXbsrsv2_zeroPivot(SparseHandle* handle, BlockSolveInfo* info, int* position) {
  return zero_pivot("cusparseXbsrsv2_zeroPivot", handle, info, position);
}
SparseStatus cusparseXbsrsm2_zeroPivot(SparseHandle* handle, BlockSolveInfo* info, int* position) {
  return zero_pivot("cusparseXbsrsm2_zeroPivot", handle, info, position);
}

SparseStatus cusparseSbsrsv2_bufferSize(SparseHandle* handle, int direction, SparseOp op, int block_rows, int blocks,
                                        const SparseMatDescr* descr, const void* values, const int* offsets,
                                        const int* columns, int block, BlockSolveInfo* info, int* bytes) {
  return block_solve_bytes(handle, {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info,
                           bytes);
}
SparseStatus cusparseSbsrsv2_analysis(SparseHandle* handle, int direction, SparseOp op, int block_rows, int blocks,
                                      const SparseMatDescr* descr, const void* values, const int* offsets,
                                      const int* columns, int block, BlockSolveInfo* info, int, void*) {
  return analyse_blocks("cusparseSbsrsv2_analysis", handle,
                        {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info);
}
SparseStatus cusparseSbsrsv2_solve(SparseHandle* handle, int direction, SparseOp op, int block_rows, int blocks,
                                   const void* alpha, const SparseMatDescr* descr, const void* values,
                                   const int* offsets, const int* columns, int block, BlockSolveInfo* info,
                                   const void* b, void* x, int, void*) {
  return solve_blocks("cusparseSbsrsv2_solve", handle, SparseData::r32,
                      {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info, alpha,
                      {const_cast<void*>(b), 1, 0, 0}, {x, 1, 0, 0}, 1);
}
SparseStatus cusparseDbsrsv2_bufferSize(SparseHandle* handle, int direction, SparseOp op, int block_rows, int blocks,
                                        const SparseMatDescr* descr, const void* values, const int* offsets,
                                        const int* columns, int block, BlockSolveInfo* info, int* bytes) {
  return block_solve_bytes(handle, {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info,
                           bytes);
}
SparseStatus cusparseDbsrsv2_analysis(SparseHandle* handle, int direction, SparseOp op, int block_rows, int blocks,
                                      const SparseMatDescr* descr, const void* values, const int* offsets,
                                      const int* columns, int block, BlockSolveInfo* info, int, void*) {
  return analyse_blocks("cusparseDbsrsv2_analysis", handle,
                        {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info);
}
SparseStatus cusparseDbsrsv2_solve(SparseHandle* handle, int direction, SparseOp op, int block_rows, int blocks,
                                   const void* alpha, const SparseMatDescr* descr, const void* values,
                                   const int* offsets, const int* columns, int block, BlockSolveInfo* info,
                                   const void* b, void* x, int, void*) {
  return solve_blocks("cusparseDbsrsv2_solve", handle, SparseData::r64,
                      {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info, alpha,
                      {const_cast<void*>(b), 1, 0, 0}, {x, 1, 0, 0}, 1);
}
SparseStatus cusparseCbsrsv2_bufferSize(SparseHandle* handle, int direction, SparseOp op, int block_rows, int blocks,
                                        const SparseMatDescr* descr, const void* values, const int* offsets,
                                        const int* columns, int block, BlockSolveInfo* info, int* bytes) {
  return block_solve_bytes(handle, {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info,
                           bytes);
}
SparseStatus cusparseCbsrsv2_analysis(SparseHandle* handle, int direction, SparseOp op, int block_rows, int blocks,
                                      const SparseMatDescr* descr, const void* values, const int* offsets,
                                      const int* columns, int block, BlockSolveInfo* info, int, void*) {
  return analyse_blocks("cusparseCbsrsv2_analysis", handle,
                        {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info);
}
SparseStatus cusparseCbsrsv2_solve(SparseHandle* handle, int direction, SparseOp op, int block_rows, int blocks,
                                   const void* alpha, const SparseMatDescr* descr, const void* values,
                                   const int* offsets, const int* columns, int block, BlockSolveInfo* info,
                                   const void* b, void* x, int, void*) {
  return solve_blocks("cusparseCbsrsv2_solve", handle, SparseData::c32,
                      {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info, alpha,
                      {const_cast<void*>(b), 1, 0, 0}, {x, 1, 0, 0}, 1);
}
SparseStatus cusparseZbsrsv2_bufferSize(SparseHandle* handle, int direction, SparseOp op, int block_rows, int blocks,
                                        const SparseMatDescr* descr, const void* values, const int* offsets,
                                        const int* columns, int block, BlockSolveInfo* info, int* bytes) {
  return block_solve_bytes(handle, {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info,
                           bytes);
}
SparseStatus cusparseZbsrsv2_analysis(SparseHandle* handle, int direction, SparseOp op, int block_rows, int blocks,
                                      const SparseMatDescr* descr, const void* values, const int* offsets,
                                      const int* columns, int block, BlockSolveInfo* info, int, void*) {
  return analyse_blocks("cusparseZbsrsv2_analysis", handle,
                        {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info);
}
SparseStatus cusparseZbsrsv2_solve(SparseHandle* handle, int direction, SparseOp op, int block_rows, int blocks,
                                   const void* alpha, const SparseMatDescr* descr, const void* values,
                                   const int* offsets, const int* columns, int block, BlockSolveInfo* info,
                                   const void* b, void* x, int, void*) {
  return solve_blocks("cusparseZbsrsv2_solve", handle, SparseData::c64,
                      {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info, alpha,
                      {const_cast<void*>(b), 1, 0, 0}, {x, 1, 0, 0}, 1);
}
SparseStatus cusparseSbsrsm2_bufferSize(SparseHandle* handle, int direction, SparseOp op, SparseOp, int block_rows, int,
                                        int blocks, const SparseMatDescr* descr, const void* values, const int* offsets,
                                        const int* columns, int block, BlockSolveInfo* info, int* bytes) {
  return block_solve_bytes(handle, {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info,
                           bytes);
}
SparseStatus cusparseSbsrsm2_analysis(SparseHandle* handle, int direction, SparseOp op, SparseOp, int block_rows, int,
                                      int blocks, const SparseMatDescr* descr, const void* values, const int* offsets,
                                      const int* columns, int block, BlockSolveInfo* info, int, void*) {
  return analyse_blocks("cusparseSbsrsm2_analysis", handle,
                        {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info);
}
SparseStatus cusparseSbsrsm2_solve(SparseHandle* handle, int direction, SparseOp op, SparseOp op_x, int block_rows,
                                   int n, int blocks, const void* alpha, const SparseMatDescr* descr,
                                   const void* values, const int* offsets, const int* columns, int block,
                                   BlockSolveInfo* info, const void* b, int b_leading, void* x, int x_leading, int,
                                   void*) {
  return solve_blocks("cusparseSbsrsm2_solve", handle, SparseData::r32,
                      {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info, alpha,
                      by_columns(b, b_leading, op_x), by_columns(x, x_leading, op_x), n);
}
SparseStatus cusparseDbsrsm2_bufferSize(SparseHandle* handle, int direction, SparseOp op, SparseOp, int block_rows, int,
                                        int blocks, const SparseMatDescr* descr, const void* values, const int* offsets,
                                        const int* columns, int block, BlockSolveInfo* info, int* bytes) {
  return block_solve_bytes(handle, {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info,
                           bytes);
}
SparseStatus cusparseDbsrsm2_analysis(SparseHandle* handle, int direction, SparseOp op, SparseOp, int block_rows, int,
                                      int blocks, const SparseMatDescr* descr, const void* values, const int* offsets,
                                      const int* columns, int block, BlockSolveInfo* info, int, void*) {
  return analyse_blocks("cusparseDbsrsm2_analysis", handle,
                        {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info);
}
SparseStatus cusparseDbsrsm2_solve(SparseHandle* handle, int direction, SparseOp op, SparseOp op_x, int block_rows,
                                   int n, int blocks, const void* alpha, const SparseMatDescr* descr,
                                   const void* values, const int* offsets, const int* columns, int block,
                                   BlockSolveInfo* info, const void* b, int b_leading, void* x, int x_leading, int,
                                   void*) {
  return solve_blocks("cusparseDbsrsm2_solve", handle, SparseData::r64,
                      {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info, alpha,
                      by_columns(b, b_leading, op_x), by_columns(x, x_leading, op_x), n);
}
SparseStatus cusparseCbsrsm2_bufferSize(SparseHandle* handle, int direction, SparseOp op, SparseOp, int block_rows, int,
                                        int blocks, const SparseMatDescr* descr, const void* values, const int* offsets,
                                        const int* columns, int block, BlockSolveInfo* info, int* bytes) {
  return block_solve_bytes(handle, {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info,
                           bytes);
}
SparseStatus cusparseCbsrsm2_analysis(SparseHandle* handle, int direction, SparseOp op, SparseOp, int block_rows, int,
                                      int blocks, const SparseMatDescr* descr, const void* values, const int* offsets,
                                      const int* columns, int block, BlockSolveInfo* info, int, void*) {
  return analyse_blocks("cusparseCbsrsm2_analysis", handle,
                        {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info);
}
SparseStatus cusparseCbsrsm2_solve(SparseHandle* handle, int direction, SparseOp op, SparseOp op_x, int block_rows,
                                   int n, int blocks, const void* alpha, const SparseMatDescr* descr,
                                   const void* values, const int* offsets, const int* columns, int block,
                                   BlockSolveInfo* info, const void* b, int b_leading, void* x, int x_leading, int,
                                   void*) {
  return solve_blocks("cusparseCbsrsm2_solve", handle, SparseData::c32,
                      {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info, alpha,
                      by_columns(b, b_leading, op_x), by_columns(x, x_leading, op_x), n);
}
SparseStatus cusparseZbsrsm2_bufferSize(SparseHandle* handle, int direction, SparseOp op, SparseOp, int block_rows, int,
                                        int blocks, const SparseMatDescr* descr, const void* values, const int* offsets,
                                        const int* columns, int block, BlockSolveInfo* info, int* bytes) {
  return block_solve_bytes(handle, {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info,
                           bytes);
}
SparseStatus cusparseZbsrsm2_analysis(SparseHandle* handle, int direction, SparseOp op, SparseOp, int block_rows, int,
                                      int blocks, const SparseMatDescr* descr, const void* values, const int* offsets,
                                      const int* columns, int block, BlockSolveInfo* info, int, void*) {
  return analyse_blocks("cusparseZbsrsm2_analysis", handle,
                        {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info);
}
SparseStatus cusparseZbsrsm2_solve(SparseHandle* handle, int direction, SparseOp op, SparseOp op_x, int block_rows,
                                   int n, int blocks, const void* alpha, const SparseMatDescr* descr,
                                   const void* values, const int* offsets, const int* columns, int block,
                                   BlockSolveInfo* info, const void* b, int b_leading, void* x, int x_leading, int,
                                   void*) {
  return solve_blocks("cusparseZbsrsm2_solve", handle, SparseData::c64,
                      {direction, op, block_rows, blocks, descr, values, offsets, columns, block}, info, alpha,
                      by_columns(b, b_leading, op_x), by_columns(x, x_leading, op_x), n);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
