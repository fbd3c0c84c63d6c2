// Softmax of float rows, and what the other sources call of it.
#include "device/every_size.hpp"

#if defined(__CUDACC__)
MUSTER_TEST_SOFTMAX_OF_FLOATS(muster::device_target);
#else
MUSTER_TEST_SOFTMAX_OF_FLOATS(muster::emulator_target);
#endif

using namespace device_tests;

TEST_CASE("softmax of float rows is close to float64 around every size at which the kernel changes") { compare_every_size<operation::softmax, float>(20000, 530000); }

TEST_CASE("softmax of float rows of special values, in place too") { compare_every_content<operation::softmax, float>(); }
