import { type Summary, significant, speedRatios, summarize } from "../../measure/statistics.js";
import type { NumberColumn, NumberRow, NumberTable } from "../../report/numbers.js";
import { spreadRow } from "../../report/spread-row.js";
import type { Operation } from "../../types.js";
import type { Answer, Entrant } from "./job.js";
import { type Group, groups, type Row } from "./rows.js";

/** What was measured of a row: an answer for each repetition. */
export interface Measured {
  readonly row: Row;
  readonly answers: readonly Answer[];
}

/** The column that says how we stand: against whichever binary rival is the fastest. */
export const BEST_RIVAL = "best";

const VERBS: Readonly<Record<Operation, string>> = { encode: "encoding", decode: "decoding" };

/** Who is compared with the others, and what is to be known of them. */
const NOTES: Readonly<Record<Group, Readonly<Record<Operation, string>>>> = {
  msgpack: {
    encode: "Ours is `encode`, as it comes in pages.",
    decode: "Ours is `decode` as it comes in pages: without generated code. All but JSON read the same bytes.",
  },
  protobuf: {
    encode: "Ours is our Writer in the generated code of protobuf.js 8; beside protobuf.js 7, in that of 7.",
    decode: "Ours is our Reader in the generated code of protobuf.js 8; beside protobuf.js 7, in that of 7.",
  },
  pck: {
    encode:
      "Ours is `encodeShared` of a codec that was given `codeGeneration`. It answers a view of memory that is used again; so do " +
      "avsc with a kept Buffer and seqproto with a view, all others answer results of their own.",
    decode:
      "Ours is `decode` of a codec that was given `codeGeneration`. avsc has the Buffer that bundlers give it, and has to make one " +
      "of what arrives: in its time.",
  },
};

/** The tables of one browser; `prefix` begins their ids, `where` is a browser's name, for their titles. */
export function tablesOf(measured: readonly Measured[], prefix = "", where = ""): NumberTable[] {
  return groups.flatMap(({ id: group, title }) =>
    (["encode", "decode"] as const).flatMap((operation) => {
      const part = measured.filter(({ row }) => row.group === group && row.operation === operation);
      if (part.length === 0) return [];
      const id = `${prefix}${group}-${operation}`;
      const name = `${where === "" ? "" : `${where}, `}${title}, ${VERBS[operation]}`;
      return [
        othersTable(id, name, NOTES[group][operation], part),
        variantsTable(id, name, part),
        timesTable(id, name, part),
      ].filter(({ columns }) => columns.length > 0);
    }),
  );
}

/** Everybody who takes part in any of these rows. */
function entrantsOf(part: readonly Measured[]): Entrant[] {
  const found = new Map<string, Entrant>();
  for (const { answers } of part) for (const each of answers[0]!.entrants) found.set(each.id, each);
  return [...found.values()];
}

function asColumn({ id, title }: Entrant): NumberColumn {
  return { id, title };
}

/** How many times as fast as `baseline` somebody was, round by round; undefined if one of them did not take part. */
function speed(answers: readonly Answer[], id: string, baseline: string): Summary | undefined {
  if (answers.some(({ times }) => times[id] === undefined || times[baseline] === undefined)) return undefined;
  return summarize(answers.map(({ times }) => speedRatios(times[id]!, times[baseline]!)));
}

function oursOf(everybody: readonly Entrant[]): string {
  return everybody.find(({ role }) => role === "ours")!.id;
}

function othersTable(id: string, name: string, note: string, part: readonly Measured[]): NumberTable {
  const everybody = entrantsOf(part);
  const ours = oursOf(everybody);
  const rivals = everybody.filter(({ role }) => role === "binary" || role === "text");
  return {
    id,
    title: `${name}: against others`,
    text: `Our speed as a multiple of theirs, with quartiles of all rounds: bigger is better. ${note}`,
    unit: "ratio",
    columns: [{ id: BEST_RIVAL, title: "fastest binary rival" }, ...rivals.map(asColumn)],
    rows: part.map(({ row, answers }) => {
      const speeds = rivals.map((rival) => ({ rival, value: speed(answers, rival.against ?? ours, rival.id) }));
      // Of different players in different rounds nothing but medians can be compared.
      const binary = rivals.filter(({ role }) => role === "binary");
      const best = binary.flatMap((rival) => speed(answers, ours, rival.id)?.median ?? []);
      return spreadRow(row.message, row.title, {
        [BEST_RIVAL]: best.length === 0 ? undefined : Math.min(...best),
        ...Object.fromEntries(speeds.map(({ rival, value }) => [rival.id, value])),
      });
    }),
  };
}

function variantsTable(id: string, name: string, part: readonly Measured[]): NumberTable {
  const everybody = entrantsOf(part);
  const ours = oursOf(everybody);
  const variants = everybody.filter(({ role }) => role === "variant");
  return {
    id: `${id}-ours`,
    title: `${name}: ours in other ways`,
    text: "Speed as a multiple of what stands above for us, with quartiles of all rounds: bigger is better.",
    unit: "ratio",
    columns: variants.map(asColumn),
    rows: part.map(({ row, answers }) =>
      spreadRow(
        row.message,
        row.title,
        Object.fromEntries(variants.map((variant) => [variant.id, speed(answers, variant.id, ours)])),
      ),
    ),
  };
}

function timesTable(id: string, name: string, part: readonly Measured[]): NumberTable {
  const everybody = entrantsOf(part);
  return {
    id: `${id}-times`,
    title: `${name}: times`,
    text: "Nanoseconds for a message, medians with quartiles of all rounds: smaller is better.",
    unit: "count",
    columns: [{ id: "bytes", title: "bytes" }, ...everybody.map(asColumn)],
    rows: part.map(({ row, answers }): NumberRow => {
      const cells = everybody.flatMap(({ id: player }) =>
        answers.every(({ times }) => player in times)
          ? [[player, summarize(answers.map(({ times }) => times[player]!))] as const]
          : [],
      );
      const timed = spreadRow(row.message, row.title, Object.fromEntries(cells));
      return { ...timed, values: { bytes: significant(answers[0]!.bytes), ...timed.values } };
    }),
  };
}
