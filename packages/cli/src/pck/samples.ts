import { MoonpackError } from "moonpack/bytes";
import { StreamDecoder } from "moonpack/stream";
import { parseWholeJson } from "../convert/whole-json.js";
import { DataError } from "../shared/failure.js";
import { FORMATS_WITHOUT_SCHEMA, type Format, isUnnamed, undeterminedFormat } from "../shared/formats.js";
import { ByteWindow } from "../shared/input.js";
import { Progress } from "../shared/progress.js";
import { sniff } from "../shared/sniff.js";
import { jsonLines } from "./source.js";

/** Formats that samples may have. */
export const SAMPLE_FORMATS = ["json", "ndjson", "msgpack"] as const;

/** The format of a file with samples. */
export type SampleFormat = (typeof SAMPLE_FORMATS)[number];

/** Samples of several files: all are counted, the first are kept. */
export class Samples {
  readonly kept: unknown[] = [];
  count = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Reads all samples of a file; without a format, of a pipe whose first bytes show it. A list that is the file's only value is one of
   * samples.
   */
  async read(file: string, given: SampleFormat | undefined): Promise<void> {
    const window = await ByteWindow.open(file);
    const progress = new Progress("reading", window.total);
    let format = given;
    try {
      format ??= await sniffedFormat(window, file);
      if (format === "json") {
        this.#addAll(parseWholeJson(await window.reachEnd()));
        return;
      }
      const values = format === "ndjson" ? linesIn(window) : messagesIn(window);
      let only: unknown;
      let index = 0;
      for await (const value of values) {
        if (index === 0) only = value;
        else {
          if (index === 1) this.#add(only);
          this.#add(value);
        }
        if (++index % 1024 === 0) progress.update(window.position);
      }
      if (index === 1) this.#addAll(only);
    } catch (error) {
      if (error instanceof MoonpackError) throw await DataError.of(file, format !== "msgpack", error, window);
      throw error;
    } finally {
      progress.stop();
      await window.close();
    }
  }

  #addAll(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.#add(item);
    else this.#add(value);
  }

  #add(sample: unknown): void {
    if (this.count++ < this.#most) this.kept.push(sample);
  }
}

/** Returns the format of samples: the option's, or the one of the file's extension. Undefined for a pipe. */
export function sampleFormat(
  file: string,
  given: SampleFormat | undefined,
  named: Format | undefined,
): SampleFormat | undefined {
  if (given !== undefined) return given;
  if (named === "json" || named === "ndjson" || named === "msgpack") return named;
  if (isUnnamed(file)) return undefined;
  throw undeterminedFormat(file, false, FORMATS_WITHOUT_SCHEMA);
}

async function sniffedFormat(window: ByteWindow, file: string): Promise<SampleFormat> {
  const format = (await sniff(window, true))?.format;
  if (format === undefined || format === "pck")
    throw undeterminedFormat(file, window.size === 0, FORMATS_WITHOUT_SCHEMA);
  return format;
}

async function* linesIn(window: ByteWindow): AsyncGenerator<unknown> {
  for await (const { json } of jsonLines(window)) yield json;
}

async function* messagesIn(window: ByteWindow): AsyncGenerator<unknown> {
  const decoder = new StreamDecoder();
  do {
    decoder.push(window.view());
    window.consume(window.size);
    yield* decoder;
  } while (await window.more());
  decoder.end();
}
