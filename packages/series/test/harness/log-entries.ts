/** The content of a log as a list of texts: one for each definition, point, delete and forgotten metric. */
import type { Log } from "../../src/log/log.ts";
import type { RecoveryVisitor } from "../../src/log/recovery.ts";
import { Values64 } from "../../src/page/values.ts";

/** Something to append to a log. */
export type Entry =
  | { readonly define: number; readonly type: "float" | "int64"; readonly canonical: readonly number[] }
  | { readonly ids: readonly number[]; readonly times: readonly number[]; readonly values: readonly number[] }
  | { readonly ids: readonly number[]; readonly times: readonly number[]; readonly values: readonly bigint[] }
  | { readonly delete: number; readonly from: number; readonly to: number }
  | { readonly forget: number };

/** Appends an entry: lists where they are needed, behind other items, else one id or time. */
export function append(log: Pick<Log, "define" | "points" | "delete" | "forget">, entry: Entry): void {
  if ("define" in entry) return log.define(entry.define, entry.type, Uint8Array.from(entry.canonical));
  if ("delete" in entry) return log.delete(entry.delete, entry.from, entry.to);
  if ("forget" in entry) return log.forget(entry.forget);
  const { ids, times, values } = entry;
  const all = new Values64(values.length + 3);
  const ints = new BigInt64Array(all.words.buffer);
  for (const [i, value] of values.entries()) {
    if (typeof value === "bigint") ints[i + 3] = value;
    else all.floats[i + 3] = value;
  }
  log.points(
    ids.length,
    ids.every((id, i) => id === ids[0]! + i) ? ids[0]! : Uint32Array.from([0, 0, ...ids]),
    times.every((time) => time === times[0]) ? times[0]! : Float64Array.from([0, 0, ...times]),
    all,
    3,
    typeof values[0] === "bigint",
    2,
  );
}

/** The texts of an entry. */
export function textsOf(entry: Entry): string[] {
  if ("define" in entry) return [definition(entry.define, entry.type, Uint8Array.from(entry.canonical))];
  if ("delete" in entry) return [`delete ${entry.delete} ${entry.from} ${entry.to}`];
  if ("forget" in entry) return [`forget ${entry.forget}`];
  const { ids, times, values } = entry;
  return ids.map((id, i) => point(id, times[i]!, values[i]!));
}

/** Collects the texts of what recovery finds. */
export class EntryList implements RecoveryVisitor {
  readonly texts: string[] = [];
  /** How many texts there were before each file. */
  readonly files: [file: number, before: number][] = [];

  file(number: number): void {
    this.files.push([number, this.texts.length]);
  }

  define(id: number, type: "float" | "int64", canonical: Uint8Array): void {
    this.texts.push(definition(id, type, canonical));
  }

  points(n: number, ids: Uint32Array, times: Float64Array, values: Values64, areInt64: boolean): void {
    const list = areInt64 ? new BigInt64Array(values.words.buffer) : values.floats;
    for (let i = 0; i < n; i++) this.texts.push(point(ids[i]!, times[i]!, list[i]!));
  }

  delete(id: number, from: number, to: number): void {
    this.texts.push(`delete ${id} ${from} ${to}`);
  }

  forget(id: number): void {
    this.texts.push(`forget ${id}`);
  }

  synced(): void {}
}

function definition(id: number, type: string, canonical: Uint8Array): string {
  return `define ${id} ${type} ${Buffer.from(canonical).toString("hex")}`;
}

function point(id: number, time: number, value: number | bigint): string {
  return `point ${id} ${time} ${typeof value === "bigint" ? `${value}n` : Object.is(value, -0) ? "-0" : value}`;
}
