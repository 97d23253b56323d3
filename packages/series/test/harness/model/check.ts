/** Checks random command lists of many seeds. A list that fails is made shorter before it is reported. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { randomFrom } from "../../reference/vectors/random.ts";
import type { Backend } from "./backends.ts";
import { type Command, type Config, commandsOf, configOf } from "./commands.ts";
import { ModelRun } from "./runner.ts";

/** How long a list that fails is made shorter. */
const SHRINK_MILLISECONDS = 20_000;

/** Options of a check. */
export interface ModelCheck {
  /** The first seed, and how many. */
  readonly seed: number;
  readonly runs: number;
  /** Commands of each run. */
  readonly length: number;
  /** Changes a configuration. */
  readonly config?: Partial<Config>;
  /** Creates a new store in a separate folder. */
  backend(folder: string): Backend;
}

/** Runs all. Returns how many commands ran. */
export async function checkModel(check: ModelCheck): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-model-"));
  let ran = 0;
  try {
    for (let i = 0; i < check.runs; i++) {
      const seed = check.seed + i;
      const random = randomFrom(seed);
      const config = { ...configOf(random, seed), ...check.config };
      const commands = commandsOf(random, check.length);
      ran += commands.length;
      const failure = await failureOf(check, folder, config, commands);
      if (failure !== undefined) throw await report(check, folder, config, failure.commands, failure.error);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return ran;
}

interface Failure {
  readonly error: unknown;
  /** Those up to the one that failed. */
  readonly commands: readonly Command[];
}

let runs = 0;

async function failureOf(
  check: ModelCheck,
  folder: string,
  config: Config,
  commands: readonly Command[],
): Promise<Failure | undefined> {
  const own = join(folder, `run${++runs}`);
  mkdirSync(own);
  let reached = 0;
  try {
    await new ModelRun(check.backend(own), config, own).run(commands, (i) => {
      reached = i;
    });
    return undefined;
  } catch (error) {
    return { error, commands: commands.slice(0, reached + 1) };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Leaves out commands as long as the rest still fails. */
async function report(
  check: ModelCheck,
  folder: string,
  config: Config,
  commands: readonly Command[],
  error: unknown,
): Promise<Error> {
  const end = performance.now() + SHRINK_MILLISECONDS;
  let failure: Failure = { commands, error };
  for (let size = Math.ceil(commands.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < failure.commands.length && performance.now() < end; ) {
      const without = [...failure.commands.slice(0, from), ...failure.commands.slice(from + size)];
      const shorter = await failureOf(check, folder, config, without);
      if (shorter === undefined) from += size;
      else failure = shorter;
    }
  }
  const text = (value: unknown) => inspect(value, { depth: null, breakLength: 120, maxArrayLength: null });
  return new Error(
    `${(failure.error as Error).message}\nconfig: ${text(config)}\ncommands: ${text(failure.commands)}`,
    { cause: failure.error },
  );
}
