import type { Command } from "commander";
/** Stub. */
export function addInspect(program: Command): void {
  program.command("inspect");
}
