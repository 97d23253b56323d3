/** Prometheus' own parser, in Go, and the queries of its test scripts. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { moduleFolder, program } from "./program.ts";

/** What Prometheus says to a query: its canonical text and its type, or the text of the error. */
export interface Answer {
  readonly text: string;
  readonly type: string;
  readonly error: string;
}

/** Returns Prometheus' answers to queries. The first call in a folder builds the program. */
export async function askPrometheus(queries: readonly string[]): Promise<Answer[]> {
  const input = queries.map((parse) => JSON.stringify({ parse })).join("\n");
  const options = { input, maxBuffer: 2 ** 30, timeout: 120_000, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(await program(), options);
  if (status !== 0) throw new Error(`the Go program ended with ${status}\n${stderr}`);
  const answers = stdout.trimEnd().split("\n");
  if (answers.length !== queries.length) throw new Error(`${answers.length} answers to ${queries.length} queries`);
  return answers.map((answer) => JSON.parse(answer) as Answer);
}

/** Returns the queries of Prometheus' test scripts. */
export async function scriptQueries(): Promise<string[]> {
  const folder = join(await moduleFolder(), "promql/promqltest/testdata");
  const queries = readdirSync(folder).flatMap((name) => {
    const evals = readFileSync(join(folder, name), "utf8").matchAll(
      /^[ \t]*eval(?:_\w+)?[ \t]+(?:instant(?:[ \t]+at[ \t]+\S+)?|range[ \t]+from[ \t]+\S+[ \t]+to[ \t]+\S+[ \t]+step[ \t]+\S+)[ \t]+(.*)$/gm,
    );
    return Array.from(evals, ([, query]) => query!);
  });
  return [...new Set(queries)];
}
