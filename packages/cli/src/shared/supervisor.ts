import { type MessagePort, workerData } from "node:worker_threads";

/**
 * Messages of the worker to the main thread: files, child processes and progress bars that must not outlive the
 * process. Each is reported before it exists.
 */
export type Notice =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "fileGone"; readonly path: string }
  | { readonly kind: "child"; readonly pid: number }
  | { readonly kind: "childGone"; readonly pid: number }
  | { readonly kind: "bar"; readonly isShown: boolean }
  | { readonly kind: "interruptible"; readonly isOn: boolean };

/** A message of the main thread to a command that is interruptible: the exit code that shells use for the signal. */
export interface SignalNotice {
  readonly kind: "signal";
  readonly code: number;
}

/** The port to the main thread; undefined where there is none, as in tests that run in-process. */
const port = (workerData as { readonly supervisor?: MessagePort } | null)?.supervisor;

/**
 * From now on the first signal calls `listener` instead of ending the process: the command ends by itself. Any other signal ends
 * the process. Returns how to stop that.
 */
export function onSignal(listener: (code: number) => void): () => void {
  const take = ({ code }: SignalNotice) => listener(code);
  port?.on("message", take);
  // Waiting for a signal must not keep the thread alive.
  port?.unref();
  tellSupervisor({ kind: "interruptible", isOn: true });
  return () => {
    tellSupervisor({ kind: "interruptible", isOn: false });
    port?.off("message", take);
  };
}

/** Reports to the main thread, which handles signals. */
export function tellSupervisor(notice: Notice): void {
  port?.postMessage(notice);
}
