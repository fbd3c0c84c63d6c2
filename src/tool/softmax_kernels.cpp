// `muster softmax`: the softmax of each row of an array, or its logarithm.
#include "tool/array_launch.hpp"

namespace muster::tool {

template <class T>
std::vector<T> softmax_array(array_job const& job, std::vector<T> const& in) {
  std::vector<T> out(in.size());
  with_policy(job.policy, [&]<class Policy>(hana::basic_type<Policy>) {
    with_width<Policy>(job.columns, [&]<int Width>(hana::integral_constant<int, Width>) {
      if constexpr (can_softmax<Policy, T, tile<Width>>()) {
        run_rows<Width, Policy>(job, in, out, softmax_rows<Policy, Width>{job.log});
      } else {
        refuse_policy(job, "the sums of floating-point values that softmax needs");
      }
    });
  });
  return out;
}

template std::vector<float> softmax_array(array_job const&, std::vector<float> const&);
template std::vector<double> softmax_array(array_job const&, std::vector<double> const&);

}  // namespace muster::tool
