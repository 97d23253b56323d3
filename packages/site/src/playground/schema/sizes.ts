// Bytes of samples in several formats, each sample as a separate message, and all together after gzip.

import { type AnySchema, codec } from "@moonpack/pck";
import { encode } from "moonpack";
import { MoonpackError } from "moonpack/bytes";
import { shownText } from "../shared/shown.ts";
import type { Samples } from "./samples.ts";

/** A format and the size of the samples in it. */
export interface FormatSize {
  readonly format: "JSON" | "MessagePack" | "PCK";
  /** The bytes of all samples. */
  readonly bytes: number;
  /** The bytes of all samples in one stream after gzip. */
  readonly gzipped: number;
}

/** Why samples cannot be written with a schema. */
export interface SampleProblem {
  /** The number of the first sample with the problem, from 1. */
  readonly sample: number;
  readonly message: string;
  readonly code: string;
}

/** The sizes of samples. */
export interface Sizes {
  readonly formats: readonly FormatSize[];
  /** Why PCK is not among the formats; undefined if it is, or without a schema. */
  readonly problem: SampleProblem | undefined;
}

/** After this many samples, other messages of the worker are handled. */
const AT_ONCE = 2_000;

/** Measures samples. Without a schema, PCK is missing. Throws the reason of the signal once it aborts. */
export async function sizesOf(samples: Samples, schema: AnySchema | undefined, signal: AbortSignal): Promise<Sizes> {
  const text = new TextEncoder();
  const json = await measured("JSON", samples.kept, (sample) => text.encode(`${samples.jsonOf(sample)}\n`), signal);
  const formats = [
    // The ends of the lines belong to the file, not to the samples.
    { ...json, bytes: json.bytes - samples.kept.length },
    await measured("MessagePack", samples.kept, (sample) => encode(sample), signal),
  ];
  if (schema === undefined) return { formats, problem: undefined };
  const messages = codec<unknown, unknown>(schema as never, { maps: "object" });
  let at = 0;
  try {
    const write = (sample: unknown) => {
      at++;
      // As `moonpack convert` reads JSON, and as `moonpack infer` measures other samples.
      return messages.encode(samples.isJson ? messages.fromJSON(sample, { int64: "any" }) : sample);
    };
    formats.push(await measured("PCK", samples.kept, write, signal));
    return { formats, problem: undefined };
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    return { formats, problem: { sample: at, message: shownText(error.message), code: error.code } };
  }
}

async function measured(
  format: FormatSize["format"],
  samples: readonly unknown[],
  bytesOf: (sample: unknown) => Uint8Array,
  signal: AbortSignal,
): Promise<FormatSize> {
  let bytes = 0;
  let next = 0;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
      for (const end = Math.min(next + AT_ONCE, samples.length); next < end; next++) {
        const chunk = bytesOf(samples[next]);
        bytes += chunk.length;
        controller.enqueue(chunk as Uint8Array<ArrayBuffer>);
      }
      if (next === samples.length) controller.close();
    },
  });
  let gzipped = 0;
  const packed = source.pipeThrough(new CompressionStream("gzip"));
  for (let reader = packed.getReader(), part = await reader.read(); !part.done; part = await reader.read())
    gzipped += part.value.length;
  return { format, bytes, gzipped };
}
