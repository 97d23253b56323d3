import { type Command, Option } from "commander";
import { UsageError } from "../shared/failure.js";

/** Options of `moonpack emit` that are about the code of TypeScript and JavaScript: those of `emit` by these names. */
interface ScriptOptions {
  readonly int64?: "bigint" | "number";
  readonly maps?: "map" | "object";
  readonly typedArrays?: boolean;
  readonly binary?: "copy" | "view";
  readonly maxDepth?: number;
}

/** The same of Go. */
interface GoOptions {
  readonly strings?: "copy" | "view";
}

/** Options that are about the code of a language. */
export interface LanguageOptions extends ScriptOptions, GoOptions {}

const SCRIPT = ["int64", "maps", "typedArrays", "binary", "maxDepth"] as const;
const GO = ["strings"] as const;

/** Adds them to the command. */
export function addLanguageOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--strings <how>", "go: read as copies, or as views of the message").choices(["copy", "view"]),
    )
    .addOption(new Option("--int64 <type>", "ts, js: what 64-bit integers are read as").choices(["bigint", "number"]))
    .addOption(new Option("--maps <type>", "ts, js: what maps of texts are read as").choices(["map", "object"]))
    .option("--typed-arrays", "ts, js: read lists of numbers as typed arrays")
    .addOption(
      new Option("--binary <how>", "ts, js: read as copies, or as views of the message").choices(["copy", "view"]),
    )
    .option("--max-depth <n>", "ts, js: how deep messages may be nested", readDepth);
}

/** Those of Go; one of another language is bad usage. */
export function goOptions(options: LanguageOptions): GoOptions {
  refuse(options, SCRIPT, "ts and js");
  return given(options, GO);
}

/** Those of TypeScript and JavaScript, likewise. */
export function scriptOptions(options: LanguageOptions): ScriptOptions {
  refuse(options, GO, "go");
  return given(options, SCRIPT);
}

function refuse(options: LanguageOptions, names: readonly (keyof LanguageOptions)[], languages: string): void {
  const name = names.find((one) => options[one] !== undefined);
  if (name !== undefined) throw new UsageError(`${flagOf(name)} is for --target ${languages}`);
}

/** `--max-depth` of `maxDepth`. */
function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function given<K extends keyof LanguageOptions>(
  options: LanguageOptions,
  names: readonly K[],
): Pick<LanguageOptions, K> {
  const entries = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]] as const);
  return Object.fromEntries(entries) as Pick<LanguageOptions, K>;
}

function readDepth(text: string): number {
  const depth = Number(text);
  if (Number.isInteger(depth) && depth >= 1) return depth;
  throw new UsageError(`--max-depth needs a whole number from 1 on, not ${text}`);
}
