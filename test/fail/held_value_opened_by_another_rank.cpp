// expect: muster::only_rank<R>(group, with(held), body): the value is held by another rank or in another group
#include <muster/muster.hpp>

namespace held_value_opened_by_another_rank {

MUSTER_FN void total(muster::tile<8> tile, int v, int* out) {
  auto sum = muster::reduce_to<0>(tile, v, muster::plus{});
#ifdef MUSTER_MISTAKE
  muster::only_rank<1>(tile, muster::with(sum), [&](auto, int& s) { *out = s; });
#else
  muster::only_rank<0>(tile, muster::with(sum), [&](auto, int& s) { *out = s; });
#endif
}

}  // namespace held_value_opened_by_another_rank
