import { type Summary, speedRatios, summarize } from "../../measure/statistics.js";
import type { NumberColumn, NumberTable } from "../../report/numbers.js";
import { spreadRow } from "../../report/spread-row.js";
import type { Operation } from "../../types.js";
import type { Entrant, RowResult } from "./job.js";
import { type Group, groups, type Row } from "./rows.js";

/** A measured row: one result for each repetition. */
export interface Measured {
  readonly row: Row;
  readonly measurements: readonly RowResult[];
}

/** The column that compares us with the fastest binary rival. */
export const BEST_RIVAL = "best";

const VERBS: Readonly<Record<Operation, string>> = { encode: "encoding", decode: "decoding" };

/** The candidate that is compared with the others, and remarks on them. */
const NOTES: Readonly<Record<Group, Readonly<Record<Operation, string>>>> = {
  msgpack: {
    encode: "Ours is `encode` with its default options in pages.",
    decode:
      "Ours is `decode` with its default options in pages, without generated code. All codecs except JSON read the same bytes.",
  },
  protobuf: {
    encode:
      "Ours is our Writer in the generated code of protobuf.js 8; next to protobuf.js 7, in the code of version 7.",
    decode:
      "Ours is our Reader in the generated code of protobuf.js 8; next to protobuf.js 7, in the code of version 7.",
  },
  pck: {
    encode:
      "Ours is `encodeShared` of a codec with `codeGeneration`, which pages have only if they pass it. It returns a view of memory that it reuses, and so do " +
      "avsc with a kept Buffer and seqproto with a view. All others return results with their own memory.",
    decode:
      "Ours is `decode` of a codec with `codeGeneration`, which pages have only if they pass it. avsc uses the Buffer that bundlers add, and must create one for each " +
      "message in the measured time.",
  },
};

/** The tables of one browser. `prefix` begins their ids; `where` is the browser's name, for titles. */
export function tablesOf(measured: readonly Measured[], prefix = "", where = ""): NumberTable[] {
  return groups.flatMap(({ id: group, title }) =>
    (["encode", "decode"] as const).flatMap((operation) => {
      const part = measured.filter(({ row }) => row.group === group && row.operation === operation);
      if (part.length === 0) return [];
      const id = `${prefix}${group}-${operation}`;
      const name = `${where === "" ? "" : `${where}, `}${title}, ${VERBS[operation]}`;
      return [othersTable(id, name, NOTES[group][operation], part)];
    }),
  );
}

/** All candidates in any of these rows. */
function entrantsOf(part: readonly Measured[]): Entrant[] {
  const found = new Map<string, Entrant>();
  for (const { measurements } of part) for (const each of measurements[0]!.entrants) found.set(each.id, each);
  return [...found.values()];
}

function asColumn({ id, title }: Entrant): NumberColumn {
  return { id, title };
}

/** How many times faster than `baseline` a candidate was, round by round; undefined if one of them did not take part. */
function speed(measurements: readonly RowResult[], id: string, baseline: string): Summary | undefined {
  if (measurements.some(({ times }) => times[id] === undefined || times[baseline] === undefined)) return undefined;
  return summarize(measurements.map(({ times }) => speedRatios(times[id]!, times[baseline]!)));
}

function oursOf(all: readonly Entrant[]): string {
  return all.find(({ role }) => role === "ours")!.id;
}

function othersTable(id: string, name: string, note: string, part: readonly Measured[]): NumberTable {
  const all = entrantsOf(part);
  const ours = oursOf(all);
  const rivals = all.filter(({ role }) => role === "binary" || role === "text");
  return {
    id,
    title: name,
    text: `Our speed as a multiple of theirs, with quartiles of all rounds: bigger is better. ${note}`,
    unit: "ratio",
    columns: [{ id: BEST_RIVAL, title: "fastest binary rival" }, ...rivals.map(asColumn)],
    rows: part.map(({ row, measurements }) => {
      const speeds = rivals.map((rival) => ({ rival, value: speed(measurements, rival.against ?? ours, rival.id) }));
      // Different candidates in different rounds: only their medians can be compared.
      const binary = rivals.filter(({ role }) => role === "binary");
      const best = binary.flatMap((rival) => speed(measurements, ours, rival.id)?.median ?? []);
      return spreadRow(row.message, row.title, {
        [BEST_RIVAL]: best.length === 0 ? undefined : Math.min(...best),
        ...Object.fromEntries(speeds.map(({ rival, value }) => [rival.id, value])),
      });
    }),
  };
}
