// For tests, which are TypeScript.
/** A worker that listens on loopback. */
export interface StartedWorker {
  readonly port: number;
  /** Its output and its errors, once it has ended. */
  readonly output: Promise<readonly string[]>;
  /** Rejects when it ends. */
  readonly ended: Promise<never>;
  /** Ends the worker, and returns its output. */
  stop(): Promise<string>;
  kill(): void;
}

export function startWorker(executable: string, folder: string, modules: readonly string[]): Promise<StartedWorker>;
