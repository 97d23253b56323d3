/** Tables of servers that are compared: those that trace with one that does not. */
import type { NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import { checkServer } from "../check.js";
import { medians, type Racer, raceServers, rateRatios, type ServerRace, type Turns, timeRatios } from "../race.js";
import type { Scale } from "../scale.js";
import { lossOf, spreadOf } from "./part.js";

/** A server with the title of its row. */
export interface TitledRacer extends Racer {
  readonly title: string;
}

/** A table of servers. Each is compared with the first one, and with ours. */
export interface ServerTable extends Pick<NumberTable, "id" | "title" | "text">, Omit<ServerRace, "title" | "racers"> {
  /** Its name in progress messages. */
  readonly short: string;
  readonly racers: readonly TitledRacer[];
  readonly columns: readonly Column[];
}

/** Columns of such tables. */
export type Column = keyof typeof COLUMNS;

type Figures = (turns: Turns, racer: string, first: string) => readonly number[] | undefined;

const COLUMNS = {
  loss: { title: "loss, %" },
  ours: { title: "ours to it" },
  overBare: { title: "points over bare" },
  processor: { title: "µs", unit: "count" },
  clock: { title: "loss by the clock, %" },
  rate: { title: "requests/s", unit: "count" },
} as const;

/** For each column, the figures of the processes; undefined for racers without that figure. */
const FIGURES: Readonly<Record<Column, Figures>> = {
  loss: (turns, racer, first) => (racer === first ? undefined : losses(turns, racer, first)),
  ours: (turns, racer, first) =>
    racer === first || racer === "moonpack" ? undefined : timeRatios(turns, "moonpack", racer),
  overBare: (turns, racer, first) => {
    if (racer === first || racer === "bare") return undefined;
    const bare = losses(turns, "bare", first);
    return losses(turns, racer, first).map((loss, process) => loss - bare[process]!);
  },
  processor: (turns, racer) => medians(turns, racer, "processor"),
  clock: (turns, racer, first) =>
    racer === first ? undefined : rateRatios(turns, racer, first).map((ratio) => 100 * (1 - ratio)),
  rate: (turns, racer) => medians(turns, racer, "rate"),
};

/** Checks the servers, lets them race, and makes the table. */
export async function serverTable(table: ServerTable, scale: Scale): Promise<NumberTable> {
  const { id, title, text, short, racers, columns, executable } = table;
  for (const { job } of racers) await checkServer(job, executable, scale.checked);
  const turns = await raceServers({ ...table, title: short }, scale);
  const valuesOf = (racer: string) =>
    columns.map((column) => {
      const figures = FIGURES[column](turns, racer, racers[0]!.id);
      return [column, figures && spreadOf(figures)] as const;
    });
  return {
    id,
    title,
    text,
    unit: "ratio",
    columns: columns.map((column) => ({ id: column, ...COLUMNS[column] })),
    rows: racers.map((racer) => spreadRow(racer.id, racer.title, Object.fromEntries(valuesOf(racer.id)))),
  };
}

function losses(turns: Turns, racer: string, first: string): number[] {
  return timeRatios(turns, racer, first).map(lossOf);
}
