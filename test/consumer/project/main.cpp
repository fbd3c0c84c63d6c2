#include <cstdio>

#include "kernel.hpp"

int wrong_sums_in_other();

int main() {
  int const wrong = wrong_sums(1) + wrong_sums_in_other();
  std::printf("consumer: %d wrong sums\n", wrong);
  return wrong == 0 ? 0 : 1;
}
