/** The hooks for the operations of recorded requests. They slow the whole process while they are on. */
import { type AsyncHook, createHook, executionAsyncId } from "node:async_hooks";
import type { Context } from "../context/context.js";
import { currentContext } from "../context/storage.js";
import { disableHook } from "./disable-hook.js";
import type { Operation, Recording } from "./recording.js";

/**
 * Adds operations to recordings. The context shows which request an operation belongs to, also on connections that requests share.
 * `destroy` has no hook: with one, Node would watch every promise until it is collected.
 */
export class OperationHooks {
  /** By the request's own context. */
  readonly #recordings = new Map<Context, Recording>();
  /** The operations of these recordings by async id. */
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

  /** The number of recordings. */
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
    disableHook(this.#hook);
  }

  /** Removes a recording. */
  remove(request: Context): void {
    const recording = this.#recordings.get(request);
    if (recording === undefined) return;
    this.#recordings.delete(request);
    for (const { asyncId } of recording.operations) this.#operations.delete(asyncId);
  }

  /** Removes all recordings before their ends. */
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
