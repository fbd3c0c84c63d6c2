// `muster reduce`, `muster scan` and `muster softmax`: from an array to the launch of a kernel. In one source, because what takes the longest to compile is the
// headers of CUB and cooperative groups.
#include <cstdint>
#include <vector>

#include "tool/array_launch.hpp"

namespace muster::tool {

// --- each row to one value ----------------------------------------------------------------------------------------------------------------

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

// --- the running fold of each row ---------------------------------------------------------------------------------------------------------

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

// --- the softmax of each row, or its logarithm --------------------------------------------------------------------------------------------

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
