// From a scheme to a plan: every round in its cheapest form.
#pragma once

#include <cstdint>

#include <muster/core/lane_set.hpp>
#include <muster/plan/encode_round.hpp>
#include <muster/plan/generate.hpp>
#include <muster/plan/plan.hpp>

namespace muster::plan {

struct encoding {
  plan result;
  int price = 0;
};

// The cheapest plan for a scheme: each round takes its cheapest form, the table's set-up shared by all that use it.
constexpr encoding encode(scheme const& s, int width, lane_set members) {
  candidate direct[6]{};
  candidate tabled[6]{};
  int without_table = 0;
  int with_table = cost::table_setup;
  for (int i = 0; i < s.count; ++i) {
    encoder const forms{s.rounds[i], width, members};
    direct[i] = forms.direct();
    if (direct[i].price_or_more() > cost::table_step) tabled[i] = forms.tabled();
    without_table += direct[i].price_or_more();
    with_table += direct[i].price_or_more() < tabled[i].price_or_more() ? direct[i].price : tabled[i].price;
  }
  encoding best;
  best.result.count = s.count;
  best.result.uses_table = with_table < without_table;
  best.price = best.result.uses_table ? with_table : without_table;
  for (int i = 0; i < s.count; ++i) {
    bool const from_table = best.result.uses_table && tabled[i].price_or_more() < direct[i].price_or_more();
    best.result.steps[i] = from_table ? tabled[i].shuffle : direct[i].shuffle;
    if (!from_table) continue;
    for (int lane = 0; lane < warp_size; ++lane) best.result.words[lane] |= static_cast<std::uint32_t>(tabled[i].operands[lane]) << (5 * i);
  }
  return best;
}

}  // namespace muster::plan
