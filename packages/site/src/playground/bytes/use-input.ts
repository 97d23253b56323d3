// State of the input in the first tab: the text or file, its settings, and the worker's results.
import { onBeforeUnmount, reactive, shallowRef } from "vue";
import { CallError, type Fault, faultOf, WorkerCalls } from "../shared/worker-calls.ts";
import type { ReadNews } from "./bytes.worker.ts";
import type { Row, Summary } from "./inspector.ts";
import { DEFAULT_SETTINGS, type ReadSettings } from "./settings.ts";
import type { Source } from "./source.ts";

/** The state of the work, as shown. */
interface Work {
  isReading: boolean;
  /** Bytes that were read. */
  offset: number;
  fault: Fault | undefined;
  wasStopped: boolean;
}

/** How long a worker may take to stop. */
const PATIENCE_MS = 300;

const startWorker = (): Worker => new Worker(new URL("./bytes.worker.ts", import.meta.url), { type: "module" });

/** The tab's state, with its actions. */
export function useInput() {
  const calls = new WorkerCalls(startWorker());
  onBeforeUnmount(() => calls.end());
  const bytes = shallowRef<Uint8Array>(new Uint8Array(0));
  const summary = shallowRef<Summary>();
  const settings = shallowRef<ReadSettings>(DEFAULT_SETTINGS);
  /** The row that is chosen, and the one under the pointer. */
  const chosen = shallowRef<Row>();
  const pointed = shallowRef<Row>();
  /** The byte that is pointed at or moved to: one of the item's. */
  const byte = shallowRef<number>();
  const work = reactive<Work>({ isReading: false, offset: 0, fault: undefined, wasStopped: false });
  let controller: AbortController | undefined;
  /** The call that is being answered. */
  let running: Promise<true> | undefined;
  let last: Source | undefined;
  /** Whether the worker has the last source. */
  let isSent = false;
  /** Numbers of the last reading that has begun, and of the one that is shown. */
  let begun = 0;
  let shown = 0;
  let moves = 0;

  /** Begins a move to a row or a byte. Returns a function that returns false once another move has begun: answers come late. */
  function move(): () => boolean {
    const own = ++moves;
    return () => own === moves;
  }

  function chooseNothing(): void {
    chosen.value = undefined;
    pointed.value = undefined;
    byte.value = undefined;
  }

  /** Calls a function of the worker about the input that is shown. Throws its errors, and one if another input was read. */
  function call<Result>(name: string, question: object): Promise<Result> {
    return calls.call<Result>(name, { ...question, reading: shown });
  }

  /** The same for what is of no use later: undefined after an error, and if another reading has begun. */
  async function ask<Result>(name: string, question: object): Promise<Result | undefined> {
    const own = begun;
    const answer = await call<Result>(name, question).catch(() => undefined);
    return own === begun ? answer : undefined;
  }

  /** Waits until the worker is free. The parser of JSON cannot be stopped: then another worker takes its place. */
  async function release(): Promise<void> {
    if (running === undefined) return;
    const patience = new Promise<false>((resolve) => setTimeout(() => resolve(false), PATIENCE_MS));
    if (await Promise.race([running, patience])) return;
    calls.restart(startWorker());
    isSent = false;
  }

  /** Reads a source, or the last one again with other settings. */
  async function read(source: Source | undefined): Promise<void> {
    controller?.abort();
    const own = new AbortController();
    controller = own;
    if (source !== undefined) [last, isSent] = [source, false];
    const reading = ++begun;
    chooseNothing();
    Object.assign(work, { isReading: true, offset: 0, fault: undefined, wasStopped: false } satisfies Work);
    await release();
    if (controller !== own) return;
    const onNews = (news: ReadNews) => {
      if (controller !== own) return;
      if ("offset" in news) work.offset = news.offset;
      else {
        isSent = true;
        bytes.value = news.bytes;
        summary.value = undefined;
      }
    };
    const isNew = !isSent;
    const answer = calls.call<Summary, ReadNews>(
      "read",
      { source: isNew ? last : undefined, settings: settings.value, reading },
      { onNews, signal: own.signal },
    );
    const settled = (): true => true;
    running = answer.then(settled, settled);
    try {
      const found = await answer;
      if (controller === own) {
        // Settings were changed: until now, rows of the reading before could be chosen.
        chooseNothing();
        shown = reading;
        summary.value = found;
      }
    } catch (error) {
      if (controller !== own) return;
      summary.value = undefined;
      const fault = error instanceof CallError ? error.fault : faultOf(error);
      if (fault.code === "ERR_ABORTED") work.wasStopped = true;
      else work.fault = fault;
      if (isNew && !work.wasStopped) bytes.value = new Uint8Array(0);
    }
    if (controller === own) work.isReading = false;
  }

  function stop(): void {
    controller?.abort();
    void release();
  }

  /** Changes how the last source is read. */
  function change(changes: Partial<ReadSettings>): void {
    settings.value = { ...settings.value, ...changes };
    if (bytes.value.length > 0) void read(undefined);
  }

  return {
    call,
    ask,
    move,
    bytes,
    summary,
    settings,
    chosen,
    pointed,
    byte,
    work,
    read,
    change,
    stop,
  };
}

/** The result of {@link useInput}. */
export type Input = ReturnType<typeof useInput>;
