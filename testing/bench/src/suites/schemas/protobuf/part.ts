import { progress } from "../../../progress.js";
import type { NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { Operation } from "../../../types.js";
import { Cells, leastRow, type Part, type PartRun } from "../part.js";
import { endAll, type Pace, type Runner, speedOf, startBench, takeRounds, warmUp } from "../rounds.js";
import { SCHEMA_ORDERS, type SchemaOrder, schemaSequence } from "../schema-order.js";
import type { Outcome, Subject, Version } from "./cases.js";
import { TYPES } from "./schema.js";

const VERSIONS = [8, 7] as const satisfies readonly Version[];
const MIX: Pace = { warmUpMs: 900, rounds: 24 };
const QUICK_MIX: Pace = { warmUpMs: 600, rounds: 20 };
const TYPE: Pace = { warmUpMs: 0, rounds: 7 };
const QUICK_TYPE: Pace = { warmUpMs: 0, rounds: 3 };
const SUBMESSAGES: Pace = { warmUpMs: 600, rounds: 30 };
const QUICK_SUBMESSAGES: Pace = { warmUpMs: 200, rounds: 10 };

/** Messages of a turn: some milliseconds. */
const TURN = 1200;
const TURNS = 100;
/** Messages of a turn of one type. */
const TYPE_TURN = 400;
/** Messages of 700 KB in a turn. */
const LARGE_TURN = 1;

/** Our Writer and Reader installed in protobuf.js, compared with the plain library in another process. */
export const protobufPart: Part = {
  id: "protobuf",
  async run(run) {
    const cells = new Cells();
    for (let seed = 1; seed <= run.processes; seed++) {
      for (const version of VERSIONS) {
        for (const order of Object.keys(SCHEMA_ORDERS) as SchemaOrder[])
          await measureMix(run, version, order, seed, cells);
        await measureSubmessages(run, version, seed, cells);
      }
    }
    progress("");
    return [mixTable(run, cells), typesTable(run, cells)];
  },
};

/** The number of our process in a pair. */
const OURS = 0;
const PLAIN = 1;

/** Starts both processes. Throws if they write or read different values. */
async function startPair(
  version: Version,
  subject: Subject,
  schemas: Runner["schemas"],
): Promise<readonly [Runner, Runner]> {
  const [ours, plain] = [true, false].map((isInstalled) =>
    startBench({ format: "protobuf", version, isInstalled, subject }),
  ) as [Runner["bench"], Runner["bench"]];
  const [one, other] = [await ours.ask("outcome"), await plain.ask("outcome")] as [Outcome, Outcome];
  for (const part of ["bytes", "values"] as const) {
    const index = one[part].findIndex((each, place) => each !== other[part][place]);
    if (index >= 0 || one[part].length !== other[part].length) {
      throw new Error(`protobuf.js ${version}, message ${index}: the plain library has other ${part}`);
    }
  }
  return [
    { bench: ours, schemas },
    { bench: plain, schemas },
  ];
}

async function measureMix(
  run: PartRun,
  version: Version,
  order: SchemaOrder,
  seed: number,
  cells: Cells,
): Promise<void> {
  const sequence = schemaSequence(order, TYPES, TURN * TURNS, seed);
  const pair = await startPair(version, "types", (turn) =>
    sequence.slice((turn % TURNS) * TURN, ((turn % TURNS) + 1) * TURN),
  );
  for (const operation of run.operations) {
    progress(`schemas: protobuf.js ${version}, ${operation} ${SCHEMA_ORDERS[order]}, ${seed} of ${run.processes}`);
    const pace = run.quick ? QUICK_MIX : MIX;
    for (const runner of pair) await warmUp(runner, operation, pace);
    const rounds = await takeRounds(pair, operation, pace);
    cells.add(cell(version, operation, order), speedOf(rounds, OURS, PLAIN));
  }
  if (order === "turns") {
    for (let type = 0; type < TYPES; type++) {
      const same = new Array<number>(TYPE_TURN).fill(type);
      const runners = pair.map(({ bench }) => ({ bench, schemas: () => same }));
      for (const operation of run.operations) {
        const rounds = await takeRounds(runners, operation, run.quick ? QUICK_TYPE : TYPE);
        cells.add(cell(version, operation, `Type${type}`), speedOf(rounds, OURS, PLAIN));
      }
    }
  }
  await endAll(pair.map(({ bench }) => bench));
}

async function measureSubmessages(run: PartRun, version: Version, seed: number, cells: Cells): Promise<void> {
  const same = new Array<number>(LARGE_TURN).fill(0);
  const pair = await startPair(version, "submessages", () => same);
  for (const operation of run.operations) {
    progress(`schemas: protobuf.js ${version}, ${operation} submessages, ${seed} of ${run.processes}`);
    const pace = run.quick ? QUICK_SUBMESSAGES : SUBMESSAGES;
    for (const runner of pair) await warmUp(runner, operation, pace);
    const rounds = await takeRounds(pair, operation, pace);
    cells.add(cell(version, operation, "submessages"), speedOf(rounds, OURS, PLAIN));
  }
  await endAll(pair.map(({ bench }) => bench));
}

function cell(version: Version, operation: Operation, what: string): string {
  return `${version} ${operation} ${what}`;
}

const columnsOf = (operations: readonly Operation[]) =>
  VERSIONS.flatMap((version) =>
    operations.map((operation) => ({
      id: `${operation}-${version}`,
      title: `${operation}, protobuf.js ${version}`,
      version,
      operation,
    })),
  );

function row(id: string, title: string, run: PartRun, cells: Cells) {
  const entries = columnsOf(run.operations).map(
    ({ id: column, version, operation }) => [column, cells.get(cell(version, operation, id))] as const,
  );
  return spreadRow(id, title, Object.fromEntries(entries));
}

function mixTable(run: PartRun, cells: Cells): NumberTable {
  return {
    id: "protobuf",
    title: "Protobuf: 30 message types in one process",
    text:
      "The speed of protobuf.js with our Writer and Reader installed, as a multiple of the plain library's in another process: " +
      "bigger is better. 400 messages of 30 types with fields of every type; and one message of 700 KB with 20,000 short submessages.",
    unit: "ratio",
    columns: columnsOf(run.operations).map(({ id, title }) => ({ id, title })),
    rows: [
      ...(Object.keys(SCHEMA_ORDERS) as SchemaOrder[]).map((order) =>
        row(order, `30 types ${SCHEMA_ORDERS[order]}`, run, cells),
      ),
      row("submessages", "20,000 short submessages", run, cells),
    ],
  };
}

function typesTable(run: PartRun, cells: Cells): NumberTable {
  const rows = Array.from({ length: TYPES }, (_, type) => row(`Type${type}`, `type ${type}`, run, cells));
  const columns = columnsOf(run.operations).map(({ id, title }) => ({ id, title }));
  return {
    id: "protobuf-types",
    title: "Protobuf: the slowest of the 30 types",
    text: "The same for messages of one type in a row, in the processes where messages of all 30 have come by turns.",
    unit: "ratio",
    columns,
    rows: [leastRow(columns, rows)],
  };
}
