/** Reads the text of a target. */
import { describe, MoonpackError, own } from "moonpack/bytes";
import { formatOfContentType } from "../text/content-type.js";
import type { TextFormat } from "../text/types.js";
import type { TextRecord } from "./options.js";
import type { MetricsRegistry } from "./types.js";

const ACCEPT =
  "application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.6,text/plain;q=0.4,*/*;q=0.1";
/** Bytes of a registry's text that are read at once. */
const SLICE_BYTES = 65_536;

/** Receives the bytes of a text. */
export interface TextSink {
  /** Called once, before the bytes. */
  start(format: TextFormat): void;
  write(bytes: Uint8Array): void;
}

/** Reads the text of a URL. Throws what failed. */
export async function readUrl(
  url: URL,
  headers: TextRecord,
  maxBytes: number,
  timeout: number,
  signal: AbortSignal,
  sink: TextSink,
): Promise<void> {
  const sent = new Headers({
    accept: ACCEPT,
    "user-agent": "moonpack",
    "x-prometheus-scrape-timeout-seconds": String(timeout / 1000),
  });
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  const response = await fetch(url, own({ headers: sent, signal }));
  let size = 0;
  try {
    if (response.status !== 200) throw failure(`the server answered with the status ${response.status}`);
    sink.start(formatOf(response.headers.get("content-type")));
    for await (const bytes of chunksOf(response.body)) {
      size += bytes.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      sink.write(bytes);
    }
  } catch (error) {
    await response.body?.cancel().catch(() => {});
    throw error;
  }
}

/** Reads the text of a registry. Throws what failed. */
export async function readRegistry(
  registry: MetricsRegistry,
  maxBytes: number,
  signal: AbortSignal,
  sink: TextSink,
): Promise<void> {
  const text = await registry.metrics();
  if (typeof text !== "string") throw failure(`metrics() returned ${describe(text)}, not a text`);
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  sink.start(formatOf(registry.contentType));
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (at > 0) await new Promise<void>((resolve) => setTimeout(resolve, 0));
    signal.throwIfAborted();
    sink.write(bytes.subarray(at, at + SLICE_BYTES));
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Exporters that send no type send Prometheus' own format. */
function formatOf(contentType: string | null): TextFormat {
  const format = contentType === null || contentType === "" ? "prometheus" : formatOfContentType(contentType);
  if (format === undefined) throw failure(`the text has the type ${JSON.stringify(contentType)}: it is not of metrics`);
  return format;
}

function tooLarge(maxBytes: number): MoonpackError {
  return new MoonpackError("ERR_LIMIT_BYTES", `the text is larger than ${maxBytes} bytes`);
}

function failure(message: string): Error {
  return new Error(message);
}
