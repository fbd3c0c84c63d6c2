// The demo on every type of values. In one source, because what takes the longest to compile is the headers of CUB and cooperative groups.
#if __has_include(<cuda_fp16.h>)
#include <muster/half.hpp>
#endif

#include "tool/demo_measure.hpp"

namespace muster::tool {

std::vector<demo_result> demo_f32(demo_job const& job) { return demo_of<float>(job, "f32"); }
std::vector<demo_result> demo_f64(demo_job const& job) { return demo_of<double>(job, "f64"); }
std::vector<demo_result> demo_i32(demo_job const& job) { return demo_of<std::int32_t>(job, "i32"); }
std::vector<demo_result> demo_i64(demo_job const& job) { return demo_of<std::int64_t>(job, "i64"); }

#if __has_include(<cuda_fp16.h>)

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

#else

std::vector<demo_result> demo_16_bit(demo_job const&) { return {}; }

#endif

}  // namespace muster::tool
