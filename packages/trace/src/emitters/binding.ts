/**
 * Emitters whose listeners run in the right context. `on`, `addListener` and `prependListener` become own properties. They give Node
 * a wrapper whose `listener` is the user's function, as Node's own `once` does. So Node's removal, `listeners()`, `events.once`,
 * symbols and warnings work, without a table. `once` and `prependOnceListener` call these methods.
 *
 * Replacing only `emit` is not enough: a listener that was added in a nested context, or with another storage of the user's, would run
 * in the request's.
 */
import { AsyncResource } from "node:async_hooks";
import type { EventEmitter } from "node:events";
import type { Context } from "../context/context.js";
import { currentContext } from "../context/storage.js";
import { STATE } from "../shared.js";
import { becomeDictionary, isSlowToExtend } from "./dictionary-mode.js";
import { Removals, type Removing, removesByListener } from "./removals.js";
import { isOnceWrapper, type Listener, onceWrapper, RESOURCE, wrapper } from "./wrapper.js";

/** A request's context, and the state of all AsyncLocalStorages when the middleware ran. */
export class Owner {
  readonly context: Context;
  readonly resource: AsyncResource;

  /** Call it inside the context. */
  constructor(context: Context) {
    this.context = context;
    this.resource = new AsyncResource(RESOURCE);
  }
}

type Add = (this: Bound, event: string | symbol, listener: Listener) => unknown;

/** A method of a response that takes a callback. */
export type Output = (this: EventEmitter, ...args: unknown[]) => unknown;

/** The state of a bound emitter: its request, and the methods that were replaced. */
export class Binding {
  /** Undefined for an emitter that requests share. */
  owner: Owner | undefined;
  readonly on: Add;
  readonly addListener: Add;
  readonly prependListener: Add;
  /** Of a response; undefined if its callbacks are not bound here. */
  write: Output | undefined = undefined;
  end: Output | undefined = undefined;
  /** True if the emitter's methods of removal are not Node's. */
  readonly isForeign: boolean;
  /** Undefined while the emitter's own removal finds all listeners. */
  removals: Removals | undefined = undefined;

  constructor(emitter: Bound, owner: Owner | undefined) {
    this.owner = owner;
    this.on = emitter.on;
    this.addListener = emitter.addListener;
    this.prependListener = emitter.prependListener;
    this.isForeign = !removesByListener(emitter);
  }
}

const BINDING = /* @__PURE__ */ Symbol.for(`${STATE}.binding`);

/** A bound emitter. Node's types of these methods depend on the emitter. */
interface Bound extends Removing {
  [BINDING]: Binding;
  on: Add;
  addListener: Add;
  prependListener: Add;
}

/**
 * Binds an emitter, or gives a bound one the new owner. Without an owner, for an emitter that requests share, listeners run where they
 * were added. With one, they run in the owner's context unless they were added within its request.
 */
export function bindTo(emitter: EventEmitter, owner: Owner | undefined): Binding {
  const bound = emitter as unknown as Bound;
  const former = bound[BINDING] as Binding | undefined;
  if (former !== undefined) {
    if (owner !== undefined) former.owner = owner;
    return former;
  }
  const binding = new Binding(bound, owner);
  if (isSlowToExtend(emitter)) becomeDictionary(emitter);
  bound[BINDING] = binding;
  bound.on = on;
  bound.addListener = addListener;
  bound.prependListener = prependListener;
  return binding;
}

/** Returns the binding of a bound emitter. */
export function bindingOf(emitter: EventEmitter): Binding {
  return (emitter as unknown as Bound)[BINDING];
}

/** Returns the context of the request that an emitter belongs to; undefined if our middlewares have not seen it. */
export function ownerOf(emitter: object): Context | undefined {
  return (emitter as Partial<Bound>)[BINDING]?.owner?.context;
}

/** Returns the scope for a function that is passed to this emitter now: the current one within its request, else the request's. */
export function resourceFor(emitter: object): AsyncResource {
  const { owner } = (emitter as Bound)[BINDING];
  if (owner === undefined || currentContext()?.request === owner.context) return new AsyncResource(RESOURCE);
  return owner.resource;
}

function on(this: Bound, event: string | symbol, listener: Listener): unknown {
  return this[BINDING].on.call(this, event, wrapped(this, event, listener));
}

function addListener(this: Bound, event: string | symbol, listener: Listener): unknown {
  return this[BINDING].addListener.call(this, event, wrapped(this, event, listener));
}

function prependListener(this: Bound, event: string | symbol, listener: Listener): unknown {
  return this[BINDING].prependListener.call(this, event, wrapped(this, event, listener, true));
}

function wrapped(emitter: Bound, event: string | symbol, listener: Listener, isFirst = false): Listener {
  // Node rejects non-functions.
  if (typeof listener !== "function") return listener;
  const resource = resourceFor(emitter);
  const binding = emitter[BINDING];
  if (!listener.listener && !binding.isForeign) return wrapper(resource, listener);
  if (isOnceWrapper(listener)) return onceWrapper(resource, emitter, event, listener);
  const made = wrapper(resource, listener);
  (binding.removals ??= new Removals(emitter)).add(event, listener, made, isFirst);
  return made;
}
