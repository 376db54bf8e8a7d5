#pragma once

// Libraries that a test calls by the names of their functions: the stand-ins that were built, or, with the environment
// variable WARPWALK_REAL_LIBRARIES (folders with a colon between them), NVIDIA's on a GPU. It includes nothing of the
// project, so that g++ alone compiles the tests on a machine with a GPU:
//
//   g++ -std=c++20 tests/simulated_cuda/libraries/cufft_test.cpp -lgtest -lgtest_main -ldl

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <dlfcn.h>

namespace warpwalk::libraries_test {

/// A library by one of its names, from the folders to test.
class CalledLibrary {
 public:
  explicit CalledLibrary(std::initializer_list<const char*> names) {
    const char* const real = std::getenv("WARPWALK_REAL_LIBRARIES");
#ifdef WARPWALK_STAND_INS
    const std::string folders = real != nullptr ? real : WARPWALK_STAND_INS;
    if (real == nullptr) setenv("WARPWALK_GPU", WARPWALK_SOURCE_DIR "/assets/devices/h200_2sm.json", 1);
#else
    const std::string folders = real != nullptr ? real : "";
#endif
    std::istringstream list(folders);
    for (std::string folder; library_ == nullptr && std::getline(list, folder, ':');)
      for (const char* const name : names)
        if (library_ == nullptr) library_ = dlopen((folder + "/" + name).c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library_ == nullptr) throw std::runtime_error(std::string("cannot load ") + *names.begin());
  }

  /// The function, as `int name(arguments...)`.
  template <class... Arguments>
  int call(const char* name, Arguments... arguments) const {
    void* const found = dlsym(library_, name);
    if (found == nullptr) throw std::runtime_error(std::string("no function ") + name);
    return reinterpret_cast<int (*)(Arguments...)>(found)(arguments...);
  }
  void* find(const char* name) const { return dlsym(library_, name); }

 private:
  void* library_ = nullptr;
};

inline const CalledLibrary& runtime() {
  static const CalledLibrary& library = *new CalledLibrary{"libcudart.so.13", "libcudart.so.12"};
  return library;
}

/// An array in device memory.
template <class Element>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<Element>& values) : count_(values.size()) {
    if (runtime().call("cudaMalloc", &at_, bytes() + 1) != 0) throw std::runtime_error("no device memory");
    runtime().call("cudaMemcpy", at_, static_cast<const void*>(values.data()), bytes(), 1);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { runtime().call("cudaFree", at_); }

  Element* get() const { return static_cast<Element*>(at_); }
  std::vector<Element> values() const {
    std::vector<Element> copied(count_);
    if (runtime().call("cudaMemcpy", static_cast<void*>(copied.data()), static_cast<const void*>(at_), bytes(), 2) != 0)
      throw std::runtime_error("a kernel failed");
    return copied;
  }

 private:
  std::size_t bytes() const { return count_ * sizeof(Element); }
  std::size_t count_;
  void* at_ = nullptr;
};

/// Numbers from -1 to 1, the same ones each time.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : state_(seed * 2 + 1) {}
  double next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 40) / static_cast<double>(1 << 23) - 1;
  }

 private:
  std::uint64_t state_;
};

}  // namespace warpwalk::libraries_test
