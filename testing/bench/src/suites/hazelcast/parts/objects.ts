import { summarize } from "../../../measure/statistics.js";
import { progress } from "../../../progress.js";
import type { NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { ObjectsResult } from "../jobs/objects.js";
import { kinds } from "../objects/index.js";
import { type Kind, type ObjectSize, sizes } from "../objects/kind.js";
import { type Way, ways } from "../objects/ways.js";
import { figure, type Part, ratio, ratiosOf, runJob } from "./part.js";

const BASE = ways[0]!;

/** Objects of real records in each way to store them. */
export const objectsPart: Part = {
  id: "objects",
  async run({ place, processes, scale }) {
    const cases = kinds.flatMap((kind) => sizes.map((size): Case => ({ kind, size, results: [] })));
    const { rounds, roundMs, warmupMs, aloneRounds, aloneMs } = scale;
    for (let repetition = 0; repetition < processes; repetition++) {
      for (const { kind, size, results } of cases) {
        progress(`hazelcast: ${kind.id} of ${size.title}, ${repetition + 1} of ${processes}`);
        const times = { rounds, roundMs, warmupMs, aloneRounds, aloneMs };
        results.push(await runJob({ kind: "objects", place, records: kind.id, size: size.id, ...times }));
      }
    }
    return [
      bytesTable(cases),
      ...kinds.flatMap((kind) => {
        const some = cases.filter((one) => one.kind === kind);
        return [speedTable(kind, "set", some), speedTable(kind, "get", some)];
      }),
      aloneTable("write", cases),
      aloneTable("read", cases),
    ];
  },
};

interface Case {
  readonly kind: Kind;
  readonly size: ObjectSize;
  readonly results: ObjectsResult[];
}

const OTHERS = ways.filter((way) => way !== BASE);

function bytesTable(cases: readonly Case[]): NumberTable {
  return {
    id: "bytes",
    title: "Objects: bytes",
    text:
      "Bytes of a value as the client sends them and a member keeps them: 8 of hash and type id are in each, and a member's own objects come on top. The mean of the different objects of a size. " +
      "PCK: a fingerprint of the schema is in each value. Small is good.",
    unit: "count",
    columns: [
      ...ways.map(({ id, title }) => ({ id, title })),
      ...OTHERS.map(({ id, title }) => ({ id: `${id}-ratio`, title: `${title} / JSON`, unit: "ratio" as const })),
    ],
    rows: cases.map(({ kind, size, results }) => {
      const { bytes } = results[0]!;
      return spreadRow(`${kind.id}-${size.id}`, `${kind.title}, ${size.title}`, {
        ...bytes,
        ...Object.fromEntries(OTHERS.map(({ id }) => [`${id}-ratio`, bytes[id]! / bytes[BASE.id]!])),
      });
    }),
  };
}

function speedTable(kind: Kind, operation: "get" | "set", cases: readonly Case[]): NumberTable {
  return {
    id: `${kind.id}-${operation}`,
    title: `${operation}: ${kind.title}`,
    text:
      "64 in flight. Ratios to the client's JSON are taken within a round: of operations a second, where large is good, and of the client's processor time, where small is good. " +
      "p50, p99: microseconds. CPU: microseconds of the client's process for an operation, all threads. Objects of 100 KB in the client's compact format are left out: each takes tenths of a second to write, see below. Medians of all rounds with quartiles.",
    unit: "count",
    columns: [
      { id: "rate", title: "operations/s" },
      { id: "ratio", title: "/ JSON", unit: "ratio" },
      { id: "p50", title: "p50" },
      { id: "p99", title: "p99" },
      { id: "cpu", title: "CPU" },
      { id: "cpuRatio", title: "CPU / JSON", unit: "ratio" },
    ],
    rows: cases.flatMap(({ size, results }) => {
      const turns = results.map((result) => result[operation]);
      const against = (way: Way, of: Parameters<typeof ratio>[3]) =>
        way === BASE ? undefined : ratio(turns, way.id, BASE.id, of);
      const loaded = ways.filter(({ id }) => turns.every((each) => each[id] !== undefined));
      return loaded.map((way) =>
        spreadRow(`${size.id}-${way.id}`, `${size.title}, ${way.title}`, {
          rate: figure(turns, way.id, ({ perSecond }) => perSecond),
          ratio: against(way, ({ perSecond }) => perSecond),
          p50: figure(turns, way.id, ({ p50 }) => p50 * 1000),
          p99: figure(turns, way.id, ({ p99 }) => p99 * 1000),
          cpu: figure(turns, way.id, ({ cpuMicros }) => cpuMicros),
          cpuRatio: against(way, ({ cpuMicros }) => cpuMicros),
        }),
      );
    }),
  };
}

function aloneTable(operation: "write" | "read", cases: readonly Case[]): NumberTable {
  return {
    id: `alone-${operation}`,
    title: `Serialization alone: ${operation}`,
    text:
      `${operation === "write" ? "From an object in memory to the bytes of its value" : "From the bytes of a value to an object in memory"}, by the client's serialization service, without a cluster. ` +
      "Microseconds, where small is good, and speed as a multiple of JSON's, taken within a round, where large is good. Medians of all rounds with quartiles.",
    unit: "ratio",
    columns: [
      ...ways.map(({ id, title }) => ({ id, title, unit: "count" as const })),
      ...OTHERS.map(({ id, title }) => ({ id: `${id}-ratio`, title: `${title} / JSON` })),
    ],
    rows: cases.map(({ kind, size, results }) => {
      const times = results.map(({ alone }) => alone[operation]);
      const cells = ways.map(({ id }) => [id, summarize(times.map((each) => each[id]!))]);
      const ratios = OTHERS.map(({ id }) => [
        `${id}-ratio`,
        summarize(times.map((each) => ratiosOf(each[BASE.id]!, each[id]!))),
      ]);
      return spreadRow(
        `${kind.id}-${size.id}`,
        `${kind.title}, ${size.title}`,
        Object.fromEntries([...cells, ...ratios]),
      );
    }),
  };
}
