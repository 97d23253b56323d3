/** The loop of a worker thread: executes tasks one by one, in order of arrival. */
import { parentPort } from "node:worker_threads";
import { failureOf } from "./thread-calls.js";

/** The result of a task, and its memory that moves to the caller. */
export interface Done<Result> {
  readonly result: Result;
  readonly transfer: ArrayBuffer[];
}

/** Answers each task with the result or error of `run`, until the main thread terminates this thread. */
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
