// Suggestions for words that the user has mistyped.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace examples {

// Returns the edit distance of two words: the number of insertions, deletions, substitutions and
// swaps of neighbouring letters that change one word into the other.
inline std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = last;
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

// Returns the word in `known` that begins with `word`. If there is none, returns the known word
// with the smallest edit distance. Returns an empty string if every edit distance exceeds a third
// of the length of the known word.
inline std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  // All options are shorter than this limit, so a longer word cannot be a mistyped option.
  constexpr std::size_t longest = 64;
  if (word.empty() || word.size() > longest) return {};
  const std::string* best = nullptr;
  std::size_t fewest = 0;
  for (const std::string& k : known) {
    const bool begun = word.size() > 1 && k.starts_with(word);
    const std::size_t apart = begun ? 0 : letters_apart(word, k);
    if (apart * 3 > k.size() || (best != nullptr && apart >= fewest)) continue;
    best = &k;
    fewest = apart;
  }
  return best == nullptr ? std::string() : *best;
}

}  // namespace examples
