/** A pause of the target, and how both ways of measuring load report it. */
import { type LoadOptions, type LoadResult, load, type Target } from "@moonpack/load";
import { summarize } from "../../measure/statistics.js";
import { progress } from "../../progress.js";
import { spreadRow } from "../../report/spread-row.js";
import { type Part, runPart } from "./part.js";

const STALL_MS = 500;
const RATE = 5000;
/** Operations of five seconds at that rate. */
const OPERATIONS = 5 * RATE;

/** Ways to load, and the times that each has. Both times of a rate are of the same operations. */
const WAYS: readonly {
  readonly options: LoadOptions;
  readonly rows: readonly { readonly id: string; readonly title: string; readonly time: "response" | "service" }[];
}[] = [
  { options: { duration: 5000 }, rows: [{ id: "in-flight", title: "64 in flight: service time", time: "service" }] },
  {
    options: { rate: RATE, operations: OPERATIONS },
    rows: [
      { id: "rate-service", title: "5,000 a second: service time", time: "service" },
      { id: "rate", title: "5,000 a second: response time", time: "response" },
    ],
  },
];
/** The times of a run. */
type Times = Pick<NonNullable<LoadResult["summary"]>, "service" | "response">;
const COLUMNS = ["p50", "p90", "p99", "p999", "max"] as const;

/** A pause of half a second in five. */
export const stall: Part = {
  id: "stall",
  async run({ quick, processes }) {
    const rows = [];
    for (const { options, rows: times } of WAYS) {
      const results: Times[] = [];
      for (let repetition = 0; repetition < (quick ? 1 : processes); repetition++) {
        progress(`runner: a pause, ${times[0]!.title}, ${repetition + 1} of ${processes}`);
        results.push(await runPart<Times>("stall", options));
      }
      for (const { id, title, time } of times) {
        const cells = COLUMNS.map((name) => [name, summarize(results.map((each) => [each[time][name]]))]);
        rows.push(spreadRow(id, title, Object.fromEntries(cells)));
      }
    }
    return [
      {
        id: "stall",
        title: "A target that stops for 500 ms once in 5 s",
        text:
          "Operations take about a millisecond (a timer); once, nothing happens for half a second. Milliseconds. A tenth of what is due in five seconds is due in the pause: " +
          "at a rate, response times from p90 on must show it. Times of operations in flight show it 64 times only.",
        unit: "count",
        columns: COLUMNS.map((id) => ({ id, title: id === "p999" ? "p99.9" : id })),
        rows,
      },
    ];
  },
  async work(job) {
    let stallAt = Infinity;
    const target: Target = {
      name: "pausing",
      async setup() {
        stallAt = performance.now() + 2000;
      },
      async get() {
        if (performance.now() > stallAt) {
          stallAt = Infinity;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
        }
        await new Promise((resolve) => setTimeout(resolve, 1));
      },
    };
    const { summary } = await load(target, { ...(job as LoadOptions), warmup: 0, rounds: 1 });
    return { service: summary!.service, response: summary!.response };
  },
};
