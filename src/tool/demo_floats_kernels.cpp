// Two types a source: what takes the longest to compile is the headers of CUB and cooperative groups.
#include "tool/demo_measure.hpp"

namespace muster::tool {

std::vector<demo_result> demo_f32(demo_job const& job) { return demo_of<float>(job, "f32"); }
std::vector<demo_result> demo_f64(demo_job const& job) { return demo_of<double>(job, "f64"); }

}  // namespace muster::tool
