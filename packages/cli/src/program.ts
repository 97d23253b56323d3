import { createRequire } from "node:module";
import { type Argument, Command, CommanderError, Help, type Option, type OptionValues } from "commander";
import { own } from "moonpack/bytes";
import { addCommonOptions, applyCommonOptions } from "./commands/common-options.js";
import { guideOf } from "./commands/guides.js";
import { COMMANDS, commandOf } from "./commands/index.js";
import { PointedError } from "./series/pointed-error.js";
import { bugReport } from "./shared/bug.js";
import { removeUnfinished } from "./shared/cleanup.js";
import { DataError, describeError, Failure, Failures, isBrokenPipe, UsageError } from "./shared/failure.js";
import { detail } from "./shared/messages.js";
import { printable, printableLines } from "./shared/printable.js";
import { hideProgress } from "./shared/progress.js";
import { isVerbose, setVerbosity } from "./shared/verbosity.js";

/** The narrowest common terminal. */
const HELP_WIDTH = 80;
const help = new Help();

/** Leaves out defaults that the description already contains. */
function optionDescription(option: Option): string {
  return help.optionDescription(option).replace(" (default: false)", "");
}

function argumentDescription(argument: Argument): string {
  return help.argumentDescription(argument).replace(' (default: "-")', "");
}

/** Returns the term of a command in the help. A command that is only listed has no arguments: its entry contains them. */
function subcommandTerm(command: Command): string {
  return COMMANDS.get(command.name())?.usage ?? help.subcommandTerm(command);
}

/** A command whose options inherit nothing: a polluted Object.prototype sets none. */
class OwnOptionsCommand extends Command {
  override createCommand(name?: string): Command {
    return new OwnOptionsCommand(name);
  }

  override opts<T extends OptionValues>(): T {
    return own(super.opts<T>()) as T;
  }
}

/** Creates the program: help, version, and the command that is named; without one, all of them by name and summary. */
async function createProgram(name: string | undefined): Promise<Command> {
  const { version } = createRequire(import.meta.url)("#manifest") as { readonly version: string };
  const program = new OwnOptionsCommand("moonpack")
    .description(
      "Converts, inspects and measures MessagePack files and PCK containers; infers and compares PCK schemas and generates code " +
        "for them; keeps time series.",
    )
    .version(version, "-V, --version", "print the version")
    .helpCommand("help [command]", "print the help of a command")
    .enablePositionalOptions()
    .hook("preAction", (_, command) => applyCommonOptions(command))
    .configureHelp({ helpWidth: HELP_WIDTH, optionDescription, argumentDescription, subcommandTerm })
    .configureOutput({ outputError: (text, write) => write(usageText(text)) })
    .showHelpAfterError("(add --help to see the options and examples)")
    .addHelpText("after", EXAMPLES)
    .addHelpText("after", () => guideText(undefined))
    .exitOverride();
  if (name !== undefined) (await COMMANDS.get(name)!.load())(program);
  else for (const [listed, { summary }] of COMMANDS) program.command(listed).summary(summary);
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
    for (const one of [command, ...command.commands])
      one.enablePositionalOptions().addHelpText("after", () => guideText(command));
  }
  addCommonOptions(program);
  return program;
}

const EXAMPLES = `
Exit codes: 0 done; 1 bad data, or a file that cannot be read or written;
2 bad usage.

Examples:
  moonpack convert data.json data.msgpack
  moonpack convert data.msgpack data.json     # and back
  moonpack inspect data.msgpack --sizes       # what takes space
  moonpack pick data.msgpack /user/name       # some values, not all
  moonpack bench data.json                    # speed, next to other libraries
  moonpack pack *.json --out packed           # pack and check
  moonpack convert a.ndjson a.pck --schema a.ts
  moonpack infer samples.ndjson > sample.ts   # a schema for your data
  moonpack compare old.json new.ts            # what breaks?
  moonpack emit player.ts --target go --package game
  moonpack series import metrics points.csv   # time series in a folder
  moonpack load http://127.0.0.1:3000/        # throughput and latencies

moonpack COMMAND --help lists the options, with examples. To complete commands
and options with the Tab key: moonpack completions --help
Without a global install, moonpack is: npx @moonpack/cli
`;

/** The last lines of each help. The path is not wrapped, so that it can be copied. */
function guideText(command: Command | undefined): string {
  return `Guide: ${printable(guideOf(command?.name()))}`;
}

/** With --help after it, commander would print the general help for an unknown command. */
function isCommand(program: Command, word: string): boolean {
  return word.startsWith("-") || word === "help" || program.commands.some((command) => command.name() === word);
}

/** Escapes control characters in commander's text, which has several lines and quotes arguments unchanged. */
function usageText(text: string): string {
  const unsafe = process.argv.slice(2).filter((argument) => printable(argument) !== argument);
  const quoted = unsafe.reduce((all, argument) => all.replaceAll(argument, printable(argument)), text);
  return printableLines(quoted).replace(/^error: /, "moonpack: ");
}

/** Runs the command line and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const program = await createProgram(commandOf(args));
  const begun = performance.now();
  setVerbosity("normal");
  try {
    if (args.length === 0) {
      program.outputHelp({ error: true });
      return 2;
    }
    await program.parseAsync(isCommand(program, args[0]!) ? args : [args[0]!], { from: "user" });
    detail(() => `done in ${((performance.now() - begun) / 1000).toFixed(2)} s`);
    return process.exitCode === undefined ? 0 : Number(process.exitCode);
  } catch (error) {
    hideProgress();
    // Commander has already printed its text: help, version or a usage error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    // The reader closed our output early, as `head` does.
    if (isBrokenPipe(error)) return 0;
    report(error);
    return error instanceof UsageError ? 2 : 1;
  } finally {
    removeUnfinished();
  }
}

/** Prints one line for an error that the user can act on, and the stack for a bug. */
function report(error: unknown): void {
  const expected = error instanceof UsageError || error instanceof DataError || error instanceof Failure;
  if (!expected) {
    process.stderr.write(bugReport(error));
    return;
  }
  // One line each, even if a file name or a module's error contains line breaks.
  const texts = error instanceof Failures ? error.texts : [describeError(error)];
  const pointer = error instanceof PointedError ? error.pointer : [];
  process.stderr.write([...texts.map((text) => `moonpack: ${printable(text)}`), ...pointer, ""].join("\n"));
  if (isVerbose()) process.stderr.write(printableLines(causesOf(error)));
}

/** Returns the stacks of an error and of its causes. */
function causesOf(error: unknown): string {
  const stacks: string[] = [];
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    stacks.push(`${seen.size === 1 ? "" : "caused by "}${at.stack ?? String(at)}\n`);
  }
  return stacks.join("");
}
