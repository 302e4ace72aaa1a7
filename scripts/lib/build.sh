# shellcheck shell=bash
# Configuring and building with meson. Sourced by scripts/demo and scripts/test.

# Configures a build folder, unless that was done with the same options before: an interrupted or an
# older configuration is started anew.
configure() { # FOLDER OPTION...; the compiler in CXX
  local folder=$1 stamp=$1/configured-with
  shift
  local wanted="${CXX:-} $*"
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && [ -f "$folder/build.ninja" ]; then
    return 0
  fi
  rm -rf "$folder"
  mkdir -p "$(dirname "$folder")"
  say "configuring $folder"
  local log="$folder.log"
  if ! meson setup "$folder" "$@" > "$log" 2>&1 < /dev/null; then
    cat "$log" >&2
    return 1
  fi
  rm -f "$log"
  printf '%s\n' "$wanted" > "$stamp"
}

# Builds all of a folder, or its targets of these names: quietly if nothing is wrong.
build() { # FOLDER [TARGET...]
  local log="$1/build.log"
  say "building $1"
  if ! ninja -C "$@" > "$log" 2>&1 < /dev/null; then
    grep -v '^\[[0-9]*/[0-9]*\] \|^ninja: Entering' "$log" >&2 || true
    return 1
  fi
}

# A number that changes with any file of the project, tracked or not, but for what git ignores.
fingerprint() {
  if git rev-parse --is-inside-work-tree > /dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard
  else
    find . -path ./build -prune -o -type f -print0
  fi | sort -z | xargs -0 sha256sum 2>&1 | sha256sum
}
