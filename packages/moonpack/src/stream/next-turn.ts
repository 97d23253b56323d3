/** In Node, Bun and Deno. */
declare const setImmediate: ((callback: () => void) => unknown) | undefined;
/** workerd has `wait`; the scheduler of browsers does not. */
declare const scheduler: { readonly wait?: (ms: number) => Promise<void> } | undefined;

/**
 * Resolves after one turn of the event loop: due timers, I/O and events have been handled by then. `scheduler.yield` is not
 * used, since it resumes before the timers. Browsers delay timers by 4 ms, so they use a message instead. workerd delivers
 * messages as microtasks, within the same turn, but does not delay timers.
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
