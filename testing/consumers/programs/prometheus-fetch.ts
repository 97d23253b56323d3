import { createPrometheus, type Prometheus, type QueryAnswer } from "@moonpack/prometheus";
import { fetchHandler } from "@moonpack/prometheus/fetch";
import { memory, openSeries } from "@moonpack/series";

async function main(): Promise<void> {
  const series = await openSeries({ driver: memory() });
  await series.write([{ metric: { name: "up", tags: { job: "a" } }, timestamp: Date.now() - 1000, value: 1 }]);
  const prom: Prometheus = createPrometheus(series, { lookback: "1m" });
  const answer: QueryAnswer = await prom.query("sum(up) + 1");
  if (answer.resultType === "vector") console.log(answer.result[0]!.value, answer.warnings.length); // 2 0
  const range = await prom.queryRange("up", { start: Date.now() - 60_000, step: "1s" });
  console.log(range.resultType); // matrix
  const handle = fetchHandler(prom);
  console.log(await (await handle(new Request("http://localhost/api/v1/label/job/values"))).text()); // {"status":"success","data":["a"]}
  await series.close();
}
main().catch((error: unknown) => console.log(String(error)));
