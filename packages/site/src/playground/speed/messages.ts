// The messages of a race, from text.
import { textOf } from "../bytes/text-encoding.ts";

/** The largest file and the longest text that are measured: each codec has a worker with its own copy of the values. */
export const MAX_SIZE: number = 10 * 1024 * 1024;

/** Says that a file or a text is too large; undefined if it is not. */
export function tooLarge(size: number): string | undefined {
  if (size <= MAX_SIZE) return undefined;
  return `These are ${Math.ceil(size / 1024 / 1024).toLocaleString("en")} MB; a page measures up to ${MAX_SIZE / 1024 / 1024} MB.`;
}

/** The text of a source. A file is read by each worker: the page would be held up. */
export async function textOfSource(source: string | Blob): Promise<string> {
  return typeof source === "string" ? source : textOf(new Uint8Array(await source.arrayBuffer()));
}

/**
 * The values in JSON, or in lines of JSON. `isList`: each element of a list is a message. Throws an Error that says why the text cannot
 * be read.
 */
export function messagesOf(text: string, isList: boolean): unknown[] {
  if (text.trim() === "") throw new Error("There is nothing to measure: paste JSON, or take an example.");
  const excuse = tooLarge(text.length);
  if (excuse !== undefined) throw new Error(excuse);
  const lines = linesOf(text);
  if (lines !== undefined) return lines;
  const value = wholeOf(text);
  return isList && Array.isArray(value) && value.length > 0 ? (value as unknown[]) : [value];
}

function wholeOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`This is not JSON: ${(error as Error).message}`);
  }
}

/** The values of lines of JSON. Undefined if the first line is not JSON, or the only one. */
function linesOf(text: string): unknown[] | undefined {
  const lines = text.split("\n").map((line, index) => ({ line, number: index + 1 }));
  const filled = lines.filter(({ line }) => line.trim() !== "");
  if (filled.length < 2 || !isJson(filled[0]!.line)) return undefined;
  return filled.map(({ line, number }) => {
    try {
      return JSON.parse(line) as unknown;
    } catch (error) {
      throw new Error(`Line ${number} is not JSON: ${(error as Error).message}`);
    }
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
