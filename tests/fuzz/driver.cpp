// Runs a fuzz target without libFuzzer: replays every given file, then mutations of them.
//   FUZZER [--runs N] [--seed S] FILE|FOLDER...
// The inputs are determined by the seed, the number of runs and the files. They run in a child process. If the child
// dies or hangs, the parent generates the failing input again, saves it and prints its path; so successful inputs are
// never written, and no signal handlers are needed.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t longest_input = 60000;
constexpr std::chrono::seconds hang_after{30};  // an input normally takes milliseconds

struct Arguments {
  std::uint64_t runs = 0;
  std::uint64_t seed = 1;
  std::vector<std::filesystem::path> files;  // sorted by name
};

[[noreturn]] void bad_usage(const std::string& what) {
  std::fprintf(stderr, "%s\nusage: FUZZER [--runs N] [--seed S] FILE|FOLDER...\n", what.c_str());
  std::exit(2);
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--runs" || word == "--seed") {
      const std::string_view text = i + 1 < argc ? argv[++i] : "";
      std::uint64_t& number = word == "--runs" ? arguments.runs : arguments.seed;
      const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc{} || rest != text.data() + text.size())
        bad_usage(std::string(word) + " takes a whole number");
    } else if (std::filesystem::is_directory(word)) {
      for (const auto& entry : std::filesystem::directory_iterator(word)) arguments.files.push_back(entry.path());
    } else if (std::filesystem::is_regular_file(word)) {
      arguments.files.emplace_back(word);
    } else {
      bad_usage(std::string(word) + " is neither a file nor a folder");
    }
  }
  if (arguments.files.empty()) bad_usage("no file is given");
  std::sort(arguments.files.begin(), arguments.files.end());
  return arguments;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The decompressed contents of a gzip file (as far as it can be read), or the bytes of any other file.
std::string text_of(const std::filesystem::path& file) {
  std::string text(longest_input, '\0');
  const gzFile in = gzopen(file.c_str(), "rb");
  if (in == nullptr) return {};
  std::size_t size = 0;
  for (int n = 1; n > 0 && size < text.size(); size += static_cast<std::size_t>(n))
    n = std::max(gzread(in, text.data() + size, static_cast<unsigned>(text.size() - size)), 0);
  gzclose_r(in);
  text.resize(size);
  return text;
}

// Separated by spaces.
constexpr std::string_view numbers =
    "0 -1 1 00 +7 -0 0.5 1. .5 1e3 1e30 1e-400 1e999 NaN -Infinity N/A 255 65536 2147483648 4294967295 "
    "9223372036854775807 -9223372036854775808 18446744073709551615 -4611686018427387.999";
