/** The hooks that see the operations of recorded requests. They slow the whole process while they are on. */
import { type AsyncHook, createHook, executionAsyncId } from "node:async_hooks";
import type { Context } from "../context/context.js";
import { currentContext } from "../context/storage.js";
import { switchOff } from "./disable-hook.js";
import type { Operation, Recording } from "./recording.js";

/**
 * Adds operations to the recordings that it has. What belongs to a request is told by the context, so it is right for connections
 * that requests share too. There is no hook for `destroy`: with one, Node would watch every promise until it is collected.
 */
export class OperationHooks {
  /** By the request's own context. */
  readonly #recordings = new Map<Context, Recording>();
  /** By async id, of these recordings. */
  readonly #operations = new Map<number, Operation>();
  readonly #hook: AsyncHook;
  #isOn = false;

  constructor() {
    this.#hook = createHook({
      init: (asyncId, type, trigger) => this.#init(asyncId, type, trigger),
      before: (asyncId) => this.#operations.get(asyncId)?.begin(),
      after: (asyncId) => this.#operations.get(asyncId)?.leave(),
      promiseResolve: (asyncId) => this.#operations.get(asyncId)?.resolve(),
    });
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** How many recordings there are. */
  get size(): number {
    return this.#recordings.size;
  }

  has(request: Context): boolean {
    return this.#recordings.has(request);
  }

  add(request: Context, recording: Recording): void {
    this.#recordings.set(request, recording);
  }

  switchOn(): void {
    this.#isOn = true;
    this.#hook.enable();
  }

  switchOff(): void {
    this.#isOn = false;
    switchOff(this.#hook);
  }

  /** Forgets a recording: nothing is added to it any more. */
  remove(request: Context): void {
    const recording = this.#recordings.get(request);
    if (recording === undefined) return;
    this.#recordings.delete(request);
    for (const { asyncId } of recording.operations) this.#operations.delete(asyncId);
  }

  /** Forgets all recordings before their ends. */
  cutAll(): void {
    for (const [request, recording] of this.#recordings) {
      recording.cut();
      this.remove(request);
    }
  }

  #init(asyncId: number, type: string, trigger: number): void {
    const request = currentContext()?.request;
    const recording = request === undefined ? undefined : this.#recordings.get(request);
    if (recording === undefined) return;
    const parent = this.#operations.get(trigger) ?? this.#operations.get(executionAsyncId());
    const operation = recording.add(asyncId, parent, type);
    if (operation !== undefined) this.#operations.set(asyncId, operation);
  }
}
