/** What Node, Bun and Deno have beside timers. */
declare const setImmediate: ((callback: () => void) => unknown) | undefined;
/** What workerd, the edge's runtime, has; browsers have a scheduler without `wait`. */
declare const scheduler: { readonly wait?: (ms: number) => Promise<void> } | undefined;

/**
 * Resolves after the event loop has had a turn: timers that are due, I/O and events have been handled by then. Not
 * `scheduler.yield`, whose callers come before the timers; and browsers hold timers back for 4 ms, so not these where there
 * are messages. Workerd delivers messages as microtasks, which is no turn at all, and holds no timer back.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else if (typeof scheduler === "object" && typeof scheduler.wait === "function") setTimeout(resolve, 0);
    else if (typeof MessageChannel === "function") {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    } else setTimeout(resolve, 0);
  });
}
