// Where a check that fails on a GPU is written down: the first one whole, the others counted. Builds with MUSTER_CHECKED only.
#pragma once

#include <muster/config.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/site.hpp>

#if MUSTER_CHECKED_BUILD && defined(__CUDACC__)

namespace muster::backend {

struct failed_check {
  enum kind_of_check : int { caller_not_in_set, rank_out_of_range, not_uniform, block_shape, cluster_shape, not_cooperative };

  unsigned count = 0;         // of all that failed since the host last looked
  int kind = 0;
  int asked = 0, limit = 0;   // what each kind compares
  int line = 0;
  extent block{0, 0, 0}, thread{0, 0, 0};
  char file[192] = {};
};

// Each source has one of its own, as device code of two sources is not linked into one program unless asked to. The host finds all of them in this list.
struct failed_check_list {
  static constexpr int most = 1024;
  void const* symbols[most];
  int count = 0;

  static failed_check_list& all() {
    static failed_check_list list;
    return list;
  }
  static bool add(failed_check const& symbol) {
    if (all().count < most) all().symbols[all().count++] = &symbol;
    return true;
  }
};

static __device__ failed_check first_failed_check;
[[maybe_unused]] static bool const failed_check_is_listed = failed_check_list::add(first_failed_check);

#if MUSTER_ON_DEVICE

__device__ __noinline__ inline void report_failed_check(int kind, int asked, int limit, site where) {
  failed_check& report = first_failed_check;
  if (atomicAdd(&report.count, 1u) != 0) return;
  report.kind = kind;
  report.asked = asked;
  report.limit = limit;
  report.line = where.line;
  report.block = {blockIdx.x, blockIdx.y, blockIdx.z};
  report.thread = {threadIdx.x, threadIdx.y, threadIdx.z};
  int length = 0;
  while (where.file[length] != 0) ++length;
  int const most = static_cast<int>(sizeof report.file) - 1;
  char const* const end_of_path = where.file + (length > most ? length - most : 0);  // the end says more than the beginning
  for (int i = 0; i <= (length > most ? most : length); ++i) report.file[i] = end_of_path[i];
}

#endif

}  // namespace muster::backend

#endif
