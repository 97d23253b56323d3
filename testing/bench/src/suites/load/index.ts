import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { max, median, min, quantile } from "simple-statistics";
import { type Summary, significant, summarize } from "../../measure/statistics.js";
import { progress } from "../../progress.js";
import { type NumberRow, type NumbersResult, type NumberTable, numbersPage } from "../../report/numbers.js";
import { resultHead } from "../../results.js";
import type { RunOptions, Suite } from "../../suite.js";
import { type Case, cases } from "./cases.js";
import type { LoadMemory } from "./child.js";
import { type Dictionary, madeDictionary, skkDictionary } from "./dictionary.js";
import { FORMS, PACKINGS, sizesOf } from "./files.js";
import { writeForms } from "./forms.js";
import { findRuntimes, type Runtime } from "./runtimes.js";

/** Speeds are given as a multiple of this case's. */
const BASE = "parse-json";
const MB = 1_000_000;
const QUICK_READINGS = 20_000;
/** Loads per process. Compressed files have fewer: they take longer, mostly for the runtime's own decompression. */
const PACES = { plain: { warmUp: 5, rounds: 25 }, packed: { warmUp: 3, rounds: 10 } };
const QUICK_PACES = { plain: { warmUp: 2, rounds: 5 }, packed: { warmUp: 2, rounds: 5 } };

interface Document {
  readonly id: string;
  readonly title: string;
  readonly make: (quick: boolean) => Dictionary | undefined;
}

const DOCUMENTS: readonly Document[] = [
  { id: "made", title: "a synthetic dictionary", make: (quick) => madeDictionary(quick ? QUICK_READINGS : undefined) },
  { id: "skk", title: "SKK-JISYO.L", make: () => skkDictionary() },
];

/** Loads a large document from a file to values, in every form. */
export const load: Suite<NumbersResult> = {
  name: "load",
  title: "Loading a large document",
  async run(options) {
    const runtimes = await findRuntimes();
    const tables: NumberTable[] = [];
    for (const document of DOCUMENTS) {
      const dictionary = document.make(options.quick);
      if (dictionary !== undefined) tables.push(...(await measure(document, dictionary, runtimes, options)));
    }
    if (tables.length === 0) throw new RangeError("no case matches");
    progress("");
    const head = resultHead("load", options.quick, [
      "moonpack",
      "@msgpack/msgpack",
      "msgpackr",
      "@jsonjoy.com/json-pack",
    ]);
    const versions = Object.fromEntries(runtimes.map(({ id, title }) => [id, title.split(" ")[1]!]));
    return { ...head, versions: { ...head.versions, ...versions }, tables };
  },
  page: (result) => numbersPage(load.title, result),
};

