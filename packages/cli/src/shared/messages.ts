/** What a command says besides its data and its errors. */
import { printable } from "./printable.js";
import { hideProgress } from "./progress.js";
import { isQuiet, isVerbose } from "./verbosity.js";

/** Says something on standard error, on one line; nothing with `--quiet`. */
export function note(text: string): void {
  if (isQuiet()) return;
  hideProgress();
  process.stderr.write(`moonpack: ${printable(text)}\n`);
}

/** The same, with `--verbose` only. */
export function detail(text: () => string): void {
  if (isVerbose()) note(text());
}

/** Writes the summary of what a command did to standard output; nothing with `--quiet`. */
export function summarize(text: string): void {
  if (!isQuiet()) process.stdout.write(text);
}
