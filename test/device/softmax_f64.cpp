// Softmax of double rows.
#include "device/every_size.hpp"

using namespace device_tests;

TEST_CASE("softmax of double rows is close to float64 around every size at which the kernel changes") { compare_every_size<operation::softmax, double>(10000, 40000); }

TEST_CASE("softmax of double rows of special values, in place too") { compare_every_content<operation::softmax, double>(); }
