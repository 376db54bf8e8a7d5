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

/// What happens to elements on their way.
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
      : at_(static_cast<const Element*>(at)), row_step_(row_step), depth_step_(depth_step), rows_(rows), k_(k),
        depth_is_inner_(depth_step == 1), conjugate_(conjugate) {
    const long long outer = depth_is_inner_ ? row_step : depth_step;
    const long long inner = depth_is_inner_ ? depth_step : row_step;
    vectors_ = inner == 1 && outer % per_chunk == 0 && (reinterpret_cast<unsigned long long>(at) & 15) == 0;
  }

  /// Whether elements along k follow one another, in shared memory if the layout is as_matrix.
  __device__ bool depth_is_inner() const { return depth_is_inner_; }

  /// Loads the tile that begins at `from` on the k axis into registers.
  __device__ void load(int from) {
#pragma unroll
    for (int i = 0; i < chunks; ++i) {
      int row, depth_in_tile;
      place(i, row, depth_in_tile);
      const int first = from + depth_in_tile;
      const Element* source = at_ + row * row_step_ + first * depth_step_;
      const bool whole = depth_is_inner_ ? row < rows_ && first + per_chunk <= k_ : row + per_chunk <= rows_ && first < k_;
      if (vectors_ && whole) {
        chunk_[i].all = *reinterpret_cast<const uint4*>(source);
      } else {
        chunk_[i].all = make_uint4(0, 0, 0, 0);
        const int count = depth_is_inner_ ? (row < rows_ ? k_ - first : 0) : (first < k_ ? rows_ - row : 0);
        const long long step = depth_is_inner_ ? depth_step_ : row_step_;
#pragma unroll
        for (int e = 0; e < per_chunk; ++e)
          if (e < count) chunk_[i].element[e] = source[e * step];
      }
    }
  }

  /// Stores the loaded tile to shared memory.
  __device__ void store(unsigned char* tile) {
#pragma unroll
    for (int i = 0; i < chunks; ++i) {
      int row, depth_in_tile;
      place(i, row, depth_in_tile);
      if constexpr (change == rounded_to_tf32)
        for (Element& element : chunk_[i].element) element = to_tf32(element);
      if constexpr (change == conjugated)
        if (conjugate_)
          for (Element& element : chunk_[i].element) element.y = -element.y;
      const bool depth_inner_there = layout == depth_inner || (layout == as_matrix && depth_is_inner_);
      const int row_at = depth_inner_there ? row_pitch : size, depth_at = depth_inner_there ? size : depth_pitch;
      unsigned char* to = tile + row * row_at + depth_in_tile * depth_at;
      if (layout == as_matrix || depth_is_inner_ == depth_inner_there) {
        *reinterpret_cast<uint4*>(to) = chunk_[i].all;
      } else {
        const int step = depth_is_inner_ ? depth_at : row_at;
#pragma unroll
        for (int e = 0; e < per_chunk; ++e) *reinterpret_cast<Element*>(to + e * step) = chunk_[i].element[e];
      }
    }
  }

 private:
  union Chunk {
    uint4 all;
    Element element[per_chunk];
    __device__ Chunk() : all{} {}
  };

  /// The first element of a chunk of this thread. Neighbouring threads load neighbouring chunks.
  __device__ void place(int i, int& row, int& depth_in_tile) const {
    const int chunk = threadIdx.x + i * threads;
    constexpr int along_depth = depth / per_chunk, along_rows = extent / per_chunk;
    row = depth_is_inner_ ? chunk / along_depth : chunk % along_rows * per_chunk;
    depth_in_tile = depth_is_inner_ ? chunk % along_depth * per_chunk : chunk / along_rows;
  }

  const Element* at_;
  long long row_step_, depth_step_;
  int rows_, k_;
  bool depth_is_inner_, conjugate_, vectors_;
  Chunk chunk_[chunks];
};

}  // namespace stand_in::cublas
