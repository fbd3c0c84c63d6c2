#include "tool/demo_measure.hpp"

namespace muster::tool {

std::vector<demo_result> demo_f64(demo_job const& job) { return demo_of<double>(job, "f64"); }

}  // namespace muster::tool
