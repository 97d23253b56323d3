import { compare, type Readable, type SchemaChange } from "@moonpack/pck";
import type { Command } from "commander";
import pc from "picocolors";
import { loadSchema } from "../pck/schema-file.js";
import { SCHEMA_FILES } from "../pck/schema-help.js";
import { Output } from "../shared/output.js";
import { printable, printableJson } from "../shared/printable.js";
import { type Cell, renderTable } from "../shared/table.js";

/** Options of `moonpack compare`, as the command line gives them. */
interface CompareOptions {
  readonly export?: string;
  readonly json: boolean;
}

/** Adds `moonpack compare` to the program. */
export function addCompare(program: Command): void {
  program
    .command("compare")
    .description(
      "Shows every change from an old PCK schema to a new one, and whether each can still read the other's bytes. The exit " +
        "code is 1 when a change breaks one of them, so that a project's checks can use it.",
    )
    .argument("<old>", "file of the old schema")
    .argument("<new>", "file of the new schema")
    .option("-e, --export <name>", "name of the export, in modules; the same in both files")
    .option("--json", "print one JSON object per line, for programs", false)
    .addHelpText("after", HELP)
    .action(async (old: string, now: string, options: CompareOptions) => {
      const changes = await changesOf(old, now, options.export);
      const output = Output.open("-");
      output.writeText(
        options.json ? changes.map((change) => `${printableJson(JSON.stringify(change))}\n`).join("") : report(changes),
      );
      await output.finish();
      if (changes.some(breaks)) process.exitCode = 1;
    });
}

const HELP = `
${SCHEMA_FILES}

"new reads old": can the new schema read existing bytes? "old reads new": can an
older program read bytes of a newer one?
  yes      every message can be read
  no       no message can be read
  depends  some messages cannot be read: those with an enumeration name or a
           union arm that the reader does not know and has no default for

Exit codes: 0 no change breaks anything; 1 a "no", an invalid schema, or a file
that cannot be read; 2 bad usage.

Examples:
  moonpack compare player-1.json player.ts
  moonpack compare players.pck player.ts          # can it still be read?
  moonpack compare old/game.ts game.ts --export World
`;

async function changesOf(old: string, now: string, name: string | undefined): Promise<readonly SchemaChange[]> {
  const isModule = (file: string) => /\.[cm]?[jt]s$/i.test(file);
  // If one schema is a document and the other a module, the module has the name.
  const nameIn = (file: string, other: string) => (isModule(file) || !isModule(other) ? name : undefined);
  return compare(await loadSchema(old, nameIn(old, now)), await loadSchema(now, nameIn(now, old)));
}

function breaks({ newReadsOld, oldReadsNew }: SchemaChange): boolean {
  return newReadsOld === "no" || oldReadsNew === "no";
}

const COLUMNS = ["change", "where", "what", "new reads old", "old reads new"].map((title) => ({ title }));

function report(changes: readonly SchemaChange[]): string {
  if (changes.length === 0) return "no changes: bytes and values are the same\n";
  const cells = changes.map(({ kind, path, text, newReadsOld, oldReadsNew }) => [
    kind,
    path,
    text,
    coloured(newReadsOld),
    coloured(oldReadsNew),
  ]);
  const reasons = changes.filter(({ why }) => why !== "").map(({ path, why }) => `${printable(`${path}: ${why}`)}\n`);
  return [renderTable(COLUMNS, cells), "\n", reasons.length > 0 ? "\n" : "", ...reasons].join("");
}

function coloured(answer: Readable): Cell {
  return { text: answer, colour: answer === "yes" ? pc.green : answer === "no" ? pc.red : pc.yellow };
}
