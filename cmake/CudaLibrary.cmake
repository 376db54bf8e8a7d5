# Builds libwarpwalk_cuda.so if nvcc is installed: every kernel in kernels/ with the code that launches it. The program
# opens the library at run time and works without it. The entries are those of the PTX files in assets/ptx.
#
# nvcc takes minutes for it, so it is a part of the whole build only where a GPU can use it, for that GPU's architecture.
# Elsewhere: cmake --build --preset release --target warpwalk_cuda
find_package(CUDAToolkit QUIET)

# The compute capabilities (times 10) of the GPUs of this machine, without those that nvcc does not know.
function(warpwalk_gpu_architectures result)
  set(found "")
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader OUTPUT_VARIABLE answer
                  RESULT_VARIABLE status ERROR_QUIET)
  if(status STREQUAL "0")
    execute_process(COMMAND ${CUDAToolkit_NVCC_EXECUTABLE} --list-gpu-code OUTPUT_VARIABLE known)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]" capabilities "${answer}")
    foreach(capability ${capabilities})
      string(REPLACE "." "" number ${capability})
      if(known MATCHES "sm_${number}\n")
        list(APPEND found ${number})
      endif()
    endforeach()
    list(REMOVE_DUPLICATES found)
    list(SORT found COMPARE NATURAL)
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

function(warpwalk_cuda_library)
  if(NOT CUDAToolkit_NVCC_EXECUTABLE)
    message(STATUS "nvcc was not found: libwarpwalk_cuda.so is not built, and run --on cuda is unavailable")
    return()
  endif()
  warpwalk_gpu_architectures(present)
  set(WARPWALK_GPUS "${present}" CACHE INTERNAL "for scripts/run")
  set(all "")
  if(present)
    set(targets ${present})
    set(all ALL)
  else()
    set(targets 75 80 90)
  endif()
  set(WARPWALK_CUDA_TARGETS ${targets} CACHE STRING
      "Compute capabilities (times 10) for which the CUDA library has machine code; for the last one it has PTX too")
  set(flags -std=c++20 -O2 -lineinfo -cudart=static -Xcompiler=-fPIC,-fvisibility=hidden -I${PROJECT_SOURCE_DIR}/kernels
            -I${PROJECT_SOURCE_DIR}/kernels/cuda)
  foreach(target ${WARPWALK_CUDA_TARGETS})
    list(APPEND flags -gencode=arch=compute_${target},code=sm_${target})
    set(newest ${target})
  endforeach()
  list(APPEND flags -gencode=arch=compute_${newest},code=compute_${newest})

  set(made ${PROJECT_BINARY_DIR}/kernels)
  file(GLOB modules CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*.cu)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*.cuh ${PROJECT_SOURCE_DIR}/kernels/cuda/*.cuh)
  set(declared "")
  set(listed "")
  foreach(source ${modules})
    cmake_path(GET source STEM module)
    set(ptx ${PROJECT_SOURCE_DIR}/assets/ptx/${module}.ptx)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ptx})
    file(STRINGS ${ptx} entries REGEX "^\\.visible \\.entry ")
    set(rows "")
    foreach(entry ${entries})
      string(REGEX REPLACE "^\\.visible \\.entry ([A-Za-z0-9_]+).*" "\\1" entry "${entry}")
      string(APPEND rows "    {\"${entry}\", \"${module}\", reinterpret_cast<const void*>(::${entry}), launch_kernel<::${entry}>},\n")
    endforeach()
    file(CONFIGURE OUTPUT ${made}/${module}.cu @ONLY CONTENT
"#include \"${source}\"
#include \"launcher.cuh\"
namespace warpwalk {
static const Launcher rows[] = {
${rows}};
LauncherTable table_of_${module}() { return {rows, sizeof rows / sizeof *rows}; }
}
")
    string(APPEND declared "LauncherTable table_of_${module}();\n")
    string(APPEND listed "    table_of_${module}(),\n")
    add_custom_command(OUTPUT ${made}/${module}.o DEPENDS ${made}/${module}.cu ${source} ${headers} VERBATIM
                       COMMAND ${CUDAToolkit_NVCC_EXECUTABLE} ${flags} -c ${made}/${module}.cu -o ${made}/${module}.o
                       COMMENT "Building CUDA kernels ${module}")
    list(APPEND objects ${made}/${module}.o)
  endforeach()
  file(CONFIGURE OUTPUT ${made}/tables.cuh @ONLY CONTENT
"#pragma once
#include <vector>
namespace warpwalk {
${declared}
inline std::vector<LauncherTable> tables() {
  return {
${listed}  };
}
}
")
  set(library ${PROJECT_SOURCE_DIR}/kernels/cuda/library.cu)
  set(output ${PROJECT_BINARY_DIR}/libwarpwalk_cuda.so)
  add_custom_command(OUTPUT ${output} DEPENDS ${library} ${PROJECT_SOURCE_DIR}/kernels/cuda/library.h ${headers} ${made}/tables.cuh ${objects} VERBATIM
                     COMMAND ${CUDAToolkit_NVCC_EXECUTABLE} ${flags} -I${made} -shared ${library} ${objects} -o ${output}
                     COMMENT "Linking libwarpwalk_cuda.so")
  add_custom_target(warpwalk_cuda ${all} DEPENDS ${output})
  install(PROGRAMS ${output} DESTINATION lib/warpwalk OPTIONAL)
endfunction()
