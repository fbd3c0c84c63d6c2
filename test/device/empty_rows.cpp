// Rows of only -inf where they are asked to give 0.
#include "device/every_size.hpp"

using namespace device_tests;

TEST_CASE("a row of only -inf gives 0, and its logarithm -inf, where that is asked for") {
  compare_every_content<operation::softmax, float, float, muster::empty_row::zero>();
  compare_every_content<operation::log_softmax, float, float, muster::empty_row::zero>();
}
