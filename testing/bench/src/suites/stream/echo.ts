import { decodeFromCompressedBase64, type Histogram } from "hdr-histogram-js";
import { medianInterval } from "../../measure/interval.js";
import { progress } from "../../progress.js";
import type { NumberColumn, NumberRow } from "../../report/numbers.js";
import { spreadRow } from "../../report/spread-row.js";
import { type EchoJob, type EchoResult, measureEcho } from "./echo-client.js";
import type { Mode } from "./echo-peer.js";
import { type Part, runPart } from "./part.js";

interface Case {
  readonly id: string;
  readonly title: string;
  readonly textBytes: number;
  readonly inFlight: number;
  readonly maxBatch?: number;
}

const CASES: readonly Case[] = [
  { id: "3", title: "3 B, 64 in flight", textBytes: 3, inFlight: 64 },
  { id: "3-batch", title: "3 B, 64 in flight, `maxBatch: 32`", textBytes: 3, inFlight: 64, maxBatch: 32 },
  { id: "1k", title: "1 KB, 64 in flight", textBytes: 1000, inFlight: 64 },
  { id: "100k", title: "100 KB, 64 in flight", textBytes: 100_000, inFlight: 64 },
  { id: "alone", title: "3 B, 1 in flight", textBytes: 3, inFlight: 1 },
];

/** Number of pairs in all processes together; an interval needs at least 15. */
const PAIRS = 24;
const QUICK_PAIRS = 8;

const COLUMNS: readonly NumberColumn[] = [
  { id: "throughput", title: "throughput" },
  { id: "gathered", title: "messages/s", unit: "count" },
  { id: "plain", title: "plain", unit: "count" },
  { id: "gathered50", title: "p50 µs", unit: "count" },
  { id: "plain50", title: "plain", unit: "count" },
  { id: "gathered99", title: "p99 µs", unit: "count" },
  { id: "plain99", title: "plain", unit: "count" },
];

/** Requests over one connection, gathered and plain. */
export const echo: Part = {
  id: "echo",
  async run({ quick, processes }) {
    const rows: NumberRow[] = [];
    for (const { id, title, textBytes, inFlight, maxBatch } of CASES) {
      const measurements: EchoResult[] = [];
      for (let repetition = 0; repetition < processes; repetition++) {
        progress(`stream: echo, ${title}, ${repetition + 1} of ${processes}`);
        const job: EchoJob = {
          textBytes,
          inFlight,
          maxBatch,
          pairs: Math.ceil((quick ? QUICK_PAIRS : PAIRS) / processes),
          runMs: quick ? 150 : 250,
          warmUpMs: quick ? 400 : 800,
          first: repetition % 2 === 0 ? "gathered" : "plain",
        };
        measurements.push(await runPart<EchoResult>("echo", job));
      }
      rows.push(row(id, title, measurements));
    }
    return [
      {
        id: "echo",
        title: "Pipelined echo over TCP",
        text:
          "Messages `{ id, text }` to a server in another process and back, over loopback without Nagle's algorithm. Both sides " +
          "decode with `StreamDecoder`. Both write with a `PipelinedWriter` (gathered), or with `socket.write(encode(message))` for " +
          `each message (plain). The load runner keeps messages in flight, in ${PAIRS} pairs of runs in alternating order. Throughput: gathered as a multiple of ` +
          "plain, as the median of the pairs with its 95 % interval. Latencies are from HDR histograms of all runs.",
        unit: "ratio",
        columns: COLUMNS,
        rows,
      },
    ];
  },
  work: (job) => measureEcho(job as EchoJob),
};

function row(id: string, title: string, measurements: readonly EchoResult[]): NumberRow {
  const rates = (mode: Mode) => measurements.flatMap((measurement) => measurement[mode].rates);
  const plain = rates("plain");
  const latencies = { gathered: merged(measurements, "gathered"), plain: merged(measurements, "plain") };
  const microseconds = (mode: Mode, percentile: number) => latencies[mode].getValueAtPercentile(percentile) / 1000;
  return spreadRow(id, title, {
    throughput: medianInterval(rates("gathered").map((rate, pair) => rate / plain[pair]!)),
    gathered: medianInterval(rates("gathered")).median,
    plain: medianInterval(plain).median,
    gathered50: microseconds("gathered", 50),
    plain50: microseconds("plain", 50),
    gathered99: microseconds("gathered", 99),
    plain99: microseconds("plain", 99),
  });
}

function merged(measurements: readonly EchoResult[], mode: Mode): Histogram {
  const encoded = measurements.flatMap((measurement) => measurement[mode].latencies);
  const [first, ...others] = encoded.map((text) => decodeFromCompressedBase64(text));
  for (const other of others) first!.add(other);
  return first!;
}
