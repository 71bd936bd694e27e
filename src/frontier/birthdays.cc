#include "frontier/birthdays.h"

#include <algorithm>

namespace aduana {

void Birthdays::note(PageIdx page, Instant now) {
  if (!samples_.empty() && now < samples_.back().time + step_) return;
  samples_.push_back({page, now});
  if (samples_.size() < widen_at_) return;
  step_ *= 2;
  widen_at_ += kFirstSamples / 2;
}

Instant Birthdays::of(PageIdx page) const {
  const auto after = std::upper_bound(samples_.begin(), samples_.end(), page,
                                      [](PageIdx p, const Sample& sample) { return p < sample.page; });
  return after == samples_.begin() ? Instant{} : std::prev(after)->time;
}

void Birthdays::save(std::string& out) const {
  append_varint(out, static_cast<uint64_t>(step_.count()));
  append_varint(out, widen_at_);
  append_varint(out, samples_.size());
  Sample before{};
  for (const Sample& sample : samples_) {
    append_varint(out, sample.page.value - before.page.value);
    append_varint(out, static_cast<uint64_t>((sample.time - before.time).count()));
    before = sample;
  }
}

void Birthdays::load(ByteReader& in) {
  samples_.clear();
  step_ = Millis{static_cast<int64_t>(in.varint())};
  widen_at_ = in.varint();
  Sample sample{};
  for (uint64_t left = in.varint(); left > 0 && in.ok(); --left) {
    sample.page.value += in.varint();
    sample.time += Millis{static_cast<int64_t>(in.varint())};
    samples_.push_back(sample);
  }
}

}  // namespace aduana
