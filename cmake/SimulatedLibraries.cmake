# The stand-ins for NVIDIA's libraries, under their names: what `warpwalk record --on sim` puts before NVIDIA's.

# warpwalk_stand_in(NAME FILES libNAME.so.12 libNAME.so.13 FOLDERS folder... EXPORTS pattern...): the library NAME of the
# sources in FOLDERS of instrumentation/simulated/libraries, under each name of FILES, with the kernels of
# kernels/libraries/NAME (and of KERNELS, other folders there). EXPORTS are the names that it shows, as patterns.
set(simulated_stand_ins)
function(warpwalk_stand_in name)
  cmake_parse_arguments(LIBRARY "" "" "FILES;FOLDERS;EXPORTS;KERNELS" ${ARGN})
  set(folder ${PROJECT_BINARY_DIR}/embedded/stand_in_${name})
  set(sources)
  foreach(source_folder common ${LIBRARY_FOLDERS})
    file(GLOB found CONFIGURE_DEPENDS ${simulated}/libraries/${source_folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()

  # The PTX becomes a part of the library, by the assembler.
  set(parts)
  set(entries)
  set(declarations)
  set(codes)
  foreach(kernel_folder ${name} ${LIBRARY_KERNELS})
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/libraries/${kernel_folder}/*.ptx.gz)
    list(APPEND codes ${found})
  endforeach()
  foreach(code ${codes})
    get_filename_component(file ${code} NAME)
    string(REPLACE ".ptx.gz" "" file ${file})
    set(symbol stand_in_${name}_${file})
    string(APPEND parts "asm(\".pushsection .rodata\\n${symbol}:\\n.incbin \\\"${code}\\\"\\n${symbol}_end:\\n.popsection\");\n")
    string(APPEND declarations "extern const std::uint8_t ${symbol}[] asm(\"${symbol}\"), ${symbol}_end[] asm(\"${symbol}_end\");\n")
    string(APPEND entries "      {\"${file}\", {${symbol}, ${symbol}_end}},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/code.cpp @ONLY CONTENT
"#include \"instrumentation/simulated/libraries/common/kernel_set.h\"

${parts}
extern \"C\" {
${declarations}}

namespace warpwalk::simulated::libraries {
std::span<const KernelCode> library_code() {
  static const KernelCode all[] = {
${entries}  };
  return all;
}
}  // namespace warpwalk::simulated::libraries
")
  set_source_files_properties(${folder}/code.cpp PROPERTIES OBJECT_DEPENDS "${codes}" SKIP_UNITY_BUILD_INCLUSION ON)

  set(objects warpwalk_stand_in_${name})
  add_library(${objects} OBJECT ${sources} ${folder}/code.cpp)
  target_link_libraries(${objects} PRIVATE warpwalk_core_gpu fmt::fmt ZLIB::ZLIB warpwalk_options)
  set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON VISIBILITY_INLINES_HIDDEN ON)
  warpwalk_group(${objects})
  list(JOIN LIBRARY_EXPORTS "; " exports)
  foreach(file ${LIBRARY_FILES})
    file(CONFIGURE OUTPUT ${folder}/${file}.map CONTENT "${file} { global: ${exports}; local: *; };\n")
    string(MAKE_C_IDENTIFIER ${file} target)
    set(target warpwalk_stand_in_${target})
    add_library(${target} SHARED $<TARGET_OBJECTS:${objects}>)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")
    target_link_libraries(${target} PRIVATE warpwalk_simulated_cuda warpwalk_core_gpu fmt::fmt ZLIB::ZLIB
                                            warpwalk_options ${CMAKE_DL_LIBS})
    warpwalk_simulated_library(${target} ${file} ${folder}/${file}.map)
    list(APPEND simulated_stand_ins ${target})
  endforeach()
  set(simulated_stand_ins ${simulated_stand_ins} PARENT_SCOPE)
endfunction()

warpwalk_stand_in(cublas FILES libcublas.so.12 libcublas.so.13 FOLDERS cublas cublas_lapack cublas_products lapack
                  KERNELS cublas_lapack cublas_products
                  EXPORTS "cublas[A-KM-Z]*" "cublasLo*")
warpwalk_stand_in(cublas_lt FILES libcublasLt.so.12 libcublasLt.so.13 FOLDERS cublas_lt cublas_products
                  KERNELS cublas_products EXPORTS "cublasLt*")
warpwalk_stand_in(cufft FILES libcufft.so.11 libcufft.so.12 FOLDERS cufft EXPORTS "cufft*")
warpwalk_stand_in(cusparse FILES libcusparse.so.12 FOLDERS cusparse EXPORTS "cusparse[A-KM-Z]*" "cusparseLo*")
warpwalk_stand_in(cudnn FILES libcudnn.so.9 FOLDERS cudnn cudnn/backend cudnn/convolution cudnn/normalization cudnn/others cudnn/rnn
                  EXPORTS "cudnn*")
warpwalk_stand_in(curand FILES libcurand.so.10 FOLDERS curand EXPORTS "curand*")
warpwalk_stand_in(cusolver FILES libcusolver.so.11 libcusolver.so.12 FOLDERS cusolver lapack KERNELS cublas_lapack
                  EXPORTS "cusolver*")
