// Softmax of __nv_bfloat16 rows.
#if __has_include(<cuda_bf16.h>)

#include <muster/half.hpp>

#include "device/every_size.hpp"

using namespace device_tests;

TEST_CASE("softmax of __nv_bfloat16 rows is close to float64 around every size at which the kernel changes") {
  compare_every_size<operation::softmax, __nv_bfloat16>(10000, 140000);
}

TEST_CASE("softmax of __nv_bfloat16 rows of special values, in place too") { compare_every_content<operation::softmax, __nv_bfloat16>(); }

#else

#include <catch2/catch_test_macros.hpp>

TEST_CASE("softmax of __nv_bfloat16 rows") { SKIP("no cuda_bf16.h on the include path"); }

#endif
