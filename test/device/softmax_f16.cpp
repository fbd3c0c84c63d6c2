// Softmax of __half rows.
#if __has_include(<cuda_fp16.h>)

#include <muster/half.hpp>

#include "device/every_size.hpp"

using namespace device_tests;

TEST_CASE("softmax of __half rows is close to float64 around every size at which the kernel changes") {
  compare_every_size<operation::softmax, __half>(20000, 530000);
}

TEST_CASE("softmax of __half rows of special values, in place too") { compare_every_content<operation::softmax, __half>(); }

#else

#include <catch2/catch_test_macros.hpp>

TEST_CASE("softmax of __half rows") { SKIP("no cuda_fp16.h on the include path"); }

#endif
