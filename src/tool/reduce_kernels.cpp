// `muster reduce`: each row of an array to one value.
#include <cstdint>

#include "tool/array_launch.hpp"

namespace muster::tool {

template <class T>
std::vector<T> reduce_array(array_job const& job, std::vector<T> const& in) {
  std::vector<T> out(job.rows);
  with_policy(job.policy, [&]<class Policy>(hana::basic_type<Policy>) {
    with_operator(job.op, [&]<class Op>(hana::basic_type<Op>) {
      with_width<Policy>(job.columns, [&]<int Width>(hana::integral_constant<int, Width>) {
        if constexpr (can_reduce<Policy, Op, T, tile<Width>>()) {
          run_rows<Width, Policy>(job, in, out, reduce_rows<Policy, Op, Width>{});
        } else {
          refuse_policy(job, "this reduction on values of this type");
        }
      });
    });
  });
  return out;
}

template std::vector<float> reduce_array(array_job const&, std::vector<float> const&);
template std::vector<double> reduce_array(array_job const&, std::vector<double> const&);
template std::vector<std::int32_t> reduce_array(array_job const&, std::vector<std::int32_t> const&);

}  // namespace muster::tool
