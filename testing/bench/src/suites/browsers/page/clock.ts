const LOOKS = 20;

/** The resolution of `performance.now()` here, in milliseconds: from 5 microseconds to a whole millisecond. */
export function clockStep(): number {
  let step = Number.POSITIVE_INFINITY;
  for (let look = 0; look < LOOKS; look++) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    step = Math.min(step, now - start);
  }
  return step;
}
