# How muster's own programs and libraries are compiled. Nothing here reaches a user's target.

# ccache, where it is installed and nothing else was asked for.
if(PROJECT_IS_TOP_LEVEL)
  find_program(MUSTER_CCACHE ccache)
  mark_as_advanced(MUSTER_CCACHE)
  if(MUSTER_CCACHE)
    foreach(language CXX CUDA)
      if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
        set(CMAKE_${language}_COMPILER_LAUNCHER "${MUSTER_CCACHE}")
      endif()
    endforeach()
  endif()
endif()

set(muster_warnings -Wall -Wextra)
# g++ 12 warns about std::string's own copies when it inlines `"text" + string` (GCC bug 105651, mended in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND muster_warnings -Wno-restrict)
endif()
# clang++ with the libstdc++ of g++ 12 warns about what std::stable_sort itself uses.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  list(APPEND muster_warnings -Wno-deprecated-declarations)
endif()
if(MUSTER_WARNINGS_AS_ERRORS)
  list(APPEND muster_warnings -Werror)
endif()
# nvcc hands these to its own host compiler, which need not be this build's.
set(muster_host_warnings ${muster_warnings})
list(FILTER muster_host_warnings EXCLUDE REGEX "^-Wno-deprecated")
list(JOIN muster_host_warnings "," muster_host_warnings)

# muster_own_target(NAME): warnings, C++20, no compiler extensions.
function(muster_own_target name)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${muster_warnings}>"
    "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=${muster_host_warnings}>")
  if(MUSTER_WARNINGS_AS_ERRORS)
    target_compile_options(${name} PRIVATE "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:SHELL:-Werror all-warnings>")
  endif()
endfunction()

# muster_fast_to_compile(): for the targets of the calling directory. The host's code is optimised a little only: optimising tests and the host side of
# launches takes half of their compile time and is worth nothing. Device code is optimised as ever (nvcc's -O speaks of the host).
macro(muster_fast_to_compile)
  foreach(language CXX CUDA)
    foreach(type RELEASE RELWITHDEBINFO)
      string(REGEX REPLACE "-O[23]" "-O1" CMAKE_${language}_FLAGS_${type} "${CMAKE_${language}_FLAGS_${type}}")
    endforeach()
  endforeach()
endmacro()

# muster_own_program(NAME): the same for an executable, which carries the C++ runtime with it and lies in bin/, so that it runs on another
# machine with nothing but a driver.
function(muster_own_program name)
  cmake_parse_arguments(arg "SHARED_RUNTIME" "" "" ${ARGN})
  muster_own_target(${name})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin" CUDA_RUNTIME_LIBRARY Static CUDA_SEPARABLE_COMPILATION OFF)
  if(NOT arg_SHARED_RUNTIME AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT APPLE)
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

# muster_cuda_twins(OUT SOURCE...): for each C++ source a one-line .cu in the build tree that includes it, so that one directory can compile the
# same file for both machines.
function(muster_cuda_twins out)
  set(twins)
  foreach(source IN LISTS ARGN)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE relative)
    set(twin "${PROJECT_BINARY_DIR}/cuda/${relative}.cu")
    file(GENERATE OUTPUT "${twin}" CONTENT "#include \"${source}\"\n")
    list(APPEND twins "${twin}")
  endforeach()
  set(${out} ${twins} PARENT_SCOPE)
endfunction()
