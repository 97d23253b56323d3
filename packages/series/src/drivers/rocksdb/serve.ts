/** The side of a worker thread: tasks are done one after the other, in the order in which they came. */
import { parentPort } from "node:worker_threads";
import { failureOf } from "./thread-calls.js";

/** What a task results in, and the memory of it that moves to the caller. */
export interface Done<Result> {
  readonly result: Result;
  readonly transfer: ArrayBuffer[];
}

/** Answers each task with what `run` returns or throws, until the main thread ends this one. */
export function serve<Task, Result>(run: (task: Task) => Done<Result>): void {
  const port = parentPort!;
  port.on("message", ({ id, task }: { id: number; task: Task }) => {
    try {
      const { result, transfer } = run(task);
      port.postMessage({ id, result }, transfer);
    } catch (error) {
      port.postMessage({ id, failure: failureOf(error) });
    }
  });
}
