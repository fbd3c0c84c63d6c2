# Configures, builds and runs the outside project in a fresh folder, as a user would at a shell. With CUDA, in the folder where it was built without: what nvcc
# has no part in need not be built again.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(NOT compiler STREQUAL "cuda")
  file(REMOVE_RECURSE "${folder}")
endif()
set(options -G "${generator}" "-DCMAKE_CXX_COMPILER=${cxx}" -DCMAKE_BUILD_TYPE=Debug "-DEVERYTHING=${generated}" -DCONSUMER_CUDA=OFF)
foreach(language CXX CUDA)
  set(ENV{CMAKE_${language}_COMPILER_LAUNCHER} "${launcher}")
endforeach()
if(compiler STREQUAL "cuda")
  list(APPEND options -DCONSUMER_CUDA=ON "-DCMAKE_CUDA_COMPILER=${cuda}" -DCMAKE_CUDA_ARCHITECTURES=90)
endif()
if(way STREQUAL "find_package")
  run("${CMAKE_COMMAND}" --install "${build}" --prefix "${folder}/prefix")
  list(APPEND options "-DCMAKE_PREFIX_PATH=${folder}/prefix")
else()
  list(APPEND options "-DMUSTER_SOURCE=${source}" -DCMAKE_UNITY_BUILD=ON)  # as a project may have it
endif()
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/project" -B "${folder}/build" ${options})
run("${CMAKE_COMMAND}" --build "${folder}/build" --target consumer)
run("${folder}/build/consumer")
