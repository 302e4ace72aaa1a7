# shellcheck shell=bash
# Functions that configure and build with meson. Sourced by the scripts.

# Configures a build folder, unless it was already configured with these options. An interrupted or older
# configuration is deleted first. Also clears the folder's build.log.
configure() { # FOLDER OPTION...; the compiler in CXX
  local folder=$1 stamp=$1/configured-with
  shift
  local wanted="${CXX:-} $*"
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && [ -f "$folder/build.ninja" ]; then
    : > "$folder/build.log"
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

# Builds everything in a folder, or only the named targets. Without errors, a terminal shows one line of progress,
# and nothing else is printed.
build() { # FOLDER [TARGET...]
  local log="$1/build.log" status=0
  say "building $1"
  ninja -C "$@" 2>&1 < /dev/null | tee -a "$log" | show_progress || status=1
  [ "$status" = 0 ] || grep -v '^\[[0-9]*/[0-9]*\] \|^ninja: Entering' "$log" >&2 || true
  return "$status"
}

# Shows the latest of ninja's progress numbers, such as [12/34], on one line, and clears that line at the end.
show_progress() {
  if [ ! -t 1 ]; then
    cat > /dev/null
    return 0
  fi
  local line
  while IFS= read -r line; do
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
      printf '\r   %s of %s' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    fi
  done
  printf '\r\033[K'
}

# Prints a checksum that changes with any file of the project, tracked or not, except files that git ignores.
fingerprint() {
  if git rev-parse --is-inside-work-tree > /dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard
  else
    find . -path ./build -prune -o -type f -print0
  fi | sort -z | xargs -0 sha256sum 2>&1 | sha256sum
}
