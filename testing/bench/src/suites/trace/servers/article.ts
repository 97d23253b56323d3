/** The server of an article on AsyncLocalStorage: for each request a timer, then a file is read, inside one context. */
import { readFile } from "node:fs";
import { readFile as readFileLater } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Tracer } from "../tracers.js";

/** A small file: this one, as built. */
const FILE = fileURLToPath(import.meta.url);

/** With callbacks. */
export function withCallbacks(tracer: Tracer): RequestListener {
  return (request, response) =>
    tracer.middleware(request, response, () => {
      setTimeout(() => {
        readFile(FILE, (error) => {
          if (error !== null) throw error;
          response.end(String(tracer.id(request)));
        });
      }, 0);
    });
}

/** With async functions. */
export function withPromises(tracer: Tracer): RequestListener {
  return (request, response) =>
    tracer.middleware(request, response, async () => {
      await delay(0);
      await readFileLater(FILE);
      response.end(String(tracer.id(request)));
    });
}
