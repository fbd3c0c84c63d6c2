// log_softmax and log_sum_exp of __half rows.
#if __has_include(<cuda_fp16.h>)

#include <muster/half.hpp>

#include "device/every_size.hpp"

using namespace device_tests;

TEST_CASE("log_softmax and log_sum_exp of __half rows are close to float64") {
  compare_every_size<operation::log_softmax, __half>(10000, 70000);
  compare_every_content<operation::log_softmax, __half>();
  compare_every_content<operation::log_sum_exp, __half, float>();
}

#else

#include <catch2/catch_test_macros.hpp>

TEST_CASE("log_softmax and log_sum_exp of __half rows") { SKIP("no cuda_fp16.h on the include path"); }

#endif
