// `muster scan`: the running fold of each row of an array.
#include <cstdint>

#include "tool/array_launch.hpp"

namespace muster::tool {

template <class T>
std::vector<T> scan_array(array_job const& job, std::vector<T> const& in) {
  std::vector<T> out(in.size());
  with_policy(job.policy, [&]<class Policy>(hana::basic_type<Policy>) {
    with_operator(job.op, [&]<class Op>(hana::basic_type<Op>) {
      with_width<Policy>(job.columns, [&]<int Width>(hana::integral_constant<int, Width>) {
        if constexpr (can_scan<Policy, Op, T, tile<Width>>()) {
          run_rows<Width, Policy>(job, in, out, scan_rows<Policy, Op, Width>{job.exclusive});
        } else {
          refuse_policy(job, "scans");
        }
      });
    });
  });
  return out;
}

template std::vector<float> scan_array(array_job const&, std::vector<float> const&);
template std::vector<double> scan_array(array_job const&, std::vector<double> const&);
template std::vector<std::int32_t> scan_array(array_job const&, std::vector<std::int32_t> const&);

}  // namespace muster::tool
