#if __has_include(<cuda_fp16.h>)
#include <muster/half.hpp>

#include "tool/demo_measure.hpp"

namespace muster::tool {

template <>
inline constexpr double demo_step<__half> = 1.0 / 1024;
template <>
inline constexpr double demo_step<__nv_bfloat16> = 1.0 / 128;

std::vector<demo_result> demo_16_bit(demo_job const& job) {
  std::vector<demo_result> results = demo_of<__half>(job, "f16");
  std::vector<demo_result> const more = demo_of<__nv_bfloat16>(job, "bf16");
  results.insert(results.end(), more.begin(), more.end());
  return results;
}

}  // namespace muster::tool

#else
#include "tool/demo.hpp"

namespace muster::tool {

std::vector<demo_result> demo_16_bit(demo_job const&) { return {}; }

}  // namespace muster::tool
#endif
