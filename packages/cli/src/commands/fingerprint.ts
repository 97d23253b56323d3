import { fingerprint } from "@moonpack/pck";
import type { Command } from "commander";
import { loadSchema } from "../pck/schema-file.js";
import { SCHEMA_FILES } from "../pck/schema-help.js";
import { Output } from "../shared/output.js";

/** Adds `moonpack fingerprint` to the program. */
export function addFingerprint(program: Command): void {
  program
    .command("fingerprint")
    .description(
      "Prints the fingerprint of a PCK schema in hexadecimal: the eight bytes that identify its message format, in containers " +
        "and before framed messages.",
    )
    .argument("<schema>", "file of the schema")
    .option("-e, --export <name>", "name of the schema's export, in a module")
    .addHelpText("after", HELP)
    .action(async (file: string, options: { readonly export?: string }) => {
      const print = fingerprint(await loadSchema(file, options.export));
      const output = Output.open("-");
      output.writeText(`${Buffer.from(print).toString("hex")}\n`);
      await output.finish();
    });
}

const HELP = `
${SCHEMA_FILES}

Schemas with equal fingerprints write the same bytes for the same values. Names
of fields count; names of structs, defaults, docs and old names do not.

Exit codes: 0 done; 1 an invalid schema, or a file that cannot be read; 2 bad
usage.

Examples:
  moonpack fingerprint player.ts
  moonpack fingerprint player.json
  moonpack fingerprint game.ts --export World
  moonpack fingerprint players.pck                # of its schema
`;
