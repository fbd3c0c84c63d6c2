// Compiled by the host's compiler; other.cpp by nvcc where there is one.
#include <cstdio>
#include <string>
#include <utility>

#include "kernel.hpp"
#include "other.hpp"

// What a source says of the GPU when it asks for memory there; empty if it gets it.
static std::string refusal() {
  try {
    muster::buffer<int> const memory(muster::on_device(), 4);
    return "";
  } catch (muster::launch_error const& error) {
    return error.what();
  }
}

int main() {
  int wrong = wrong_sums(1) + wrong_sums_in_other();
  std::printf("consumer: %d wrong sums\n", wrong);
  auto const expect = [&](bool holds, char const* what) {
    if (!holds) std::printf("consumer: wrong: %s\n", what);
    wrong += holds ? 0 : 1;
  };

  // Each source speaks for itself, whichever the linker saw first.
  expect(!muster::has_device() && refusal().find("without CUDA") != std::string::npos, "a source without device code has no device");
  expect((other_refusal().find("without CUDA") == std::string::npos) == other_is_by_nvcc(), "the other source says why it has none");
  expect(other_has_device() == (other_is_by_nvcc() && other_refusal().empty()), "the other source has a device if it gets memory there");
  if (other_is_by_nvcc()) expect(static_cast<bool (*)()>(&muster::has_device) != other_has_device_function(), "two answers have two names");

  // A buffer goes from one to the other and back.
  auto made_there = other_buffer({3, 1, 4});
  expect(made_there.to_vector() == std::vector<int>{3, 1, 4}, "a buffer made by the other source");
  muster::buffer<int> made_here(muster::on_emulator(), std::vector<int>{1, 5, 9});
  expect(other_sum(std::move(made_here)) == 15, "a buffer given to the other source");
  return wrong == 0 ? 0 : 1;
}
