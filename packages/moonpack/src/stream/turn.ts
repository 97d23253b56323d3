/** What turns of the event loop are waited for with, where the runtime has more than timers. */
declare const setImmediate: ((callback: () => void) => unknown) | undefined;

/** Resolves when the event loop has run once: what is ready by then has been handled. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
