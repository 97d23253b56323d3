/** autocannon and the runner against the same HTTP server, in turn. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { load } from "@moonpack/load";
import { http } from "@moonpack/load/targets";
import autocannon from "autocannon";
import { medianInterval } from "../../measure/interval.js";
import { progress } from "../../progress.js";
import { spreadRow } from "../../report/spread-row.js";
import { type Part, runPart } from "./part.js";

const SERVER = fileURLToPath(new URL("./server.js", import.meta.url));
const CONNECTIONS = 100;
/** Turns of each in all processes together; an interval needs at least 15. */
const PAIRS = 24;
const QUICK_PAIRS = 8;

/** The figures of one runner: requests a second, mean milliseconds of a request. */
interface Turn {
  readonly rate: number;
  readonly mean: number;
}

interface AgreementJob {
  readonly pairs: number;
  readonly amount: number;
  /** Whether autocannon begins; they take turns. */
  readonly startsWithAutocannon: boolean;
}

type AgreementResult = readonly { readonly own: Turn; readonly other: Turn }[];

/** Throughput and mean latency of both. */
export const agreement: Part = {
  id: "agreement",
  async run({ quick, processes }) {
    const pairs: { readonly own: Turn; readonly other: Turn }[] = [];
    for (let repetition = 0; repetition < processes; repetition++) {
      progress(`runner: beside autocannon, ${repetition + 1} of ${processes}`);
      const job: AgreementJob = {
        pairs: Math.ceil((quick ? QUICK_PAIRS : PAIRS) / processes),
        amount: quick ? 1500 : 4000,
        startsWithAutocannon: repetition % 2 === 0,
      };
      pairs.push(...(await runPart<AgreementResult>("agreement", job)));
    }
    const row = (id: "rate" | "mean", title: string) => {
      const ratios = medianInterval(pairs.map(({ own, other }) => own[id] / other[id]));
      return spreadRow(id, title, {
        ratio: ratios,
        // How far apart they are, in either direction.
        apart: Math.max(ratios.median, 1 / ratios.median),
        own: medianInterval(pairs.map(({ own }) => own[id])).median,
        other: medianInterval(pairs.map(({ other }) => other[id])).median,
      });
    };
    return [
      {
        id: "agreement",
        title: "Beside autocannon",
        text:
          `The same HTTP server in a separate process, which takes about 0.2 ms of the processor for an answer, and ${CONNECTIONS} connections. Both take turns in a process, in ` +
          "alternating order. Ratio: ours as a multiple of autocannon's, the median of the pairs with its 95 % interval. Apart: the same in either direction. autocannon records whole milliseconds.",
        unit: "ratio",
        columns: [
          { id: "ratio", title: "ratio" },
          { id: "apart", title: "apart" },
          { id: "own", title: "ours", unit: "count" },
          { id: "other", title: "autocannon", unit: "count" },
        ],
        rows: [row("rate", "requests/s"), row("mean", "mean latency, ms")],
      },
    ];
  },
  work: (job) => measure(job as AgreementJob),
};

async function measure({ pairs, amount, startsWithAutocannon }: AgreementJob): Promise<AgreementResult> {
  const server = spawn(process.execPath, [SERVER], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const [port] = (await once(createInterface(server.stdout), "line")) as [string];
    const url = `http://127.0.0.1:${port}/`;
    const turns = { own: () => own(url, amount), other: () => other(url, amount) };
    for (const turn of [turns.own, turns.other]) await turn();
    const results: { own: Turn; other: Turn }[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      if ((pair % 2 === 0) === startsWithAutocannon) {
        const other = await turns.other();
        results.push({ own: await turns.own(), other });
      } else results.push({ own: await turns.own(), other: await turns.other() });
    }
    return results;
  } finally {
    server.stdin.end();
  }
}

async function own(url: string, amount: number): Promise<Turn> {
  const { summary } = await load(http({ url }), {
    operations: amount,
    concurrency: CONNECTIONS,
    rounds: 1,
    warmup: 0,
  });
  const { perSecond, response, errors } = summary!;
  if (Object.keys(errors).length > 0) throw new Error(`requests failed: ${JSON.stringify(errors)}`);
  return { rate: perSecond.median, mean: response.mean };
}

async function other(url: string, amount: number): Promise<Turn> {
  const start = performance.now();
  let end = start;
  // autocannon sees only once in `sampleInt` milliseconds that all is done.
  const { non2xx, errors, timeouts, latency } = await new Promise<autocannon.Result>((resolve, reject) => {
    autocannon({ url, amount, connections: CONNECTIONS, sampleInt: 20 }, (error: Error | null, result) =>
      error === null ? resolve(result) : reject(error),
    ).on("response", () => {
      end = performance.now();
    });
  });
  if (non2xx + errors + timeouts > 0) throw new Error(`${non2xx + errors + timeouts} requests failed`);
  return { rate: (amount / (end - start)) * 1000, mean: latency.mean };
}
