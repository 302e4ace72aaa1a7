#include "piped.hpp"

#include <utility>

namespace examples {

any_rows piped(feed::column_source& from, const pipeline& p) {
  any_rows all{feed::column_feed(from)};
  if (p.champsim_losses) all = {std::move(all) | feed::as_champsim_reads{}};
  if (p.skip != 0) all = {std::move(all) | feed::skip{p.skip}};
  if (p.repeat) all = {std::move(all) | feed::repeat{*p.repeat}};
  if (p.limit) all = {std::move(all) | feed::limit{*p.limit}};
  if (has_shard(p)) all = {std::move(all) | *p.part};
  return all;
}

}  // namespace examples
