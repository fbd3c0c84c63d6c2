// log_softmax and log_sum_exp of float rows.
#include "device/every_size.hpp"

using namespace device_tests;

TEST_CASE("log_softmax and log_sum_exp of float rows are close to float64 around every size at which the kernel changes") {
  compare_every_size<operation::log_softmax, float>(10000, 70000);
  compare_every_size<operation::log_sum_exp, float>(10000, 70000);
}

TEST_CASE("log_softmax and log_sum_exp of float rows of special values, in place too") {
  compare_every_content<operation::log_softmax, float>();
  compare_every_content<operation::log_sum_exp, float>();
}
