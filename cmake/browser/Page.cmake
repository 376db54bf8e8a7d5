# The program as WebAssembly with its JavaScript, and the page around it (app/window/browser).
set(CMAKE_CXX_LINK_EXECUTABLE
    "${CMAKE_COMMAND} -E env EM_CONFIG=${WARPWALK_TOOLS}/config NODE_PATH=/usr/share/nodejs em++ <OBJECTS> -o <TARGET> <LINK_LIBRARIES> <LINK_FLAGS>")
set(page ${PROJECT_SOURCE_DIR}/app/window/browser)
add_executable(warpwalk app/main.cpp app/browser_main.cpp ${PROJECT_BINARY_DIR}/version.cpp)
set_target_properties(warpwalk PROPERTIES SUFFIX .js RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                      LINK_DEPENDS "${page}/imports.js")
target_link_libraries(warpwalk PRIVATE warpwalk_app_verbs warpwalk_options)
set_source_files_properties(app/main.cpp PROPERTIES COMPILE_DEFINITIONS main=program_main)
target_link_options(warpwalk PRIVATE -O1 -Wl,-s -Wl,--wrap=fma -fwasm-exceptions
  --js-library ${page}/imports.js
  "SHELL:-s MODULARIZE=1" "SHELL:-s EXPORT_NAME=makeWarpwalk" "SHELL:-s ENVIRONMENT=web,node"
  "SHELL:-s INVOKE_RUN=0" "SHELL:-s EXIT_RUNTIME=0" "SHELL:-s ALLOW_MEMORY_GROWTH=1" "SHELL:-s MAXIMUM_MEMORY=2GB"
  "SHELL:-s TOTAL_STACK=8MB" "SHELL:-s FORCE_FILESYSTEM=1" "SHELL:-s EXPORTED_RUNTIME_METHODS=FS,ENV"
  "SHELL:-s EXPORTED_FUNCTIONS=_warpwalk_main,_warpwalk_fiber,_malloc,_free"
  "SHELL:-s ERROR_ON_UNDEFINED_SYMBOLS=1" "SHELL:-s WASM_BIGINT=1")

# Compiled without a C library; the page runs it before anything else.
set(lzma ${WARPWALK_TOOLS}/sources/lzma)
add_custom_command(OUTPUT unpack.wasm DEPENDS ${page}/unpack.c
  COMMAND clang-19 --target=wasm32 -O3 -mbulk-memory -nostdlib -fno-builtin -I ${lzma} -isystem ${WARPWALK_TOOLS}/cache/sysroot/include
          -fuse-ld=/usr/lib/llvm-19/bin/wasm-ld -Wl,--no-entry,-s,-z,stack-size=65536 ${page}/unpack.c ${lzma}/LzmaDec.c -o unpack.wasm)
add_custom_target(unpack ALL DEPENDS unpack.wasm)
