/**
 * For emitters whose `removeListener` would not find our wrappers: its methods replace listeners by other functions (as
 * OpenTelemetry's binding of an emitter does), or a listener stands for another one by its property `listener`. There
 * `removeListener`, `off` and `removeAllListeners` become own properties too, which map listeners to wrappers.
 */
import { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import type { Listener } from "./wrapper.js";

type Event = string | symbol;
type Remove = (this: unknown, event: Event, listener: Listener) => unknown;
type RemoveAll = (this: unknown, ...events: unknown[]) => unknown;

/** The methods of an emitter that remove listeners. */
export interface Removing {
  removeListener: Remove;
  off: Remove;
  removeAllListeners: RemoveAll;
}

/** True if an emitter's `removeListener` is Node's, which reads the property `listener`. */
export function removesByListener({ removeListener }: Removing): boolean {
  return (
    removeListener === (EventEmitter.prototype as unknown as Removing).removeListener ||
    removeListener === (Readable.prototype as unknown as Removing).removeListener
  );
}

/** The wrappers of an event's listeners. */
interface OfEvent {
  /** By listener, in the emitter's order: the last one is removed first. */
  readonly wrappers: WeakMap<Listener, Listener[]>;
  /** The number of wrappers. At 0 the event is removed: a shared emitter may have a new event for each request. */
  count: number;
}

/** The wrappers of an emitter's listeners. */
export class Removals {
  readonly #events = new Map<Event, OfEvent>();

  constructor(emitter: Removing) {
    const { removeListener, off, removeAllListeners } = emitter;
    const events = this.#events;
    const taking = (former: Remove): Remove =>
      function (event, listener) {
        return former.call(this, event, take(events, event, listener) ?? listener);
      };
    emitter.removeListener = taking(removeListener);
    emitter.off = taking(off);
    emitter.removeAllListeners = function (...names) {
      if (names.length === 0) events.clear();
      else events.delete(names[0] as Event);
      return removeAllListeners.apply(this, names);
    };
  }

  add(event: Event, listener: Listener, wrapped: Listener, isFirst: boolean): void {
    let ofEvent = this.#events.get(event);
    if (ofEvent === undefined) this.#events.set(event, (ofEvent = { wrappers: new WeakMap(), count: 0 }));
    ofEvent.count++;
    const list = ofEvent.wrappers.get(listener);
    if (list === undefined) ofEvent.wrappers.set(listener, [wrapped]);
    else if (isFirst) list.unshift(wrapped);
    else list.push(wrapped);
  }
}

/** Returns the wrapper of a listener that is removed; undefined if there is none. */
function take(events: Map<Event, OfEvent>, event: Event, listener: Listener): Listener | undefined {
  const ofEvent = events.get(event);
  const wrapped = ofEvent?.wrappers.get(listener)?.pop();
  if (wrapped !== undefined && --ofEvent!.count === 0) events.delete(event);
  return wrapped;
}
