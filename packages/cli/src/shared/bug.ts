import { printableLines } from "./printable.js";

/** Returns the text for an unexpected error: its stack. */
export function bugReport(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY")
    return "moonpack: not enough memory\n";
  return printableLines(`moonpack: a bug: ${error instanceof Error ? error.stack : String(error)}\n`);
}
