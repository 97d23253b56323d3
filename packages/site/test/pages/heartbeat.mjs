// How long a page is held up while something happens in it.
import { watchQueue } from "./queue.mjs";

/** A page that is not held up for longer answers at once, to readers. */
export const MAX_STALL_MS = 100;
/** The pauses before further tries, in milliseconds: other work of the machine may end until then. */
const PAUSES_MS = [0, 1000, 3000, 9000, 27_000];

/**
 * The longest time that a page was held up while `act` ran, in milliseconds: by its heart, which beats each 4 ms, and in Chromium by its
 * list of tasks of more than 50 ms too. What holds up a page is in both, so the shorter one counts. The time in which the page had work
 * and no processor is taken off: other work of the machine, and the page's workers, had both of two. What is too long is tried again,
 * and the best counts: what our code takes it takes each time.
 */
export async function longestStall(page, act) {
  let shortest = Number.POSITIVE_INFINITY;
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const stop = watchQueue();
    await page.evaluate(startHeart);
    await act();
    const { longestTask, stalls } = await page.evaluate(stopHeart);
    const queuedIn = stop();
    const longest = Math.max(0, ...stalls.map(([from, to]) => to - from - queuedIn(from, to)));
    shortest = Math.min(shortest, longest, longestTask ?? Number.POSITIVE_INFINITY);
    if (shortest <= MAX_STALL_MS) break;
  }
  return Math.round(shortest);
}

function startHeart() {
  // The start and end of each stall, in milliseconds since 1970. Shorter ones are not kept: there are many.
  const heart = { stalls: [], longestTask: undefined, timer: 0 };
  const PAUSE_MS = 4;
  const MIN_STALL_MS = 2;
  let due = performance.now() + PAUSE_MS;
  // By the timer alone: in Firefox a message between two beats waits behind every task in the queue, although the page answers.
  const beat = () => {
    const now = performance.now();
    if (now - due >= MIN_STALL_MS) heart.stalls.push([performance.timeOrigin + due, performance.timeOrigin + now]);
    due = now + PAUSE_MS;
    heart.timer = setTimeout(beat, PAUSE_MS);
  };
  heart.timer = setTimeout(beat, PAUSE_MS);
  if (PerformanceObserver.supportedEntryTypes.includes("longtask")) {
    // The shortest task that is in the list.
    heart.longestTask = 50;
    heart.observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) heart.longestTask = Math.max(heart.longestTask, duration);
    });
    heart.observer.observe({ type: "longtask" });
  }
  globalThis.heart = heart;
}

async function stopHeart() {
  const { heart } = globalThis;
  // Long tasks are reported after they have ended.
  await new Promise((resolve) => setTimeout(resolve, 50));
  clearTimeout(heart.timer);
  heart.observer?.disconnect();
  return { stalls: heart.stalls, longestTask: heart.longestTask };
}
