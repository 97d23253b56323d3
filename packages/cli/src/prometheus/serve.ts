/** `moonpack prometheus serve`: Prometheus' HTTP API over a store. */

import { Interruption } from "../series/interruption.js";
import { type DriverName, withSeries } from "../series/store.js";
import { fileError } from "../shared/failure.js";
import { note, summarize } from "../shared/messages.js";
import { userPath } from "../shared/paths.js";
import { printable } from "../shared/printable.js";

/** Options of `moonpack prometheus serve`, as the command line gives them. */
export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly write: boolean;
  readonly driver?: DriverName;
}

/** Serves a store until a signal arrives: for reading, beside a process that writes, or with `write` for remote writes too. */
export async function serveStore(path: string, { port, host, write, driver }: ServeOptions): Promise<void> {
  const place = userPath(path);
  await withSeries({ path: place, driver }, { readOnly: !write }, async (series) => {
    const { createPrometheus } = await import("@moonpack/prometheus");
    const onWarning = (text: string): void => note(text);
    const interruption = new Interruption();
    const server = await createPrometheus(series)
      .listen({ port, host, onWarning })
      .catch((error: unknown) => {
        throw fileError("listen on", `${host}:${port}`, error);
      });
    interruption.start();
    try {
      summarize(`${printable(path)} at ${server.url}, for reading${write ? " and writing" : ""}\n`);
      await interruption.orInterrupted(new Promise(() => {}));
    } finally {
      interruption.stop();
      await server.close();
    }
  });
}
