# WebAssembly for browsers: clang 19 compiles, emscripten 3.1.6 links. Debian's emscripten cannot compile C++20 with its
# own C++ library, so that of LLVM 19 is used. scripts/browser prepares the folder tools.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_EXECUTABLE_SUFFIX .js)

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH warpwalk_root)
cmake_path(GET warpwalk_root PARENT_PATH warpwalk_root)
set(WARPWALK_TOOLS ${warpwalk_root}/build/browser/tools)
set(WARPWALK_BROWSER ON)

set(sysroot ${WARPWALK_TOOLS}/cache/sysroot)
string(JOIN " " flags --target=wasm32-unknown-emscripten --sysroot=${sysroot} -isystem ${sysroot}/include/compat
       -D__EMSCRIPTEN_major__=3 -D__EMSCRIPTEN_minor__=1 -D__EMSCRIPTEN_tiny__=6 -msimd128 -mbulk-memory
       -mnontrapping-fptoint -ffunction-sections -fdata-sections)
set(CMAKE_C_FLAGS_INIT "${flags} -mllvm -wasm-enable-sjlj")
set(CMAKE_CXX_FLAGS_INIT "${flags} -nostdinc++ -isystem ${WARPWALK_TOOLS}/cxx -D_LIBCPP_ABI_VERSION=2 -fwasm-exceptions -fexperimental-library -fno-threadsafe-statics")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
