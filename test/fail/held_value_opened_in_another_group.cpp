// expect: muster::only_rank<R>(group, with(held), body): the value is held by another rank or in another group
#include <muster/muster.hpp>

namespace held_value_opened_in_another_group {

MUSTER_FN void total(muster::tile<32> warp, muster::tile<8> tile, int v, int* out) {
  auto sum = muster::reduce_to<0>(tile, v, muster::plus{});
#ifdef MUSTER_MISTAKE
  muster::only_rank<0>(warp, muster::with(sum), [&](auto, int& s) { *out = s; });
#else
  muster::only_rank<0>(tile, muster::with(sum), [&](auto, int& s) { *out = s; });
#endif
  muster::sync(warp);
}

}  // namespace held_value_opened_in_another_group
