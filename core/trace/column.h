#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/platform/table_memory.h"

namespace warpwalk::trace {

/// A growing array of small plain values in blocks of 16,384. Growing never copies existing values, so that the peak
/// memory of a trace with ten million events is its size and not three times that. A block's memory is not initialized
/// before its rows are added: clearing a block took a millisecond, which was visible in the op being recorded.
template <class T>
class Column {
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  static constexpr std::size_t block_size = std::size_t{1} << 14;

  Column() = default;
  Column(Column&& other) noexcept
      : memory_(std::move(other.memory_)),
        blocks_(std::exchange(other.blocks_, {})),
        size_(std::exchange(other.size_, 0)) {}
  Column& operator=(Column&& other) noexcept {
    if (this != &other) {
      clear();
      memory_ = std::move(other.memory_);
      blocks_ = std::exchange(other.blocks_, {});
      size_ = std::exchange(other.size_, 0);
    }
    return *this;
  }
  Column(const Column& other) { append(other); }
  Column& operator=(const Column& other) {
    if (this != &other) {
      clear();
      append(other);
    }
    return *this;
  }
  ~Column() { clear(); }

  /// Takes its blocks from `memory` from now on. Call it while the column is empty; null: from the program's allocator.
  void use(std::shared_ptr<platform::TableMemory> memory) { memory_ = std::move(memory); }
  const std::shared_ptr<platform::TableMemory>& memory() const { return memory_; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return blocks_[i / block_size][i % block_size]; }
  const T& operator[](std::size_t i) const { return blocks_[i / block_size][i % block_size]; }
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }

  void push_back(const T& value) {
    if (size_ % block_size == 0) grow();
    std::construct_at(blocks_.back() + size_ % block_size, value);
    ++size_;
  }

  void resize(std::size_t n, const T& value = {}) {
    while (size_ < n) push_back(value);
    size_ = n;
    release_from((n + block_size - 1) / block_size);
  }

  void clear() {
    release_from(0);
    size_ = 0;
  }

  /// Bytes held, including the unused part of the last block.
  std::size_t bytes() const { return blocks_.size() * block_size * sizeof(T); }

  /// Reorders the rows: new row i is old row order[i]. `order` is a permutation of 0 .. size()-1.
  template <class Order>
  void permute(const Order& order) {
    Column sorted;
    sorted.use(memory_);
    for (const auto from : order) sorted.push_back((*this)[from]);
    *this = std::move(sorted);
  }
  /// The same without a second table, for wide rows: along the circles of the permutation. Leaves `order` changed.
  template <class Order>
  void permute_in_place(Order& order) {
    for (std::size_t first = 0; first < size_; ++first) {
      if (order[first] == first) continue;
      const T moved = (*this)[first];
      std::size_t to = first;
      for (std::size_t from = order[to]; from != first; from = order[to]) {
        (*this)[to] = (*this)[from];
        order[to] = static_cast<std::ranges::range_value_t<Order>>(to);
        to = from;
      }
      (*this)[to] = moved;
      order[to] = static_cast<std::ranges::range_value_t<Order>>(to);
    }
  }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;

    Iterator(const Column* column, std::size_t index) : column_(column), index_(index) {}
    reference operator*() const { return (*column_)[index_]; }
    pointer operator->() const { return &(*column_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }

   private:
    const Column* column_;
    std::size_t index_;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size_}; }

 private:
  void append(const Column& other) {
    for (const T& value : other) push_back(value);
  }

  void grow() {
    const std::size_t bytes = block_size * sizeof(T);
    blocks_.reserve(blocks_.size() + 1);  // so that the next line cannot lose a block
    blocks_.push_back(static_cast<T*>(memory_ ? memory_->allocate(bytes) : ::operator new(bytes)));
  }
  void release_from(std::size_t first) {
    for (std::size_t i = first; i < blocks_.size(); ++i) {
      if (memory_)
        memory_->release(blocks_[i], block_size * sizeof(T));
      else
        ::operator delete(blocks_[i]);
    }
    blocks_.resize(first);
  }

  std::shared_ptr<platform::TableMemory> memory_;
  std::vector<T*> blocks_;
  std::size_t size_ = 0;
};

}  // namespace warpwalk::trace