// Separated by newlines.
constexpr std::string_view words =
    "{\n}\n[\n]\n,\n:\n\"\n\\\n},{\n\\u\n\\ud800\n\x01\n\xff\n\xe2\x82\n"
    "\"args\": {\n\"ph\": \"X\", \n\"cat\": \"kernel\", \n\"correlation\": 7, \n\"grid\": [1, 1], \n\"pid\": "
    "\"Spans\", \n"
    "\"traceEvents\": [\n\"warpwalk\": {}, \n"
    "{\"ph\": \"s\", \"id\": 7, \"ts\": 1, \"pid\": 1, \"tid\": 1}, \n{\"ph\": \"X\", \"ts\": 0, \"dur\": 1e15}, ";

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(at, from), text.size());
    parts.emplace_back(text.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

class Mutator {
 public:
  Mutator(const std::vector<std::string>& texts, std::uint64_t seed) : texts_(texts), random_(seed) {}

  std::string make() {
    std::string text = any_of(texts_);
    for (std::size_t steps = 1 + below(6); steps > 0; --steps) step(text);
    if (text.size() > longest_input) text.resize(longest_input);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  const std::string& any_of(const std::vector<std::string>& list) { return list[below(list.size())]; }
  /// A random position; half the time it is moved to a JSON delimiter, because mutations inside words find little.
  std::size_t place(const std::string& text) {
    const std::size_t at = below(text.size() + 1);
    if (below(2) == 0) return at;
    const std::size_t joint = text.find_first_of("{}[],:\"", at);
    return joint == std::string::npos ? at : joint;
  }
  std::size_t length() { return std::size_t{1} << below(12); }

  void step(std::string& text) {
    const std::size_t at = place(text);
    switch (below(10)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 2: text.insert(at, 1 + below(4), static_cast<char>(below(256))); break;
      case 3: text.erase(at, length()); break;
      case 4: text.insert(at, any_of(words_)); break;
      case 5: {  // the beginning of this text and the end of another
        const std::string& other = any_of(texts_);
        text = text.substr(0, at) + other.substr(place(other));
        break;
      }
      case 6: text.insert(place(text), text.substr(at, length())); break;  // a copy at another position
      case 7: {
        const std::string again = text.substr(at, length());
        for (std::size_t times = 1 + below(32); times > 0 && text.size() < longest_input; --times)
          text.insert(at, again);
        break;
      }
      case 8: {
        const std::size_t from = text.find_first_of("0123456789", at);
        if (from == std::string::npos) break;
        const std::size_t to = text.find_first_not_of("0123456789.eE+-", from);
        text.replace(from, (to == std::string::npos ? text.size() : to) - from, any_of(numbers_));
        break;
      }
      default:
        if (below(4) == 0) text.resize(at);
    }
  }

  const std::vector<std::string>& texts_;
  const std::vector<std::string> numbers_ = split(numbers, ' ');
  const std::vector<std::string> words_ = split(words, '\n');
  std::mt19937_64 random_;
};

class Fuzzer {
 public:
  explicit Fuzzer(const Arguments& arguments) : arguments_(arguments) {
    for (const auto& file : arguments.files) {
      std::string bytes = bytes_of(file), text = text_of(file);
      if (bytes != text) texts_.push_back(text);
      if (bytes.size() > longest_input) bytes.resize(longest_input);
      texts_.push_back(std::move(bytes));
    }
  }

  int run() {
    const std::uint64_t inputs = arguments_.files.size() + arguments_.runs;
    const pid_t child = fork();
    if (child < 0) {
      std::perror("fork");
      return 2;
    }
    if (child == 0) {
      for (std::uint64_t i = 0; i < inputs; ++i) {
        at_ = i;
        const std::string bytes = input(i);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      }
      std::exit(0);  // not _exit: the leak check runs at exit
    }
    const int status = wait_for(child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      std::printf("%zu files and %llu mutations of seed %llu: no fault\n", arguments_.files.size(),
                  static_cast<unsigned long long>(arguments_.runs), static_cast<unsigned long long>(arguments_.seed));
      return 0;
    }
    report(at_);
    return 1;
  }

 private:
  std::string input(std::uint64_t i) const {
    if (i < arguments_.files.size()) return bytes_of(arguments_.files[i]);
    return Mutator(texts_, arguments_.seed * 0x9e3779b97f4a7c15u + (i - arguments_.files.size())).make();
  }

  /// Waits for the child and returns its exit status. Kills it if it hangs on one input.
  int wait_for(pid_t child) const {
    using Clock = std::chrono::steady_clock;
    auto moved = Clock::now();
    for (std::uint64_t last = at_;;) {
      int status = 0;
      if (waitpid(child, &status, WNOHANG) == child) return status;
      if (at_ != last) {
        last = at_;
        moved = Clock::now();
      } else if (Clock::now() - moved > hang_after) {
        std::fprintf(stderr, "the input below takes more than %lld s\n", static_cast<long long>(hang_after.count()));
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        return status;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  void report(std::uint64_t i) const {
    if (i < arguments_.files.size()) {
      std::fprintf(stderr, "failed on the file %s\n", arguments_.files[i].c_str());
      return;
    }
    const std::uint64_t mutation = i - arguments_.files.size();
    const auto file = std::filesystem::current_path() /
                      ("failed-" + std::to_string(arguments_.seed) + "-" + std::to_string(mutation));
    std::ofstream(file, std::ios::binary) << input(i);
    std::fprintf(stderr, "failed on mutation %llu of seed %llu; saved as %s\n",
                 static_cast<unsigned long long>(mutation), static_cast<unsigned long long>(arguments_.seed),
                 file.c_str());
  }

  /// The index of the current input, in memory shared by parent and child.
  static std::atomic<std::uint64_t>& shared_counter() {
    void* const memory =
        mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      std::perror("mmap");
      std::exit(2);
    }
    return *new (memory) std::atomic<std::uint64_t>(0);
  }

  const Arguments& arguments_;
  std::vector<std::string> texts_;  // the mutation sources: the files, and the contents of compressed files
  std::atomic<std::uint64_t>& at_ = shared_counter();
};

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
  return Fuzzer(arguments).run();
}
