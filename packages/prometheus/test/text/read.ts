import type { MetricsCounts } from "@moonpack/prometheus/text";
import { type MetricMetadata, type MetricSample, metricsParser, type TextFormat } from "@moonpack/prometheus/text";

/** Everything that a parser has passed on. */
export interface Read {
  readonly samples: MetricSample[];
  readonly metadata: MetricMetadata[];
  readonly errors: (readonly [code: string, line: number | undefined, column: number | undefined])[];
  readonly counts: MetricsCounts;
}

/** Reads a text in pieces that end at these offsets of its bytes. Invalid lines are listed. */
export function readPieces(
  text: string | Uint8Array,
  format: TextFormat,
  ends: readonly number[],
  maxLineBytes?: number,
): Read {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const read: Omit<Read, "counts"> = { samples: [], metadata: [], errors: [] };
  const parser = metricsParser({
    format,
    maxLineBytes,
    onSample: (sample) => read.samples.push(sample),
    onMetadata: (metadata) => read.metadata.push(metadata),
    onError: ({ code, line, column }) => read.errors.push([code, line, column]),
  });
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    // A copy: nothing of a piece may be needed after the call.
    const piece = bytes.slice(from, end);
    parser.write(piece);
    piece.fill(0x22);
    from = end;
  }
  return { ...read, counts: parser.end() };
}

/** Reads a text in one piece. */
export function readAll(text: string | Uint8Array, format: TextFormat = "prometheus"): Read {
  return readPieces(text, format, []);
}
