// Rows whose results have another type.
#if __has_include(<cuda_fp16.h>)

#include <muster/half.hpp>

#include "device/every_size.hpp"

using namespace device_tests;

TEST_CASE("input and output may be of different types") {
  compare_every_size<operation::softmax, __half, float>(10000, 70000);
  compare_every_size<operation::softmax, float, __nv_bfloat16>(10000, 70000);
}

#else

#include <catch2/catch_test_macros.hpp>

TEST_CASE("input and output may be of different types") { SKIP("no cuda_fp16.h on the include path"); }

#endif
