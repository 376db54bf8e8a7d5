#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpwalk::trace {

/// A growing array of small plain values in blocks of 16,384. Growing never copies existing values, so that the peak
/// memory of a trace with ten million events is its size and not three times that. A block's memory is not initialized
/// before its rows are added: clearing a block took a millisecond, which was visible in the op being recorded.
template <class T>
class Column {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  static constexpr std::size_t block_size = std::size_t{1} << 14;

  Column() = default;
  Column(Column&& other) noexcept : blocks_(std::move(other.blocks_)), size_(std::exchange(other.size_, 0)) {
    other.blocks_.clear();
  }
  Column& operator=(Column&& other) noexcept {
    blocks_ = std::exchange(other.blocks_, {});
    size_ = std::exchange(other.size_, 0);
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

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return blocks_[i / block_size].get()[i % block_size]; }
  const T& operator[](std::size_t i) const { return blocks_[i / block_size].get()[i % block_size]; }
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }

  void push_back(const T& value) {
    if (size_ == blocks_.size() * block_size) blocks_.push_back(Block(std::allocator<T>().allocate(block_size)));
    std::construct_at(blocks_.back().get() + size_ % block_size, value);
    ++size_;
  }

  void resize(std::size_t n, const T& value = {}) {
    while (size_ < n) push_back(value);
    size_ = n;
    blocks_.resize((n + block_size - 1) / block_size);
  }

  void clear() {
    blocks_.clear();
    size_ = 0;
  }

  /// Bytes held, including the unused part of the last block.
  std::size_t bytes() const { return blocks_.size() * block_size * sizeof(T); }

  /// Reorders the rows: new row i is old row order[i]. `order` is a permutation of 0 .. size()-1.
  template <class Order>
  void permute(const Order& order) {
    Column sorted;
    for (const auto from : order) sorted.push_back((*this)[from]);
    *this = std::move(sorted);
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

  struct Release {
    void operator()(T* block) const { std::allocator<T>().deallocate(block, block_size); }
  };

  using Block = std::unique_ptr<T, Release>;

  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

}  // namespace warpwalk::trace
