#pragma once

// Tiles of A or B in shared memory. A tile has `extent` rows of A (or columns of B) and 64 bytes of the k axis. Each
// thread moves chunks of 16 bytes: one load from global memory if the chunk lies inside the matrix and is aligned, else
// element by element, with zeros outside.

namespace stand_in::cublas {

constexpr int tile_bytes = 64;

/// How a tile lies in shared memory.
enum Layout {
  depth_inner,  ///< elements along k follow one another: what ldmatrix reads
  rows_inner,   ///< elements of different rows follow one another: what threads with rows of their own read
  as_matrix,    ///< as in the matrix; ldmatrix.trans reads tiles whose rows are inner
};

/// Rounds to TF32: 10 bits of mantissa, in the upper bits of a float.
__device__ inline float to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
}

/// How elements are converted while they are loaded.
enum Change { unchanged, rounded_to_tf32, conjugated };

template <class Element, int extent, int threads, Layout layout, Change change = unchanged>
class Operand {
 public:
  static constexpr int size = sizeof(Element);
  static constexpr int per_chunk = 16 / size;
  static constexpr int depth = tile_bytes / size;  ///< elements of a tile along k
  static constexpr int chunks = extent * (tile_bytes / 16) / threads;
  /// Bytes from row to row if k is inner, and from k to k if rows are inner. The padding spreads columns over banks.
  static constexpr int row_pitch = tile_bytes + (size == 8 ? 32 : 16), depth_pitch = extent * size + 16;
  static constexpr int bytes = (extent * row_pitch > depth * depth_pitch ? extent * row_pitch : depth * depth_pitch);
  static_assert(chunks * threads * 16 == extent * tile_bytes);

  /// `at`: the first row. `rows`, `k`: what the matrix has from there.
  __device__ Operand(const void* at, long long row_step, long long depth_step, int rows, int k, bool conjugate = false)
      : step_(depth_step), k_(k), depth_is_inner_(depth_step == 1), conjugate_(conjugate), rows_(rows) {
    const Element* const first = static_cast<const Element*>(at);
    const long long outer = depth_is_inner_ ? row_step : depth_step;
    const bool vectors = (depth_is_inner_ || row_step == 1) && outer % per_chunk == 0 &&
                         (reinterpret_cast<unsigned long long>(at) & 15) == 0;
    inner_step_ = depth_is_inner_ ? depth_step : row_step;
    const bool depth_inner_there = layout == depth_inner || (layout == as_matrix && depth_is_inner_);
    const int row_at = depth_inner_there ? row_pitch : size, depth_at = depth_inner_there ? size : depth_pitch;
#pragma unroll
    for (int i = 0; i < chunks; ++i) {
      // Neighbouring threads load neighbouring chunks.
      const int chunk = threadIdx.x + i * threads;
      constexpr int along_depth = depth / per_chunk, along_rows = extent / per_chunk;
      const int row = depth_is_inner_ ? chunk / along_depth : chunk % along_rows * per_chunk;
      const int in_tile = depth_is_inner_ ? chunk % along_depth * per_chunk : chunk / along_rows;
      source_[i] = first + row * row_step + in_tile * depth_step;
      row_[i] = row;
      depth_[i] = in_tile;
      const bool whole = vectors && (depth_is_inner_ ? row < rows : row + per_chunk <= rows);
      end_[i] = whole ? in_tile + (depth_is_inner_ ? per_chunk : 1) : never;
      target_[i] = row * row_at + in_tile * depth_at;
    }
  }

  /// Whether elements along k follow one another, in shared memory if the layout is as_matrix.
  __device__ bool depth_is_inner() const { return depth_is_inner_; }

  /// Loads the tile that begins at `from` on the k axis into registers; tiles come one after another.
  __device__ void load(int from) {
#pragma unroll
    for (int i = 0; i < chunks; ++i) {
      if (from + end_[i] <= k_) chunk_[i].all = *reinterpret_cast<const uint4*>(source_[i]);
      else load_elements(i, from);
      source_[i] += depth * step_;
    }
  }

  /// Stores the loaded tile to shared memory.
  __device__ void store(unsigned char* tile) {
#pragma unroll
    for (int i = 0; i < chunks; ++i) {
      if constexpr (change == rounded_to_tf32)
        for (Element& element : chunk_[i].element) element = to_tf32(element);
      if constexpr (change == conjugated)
        if (conjugate_)
          for (Element& element : chunk_[i].element) element.y = -element.y;
      unsigned char* const to = tile + target_[i];
      if (layout == as_matrix || depth_is_inner_ == (layout == depth_inner)) {
        *reinterpret_cast<uint4*>(to) = chunk_[i].all;
      } else {
        // The chunk's elements belong to different rows of the tile.
        constexpr int apart = layout == depth_inner ? row_pitch : depth_pitch;
#pragma unroll
        for (int e = 0; e < per_chunk; ++e) *reinterpret_cast<Element*>(to + e * apart) = chunk_[i].element[e];
      }
    }
  }

 private:
  static constexpr int never = 1 << 30;
  union Chunk {
    uint4 all;
    Element element[per_chunk];
    __device__ Chunk() : all{} {}
  };

  /// Loads a chunk that is not aligned, or lies outside of the matrix in part: zeros there.
  __device__ void load_elements(int i, int from) {
    chunk_[i].all = make_uint4(0, 0, 0, 0);
    const int rows_left = rows_ - row_[i], k_left = k_ - from - depth_[i];
    const int count = depth_is_inner_ ? (rows_left > 0 ? k_left : 0) : (k_left > 0 ? rows_left : 0);
#pragma unroll
    for (int e = 0; e < per_chunk; ++e)
      if (e < count) chunk_[i].element[e] = source_[i][e * inner_step_];
  }

  long long step_, inner_step_;
  int k_;
  bool depth_is_inner_, conjugate_;
  int rows_;
  // Of each chunk of this thread: where it comes from, its first row and k in the tile, where on the k axis it ends if it
  // can be loaded with one access, and where it goes.
  const Element* source_[chunks];
  int row_[chunks], depth_[chunks], end_[chunks], target_[chunks];
  Chunk chunk_[chunks];
};

}  // namespace stand_in::cublas
