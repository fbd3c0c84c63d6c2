#include "tool/demo_measure.hpp"

namespace muster::tool {

std::vector<demo_result> demo_i32(demo_job const& job) { return demo_of<std::int32_t>(job, "i32"); }
std::vector<demo_result> demo_i64(demo_job const& job) { return demo_of<std::int64_t>(job, "i64"); }

}  // namespace muster::tool
