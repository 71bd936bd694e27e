// What a visit is worth: the freshness it buys to visit a page now and not later, which grows with the time t since the
// last visit. For change rate λ and weight 1 it is 1/λ − (t + 1/λ)·e^(−λt); here in units of 1/λ, with x = λt. Pure
// functions, a few dozen nanoseconds each.
#pragma once

namespace aduana {

// 1 − (1 + x)·e^(−x): from 0 to 1.
double visit_worth(double x);

// The x at which a visit is worth that much; infinite from 1 on.
double when_worth(double value);

}  // namespace aduana
