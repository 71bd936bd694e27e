#include "graph/codec/row_tables.h"

namespace aduana {

namespace {

RowStep step_of(unsigned context, const AnsStep& ans) {
  RowStep step;
  step.next = static_cast<uint16_t>(place_in(context, ans.state));
  step.state_mask = static_cast<uint8_t>((1u << ans.bits) - 1);
  const auto tell = [&](uint64_t value, unsigned bits) {
    step.value_and_state_bits = static_cast<uint32_t>(value << RowStep::kStateBits | ans.bits);
    step.bits = static_cast<uint8_t>(bits);
  };
  const unsigned symbol = ans.symbol;
  const bool head = context::is_head(context);
  tell(symbol, RowStep::kElsewhere);  // of the escape, and of what is no symbol in this context
  if (symbol >= (head ? kHeadSymbols : kTokens)) return step;
  const uint64_t value = head ? PackedHead::of(symbol).bits : symbol < kDirectTokens ? symbol : value_of(symbol, 0);
  if (value > RowStep::kMostValue) return step;
  tell(value, ans.bits + static_cast<unsigned>(extra_bits_in(context, symbol)));
  const unsigned then = head ? context::kHead + kind_of_head(symbol) : context::after(context, value);
  step.next = static_cast<uint16_t>(place_in(then, ans.state));
  return step;
}

}  // namespace

RowTables::RowTables(const RowModel& model) {
  for (unsigned c = 0; c < context::kContexts; ++c) {
    const AnsDecodeTable table = decode_table(model.shares(c));
    for (unsigned state = 0; state < kAnsStates; ++state) steps_[place_in(c, state)] = step_of(c, table[state]);
  }
}

}  // namespace aduana
