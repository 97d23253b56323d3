/** How much a command says. The process runs one command at a time. */

/** `quiet`: data and errors; `normal`: progress, notes and summaries too; `verbose`: also what is read and written. */
export type Verbosity = "quiet" | "normal" | "verbose";

const current: { verbosity: Verbosity } = { verbosity: "normal" };

/** Sets the verbosity of the command that starts now. */
export function setVerbosity(verbosity: Verbosity): void {
  current.verbosity = verbosity;
}

/** True with `--quiet`. */
export function isQuiet(): boolean {
  return current.verbosity === "quiet";
}

/** True with `--verbose`. */
export function isVerbose(): boolean {
  return current.verbosity === "verbose";
}
