#include "kernel.hpp"

int wrong_sums_in_other() { return wrong_sums(1000); }
