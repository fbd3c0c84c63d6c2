#!/usr/bin/env bash
# From a fresh clone to a running program in one command:
#   bash cmake/bootstrap.sh demo    installs what is missing, builds the tool, runs `muster demo`
#   bash cmake/bootstrap.sh test    installs what is missing, builds everything, runs all tests
# Packages are installed on Debian and Ubuntu, as root or with sudo. Elsewhere nothing is installed: what is missing is listed.
# With nvcc (on PATH, in CUDACXX or in the toolkit's usual folder) the `cuda` preset is built, else the `emulator` preset.
set -euo pipefail

readonly usage="usage: bash cmake/bootstrap.sh demo|test"

say() { printf '== %s\n' "$*"; }
fail() { printf 'bootstrap: %s\n' "$*" >&2; exit 1; }

# --- what is there ------------------------------------------------------------------------------------------------------------------------

compiler() { printf '%s' "${CXX:-g++}"; }

# has_header NAME: the compiler finds the header.
has_header() { command -v "$(compiler)" > /dev/null && printf '#include <%s>\n' "$1" | "$(compiler)" -std=c++20 -E -x c++ - > /dev/null 2>&1; }

# has_library NAME: the compiler finds the library's file.
has_library() { command -v "$(compiler)" > /dev/null && [[ "$("$(compiler)" "-print-file-name=$1" 2> /dev/null)" == */* ]]; }

# at_least WANTED HAVE: compares dotted versions.
at_least() { [[ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" == "$1" ]]; }

has_cmake() {
  command -v cmake > /dev/null && command -v ctest > /dev/null && at_least 3.25 "$(cmake --version | awk 'NR == 1 { print $3 }')"
}

# Each line: the Debian package, what it is, how to tell that it is there, the commands that need it.
requirements() {
  cat << 'TABLE'
g++|a C++20 compiler|command -v "$(compiler)"|demo test
cmake|CMake 3.25 or newer|has_cmake|demo test
ninja-build|Ninja|command -v ninja|demo test
libboost-dev|the headers of Boost (Hana)|has_header boost/hana.hpp|test
libboost-context-dev|Boost.Context, as a static library|has_header boost/context/fiber.hpp && has_library libboost_context.a|demo test
libcli11-dev|CLI11|has_header CLI/CLI.hpp|demo test
libfmt-dev|fmt|has_header fmt/format.h|demo test
catch2|Catch2, version 3|has_header catch2/catch_test_macros.hpp|test
libbenchmark-dev|Google Benchmark|has_header benchmark/benchmark.h|test
python3|Python 3|command -v python3|test
TABLE
}

# missing COMMAND: the lines of the table whose test fails.
missing() {
  local package what probe commands
  while IFS='|' read -r package what probe commands; do
    if [[ " $commands " == *" $1 "* ]] && ! eval "$probe" > /dev/null 2>&1; then printf '%s|%s\n' "$package" "$what"; fi
  done < <(requirements)
}

# --- installing on Debian and Ubuntu ------------------------------------------------------------------------------------------------------

as_root() {
  if [[ "$(id -u)" == 0 ]]; then "$@"
  elif command -v sudo > /dev/null; then sudo "$@"
  else return 1
  fi
}

apt_get() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 "$@" < /dev/null; }

# Some package of this name, from any configured source, has at least this version.
offered() { apt-cache madison "$1" 2> /dev/null | awk -F'|' '{ gsub(/ /, "", $2); print $2 }' | grep -q "^$2"; }

# backports_source CODENAME: a source for CODENAME-backports in the words of the source configured for CODENAME: same place, same key.
# Prints "sources" or "list", the kind of file, then its content; nothing if CODENAME has no source.
backports_source() {
  local codename=$1 file stanza line
  shopt -s nullglob
  for file in /etc/apt/sources.list.d/*.sources; do
    stanza="$(awk -v codename="$codename" '
      function finish() { if (named && !disabled && !done) { printf "%s", text; done = 1 } text = ""; named = 0; disabled = 0 }
      /^[ \t]*$/ { finish(); next }
      /^#/ { next }
      tolower($1) == "suites:" { for (i = 2; i <= NF; ++i) if ($i == codename) named = 1; text = text "Suites: " codename "-backports\n"; next }
      tolower($1) == "enabled:" && tolower($2) == "no" { disabled = 1 }
      { text = text $0 "\n" }
      END { finish() }' "$file")"
    if [[ -n "$stanza" ]]; then printf 'sources\n%s\n' "$stanza"; return; fi
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ -f "$file" ]] || continue
    line="$(awk -v codename="$codename" '
      $1 == "deb" {
        for (i = 2; i <= NF; ++i) if ($i == codename) { sub("[ \t]" codename "([ \t]|$)", " " codename "-backports "); print; exit }
      }' "$file")"
    if [[ -n "$line" ]]; then printf 'list\n%s\n' "$line"; return; fi
  done
}

# Debian 12 has Catch2 2; version 3 is in its backports.
offer_catch2() {
  if offered catch2 3; then return; fi
  local codename source kind file
  codename="$(awk -F= '$1 == "VERSION_CODENAME" { gsub(/"/, "", $2); print $2 }' /etc/os-release)"
  source="$(backports_source "$codename")"
  [[ -n "$source" ]] || fail "this release has no Catch2 3, and no package source for '$codename' is configured to derive its backports from"
  kind="${source%%$'\n'*}"
  file="/etc/apt/sources.list.d/$codename-backports.$kind"
  say "Catch2 3 is in the backports of $codename: adding $file, derived from the configured source"
  printf '%s\n' "${source#*$'\n'}" | as_root tee "$file" > /dev/null
  apt_get update
  offered catch2 3 || fail "no Catch2 3 found, in $codename-backports neither; install Catch2 3.4 or newer and run this again"
}

# The version of catch2 to ask for: backports are never chosen by themselves.
catch2_package() {
  local version
  version="$(apt-cache madison catch2 | awk -F'|' '{ gsub(/ /, "", $2); print $2 }' | grep '^3' | sort -V | tail -n 1)"
  printf 'catch2=%s' "$version"
}

install_missing() {
  local wanted=() lines package what
  lines="$(missing "$1")"
  [[ -n "$lines" ]] || return 0
  say "missing:"
  while IFS='|' read -r package what; do printf '     %-22s %s\n' "$package" "$what"; wanted+=("$package"); done <<< "$lines"
  if ! command -v apt-get > /dev/null; then
    fail "this system is neither Debian nor Ubuntu: install the above (Debian's names on the left) and run this again"
  fi
  as_root true || fail "neither root nor sudo: run 'apt-get install ${wanted[*]}' as root (on Debian 12, catch2 from backports) and run this again"
  say "updating the package lists"
  apt_get update || say "not every package source answered; going on with the lists at hand"
  if [[ " ${wanted[*]} " == *" catch2 "* ]]; then
    offer_catch2
    wanted=("${wanted[@]/#catch2/$(catch2_package)}")
  fi
  say "installing ${wanted[*]}"
  apt_get install -y --no-install-recommends "${wanted[@]}"
  lines="$(missing "$1")"
  [[ -z "$lines" ]] || fail "still missing after the installation (is this release too old?): $(tr '|\n' ': ' <<< "$lines")"
}

# --- building and running -----------------------------------------------------------------------------------------------------------------

find_nvcc() {
  local candidate
  for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" /usr/local/cuda/bin/nvcc; do
    if [[ -x "$candidate" ]]; then printf '%s' "$candidate"; return; fi
  done
}

# With a GPU at hand, for that one; else for one recent kind, to save time: the presets build for all that are supported.
has_gpu() { command -v nvidia-smi > /dev/null && nvidia-smi -L > /dev/null 2>&1; }
architectures() { if has_gpu; then printf native; else printf 90; fi; }

main() {
  if [[ $# -ne 1 || ( "$1" != demo && "$1" != test ) ]]; then
    printf '%s\n' "$usage" >&2
    exit 2
  fi
  local command=$1 preset=emulator nvcc started=$SECONDS
  local options=(-DCMAKE_UNITY_BUILD=ON)  # built once: what reads the same headers or shares instantiations is compiled together
  cd "$(dirname "${BASH_SOURCE[0]}")/.."

  install_missing "$command"
  nvcc="$(find_nvcc)"
  if [[ -n "$nvcc" ]]; then
    preset=cuda
    export CUDACXX="$nvcc"
    options+=("-DCMAKE_CUDA_ARCHITECTURES=$(architectures)")
    has_gpu || options+=(-DMUSTER_TEST_GPU_MATRICES=OFF)
    say "nvcc: $nvcc, so kernels are built for the GPU and for the emulator"
  else
    say "no nvcc: kernels are built for the emulator alone"
  fi

  if [[ "$command" == demo ]]; then
    cmake --preset "$preset" -B "build/demo-$preset" -DMUSTER_BUILD_TESTS=OFF -DMUSTER_BUILD_BENCH=OFF "${options[@]}"
    cmake --build "build/demo-$preset" --target muster_tool muster_racecheck  # all that an installation has
    say "built after $((SECONDS - started)) s"
    "build/demo-$preset/bin/muster" demo
  else
    cmake --preset "$preset" "${options[@]}"
    cmake --build --preset "$preset"
    say "built after $((SECONDS - started)) s"
    ctest --preset "$preset" -j "$(nproc)"
  fi
  say "$command: done after $((SECONDS - started)) s"
}

main "$@"
