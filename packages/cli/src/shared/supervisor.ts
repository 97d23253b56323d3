import { type MessagePort, workerData } from "node:worker_threads";

/**
 * What the worker reports to the main thread: files, child processes and progress bars that must not outlive the
 * process. Each is reported before it exists.
 */
export type Notice =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "fileGone"; readonly path: string }
  | { readonly kind: "child"; readonly pid: number }
  | { readonly kind: "childGone"; readonly pid: number }
  | { readonly kind: "bar"; readonly isShown: boolean };

/** The port to the main thread; undefined where there is none, as in tests that run in-process. */
const port = (workerData as { readonly supervisor?: MessagePort } | null)?.supervisor;

/** Reports to the main thread, which handles signals. */
export function tellSupervisor(notice: Notice): void {
  port?.postMessage(notice);
}
