/** The options that every command has. */
import { type Command, Option } from "commander";
import { own } from "moonpack/bytes";
import { setVerbosity } from "../shared/verbosity.js";

/** The heading of these options in the help. */
const GROUP = "Options of every command:";

/** Values of these options. */
interface CommonOptions {
  readonly quiet?: true;
  readonly verbose?: true;
}

/**
 * Adds the options to a command, and below it to all of its commands. They may stand before and after the name of a command. The
 * libraries that colour texts read --no-color and NO_COLOR themselves.
 */
export function addCommonOptions(command: Command): void {
  command
    .addOption(
      new Option("-q, --quiet", "print data and errors only: no progress, notes or summaries")
        .conflicts("verbose")
        .helpGroup(GROUP),
    )
    .addOption(
      new Option("-v, --verbose", "also print what is read and written, the time, and causes of errors").helpGroup(
        GROUP,
      ),
    )
    .addOption(new Option("--no-color", "print no colours; the variable NO_COLOR=1 does the same").helpGroup(GROUP))
    .addHelpOption(new Option("-h, --help", "print this help").helpGroup(GROUP));
  for (const inner of command.commands) addCommonOptions(inner);
}

/** Applies the options of the command that runs, and of the commands around it. */
export function applyCommonOptions(command: Command): void {
  const { quiet, verbose } = own(command.optsWithGlobals<CommonOptions>());
  setVerbosity(verbose === true ? "verbose" : quiet === true ? "quiet" : "normal");
}
