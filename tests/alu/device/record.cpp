// Records a GPU's results for every form: `record emit FILE.ptx`, then `ptxas -arch=sm_90 FILE.ptx -o FILE.cubin`, then
// `record run FILE.cubin FOLDER`. Requires a driver, but no CUDA headers and no toolkit library.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <dlfcn.h>

#include "tests/alu/device/forms.h"
#include "tests/alu/device/inputs.h"
#include "tests/alu/device/matrices.h"

namespace {

using namespace warpwalk::device_forms;

/// The few driver functions that are needed, loaded at run time.
class Driver {
 public:
  Driver() : library_(dlopen("libcuda.so.1", RTLD_NOW)) {
    if (library_ == nullptr) fail("no libcuda.so.1 on this machine", 0);
    call("cuInit", 0U);
    int device = 0;
    call("cuDeviceGet", &device, 0);
    void* context = nullptr;
    call("cuDevicePrimaryCtxRetain", &context, device);
    call("cuCtxSetCurrent", context);
  }

  template <class... A>
  void call(const char* name, A... arguments) {
    using Function = int (*)(A...);
    const auto function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr) fail(name, -1);
    const int error = function(arguments...);
    if (error != 0) fail(name, error);
  }

  std::uint64_t upload(const std::vector<std::uint64_t>& values) {
    const std::uint64_t at = room(values.size());
    call("cuMemcpyHtoD_v2", at, static_cast<const void*>(values.data()), 8 * values.size());
    return at;
  }

  std::uint64_t room(std::size_t values) {
    std::uint64_t at = 0;
    call("cuMemAlloc_v2", &at, 8 * values);
    call("cuMemsetD8_v2", at, static_cast<unsigned char>(0), 8 * values);
    return at;
  }

  std::vector<std::uint64_t> download(std::uint64_t at, std::size_t values) {
    std::vector<std::uint64_t> result(values);
    call("cuMemcpyDtoH_v2", static_cast<void*>(result.data()), at, 8 * values);
    return result;
  }

  void free(std::uint64_t at) { call("cuMemFree_v2", at); }

  void launch(void* module, const std::string& kernel, unsigned blocks, unsigned threads, void** parameters) {
    void* function = nullptr;
    call("cuModuleGetFunction", &function, module, kernel.c_str());
    call("cuLaunchKernel", function, blocks, 1U, 1U, threads, 1U, 1U, 0U, static_cast<void*>(nullptr), parameters,
         static_cast<void**>(nullptr));
    call("cuCtxSynchronize");
  }

 private:
  [[noreturn]] static void fail(const char* what, int error) {
    std::fprintf(stderr, "record: %s failed with %d\n", what, error);
    std::exit(1);
  }

  void* library_;
};

