/** Writes gzip. */
import { createGzip } from "node:zlib";
import type { Target } from "./target.js";

/** Returns a target that compresses what another one gets. */
export function gzipTarget(target: Target): Target {
  const gzip = createGzip();
  let ready: Uint8Array[] = [];
  gzip.on("data", (part: Uint8Array) => ready.push(part));
  const pass = async (): Promise<void> => {
    const parts = ready;
    ready = [];
    for (const part of parts) await target.send(part);
  };
  return {
    async send(bytes) {
      await new Promise<void>((resolve, reject) => {
        gzip.write(bytes, (error) => (error == null ? resolve() : reject(error)));
      });
      await pass();
    },
    async complete() {
      await new Promise<void>((resolve, reject) => {
        gzip.on("end", resolve).on("error", reject).end();
      });
      await pass();
      await target.complete();
    },
    discard() {
      gzip.destroy();
      target.discard();
    },
  };
}
