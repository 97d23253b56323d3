/** The tree of commands, with their options and arguments, that the completions of shells are written from. */
import { type Argument, type Command, Help, type Option } from "commander";

/** The possible values: a list of words, files, folders, or `other` for values that a shell cannot complete. */
export type Values = readonly string[] | "file" | "folder" | "other";

/** An option. `values` is undefined for a flag. */
export interface CompletedOption {
  /** `-f` and `--from`; one or both. */
  readonly flags: readonly string[];
  readonly summary: string;
  readonly values: Values | undefined;
  readonly isRepeatable: boolean;
}

/** An argument. */
export interface CompletedArgument {
  readonly name: string;
  readonly values: Values;
  readonly isVariadic: boolean;
}

/** A command; the program is the command without a name. */
export interface CompletedCommand {
  /** The words from the program to the command. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly CompletedArgument[];
  readonly commands: readonly CompletedCommand[];
}

const help = new Help();

/** Returns what can be completed of a command, and of the commands below it. The program has no words before it. */
export function completed(command: Command, path: readonly string[] = []): CompletedCommand {
  const commands = command.commands.map((inner) => completed(inner, [...path, inner.name()]));
  return {
    path,
    summary: command.summary(),
    options: help.visibleOptions(command).map(completedOption),
    arguments: command.registeredArguments.map(completedArgument),
    commands,
  };
}

function completedOption({ short, long, flags, description, argChoices }: Option): CompletedOption {
  const [, value] = /<(.*)>/.exec(flags) ?? [];
  return {
    flags: [short, long].filter((flag): flag is string => flag !== undefined),
    summary: description,
    values: value === undefined ? undefined : (argChoices ?? kindOf(value, description)),
    isRepeatable: description.includes("may be repeated"),
  };
}

function completedArgument(argument: Argument): CompletedArgument {
  const { description, variadic, argChoices } = argument;
  const name = argument.name();
  return { name, values: argChoices ?? kindOf(name, description), isVariadic: variadic };
}

/** The names of values that are files or folders. */
const FILES = new Set(["file", "files", "input", "output", "schema", "old", "new", "target"]);
const FOLDERS = new Set(["folder", "path"]);

function kindOf(name: string, description: string): Values {
  if (FOLDERS.has(name) || (FILES.has(name) && description.includes("folder"))) return "folder";
  return FILES.has(name) ? "file" : "other";
}

/** Returns a command and all commands below it. */
export function allCommands(command: CompletedCommand): readonly CompletedCommand[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** True for a list of values. */
export function isList(values: Values | undefined): values is readonly string[] {
  return typeof values === "object";
}
