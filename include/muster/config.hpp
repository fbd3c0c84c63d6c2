// Where the compilers differ: annotations, the device switch, and the inline namespace that keeps objects built with different flags apart.
// Macros only annotate, and all of them stand here.
#pragma once

#if !defined(__cplusplus) || (__cplusplus < 202002L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 202002L))
#error "muster needs C++20: compile with -std=c++20"
#endif

// MUSTER_FN: a function that a kernel may call; it runs on both machines.
#if defined(__CUDACC__)
#define MUSTER_FN __host__ __device__
#else
#define MUSTER_FN
#endif

// MUSTER_RESULT: of what algorithms return; MUSTER_TOKEN: of a group's token; MUSTER_RESULT_FN: of a function that returns a plain value and is called for it.
#define MUSTER_RESULT [[nodiscard("muster: the result is what such a call is for, not a change of its arguments; where it is called for something else, cast it to void")]]
#define MUSTER_TOKEN [[nodiscard("muster: a token is the group to call with; making one does nothing")]]
#define MUSTER_RESULT_FN MUSTER_RESULT MUSTER_FN

// MUSTER_ON_DEVICE: 1 while the compiler makes device code, 0 in every host pass. Only this file asks __CUDA_ARCH__.
#if defined(__CUDA_ARCH__)
#define MUSTER_ON_DEVICE 1
#if __CUDA_ARCH__ < 800
#error "muster: device code needs sm_80 or newer; set CMAKE_CUDA_ARCHITECTURES (or nvcc -arch) to 80 or above"
#endif
#else
#define MUSTER_ON_DEVICE 0
#endif

// MUSTER_HAS_CLUSTERS: 1 in device code for GPUs that have clusters of blocks, distributed shared memory and kernels that begin early: sm_90 and newer.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define MUSTER_HAS_CLUSTERS 1
#else
#define MUSTER_HAS_CLUSTERS 0
#endif

// MUSTER_UNROLL: before a loop of constant length whose body indexes registers, in device code.
#if MUSTER_ON_DEVICE
#define MUSTER_UNROLL _Pragma("unroll")
#else
#define MUSTER_UNROLL
#endif

// MUSTER_CLEARS_PADDING: 1 where the compiler has __builtin_clear_padding; nvcc's front end asks the host compiler, which says yes, and then does not know it.
#if defined(__has_builtin) && !defined(__CUDACC__)
#if __has_builtin(__builtin_clear_padding)
#define MUSTER_CLEARS_PADDING 1
#endif
#endif
#if !defined(MUSTER_CLEARS_PADDING)
#define MUSTER_CLEARS_PADDING 0
#endif

// MUSTER_STRICT_SCOPES: bodies of narrowing functions capture nothing; state travels through with(...).
// MUSTER_CHECKED: a GPU checks what the emulator checks of a single call (backend/check.hpp); muster::wait and muster::check_device throw what it found.
// The flags change inline code, so they are part of every symbol: objects built with and without them are different types.
#if defined(MUSTER_CHECKED)
#define MUSTER_CHECKED_BUILD 1
#else
#define MUSTER_CHECKED_BUILD 0
#endif
#if defined(MUSTER_STRICT_SCOPES) && defined(MUSTER_CHECKED)
#define MUSTER_ABI v1_strict_checked
#elif defined(MUSTER_STRICT_SCOPES)
#define MUSTER_ABI v1_strict
#elif defined(MUSTER_CHECKED)
#define MUSTER_ABI v1_checked
#else
#define MUSTER_ABI v1
#endif

// MUSTER_BEGIN ... MUSTER_END: tokens and everything that takes one. Plain values (lane_set, site) and the compiled emulator do not depend on the
// flags and stand in `namespace muster` itself, so that one emulator library serves both.
#define MUSTER_BEGIN namespace muster { inline namespace MUSTER_ABI {
#define MUSTER_END } }