async function measure(
  document: Document,
  dictionary: Dictionary,
  runtimes: readonly Runtime[],
  options: RunOptions,
): Promise<NumberTable[]> {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-load-"));
  try {
    writeForms(folder, dictionary);
    const races: NumberTable[] = [];
    for (const runtime of runtimes) {
      const table = await race(document, folder, runtime, options);
      if (table !== undefined) races.push(table);
    }
    return [sizeTable(document, folder), ...races, rivalTable(document, races)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sizeTable({ id, title }: Document, folder: string): NumberTable {
  return {
    id: `sizes-${id}`,
    title: `Bytes of ${title}`,
    text: "Sizes of the loaded files. Compressed at the runtimes' default levels.",
    unit: "bytes",
    columns: PACKINGS.map((packing) => ({ id: packing, title: packing })),
    rows: FORMS.map(({ id: form, title: name }) => ({ id: form, title: name, values: sizesOf(folder, form) })),
  };
}

/** Our decoder compared with each rival's, for each runtime. */
function rivalTable({ id, title }: Document, races: readonly NumberTable[]): NumberTable {
  const speed = (race: NumberTable, row: string) => race.rows.find((each) => each.id === row)?.values.speed;
  const runtimeOf = (race: NumberTable) => race.id.slice(id.length + 1);
  return {
    id: `rivals-${id}`,
    title: `MessagePack decoders on ${title}`,
    text: "How many times faster moonpack's `decode` loads the file, from the medians above.",
    unit: "ratio",
    columns: races.map((race) => ({ id: runtimeOf(race), title: runtimeOf(race) })),
    rows: cases.flatMap(({ id: rival, title: name, by }) => {
      if (by !== "rival") return [];
      const values = races.flatMap((race) => {
        const [ours, theirs] = [speed(race, "moonpack"), speed(race, rival)];
        return ours === undefined || theirs === undefined
          ? []
          : [[runtimeOf(race), significant(ours / theirs)] as const];
      });
      return [{ id: rival, title: name, values: Object.fromEntries(values) }];
    }),
  };
}

async function race(
  document: Document,
  folder: string,
  runtime: Runtime,
  { quick, filter, processes }: RunOptions,
): Promise<NumberTable | undefined> {
  progress(`load: ${document.id}, ${runtime.title}, are the documents equal?`);
  await runtime.run({ kind: "check", folder });
  const racing = cases.filter(({ id }) => id === BASE || (filter?.test(`${runtime.id}-${id}`) ?? true));
  if (racing.length < 2) return undefined;
  const times: Record<string, number[][]> = Object.fromEntries(racing.map(({ id }) => [id, []]));
  const memory: Record<string, LoadMemory[]> = Object.fromEntries(racing.map(({ id }) => [id, []]));
  const paces = quick ? QUICK_PACES : PACES;
  for (let repetition = 0; repetition < processes; repetition++) {
    for (let position = 0; position < racing.length; position++) {
      const { id, packing } = racing[(position + repetition * 5) % racing.length]!;
      const pace = packing === undefined ? paces.plain : paces.packed;
      progress(`load: ${document.id}, ${runtime.title}, ${id}, ${repetition + 1} of ${processes}`);
      times[id]!.push(await runtime.run<number[]>({ kind: "time", folder, id, ...pace }));
      memory[id]!.push(await runtime.run<LoadMemory>({ kind: "memory", folder, id }));
    }
  }
  const base = times[BASE]!.map((rounds) => median(rounds));
  return {
    id: `${document.id}-${runtime.id}`,
    title: `${document.title[0]!.toUpperCase()}${document.title.slice(1)} in ${runtime.title}`,
    text:
      "From the file, which is in the system's cache, to values. Milliseconds of all loads; speed as a multiple of text + " +
      "JSON.parse of the minified file, by the medians of processes that ran one after the other, with the least and greatest in " +
      "brackets. " +
      `There are ${processes * paces.plain.rounds} loads of a row, ${processes * paces.packed.rounds} of a compressed file: values ` +
      "beyond p98 are from the few slowest loads. " +
      "Memory in MB, of one load in its own process: peak resident memory with the runtime's, where the system reports it (Linux); " +
      "and the heap that the result keeps after all garbage is collected (V8 counts a file's bytes outside the heap, Bun's engine inside).",
    unit: "count",
    columns: [
      { id: "speed", title: "speed", unit: "ratio" },
      ...["p50", "p99"].map((id) => ({ id, title: id })),
      { id: "peak", title: "peak MB" },
      { id: "peakOfJson", title: "of JSON's", unit: "ratio" },
      { id: "heap", title: "kept heap MB" },
    ],
    rows: racing.map((each) => row(each, times[each.id]!, memory[each.id]!, base, memory[BASE]!)),
  };
}

function row(
  { id, title }: Case,
  times: number[][],
  memory: LoadMemory[],
  base: readonly number[],
  baseMemory: readonly LoadMemory[],
): NumberRow {
  const all = times.flat();
  const speeds = times.map((rounds, process) => base[process]! / median(rounds));
  const speed: Summary = summarize(speeds.map((each) => [each]));
  const [peak, basePeak] = [peakOf(memory), peakOf(baseMemory)];
  const values = {
    speed: speed.median,
    p50: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    ...(peak !== undefined && basePeak !== undefined && { peak: peak / MB, peakOfJson: peak / basePeak }),
    heap: median(memory.map(({ heap }) => heap / MB)),
  };
  const rounded = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, significant(value)]));
  return { id, title, values: rounded, spreads: { speed: [significant(min(speeds)), significant(max(speeds))] } };
}

/** Undefined where the system does not report it. */
function peakOf(memory: readonly LoadMemory[]): number | undefined {
  const peaks = memory.flatMap(({ peak }) => (peak === null ? [] : [peak]));
  return peaks.length === 0 ? undefined : median(peaks);
}
