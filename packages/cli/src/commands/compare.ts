import type { Command } from "commander";
import { compare, type Readable, type SchemaChange } from "moonpack/pck";
import pc from "picocolors";
import { loadSchema, SCHEMA_FILES } from "../pck/schemaFile.js";
import { Output } from "../shared/output.js";
import { renderTable } from "../shared/table.js";

/** Options of `moonpack compare`, as the command line gives them. */
interface CompareOptions {
  readonly export?: string;
  readonly json: boolean;
}

/** Adds `moonpack compare` to the program. */
export function addCompare(program: Command): void {
  program
    .command("compare")
    .summary("show what changed from one PCK schema to another, and what breaks")
    .description(
      "Shows every change from an old PCK schema to a new one, and who can still read whose bytes. Ends with exit code 1 " +
        "when a change breaks one of them, for the checks of a project.",
    )
    .argument("<old>", "the old schema's file")
    .argument("<new>", "the new schema's file")
    .option("-e, --export <name>", "what a schema's module exports it as, in both files")
    .option("--json", "one JSON object a line, for programs", false)
    .addHelpText("after", HELP)
    .action(async (old: string, now: string, options: CompareOptions) => {
      const changes = await changesOf(old, now, options.export);
      const output = Output.open("-");
      output.writeText(
        options.json ? changes.map((change) => `${JSON.stringify(change)}\n`).join("") : report(changes),
      );
      await output.finish();
      if (changes.some(breaks)) process.exitCode = 1;
    });
}

const HELP = `
${SCHEMA_FILES}

"new reads old" is what becomes of bytes that exist, "old reads new" of those
that a newer program sends to an older one:
  yes      every message can be read
  no       none: the two schemas do not fit
  depends  on the message: it may have a name of an enumeration, or an arm of a
           union, that the reader does not know and has no default for

Exit codes: 0 no change breaks anything; 1 a "no", no schema, or a file that
cannot be read; 2 bad usage.

Examples:
  moonpack compare player-1.json player.ts
  moonpack compare players.pck player.ts          # can it still be read?
  moonpack compare old/game.ts game.ts --export World
`;

async function changesOf(old: string, now: string, name: string | undefined): Promise<readonly SchemaChange[]> {
  const isModule = (file: string) => /\.[cm]?[jt]s$/i.test(file);
  // Of a document and a module, the name is the module's.
  const nameIn = (file: string, other: string) => (isModule(file) || !isModule(other) ? name : undefined);
  return compare(await loadSchema(old, nameIn(old, now)), await loadSchema(now, nameIn(now, old)));
}

function breaks({ newReadsOld, oldReadsNew }: SchemaChange): boolean {
  return newReadsOld === "no" || oldReadsNew === "no";
}

const COLUMNS = ["change", "where", "what", "new reads old", "old reads new"].map((title) => ({ title }));

function report(changes: readonly SchemaChange[]): string {
  if (changes.length === 0) return "no changes: the same bytes, the same values\n";
  const cells = changes.map(({ kind, path, text, newReadsOld, oldReadsNew }) => [
    kind,
    path,
    text,
    coloured(newReadsOld),
    coloured(oldReadsNew),
  ]);
  const reasons = changes.filter(({ why }) => why !== "").map(({ path, why }) => `${path}: ${why}\n`);
  return [renderTable(COLUMNS, cells), "\n", reasons.length > 0 ? "\n" : "", ...reasons].join("");
}

function coloured(answer: Readable): string {
  return answer === "yes" ? pc.green(answer) : answer === "no" ? pc.red(answer) : pc.yellow(answer);
}
