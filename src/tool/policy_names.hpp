// The names of the policies in the order in which they are shown; policies.hpp has their types.
#pragma once

namespace muster::tool {

inline constexpr char const* policy_names[] = {"automatic", "shuffle", "redux", "cub", "cooperative_groups"};

}  // namespace muster::tool
