// Samples of data: as text one JSON value, a list of them, or NDJSON, a value on each line; MessagePack; or a PCK container.
import { type AnySchema, codec, decodeContainer } from "@moonpack/pck";
import { stringify } from "lossless-json";
import { StreamDecoder } from "moonpack/stream";
import { textOf } from "../bytes/text-encoding.ts";
import { jsonText } from "../bytes/typed-json.ts";
import { parseJson } from "../shared/exact-json.ts";
import { MAX_SAMPLE_BYTES, MAX_SAMPLES, tooLargeText } from "./sample-limits.ts";

/** Samples that were read. */
export interface Samples {
  /** The first samples. */
  readonly kept: readonly unknown[];
  /** How many there are. */
  readonly count: number;
  /** A sample as JSON without blanks. */
  readonly jsonOf: (sample: unknown) => string;
  /** True for samples that are JSON: `fromJSON` reads them, as `moonpack convert` does. */
  readonly isJson: boolean;
  /** The schema of a container. */
  readonly schema?: AnySchema;
}

const MESSAGE_FILE = /\.(?:msgpack|mpk|mp)$/i;
const MAGIC = "PCK\u0001";

/** Reads a file: a container by its first bytes, MessagePack by its name or because it is not text. Throws the reader's errors. */
export function readSampleFile(name: string, bytes: Uint8Array<ArrayBuffer>): Samples {
  if (String.fromCharCode(...bytes.subarray(0, MAGIC.length)) === MAGIC) return containerSamples(bytes);
  if (MESSAGE_FILE.test(name)) return messageSamples(bytes);
  let text: string;
  try {
    text = textOf(bytes);
  } catch {
    return messageSamples(bytes);
  }
  return readSamples(text);
}

function containerSamples(bytes: Uint8Array<ArrayBuffer>): Samples {
  const { schema, values } = decodeContainer(bytes);
  if (values.length === 0) throw new Error("The container has a schema, but no values.");
  const messages = codec(schema);
  const kept = values.slice(0, MAX_SAMPLES).map((value) => messages.toJSON(value as never));
  return { kept, count: values.length, jsonOf: JSON.stringify, isJson: true, schema };
}

function messageSamples(bytes: Uint8Array<ArrayBuffer>): Samples {
  const decoder = new StreamDecoder({ maxBufferedBytes: Number.POSITIVE_INFINITY });
  decoder.push(bytes);
  const values: unknown[] = [...decoder];
  decoder.end();
  const jsonOf = (sample: unknown) => jsonText(sample, { typed: true, indent: 0 });
  return { ...listed(values), jsonOf, isJson: false };
}

/** The first samples, and the number of all. A single list is a list of samples. */
function listed(values: readonly unknown[]): { readonly kept: readonly unknown[]; readonly count: number } {
  const [only] = values;
  const all = values.length === 1 && Array.isArray(only) ? (only as readonly unknown[]) : values;
  if (all.length === 0) throw new Error("The list is empty: add samples.");
  return { kept: all.length > MAX_SAMPLES ? all.slice(0, MAX_SAMPLES) : all, count: all.length };
}

/** Reads a text. Throws an Error that says what is wrong, and on which line. */
export function readSamples(text: string): Samples {
  if (text.length > MAX_SAMPLE_BYTES) throw new Error(tooLargeText(text.length));
  if (text.trim() === "") throw new Error("No samples found: paste JSON, or one JSON value on each line.");
  const samples = listed(valuesIn(text));
  // Only long integers became bigints, which the browser does not write as JSON.
  const hasBig = /\d{16}/.test(text);
  return {
    ...samples,
    jsonOf: (sample) => (hasBig ? stringify(sample) : JSON.stringify(sample)) ?? "null",
    isJson: true,
  };
}

function valuesIn(text: string): unknown[] {
  try {
    return [parseJson(text)];
  } catch (whole) {
    const lines = text.split("\n");
    const first = lines.findIndex((line) => line.trim() !== "");
    // If the first line is not a JSON value, the text was meant as one value.
    if (lines.slice(first + 1).every((line) => line.trim() === "") || !isValue(lines[first]!))
      throw new Error(`This is not JSON: ${(whole as Error).message}`);
    return lines.flatMap((line, index) => (line.trim() === "" ? [] : [valueOfLine(line, index + 1)]));
  }
}

function isValue(line: string): boolean {
  try {
    parseJson(line);
    return true;
  } catch {
    return false;
  }
}

function valueOfLine(line: string, number: number): unknown {
  try {
    return parseJson(line);
  } catch (error) {
    throw new Error(`Line ${number} is not JSON: ${(error as Error).message}`);
  }
}
