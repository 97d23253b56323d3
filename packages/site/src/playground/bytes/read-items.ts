// Reads all items of an input in slices: between slices the worker answers calls, reports progress, and can be stopped.
import type { Diagnosis } from "moonpack";
import { MoonpackError } from "moonpack/bytes";
import type { Fault } from "../shared/worker-calls.ts";
import { faultOf } from "../shared/worker-calls.ts";
import type { ItemStore } from "./item-store.ts";
import type { Sizes } from "./sizes.ts";

/** Length of a slice. Nothing in the worker is waited for longer than this. */
const SLICE_MS = 30;
/** Items between two looks at the clock. */
const STEP = 512;

/** The number of items, and the first error. */
export interface ItemCount {
  /** All items, also those that were not kept. */
  readonly items: number;
  /** The error that ended the input, or the first malformed text in it. */
  readonly fault?: Fault;
}

/**
 * Reads the items into a store and adds up their sizes. Calls `report` with the offset after each slice. Throws `ERR_ABORTED` when
 * the signal aborts.
 */
export async function readItems(
  items: Iterable<Diagnosis>,
  store: ItemStore,
  sizes: Sizes,
  report: (offset: number) => void,
  signal: AbortSignal,
): Promise<ItemCount> {
  let count = 0;
  let fault: Fault | undefined;
  let begun = performance.now();
  for (const item of items) {
    store.add(item);
    sizes.add(item);
    if (item.error !== undefined && (fault === undefined || item.format === "broken")) fault = faultOf(item.error);
    if (++count % STEP !== 0 || performance.now() - begun < SLICE_MS) continue;
    report(item.offset);
    await nextTurn();
    if (signal.aborted) throw new MoonpackError("ERR_ABORTED", "stopped");
    begun = performance.now();
  }
  store.finish();
  return { items: count, ...(fault === undefined ? {} : { fault }) };
}

/** Lets messages to the worker be handled. Timers would wait 4 ms. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
