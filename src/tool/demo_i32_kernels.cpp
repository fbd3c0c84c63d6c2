#include "tool/demo_measure.hpp"

namespace muster::tool {

std::vector<demo_result> demo_i32(demo_job const& job) { return demo_of<std::int32_t>(job, "i32"); }

}  // namespace muster::tool
