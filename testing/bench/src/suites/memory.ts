import { median } from "simple-statistics";
import { candidates } from "../candidates/index.js";
import { msgpackJavaScriptFunction } from "../candidates/msgpack-javascript.js";
import { runInChild } from "../measure/child.js";
import { collectAll, heldBytes } from "../measure/heap.js";
import { SocketInputs } from "../measure/inputs.js";
import { findNode } from "../measure/nodes.js";
import { progress } from "../progress.js";
import { referencePayload } from "../race/formats.js";
import { type NumberRow, type NumbersResult, numbersPage } from "../report/numbers.js";
import { resultHead } from "../results.js";
import type { Suite } from "../suite.js";
import type { Candidate, Payload } from "../types.js";
import { workloads } from "../workloads/index.js";
import { retainedTexts } from "../workloads/retained-texts.js";

const RESULTS = 20_000;
/** In the second case, each kept result has this many neighbours of about 300 bytes that are dropped. */
const NEIGHBOURS = 7;

/** The size of typed array objects depends on the version of V8. */
const NODES = [20, 22, 24];

/** V8 frees code and metadata at any time, about 200 KB in either direction. Hence medians over many items. */
const PASSES = 3;

type Job =
  | { readonly kind: "results"; readonly candidate: string; readonly neighbours: number }
  | { readonly kind: "strings"; readonly candidate: string | null; readonly text: string };

/** Candidates whose results are bytes that can be kept, and the usual way to call @msgpack/msgpack. */
const keepers: readonly Candidate[] = [...candidates, msgpackJavaScriptFunction].filter(
  ({ shared, format }) => shared !== true && format !== "json-text",
);

/** Retained bytes: the memory that a result holds as long as it is kept. */
export const memory: Suite<NumbersResult> = {
  name: "memory",
  title: "Retained bytes",
  async run() {
    const resultRows = await rows("encode", keptResults);
    const nodeRows = await rowsOfNodes();
    const reference: Record<string, number> = {};
    for (const { id: text } of retainedTexts) reference[text] = await hold({ kind: "strings", candidate: null, text });
    const stringRows = await rows("decode", async (candidate) => {
      const values: Record<string, number> = {};
      for (const { id: text } of retainedTexts) {
        values[text] = Math.round(((await hold({ kind: "strings", candidate, text })) / reference[text]!) * 100) / 100;
      }
      return values;
    });
    progress("");
    return {
      ...resultHead(
        "memory",
        false,
        keepers.flatMap((candidate) => candidate.package ?? []),
      ),
      tables: [
        {
          id: "results",
          title: "Kept results",
          text: `Bytes held by each of ${RESULTS.toLocaleString("en-US")} kept results of about 11 bytes: encoded one after another; and with ${NEIGHBOURS} messages of 300 bytes between them, which are dropped at once. V8 needs about 200 bytes for each separate array.`,
          unit: "bytes",
          columns: RESULT_COLUMNS,
          rows: resultRows,
        },
        {
          id: "nodes",
          title: "Kept results by version of Node",
          text: "The same for `encode` only.",
          unit: "bytes",
          columns: RESULT_COLUMNS,
          rows: nodeRows,
        },
        {
          id: "strings",
          title: "Kept strings",
          text: "One string is kept from each decoded message. Memory as a multiple of the same strings created one by one with `buffer.toString()`.",
          unit: "ratio",
          columns: retainedTexts.map(({ id, title }) => ({ id, title })),
          rows: stringRows,
        },
      ],
    };
  },
  work: (job) => heldPerItem(job as Job),
  page: (result) => numbersPage(memory.title, result),
};

const RESULT_COLUMNS = [
  { id: "alone", title: "alone" },
  { id: "among", title: "among dropped messages" },
];

async function keptResults(candidate: string, executable?: string): Promise<Record<string, number>> {
  return {
    alone: await hold({ kind: "results", candidate, neighbours: 0 }, executable),
    among: await hold({ kind: "results", candidate, neighbours: NEIGHBOURS }, executable),
  };
}

async function rowsOfNodes(): Promise<NumberRow[]> {
  const measured: NumberRow[] = [];
  for (const major of NODES) {
    progress(`memory: Node ${major}`);
    const node = await findNode(major);
    if (node === undefined) continue;
    const values = await keptResults("moonpack", node.executable);
    measured.push({ id: `node-${major}`, title: `Node ${node.version}`, values });
  }
  return measured;
}

async function rows(
  operation: "encode" | "decode",
  measure: (candidate: string) => Promise<Record<string, number>>,
): Promise<NumberRow[]> {
  const measured: NumberRow[] = [];
  for (const { id, title, create } of keepers) {
    if (create()[operation] === undefined) continue;
    progress(`memory: ${operation} ${id}`);
    measured.push({ id, title, values: await measure(id) });
  }
  return measured;
}

function hold(job: Job, executable?: string): Promise<number> {
  return runInChild<number>("memory", job, [], executable);
}

function heldPerItem(job: Job): Promise<number> {
  return job.kind === "results" ? heldPerResult(job.candidate, job.neighbours) : heldPerString(job.candidate, job.text);
}

function findKeeper(id: string): Candidate {
  return keepers.find((candidate) => candidate.id === id)!;
}

async function heldPerResult(candidate: string, neighbours: number): Promise<number> {
  const encode = findKeeper(candidate).create().encode!;
  const others = workloads.find(({ id }) => id === "service-300")!.values(true);
  const keep = (index: number): Payload => {
    for (let other = 0; other < neighbours; other++) encode(others[(index * neighbours + other) % others.length]);
    // Ten characters are eleven bytes in MessagePack and CBOR, twelve or more in other formats.
    return encode(`message${String(index % 1000).padStart(3, "0")}`);
  };
  return Math.round(await held(RESULTS, keep));
}

async function heldPerString(candidate: string | null, textId: string): Promise<number> {
  const { count, make } = retainedTexts.find(({ id }) => id === textId)!;
  if (candidate === null) return held(count, (index) => Buffer.from(make(index)).toString());
  const keeper = findKeeper(candidate);
  const codec = keeper.create();
  const inputs = new SocketInputs("uint8array");
  return held(count, (index) => {
    const message = { id: index, before: `of message ${index}`, text: make(index), after: [`${index} follows`, null] };
    const decoded = codec.decode!(inputs.copy(referencePayload(keeper, codec, message))) as typeof message;
    return decoded.text;
  });
}

/** Bytes held by each kept item, without the array that keeps them. */
async function held(count: number, make: (index: number) => unknown): Promise<number> {
  const kept = new Array<unknown>(count);
  const passes: number[] = [];
  // The first pass also creates compiled code, caches and slabs, which are not memory of the items.
  for (let pass = 0; pass <= PASSES; pass++) {
    kept.fill(null);
    await collectAll();
    const before = heldBytes();
    for (let index = 0; index < count; index++) kept[index] = make(index);
    await collectAll();
    if (pass > 0) passes.push((heldBytes() - before) / count);
  }
  return median(passes);
}
