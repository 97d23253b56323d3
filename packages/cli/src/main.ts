import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { type Argument, Command, CommanderError, Help, type Option } from "commander";
import { addBench } from "./commands/bench.js";
import { addCompare } from "./commands/compare.js";
import { addConvert } from "./commands/convert.js";
import { addEmit } from "./commands/emit.js";
import { addFingerprint } from "./commands/fingerprint.js";
import { addInspect } from "./commands/inspect.js";
import { addPack } from "./commands/pack.js";
import { cleanUpOnSignals, removeUnfinished } from "./shared/cleanup.js";
import { DataError, describeError, Failure, isBrokenPipe, UsageError } from "./shared/failure.js";
import { hideProgress } from "./shared/progress.js";

/** The narrowest terminal that is common. */
const HELP_WIDTH = 80;
const help = new Help();

/** What is off by default, or a pipe by default, says so in its own words. */
function optionDescription(option: Option): string {
  return help.optionDescription(option).replace(" (default: false)", "");
}

function argumentDescription(argument: Argument): string {
  return help.argumentDescription(argument).replace(' (default: "-")', "");
}

/** The command line's face: the commands, the help and the version. */
function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const program = new Command("moonpack")
    .description(
      "Converts, inspects and measures MessagePack files and PCK containers; compares PCK schemas and writes their code.",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .configureHelp({ helpWidth: HELP_WIDTH, optionDescription, argumentDescription })
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "moonpack: ")) })
    .showHelpAfterError("(add --help for the options and examples)")
    .addHelpText("after", EXAMPLES)
    .exitOverride();
  for (const add of [addConvert, addInspect, addBench, addPack, addCompare, addFingerprint, addEmit]) add(program);
  for (const command of program.commands)
    command.copyInheritedSettings(program).helpOption("-h, --help", "print this help");
  return program;
}

const EXAMPLES = `
Exit codes: 0 done; 1 bad data, or a file that cannot be read or written;
2 bad usage.

Examples:
  moonpack convert data.json data.msgpack
  moonpack convert data.msgpack data.json     # and back
  moonpack inspect data.msgpack --sizes       # what takes the space
  moonpack bench data.json                    # how fast, beside other libraries
  moonpack pack *.json --out packed           # pack, read back, compare
  moonpack convert a.ndjson a.pck --schema a.ts
  moonpack compare old.json new.ts            # can each read the other's bytes?
  moonpack emit player.ts --target go --package game

moonpack COMMAND --help tells more, with examples.
`;

/** With --help behind it, commander would print the help of all for a command that does not exist. */
function isCommand(program: Command, word: string): boolean {
  return word.startsWith("-") || word === "help" || program.commands.some((command) => command.name() === word);
}

/** Runs the command line and returns the exit code. */
async function run(args: readonly string[]): Promise<number> {
  const program = createProgram();
  try {
    if (args.length === 0) {
      program.outputHelp({ error: true });
      return 2;
    }
    await program.parseAsync(isCommand(program, args[0]!) ? args : [args[0]!], { from: "user" });
    return process.exitCode === undefined ? 0 : Number(process.exitCode);
  } catch (error) {
    hideProgress();
    // Commander has printed its text already; what it ends with is help, version, or usage that it refused.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    // Whoever read our output has seen enough.
    if (isBrokenPipe(error)) return 0;
    report(error);
    return error instanceof UsageError ? 2 : 1;
  } finally {
    removeUnfinished();
  }
}

/** One line for what the user can act on; the stack for what only we can. */
function report(error: unknown): void {
  const expected = error instanceof UsageError || error instanceof DataError || error instanceof Failure;
  const text = expected ? describeError(error) : error instanceof Error ? `a bug: ${error.stack}` : String(error);
  process.stderr.write(`moonpack: ${text}\n`);
}

// V8 would let its young generation grow to 48 MB for the sake of speed; what we convert in parts dies young anyway.
setFlagsFromString("--semi-space-growth-factor=1");
cleanUpOnSignals(hideProgress);
// A reader that leaves early is told by the write that fails; without a listener Node would end with a stack trace.
process.stdout.on("error", (error) => {
  if (isBrokenPipe(error)) return;
  // A full disk, mostly: what was written is incomplete, and there is nothing left to do.
  process.stderr.write(`moonpack: cannot write the output: ${error.message}\n`);
  process.exit(1);
});
process.exitCode = await run(process.argv.slice(2));
