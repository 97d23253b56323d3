// Samples of data as text: one JSON value, a list of them, or NDJSON, a value on each line.
import { stringify } from "lossless-json";
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
}

/** Reads a text. Throws an Error that says what is wrong, and on which line. */
export function readSamples(text: string): Samples {
  if (text.length > MAX_SAMPLE_BYTES) throw new Error(tooLargeText(text.length));
  if (text.trim() === "") throw new Error("No samples found: paste JSON, or one JSON value on each line.");
  const values = valuesIn(text);
  const [only] = values;
  // A single list is a list of samples.
  const all = values.length === 1 && Array.isArray(only) ? only : values;
  if (all.length === 0) throw new Error("The list is empty: add samples.");
  // Only long integers became bigints, which the browser does not write as JSON.
  const hasBig = /\d{16}/.test(text);
  return {
    kept: all.length > MAX_SAMPLES ? all.slice(0, MAX_SAMPLES) : all,
    count: all.length,
    jsonOf: (sample) => (hasBig ? stringify(sample) : JSON.stringify(sample)) ?? "null",
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
