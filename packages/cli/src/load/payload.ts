/** Reads the records of `--payload FILE`. */
import { MoonpackError } from "moonpack/bytes";
import { parseWholeJson } from "../convert/whole-json.js";
import { DataError, Failure } from "../shared/failure.js";
import { readWhole } from "../shared/input.js";
import { userPath } from "../shared/paths.js";

/** Returns the payload: bytes, or the records of a file (elements of a JSON list, one other value, or lines of NDJSON). */
export async function payloadOf(payload: number | string): Promise<number | readonly unknown[]> {
  if (typeof payload === "number") return payload;
  const path = userPath(payload);
  const bytes = await readWhole(path);
  const records = /\.json$/i.test(path) ? await wholeFile(path, bytes) : await lines(path, bytes);
  if (records.length === 0) throw new Failure(`${path} has no records`);
  return records;
}

async function wholeFile(path: string, bytes: Uint8Array): Promise<readonly unknown[]> {
  const value = await parsed(path, bytes, 0);
  return Array.isArray(value) ? value : [value];
}

const LINE_FEED = 10;

async function lines(path: string, bytes: Uint8Array): Promise<readonly unknown[]> {
  const records: unknown[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from);
    const to = end < 0 ? bytes.length : end;
    const line = bytes.subarray(from, to);
    if (!line.every((byte) => byte <= 32)) records.push(await parsed(path, line, from));
    from = to + 1;
  }
  return records;
}

async function parsed(path: string, bytes: Uint8Array, position: number): Promise<unknown> {
  try {
    return parseWholeJson(bytes, position);
  } catch (error) {
    throw error instanceof MoonpackError ? await DataError.of(path, true, error) : error;
  }
}
