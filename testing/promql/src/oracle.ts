/** Prometheus' own parser, in Go, and the queries of its test scripts. */
import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import envPaths from "env-paths";

const SOURCE = fileURLToPath(new URL("../go", import.meta.url));
const MODULE = "github.com/prometheus/prometheus";
const run = promisify(execFile);

/** What Prometheus says to a query: its canonical text and its type, or the text of the error. */
export interface Answer {
  readonly text: string;
  readonly type: string;
  readonly error: string;
}

/** True where Go is installed. */
export const hasGo = (): boolean => spawnSync("go", ["version"]).status === 0;

/** Returns Prometheus' answers to queries. The first call in a folder builds the program. */
export async function askPrometheus(queries: readonly string[]): Promise<Answer[]> {
  const input = queries.map((query) => JSON.stringify(query)).join("\n");
  const options = { input, maxBuffer: 2 ** 30, timeout: 120_000, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(await program(), options);
  if (status !== 0) throw new Error(`the Go program ended with ${status}\n${stderr}`);
  const answers = stdout.trimEnd().split("\n");
  if (answers.length !== queries.length) throw new Error(`${answers.length} answers to ${queries.length} queries`);
  return answers.map((answer) => JSON.parse(answer) as Answer);
}

/** Returns the queries of Prometheus' test scripts. */
export async function scriptQueries(): Promise<string[]> {
  await run("go", ["mod", "download", MODULE], { cwd: SOURCE, timeout: 600_000 });
  const { stdout } = await run("go", ["list", "-m", "-f", "{{.Dir}}", MODULE], { cwd: SOURCE });
  const folder = join(stdout.trim(), "promql/promqltest/testdata");
  const queries = readdirSync(folder).flatMap((name) => {
    const evals = readFileSync(join(folder, name), "utf8").matchAll(
      /^[ \t]*eval(?:_\w+)?[ \t]+(?:instant(?:[ \t]+at[ \t]+\S+)?|range[ \t]+from[ \t]+\S+[ \t]+to[ \t]+\S+[ \t]+step[ \t]+\S+)[ \t]+(.*)$/gm,
    );
    return Array.from(evals, ([, query]) => query!);
  });
  return [...new Set(queries)];
}

/** Returns the path of the program, in the user's cache folder. Builds it if its sources have changed. */
async function program(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of ["go.mod", "go.sum", "main.go"]) hash.update(readFileSync(join(SOURCE, name)));
  const folder = join(envPaths("moonpack", { suffix: "" }).cache, "promql");
  const place = join(folder, `parser-${hash.digest("hex").slice(0, 16)}${process.platform === "win32" ? ".exe" : ""}`);
  if (existsSync(place)) return place;
  mkdirSync(folder, { recursive: true });
  const fresh = `${place}.${process.pid}`;
  await run("go", ["build", "-trimpath", "-o", fresh, "."], { cwd: SOURCE, timeout: 600_000 });
  renameSync(fresh, place); // atomic: the program exists only when it is complete
  return place;
}
