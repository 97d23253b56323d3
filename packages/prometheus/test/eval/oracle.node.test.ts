/** Random queries over random data: the evaluator has the results of Prometheus' own engine, where Go is installed. */
import { isWhole, share } from "@moonpack/harness/effort.ts";
import { type Expression, evaluate, PrometheusError, parseQuery } from "@moonpack/prometheus";
import { Engine, type EngineQuery } from "@moonpack/promql/engine.ts";
import { hasGo, isBuilt } from "@moonpack/promql/program.ts";
import { afterAll, expect, test } from "vitest";
import { type EngineCases, engineCases } from "../harness/engine-cases.ts";
import { compareOutcomes, type Outcome } from "../harness/engine-comparison.ts";
import { CLOSE, RULES } from "../harness/engine-rules.ts";

/** The seed of the first data. MOONPACK_SEED replaces it: the seed of a difference, with MOONPACK_SHARE=0.01, tries only its data. */
const SEED = Number(process.env.MOONPACK_SEED ?? 35_100);
const ROUNDS = 100;
const QUERIES = 100;

/** A share does not wait for the build, which takes minutes. */
const isLeftOut = process.env.CI !== "true" && (!hasGo() || !(isWhole || isBuilt()));
if (isLeftOut) console.warn("NOT RUN: the comparison with Prometheus' engine needs Go, and `npm test -- oracle` once");

let engine: Engine | undefined;
afterAll(() => engine?.close());

function parsed(text: string): Expression | undefined {
  try {
    return parseQuery(text);
  } catch (error) {
    if (error instanceof PrometheusError) return undefined;
    throw error;
  }
}

async function outcomeOf({ text, start, end, step }: EngineQuery, { source }: EngineCases): Promise<Outcome> {
  try {
    return await evaluate(parseQuery(text), { query: text, source, start, ...(step === 0 ? {} : { end, step }) });
  } catch (error) {
    if (error instanceof PrometheusError) return error.message;
    throw error;
  }
}

async function outcomesOf(cases: EngineCases): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const query of cases.queries) outcomes.push(await outcomeOf(query, cases));
  return outcomes;
}

test.skipIf(isLeftOut)("random queries have the results of Prometheus' engine", { timeout: 900_000 }, async () => {
  engine = await Engine.start();
  const differences: string[] = [];
  const found: Record<string, number> = {};
  let rows = 0;
  const rounds = share(ROUNDS);
  for (let seed = SEED; seed < SEED + rounds; seed++) {
    const cases = engineCases(seed, QUERIES);
    const [outcomes, results] = await Promise.all([outcomesOf(cases), engine.ask(cases.series, cases.queries)]);
    for (const [i, { text, start, end, step }] of cases.queries.entries()) {
      const finding = compareOutcomes(parsed(text), outcomes[i]!, results[i]!, cases.hasEqualBounds);
      if ((results[i]!.rows?.length ?? 0) > 0) rows++;
      if (typeof finding === "string") found[finding] = (found[finding] ?? 0) + 1;
      else differences.push(`seed ${seed}: ${text} from ${start} to ${end} by ${step}: ${finding.difference}`);
    }
  }
  const count = rounds * QUERIES;
  const summary = `${count} queries, ${rows} with series: ${JSON.stringify(found)}`;
  expect(differences.slice(0, 20), summary).toEqual([]);
  expect(rows, summary).toBeGreaterThan(count * 0.4);
  // A fault of ours that a rule hides would raise its number.
  const most = [...Object.entries(CLOSE), ...RULES.map(([name, percent]) => [name, percent] as const)];
  for (const [name, percent] of most)
    expect(found[name] ?? 0, `${name} of ${summary}`).toBeLessThanOrEqual(Math.max(5, (count * percent) / 100));
});
