import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { progress } from "../../../progress.js";
import type { NumberColumn, NumberRow, NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { Operation } from "../../../types.js";
import { Cells, leastRow, type Part, type PartRun } from "../part.js";
import { type Bench, endAll, type Pace, type Runner, speedOf, startBench, takeRounds, warmUp } from "../rounds.js";
import { SCHEMA_ORDERS, type SchemaOrder, schemaSequence } from "../schema-order.js";
import { ENGINES, type EngineId, type StoredKind, storedKinds } from "./cases.js";

const MIX: Pace = { warmUpMs: 1500, rounds: 0 };
const QUICK_MIX: Pace = { warmUpMs: 800, rounds: 0 };
const ALONE: Pace = { warmUpMs: 150, rounds: 9 };
const QUICK_ALONE: Pace = { warmUpMs: 80, rounds: 3 };

/** Messages of a turn in the mix: some milliseconds. */
const TURN = 480;
/** Bytes of a turn of one schema. */
const TURN_BYTES = 500_000;
/** Turns that are sequence: more than there are rounds. */
const TURNS = 200;

/** How often each engine is measured at most: every time takes 30 processes, a minute of a shared machine. */
const PASSES: Readonly<Record<EngineId, number>> = { generated: 2, closures: 1, json: 1 };

/** PCK with many schemas in one process, compared with each schema in its own process. */
export const pckPart: Part = {
  id: "pck",
  async run(run) {
    const kinds = storedKinds();
    const write = (name: string, some: readonly StoredKind[]): string => {
      const file = join(run.folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(some));
      return file;
    };
    const files = { all: write("all", kinds), each: kinds.map((kind) => write(kind.id, [kind])) };
    const cells = new Cells();
    for (let seed = 1; seed <= run.processes; seed++) {
      for (const engine of Object.keys(ENGINES) as EngineId[]) {
        if (seed > PASSES[engine]) continue;
        await measure(run, { files, engine, seed, kinds, cells });
      }
    }
    progress("");
    return [mixTable(run, cells), schemasTable(run, cells, kinds)];
  },
};

interface Measurement {
  /** The files of all kinds together, and of each. */
  readonly files: { readonly all: string; readonly each: readonly string[] };
  readonly engine: EngineId;
  readonly seed: number;
  readonly kinds: readonly StoredKind[];
  readonly cells: Cells;
}

/** Measures one engine in both mixes, and every schema alone beside them. */
async function measure(run: PartRun, { files, engine, seed, kinds, cells }: Measurement): Promise<void> {
  const start = (file: string): Bench => startBench({ format: "pck", file, engine });
  const mixes = Object.keys(SCHEMA_ORDERS).map((order) => {
    const sequence = schemaSequence(order as SchemaOrder, kinds.length, TURN * TURNS, seed);
    const bench = start(files.all);
    const schemas = (turn: number) => sequence.slice((turn % TURNS) * TURN, ((turn % TURNS) + 1) * TURN);
    return { order: order as SchemaOrder, sequence, runner: { bench, schemas } satisfies Runner };
  });
  const sizes = (await mixes[0]!.runner.bench.ask("size")) as readonly number[];
  for (const operation of run.operations) {
    for (const { order, runner } of mixes) {
      progress(`schemas: pck ${engine}, ${operation} ${SCHEMA_ORDERS[order]}, ${seed} of ${run.processes}`);
      await warmUp(runner, operation, run.quick ? QUICK_MIX : MIX);
    }
  }
  /** For each mix, its speed as a share of the speed of its messages alone: the times are weighted sums. */
  const alone = new Map<string, number>();
  for (const [index, { id }] of kinds.entries()) {
    progress(`schemas: pck ${engine}, ${id} alone, ${seed} of ${run.processes}`);
    const bench = start(files.each[index]!);
    const count = Math.min(TURN, Math.max(16, Math.round(TURN_BYTES / sizes[index]!)));
    const own = new Array<number>(count).fill(0);
    const same = new Array<number>(count).fill(index);
    const runners = [
      { bench, schemas: () => own },
      ...mixes.map(({ runner }) => runner),
      // The schema by itself, in the process that has all of them.
      { bench: mixes[0]!.runner.bench, schemas: () => same },
    ];
    for (const operation of run.operations) {
      const pace = run.quick ? QUICK_ALONE : ALONE;
      await warmUp(runners[0]!, operation, pace);
      const rounds = await takeRounds(runners, operation, pace);
      for (const [position, { order, sequence }] of mixes.entries()) {
        const share = sequence.filter((schema) => schema === index).length / sequence.length;
        const name = cell(engine, operation, order);
        alone.set(name, (alone.get(name) ?? 0) + share * speedOf(rounds, 1 + position, 0));
      }
      cells.add(cell(engine, operation, id), speedOf(rounds, runners.length - 1, 0));
    }
    await bench.end();
  }
  for (const [name, speed] of alone) cells.add(name, speed);
  await endAll(mixes.map(({ runner }): Bench => runner.bench));
}

function cell(engine: EngineId, operation: Operation, what: string): string {
  return `${engine} ${operation} ${what}`;
}

function columnsOf(operations: readonly Operation[]): (NumberColumn & { engine: EngineId; operation: Operation })[] {
  return (Object.keys(ENGINES) as EngineId[]).flatMap((engine) =>
    operations.map((operation) => ({
      id: engine === "generated" ? operation : `${operation}-${engine}`,
      title: `${operation}, ${ENGINES[engine]}`,
      engine,
      operation,
    })),
  );
}

function row(id: string, title: string, run: PartRun, cells: Cells): NumberRow {
  const entries = columnsOf(run.operations).map(
    ({ id: column, engine, operation }) => [column, cells.get(cell(engine, operation, id))] as const,
  );
  return spreadRow(id, title, Object.fromEntries(entries));
}

const plain = ({ id, title }: NumberColumn): NumberColumn => ({ id, title });

function mixTable(run: PartRun, cells: Cells): NumberTable {
  return {
    id: "pck",
    title: "PCK: 30 schemas in one process",
    text:
      "The speed of codecs of 30 schemas that get messages in random order, as a share of the speed that each of them has alone " +
      "in a process: bigger is better; 1 means no loss. JSON.stringify with Buffer.from, and JSON.parse, of the same values show the " +
      "loss of code that is the same for all schemas.",
    unit: "ratio",
    columns: columnsOf(run.operations).map(plain),
    rows: (Object.keys(SCHEMA_ORDERS) as SchemaOrder[]).map((order) => row(order, SCHEMA_ORDERS[order], run, cells)),
  };
}

function schemasTable(run: PartRun, cells: Cells, kinds: readonly StoredKind[]): NumberTable {
  const columns = columnsOf(run.operations).map(plain);
  return {
    id: "pck-schemas",
    title: "PCK: the slowest of the 30 schemas",
    text: "The same for messages of one schema in a row, in the process where messages of all 30 have come by turns.",
    unit: "ratio",
    columns,
    rows: [
      leastRow(
        columns,
        kinds.map(({ id }) => row(id, id, run, cells)),
      ),
    ],
  };
}
