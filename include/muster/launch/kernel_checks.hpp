// What a kernel and its arguments must be to be launched, and the messages where they are not.
#pragma once

#include <cstddef>
#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/launch_limits.hpp>
#include <muster/core/value_traits.hpp>
#include <muster/core/with.hpp>
#include <muster/launch/argument_order.hpp>
#include <muster/launch/parameters.hpp>

MUSTER_BEGIN

namespace detail {

template <class Kernel, class = void>
struct shared_storage_of {
  using type = void;
  static constexpr bool present = false;
  static constexpr std::size_t bytes = 0;
};
template <class Kernel>
struct shared_storage_of<Kernel, std::void_t<typename Kernel::shared>> {
  using type = typename Kernel::shared;
  static_assert(std::is_trivially_default_constructible_v<type> && std::is_trivially_destructible_v<type>,
                "muster::launch: the kernel's 'shared' is raw storage that no thread constructs; its members need trivial constructors and no default values");
  static_assert(sizeof(type) <= most_static_shared_bytes,
                "muster::launch: the kernel's 'shared' is larger than 48 KiB, the most that a GPU takes; give the rest as dynamic_shared_size and use dynamic_shared<T>(block)");
  static constexpr bool present = true;
  static constexpr std::size_t bytes = sizeof(type);
};

template <class Kernel>
struct kernel_can_be_copied {
  static_assert(std::is_trivially_copyable_v<Kernel>, "muster::launch: the kernel object goes to the GPU byte by byte; it must be trivially copyable");
  static constexpr bool value = true;
};

template <class Arg>
struct kernel_argument {
  static_assert(!leads_to_token<Arg>, "muster::launch: a token is not a kernel argument; the kernel gets its block token from the launch and makes the others from it");
  static_assert(leads_to_token<Arg> || is_bytewise_copyable<Arg>, "muster::launch: kernel arguments go to the GPU byte by byte; pass trivially copyable values, such as buffer.data()");
  static constexpr bool value = true;
};

// What cannot be copied at all, as a buffer, would be refused in the compiler's words, about a constructor.
template <class Arg>
concept argument_by_value = std::is_copy_constructible_v<std::decay_t<Arg>>;
template <class Arg>
struct argument_is_copied {
  static_assert(argument_by_value<Arg>, "muster::launch: this kernel argument owns something and cannot be copied to the machine; pass what it owns by address, such as buffer.data()");
  static constexpr bool value = true;
};

// The arguments of a call in order that follow the kernel.
template <class Places, class... Given>
struct arguments_of_kernel {};
template <class... Given>
struct arguments_of_kernel<places<>, Given...> {
  static constexpr bool are_copied = (argument_by_value<Given> && ...);
  static constexpr bool is_right = (argument_is_copied<Given>::value && ...);
};
template <class Place, class... Rest, class First, class... Given>
struct arguments_of_kernel<places<Place, Rest...>, First, Given...>
    : std::conditional_t<Place::template takes<First>, arguments_of_kernel<places<Rest...>, Given...>, arguments_of_kernel<places<Rest...>, First, Given...>> {};

// Whether it takes the block, its storage as Shared, unless that is void, and these arguments.
template <class Kernel, class Dims, class Shared, class... Args>
inline constexpr bool kernel_takes = std::is_invocable_v<Kernel const&, muster::block<Dims> const&, Shared, Args...>;
template <class Kernel, class Dims, class... Args>
inline constexpr bool kernel_takes<Kernel, Dims, void, Args...> = std::is_invocable_v<Kernel const&, muster::block<Dims> const&, Args...>;

template <class Kernel>
using lvalue_of_shared = std::add_lvalue_reference_t<typename shared_storage_of<Kernel>::type>;

// Each thread's arguments are its own: a kernel gets them as constants.
template <class Kernel, class Dims, class... Args>
inline constexpr bool kernel_is_callable = kernel_takes<Kernel, Dims, lvalue_of_shared<Kernel>, Args const&...>;
template <class Kernel, class Dims, class... Args>
inline constexpr bool kernel_writes_arguments = !kernel_is_callable<Kernel, Dims, Args...> && kernel_takes<Kernel, Dims, lvalue_of_shared<Kernel>, Args&...>;

template <class Kernel, class Dims, class... Args>
inline constexpr bool kernel_leaves_shared_out = shared_storage_of<Kernel>::present && kernel_takes<Kernel, Dims, void, Args const&...>;

// By value, or as a constant, it would not share what it writes. What it takes as any type whatever, `auto& s` and `auto&& s`, is a reference.
struct storage_of_any_type {
  storage_of_any_type() = default;
  storage_of_any_type(storage_of_any_type const&) = delete;
};
template <class Kernel, class Dims, class... Args>
inline constexpr bool kernel_copies_shared = false;
template <class Kernel, class Dims, class... Args>
  requires(shared_storage_of<Kernel>::present && kernel_is_callable<Kernel, Dims, Args...>)
inline constexpr bool kernel_copies_shared<Kernel, Dims, Args...> =
    kernel_takes<Kernel, Dims, typename Kernel::shared, Args const&...> && !kernel_takes<Kernel, Dims, storage_of_any_type&, Args const&...>;

template <class Kernel, class Dims, class... Args>
struct kernel_takes_arguments {
  static_assert(!kernel_copies_shared<Kernel, Dims, Args...>,
                "muster::launch: the kernel takes its 'shared' by value or as a constant, so that what threads write there is not shared; take it by reference, shared& s");
  static_assert(!kernel_writes_arguments<Kernel, Dims, Args...>,
                "muster::launch: the kernel takes an argument by a reference to write to, but each thread's arguments are its own, and what it writes there is lost; "
                "pass a pointer, such as buffer.data()");
  static_assert(kernel_is_callable<Kernel, Dims, Args...> || !kernel_leaves_shared_out<Kernel, Dims, Args...>,
                "muster::launch: the kernel declares 'shared' and does not take it: it gets its storage after the block, operator()(auto block, shared& s, args...) const");
  static_assert(kernel_is_callable<Kernel, Dims, Args...> || kernel_leaves_shared_out<Kernel, Dims, Args...> || kernel_writes_arguments<Kernel, Dims, Args...>,
                "muster::launch: the kernel cannot be called with these arguments; it needs operator()(auto block, [shared& s,] args...) const, and the launch gives args...");
  static constexpr bool value = true;
};

}  // namespace detail

// A launch in order, of which an argument cannot be copied to the machine. Does not compile, and says which.
template <class... Given>
  requires(!detail::out_of_order<detail::places_of_launch, Given...> && (detail::belongs_to_a_launch<Given> || ...) &&
           !detail::arguments_of_kernel<detail::places_of_launch, Given...>::are_copied)
void launch(Given const&...) {
  static_assert(detail::arguments_of_kernel<detail::places_of_launch, Given...>::is_right);
}

MUSTER_END