template <class T>
void put(std::ofstream& file, T value) {
  file.write(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_low(std::ofstream& file, std::uint64_t value, int bytes) {
  file.write(reinterpret_cast<const char*>(&value), bytes);
}

int d_bytes_of(const Form& form) {
  for (const Operand& operand : form.operands)
    if (operand.name == 'd' || operand.name == 'D') return operand.bytes;
  return 0;
}

/// digests.bin: for each form its name's hash and 64 digests. approximations.bin: for each approximate form the hash,
/// the count, the bytes per value and the values. full.bin: same as approximations.bin for every form, at most 4096
/// values, followed by one byte of flags each.
void run_forms(Driver& driver, void* module, const std::string& folder) {
  std::ofstream digests(folder + "/digests.bin", std::ios::binary);
  std::ofstream approximations(folder + "/approximations.bin", std::ios::binary);
  std::ofstream full(folder + "/full.bin", std::ios::binary);
  const std::vector<Form> all = forms();
  for (std::size_t number = 0; number < all.size(); ++number) {
    const Form& form = all[number];
    const Inputs inputs = inputs_of(form);
    const auto count = static_cast<std::size_t>(inputs.count);
    std::vector<std::uint64_t> slots;
    for (const auto& one : inputs.slots) slots.insert(slots.end(), one.begin(), one.end());
    std::uint64_t in = driver.upload(slots);
    std::uint64_t out = driver.room(2 * count);
    auto n = static_cast<std::uint32_t>(count);
    void* parameters[] = {&in, &out, &n};
    driver.launch(module, "k" + std::to_string(number), n / 64, 64, parameters);
    const std::vector<std::uint64_t> results = driver.download(out, 2 * count);
    driver.free(in);
    driver.free(out);

    const int bytes = d_bytes_of(form);
    const std::uint32_t hash = hash_of(form.name);
    if (!form.approximate) {
      put(digests, hash);
      for (std::size_t group = 0; group < groups; ++group) {
        std::uint64_t digest = first_digest;
        for (std::size_t i = group * count / groups; i < (group + 1) * count / groups; ++i)
          digest = digested(digest, results[i], results[count + i]);
        put(digests, folded(digest));
      }
    } else {
      put(approximations, hash);
      put(approximations, n);
      put(approximations, static_cast<std::uint32_t>(bytes));
      for (std::size_t i = 0; i < count; ++i) put_low(approximations, results[i], bytes);
    }
    const std::size_t dumped = count < 4096 ? count : 4096;
    put(full, hash);
    put(full, static_cast<std::uint32_t>(dumped));
    put(full, static_cast<std::uint32_t>(bytes));
    for (std::size_t i = 0; i < dumped; ++i) put_low(full, results[i], bytes);
    for (std::size_t i = 0; i < dumped; ++i) put_low(full, results[count + i], 1);
  }
}

/// matrix_digests.bin: for each form the hash of its name and a digest for each trial. matrices.bin: the hash, the
/// number of registers, and d's registers with 4 or 8 bytes each.
void run_matrices(Driver& driver, void* module, const std::string& folder) {
  std::ofstream file(folder + "/matrices.bin", std::ios::binary);
  std::ofstream digests(folder + "/matrix_digests.bin", std::ios::binary);
  const std::vector<MatrixForm> all = matrix_forms();
  for (std::size_t number = 0; number < all.size(); ++number) {
    const MatrixForm& form = all[number];
    const std::size_t values = static_cast<std::size_t>(trials) * 32 * static_cast<std::size_t>(form.d_registers);
    std::uint64_t in = driver.upload(matrix_inputs(form));
    std::uint64_t out = driver.room(values);
    void* parameters[] = {&in, &out};
    driver.launch(module, "m" + std::to_string(number), trials, 32, parameters);
    const std::vector<std::uint64_t> results = driver.download(out, values);
    driver.free(in);
    driver.free(out);
    put(digests, hash_of(name_of(form)));
    for (std::size_t trial = 0; trial < trials; ++trial) {
      std::uint64_t digest = first_digest;
      for (std::size_t i = trial * values / trials; i < (trial + 1) * values / trials; ++i)
        digest = digested(digest, results[i], 0);
      put(digests, folded(digest));
    }
    put(file, hash_of(name_of(form)));
    put(file, static_cast<std::uint32_t>(values));
    for (const std::uint64_t value : results) put_low(file, value, form.d == Element::f64 ? 8 : 4);
  }
}

std::string module_of_all() {
  std::vector<int> lines;
  std::string text = module_text(forms(), lines);
  return text + matrix_text(matrix_forms(), lines, 0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc > 2 ? argv[1] : "";
  if (verb == "emit") {
    std::ofstream(argv[2]) << module_of_all();
    return 0;
  }
  if (verb != "run" || argc != 4) {
    std::fprintf(stderr, "record emit FILE.ptx | record run FILE.cubin FOLDER\n");
    return 2;
  }
  std::ifstream file(argv[2], std::ios::binary);
  std::string image((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  image.push_back('\0');  // terminates the text if it is PTX
  Driver driver;
  void* module = nullptr;
  driver.call("cuModuleLoadData", &module, static_cast<const void*>(image.data()));
  run_forms(driver, module, argv[3]);
  run_matrices(driver, module, argv[3]);
  std::printf("recorded %zu forms and %zu of mma\n", forms().size(), matrix_forms().size());
  return 0;
}
