import { type Command, Option } from "commander";
import { countArgument } from "../shared/count.js";
import { UsageError } from "../shared/failure.js";

/** Options of `moonpack emit` for TypeScript and JavaScript. The library's `emit` has the same names. */
interface ScriptOptions {
  readonly int64?: "bigint" | "number";
  readonly maps?: "map" | "object";
  readonly typedArrays?: boolean;
  readonly binary?: "copy" | "view";
  readonly maxDepth?: number;
  readonly absent?: "own" | "shared";
}

/** Options for Go. */
interface GoOptions {
  readonly strings?: "copy" | "view";
}

/** Options for every language. */
interface CommonOptions {
  readonly maxElements?: number;
}

/** All options about the generated code. */
export interface LanguageOptions extends ScriptOptions, GoOptions, CommonOptions {}

const SCRIPT = ["int64", "maps", "typedArrays", "binary", "maxDepth", "absent"] as const;
const GO = ["strings"] as const;
const COMMON = ["maxElements"] as const;

/** Adds these options to the command. */
export function addLanguageOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--strings <how>", "go: decode strings as copies, or as views of the message").choices([
        "copy",
        "view",
      ]),
    )
    .option(
      "--max-elements <n>",
      "most elements in one message (default: 2 per byte plus 1,048,576); Infinity for no limit",
      readElements,
    )
    .addOption(new Option("--int64 <type>", "ts, js: type of decoded 64-bit integers").choices(["bigint", "number"]))
    .addOption(new Option("--maps <type>", "ts, js: type of decoded maps with string keys").choices(["map", "object"]))
    .option("--typed-arrays", "ts, js: decode lists of numbers as typed arrays")
    .addOption(
      new Option("--binary <how>", "ts, js: decode binary as copies, or as views of the message").choices([
        "copy",
        "view",
      ]),
    )
    .option("--max-depth <n>", "ts, js: greatest nesting depth of messages", countArgument("--max-depth"))
    .addOption(
      new Option(
        "--absent <how>",
        "ts, js: absent lists, maps and bytes are new values, or one shared frozen value",
      ).choices(["own", "shared"]),
    );
}

/** Returns the options for Go. Throws when an option of another language is given. */
export function goOptions(options: LanguageOptions): GoOptions & CommonOptions {
  refuse(options, SCRIPT, "ts and js");
  return given(options, [...GO, ...COMMON]);
}

/** Returns the options for TypeScript and JavaScript. Throws when an option of another language is given. */
export function scriptOptions(options: LanguageOptions): ScriptOptions & CommonOptions {
  refuse(options, GO, "go");
  return given(options, [...SCRIPT, ...COMMON]);
}

function refuse(options: LanguageOptions, names: readonly (keyof LanguageOptions)[], languages: string): void {
  const name = names.find((one) => options[one] !== undefined);
  if (name !== undefined) throw new UsageError(`${flagOf(name)} needs --target ${languages}`);
}

/** Returns the flag of an option: `--max-depth` for `maxDepth`. */
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

function readElements(text: string): number {
  return text === "Infinity" ? Infinity : countArgument("--max-elements")(text);
}
