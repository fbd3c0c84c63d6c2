#include "tool/demo_measure.hpp"

namespace muster::tool {

std::vector<demo_result> demo_f32(demo_job const& job) { return demo_of<float>(job, "f32"); }

}  // namespace muster::tool
