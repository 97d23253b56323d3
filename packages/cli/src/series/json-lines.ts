/** Lines of JSON: checks that NDJSON and VictoriaMetrics' lines share. */
import { DecodeError, recordOf, textWithoutPlace } from "moonpack/bytes";
import { parseWholeJson } from "../convert/whole-json.js";
import { quoted, RecordError } from "./record-error.js";

/** The members of an object, not yet checked. */
export type Members = Record<string, unknown>;

/** Returns the object of a line. Only members named in `keys` are allowed. `form` describes a line in errors. */
export function membersOf(line: string, keys: ReadonlySet<string>, form: string): Members {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw syntaxError(line);
  }
  if (!isObject(value)) throw new RecordError("ERR_UNSUPPORTED_TYPE", `a line must be an object ${form}`, 1);
  for (const key of Object.keys(value)) {
    if (keys.has(key)) continue;
    const hint = key === "values" ? "; VictoriaMetrics' JSON lines are --format victoriametrics" : "";
    throw new RecordError("ERR_UNSUPPORTED_TYPE", `unknown member ${quoted(key)} in ${form}${hint}`);
  }
  return value;
}

/** A member by one of its names; undefined if it is missing. */
export function member(members: Members, name: string, other = name): unknown {
  return Object.hasOwn(members, name) ? members[name] : Object.hasOwn(members, other) ? members[other] : undefined;
}

/** Counts quotes of keys and strings. JSON.parse drops the first of equal keys, so a line with them has more quotes. */
export function quotesIn(line: string): number {
  const text = line.includes("\\") ? line.replace(/\\./g, "") : line;
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count++;
  return count;
}

/** Parses again for the position: the error texts of JSON.parse depend on the version, our parser's do not. */
function syntaxError(line: string): RecordError {
  const bytes = Buffer.from(line, "utf8");
  try {
    // A byte order mark is allowed at the start of a file only.
    parseWholeJson(bytes, 1);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const offset = error.offset - 1;
    return new RecordError(error.code, textWithoutPlace(error), bytes.subarray(0, offset).toString("utf8").length + 1);
  }
  return new RecordError("ERR_INVALID_BYTE", "the line is not valid JSON");
}

/** True for an object that is not an array. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the error for a member that is missing or has another type. */
export function wrongMember(name: string, value: unknown, expected: string, form: string): RecordError {
  if (value === undefined) return new RecordError("ERR_TRUNCATED", `${name} is missing in ${form}`);
  return new RecordError("ERR_UNSUPPORTED_TYPE", `${name} must be ${expected}, not ${shown(value)}`);
}

function shown(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  return Array.isArray(value) ? "an array" : isObject(value) ? "an object" : `${value}`;
}

/** Returns tags whose values are all strings. `what` names one in errors. */
export function checkedTags(tags: Members, what: string, form: string): Record<string, string> {
  const checked = Object.entries(tags).map(([key, value]) => {
    if (typeof value !== "string") throw wrongMember(`the ${what} ${quoted(key)}`, value, "a string", form);
    return [key, value] as const;
  });
  return recordOf(checked);
}
