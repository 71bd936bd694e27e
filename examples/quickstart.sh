#!/usr/bin/env bash
# A first look at the program: a small made-up crawl goes into a store, and the store is asked about it.
#
#   examples/quickstart.sh [PROGRAM]     PROGRAM is build/aduana if not given
#
# Everything happens in a temporary folder that is removed at the end.
set -euo pipefail

program=$(realpath "${1:-$(dirname "$0")/../build/aduana}")
if [[ ! -x $program ]]; then
  echo "$program is not there; run \`make\` first" >&2
  exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
aduana() { "$program" "$@"; }

bold='' dim='' plain=''
if [[ -t 1 ]]; then bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'; fi

say() { printf '\n%s# %s%s\n' "$dim" "$*" "$plain"; }
# Shows a command as one would type it, then runs it.
show() {
  printf '%s$ %s%s\n' "$bold" "$*" "$plain"
  eval "$*"
}

# 400 crawled pages on 8 hosts, a time and a score each, and links mostly within the host: what a crawler reports.
awk 'BEGIN {
  srand(2015)
  for (i = 0; i < 400; i++) {
    host = i % 8
    printf "{\"url\":\"http://site%d.example/%s\",\"score\":%.2f,\"time\":%.1f,\"links\":[", \
           host, i < 8 ? "" : "page/" i, rand(), 1420070400 + i * 2.5
    for (k = 0; k < 7; k++) {
      to = int(rand() * 1600)
      to = rand() < 0.75 ? to - to % 8 + host : to
      printf "%s[\"http://site%d.example/%s\",%.2f]", k ? "," : "", to % 8, to < 8 ? "" : "page/" to, rand()
    }
    print "]}"
  }
}' > crawl.jsonl

say "A crawler reports one JSON object a page:"
show "head -n 1 crawl.jsonl | cut -c 1-118"

say "They go into a store, made when it is not there yet."
show "aduana db load crawl.db crawl.jsonl"

say "What is in it, and what it costs."
show "aduana db info crawl.db"

say "Pages are found by their URL;"
show "aduana db find crawl.db 'site3.*/page/1[0-4].$'"

say "links in both directions, by URL or by hash;"
page=$(aduana db dump info crawl.db | awk '$7 > 0 && $8 > 0 && !found { print $1; found = 1 }')
show "aduana db links crawl.db $page"

say "and how the crawl came to a page, from the seed on."
last=$(aduana db dump info crawl.db | sort -k 8,8nr -k 2,2n | awk 'NR == 1 { print $3 }')
show "aduana db path crawl.db $last"

say "Everything is available as text and as JSON."
show "aduana db dump info crawl.db | head -n 3"
show "aduana db info crawl.db --json | cut -c 1-118"

say "Every checksum and every invariant can be verified at any time."
show "aduana db check crawl.db"

printf '\n%sDone:%s 400 pages loaded, asked and verified. More: `%s --help`, docs/cli.md\n' "$bold" "$plain" \
  "$(basename "$program")"
