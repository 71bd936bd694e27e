// What time it is at the server: "in 3 s" must be right on a machine whose own clock is not.
//
// The end of /series is the server's present second. Of what we hear, the largest difference is the best: an answer
// can only be late, and a second can only be cut off.
let difference: number | null = null; // server's seconds minus ours
const OFF = 5; // beyond this, one of the clocks was set anew

export function heardServerTime(time: number, ours: number = Date.now() / 1000): void {
  if (!Number.isFinite(time)) return;
  const heard = time - ours;
  if (difference === null || heard > difference || difference - heard > OFF) difference = heard;
}

export function serverNow(ours: number = Date.now() / 1000): number {
  return ours + (difference ?? 0);
}
