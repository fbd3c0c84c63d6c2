// The backend of the machine that this pass compiles for: namespace muster::backend, one set of names with two implementations.
#pragma once

#include <muster/config.hpp>

#if MUSTER_ON_DEVICE
#include <muster/backend/cuda.hpp>
#else
#include <muster/backend/emulator.hpp>
#endif
