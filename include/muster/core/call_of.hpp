// Names an algorithm with its operator and types: two whose shuffles are alike must not meet, as their results would be mixed. The emulator
// compares the names where lanes meet.
#pragma once

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/site.hpp>

MUSTER_BEGIN

namespace detail {

// The place of a call, marked as one of the algorithm Call. On a GPU the mark is not made.
template <class Call>
MUSTER_FN site call_of(site where) {
#if !MUSTER_ON_DEVICE
  where.call = backend::number_of_call<Call>();
#endif
  return where;
}

}  // namespace detail

MUSTER_END
