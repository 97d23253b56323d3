import { median } from "simple-statistics";
import { runScript } from "../../../measure/child.js";
import { progress } from "../../../progress.js";
import type { NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { FunctionsJob, FunctionsResult } from "../child.js";
import type { Behind } from "../jobs/middleware.js";
import type { Scale } from "../scale.js";
import { type Part, spreadOf } from "./part.js";

const CHILD = new URL("../child.js", import.meta.url);

const BEHIND: Readonly<Record<Behind, string>> = {
  nothing: "nothing behind it",
  id: "the id is read",
  listeners: "three listeners, a removal, an event",
  prototype: "nothing; another prototype, as in Express",
};

const MAKERS = { randomUUID: "`crypto.randomUUID`", uuidv4: "`uuidv4`", uuidv7: "`uuidv7`" } as const;

const LINES = {
  none: "no id",
  "by-hand": "`logger.info({ requestId }, ..)`",
  moonpack: "`pinoMixin`, the id alone",
  "moonpack-all": "`pinoMixin`, id, trace and span",
  rtracer: "a mixin with cls-rtracer's `id()`",
} as const;

/** The functions of the package by themselves. */
export const functionsPart: Part = {
  id: "functions",
  run: async (scale) => [await middlewareTable(scale), await idsTable(scale), await linesTable(scale)],
};

async function middlewareTable(scale: Scale): Promise<NumberTable> {
  const behinds = Object.keys(BEHIND) as Behind[];
  const rows = [];
  for (const behind of behinds) {
    const processes = await raceIn(behind, scale);
    rows.push(
      spreadRow(behind, BEHIND[behind], {
        moonpack: spreadOf(times(processes, "moonpack")),
        rtracer: spreadOf(times(processes, "rtracer")),
        none: spreadOf(times(processes, "none")),
        faster: spreadOf(ratios(processes, "rtracer", "moonpack")),
      }),
    );
  }
  return {
    id: "middleware",
    title: "The middleware",
    text: "Nanoseconds for one request of Node's `http` that has no connection; `next` does what the row says. None: the same without a tracer. Express gives each request and response another prototype; then V8 of Node 20 and 22 copies a description of the object for each property that is added, whoever adds it, so ours makes it a dictionary. Medians over processes with the least and the greatest.",
    unit: "count",
    columns: [
      { id: "moonpack", title: "@moonpack/trace, ns" },
      { id: "rtracer", title: "cls-rtracer, ns" },
      { id: "none", title: "none, ns" },
      { id: "faster", title: "times faster than cls-rtracer", unit: "ratio" },
    ],
    rows,
  };
}

async function idsTable(scale: Scale): Promise<NumberTable> {
  const processes = await raceIn("ids", scale);
  const kept = await runJob<Record<string, number>>({ ...jobOf(scale, 0), race: "kept" });
  return {
    id: "ids",
    title: "Ids",
    text: `Ids are made and written into a buffer, like a header. Kept: the bytes of one of ${scale.kept.toLocaleString("en-US")} ids in memory that were never read.`,
    unit: "count",
    columns: [
      { id: "time", title: "ns" },
      { id: "faster", title: "speed to `crypto.randomUUID`", unit: "ratio" },
      { id: "kept", title: "kept bytes" },
    ],
    rows: Object.entries(MAKERS).map(([id, title]) =>
      spreadRow(id, title, {
        time: spreadOf(times(processes, id)),
        faster: id === "randomUUID" ? undefined : spreadOf(ratios(processes, "randomUUID", id)),
        kept: kept[id],
      }),
    ),
  };
}

async function linesTable(scale: Scale): Promise<NumberTable> {
  const processes = await raceIn("lines", scale);
  return {
    id: "lines",
    title: "A line of pino",
    text: "The lines are discarded, so this is the upper bound of an id's cost: most of it is pino's work for one more field. Speed: of a line without an id, and of one whose id is passed along.",
    unit: "ratio",
    columns: [
      { id: "speed", title: "speed to no id" },
      { id: "toHand", title: "speed to an id by hand" },
      { id: "time", title: "ns", unit: "count" },
    ],
    rows: Object.entries(LINES).map(([id, title]) =>
      spreadRow(id, title, {
        speed: id === "none" ? undefined : spreadOf(ratios(processes, "none", id)),
        toHand: id === "none" || id === "by-hand" ? undefined : spreadOf(ratios(processes, "by-hand", id)),
        time: spreadOf(times(processes, id)),
      }),
    ),
  };
}

async function raceIn(race: FunctionsJob["race"], scale: Scale): Promise<FunctionsResult[]> {
  const processes: FunctionsResult[] = [];
  for (let first = 0; first < scale.repetitions; first++) {
    progress(`trace: functions, ${race}, ${first + 1} of ${scale.repetitions}`);
    processes.push(await runJob<FunctionsResult>({ ...jobOf(scale, first), race }));
  }
  return processes;
}

function jobOf({ microRounds, sampleMs, kept }: Scale, first: number): Omit<FunctionsJob, "race"> {
  return { rounds: microRounds, sampleMs, first, kept };
}

function runJob<Result>(job: FunctionsJob): Promise<Result> {
  return runScript<Result>(CHILD, [JSON.stringify(job)], ["--expose-gc"]);
}

function times(processes: readonly FunctionsResult[], id: string): number[] {
  return processes.map((rounds) => median([...rounds[id]!]));
}

/** For each process, the median over rounds of the time of one as a multiple of another one's. */
function ratios(processes: readonly FunctionsResult[], id: string, other: string): number[] {
  return processes.map((rounds) => median(rounds[id]!.map((time, round) => time / rounds[other]![round]!)));
}
