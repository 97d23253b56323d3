import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Command, Option } from "commander";
import { MoonpackError } from "moonpack/bytes";
import type { AnySchema } from "moonpack/pck";
import { type EmittedFile, emit, emitGo } from "moonpack/pck/emit";
import { regionFiles } from "../pck/regionFile.js";
import { loadSchema, SCHEMA_FILES } from "../pck/schemaFile.js";
import { DataError, describeError, Failure, UsageError } from "../shared/failure.js";
import { Output } from "../shared/output.js";
import { userPath } from "../shared/paths.js";

/** Options of `moonpack emit`, as the command line gives them. */
interface EmitOptions {
  readonly target?: "ts" | "js" | "go";
  readonly out: string;
  readonly region?: string;
  readonly export?: string;
  readonly name?: string;
  readonly package?: string;
  readonly runtime?: string;
  readonly check: boolean;
}

/** Adds `moonpack emit` to the program. */
export function addEmit(program: Command): void {
  program
    .command("emit")
    .summary("write the code of a PCK schema: TypeScript, JavaScript or Go")
    .description(
      "Writes code that encodes and decodes the messages of a PCK schema, without the schema at run time. The same schema " +
        "gives the same files, so that they can be kept, and checked for staleness.",
    )
    .argument("<schema>", "the schema's file")
    .addOption(new Option("-t, --target <language>", "what to write").choices(["ts", "js", "go"]))
    .option("--region <file>", "write nothing but the regions of this file, which stays yours otherwise")
    .option("-o, --out <folder>", "where the files go; made if it is missing", ".")
    .option("-e, --export <name>", "what the schema's module exports it as")
    .option("--name <name>", "the file's name without its ending (default: the root's)")
    .option("--package <name>", "go: the files' package")
    .option("--runtime <where>", "beside: in a file beside the code; or what to import")
    .option("--check", "write nothing; exit code 1 when a file is not as it would be written", false)
    .addHelpText("after", HELP)
    .action(async (file: string, options: EmitOptions) => {
      const schema = await loadSchema(file, options.export);
      const { region } = options;
      const files =
        region === undefined ? filesFor(file, schema, options) : await regionFiles(schema, { ...options, region });
      const folder = region === undefined ? options.out : dirname(region);
      const output = Output.open("-");
      output.writeText(options.check ? check(files, folder) : await write(files, folder));
      await output.finish();
    });
}

const HELP = `
${SCHEMA_FILES}

TypeScript and JavaScript import moonpack/bytes unless --runtime says "beside";
Go has its runtime beside it unless --runtime says an import path.

A --region FILE keeps all but what lies between "// pck:emit(..)" and
"// pck:end" (docs/pck.md says what there is to emit); its language is told by
its name, and with --runtime beside the runtime is put beside it. A region that
is broken or unknown is an error, and the file stays as it was.

Exit codes: 0 done; 1 no schema, names that the language cannot have, a file
that is stale (--check) or cannot be written, a broken region; 2 bad usage.

Examples:
  moonpack emit player.ts --target ts --out generated
  moonpack emit player.ts --target js --runtime beside
  moonpack emit player.json --target go --package game --out game
  moonpack emit player.ts --target ts --out generated --check    # in CI
  moonpack emit player.ts --region src/classes.ts
`;

function filesFor(file: string, schema: AnySchema, options: EmitOptions): readonly EmittedFile[] {
  const { target, name, package: goPackage, runtime } = options;
  if (target === undefined) throw new UsageError("which language? --target ts, js or go");
  if (target === "go" && goPackage === undefined) throw new UsageError("--target go needs --package NAME");
  if (target !== "go" && goPackage !== undefined) throw new UsageError("--package is for --target go");
  const given = runtime === undefined ? {} : { runtime };
  try {
    if (target !== "go") return emit(schema, { target, ...given, ...(name === undefined ? {} : { name }) });
    const named = name === undefined ? {} : { file: `${name}.go` };
    return emitGo(schema, { package: goPackage!, ...given, ...named });
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    if (error.code === "ERR_INVALID_ARGUMENT") throw new UsageError(describeError(error));
    throw new DataError(file, describeError(error), error);
  }
}

async function write(files: readonly EmittedFile[], folder: string): Promise<string> {
  const told: string[] = [];
  for (const { path, text } of files) {
    const file = join(userPath(folder), path);
    if (isCurrent(file, text)) {
      told.push(`${join(folder, path)} is as it was\n`);
      continue;
    }
    try {
      mkdirSync(join(file, ".."), { recursive: true });
    } catch (error) {
      throw new Failure(`cannot make ${folder}: ${describeError(error)}`);
    }
    const output = Output.open(file);
    output.writeText(text);
    await output.finish();
    told.push(`${join(folder, path)} written\n`);
  }
  return told.join("");
}

function check(files: readonly EmittedFile[], folder: string): string {
  const stale = files.filter(({ path, text }) => !isCurrent(join(userPath(folder), path), text));
  if (stale.length === 0) return "every file is as it would be written\n";
  process.exitCode = 1;
  return stale.map(({ path }) => `${join(folder, path)} is stale: write it anew without --check\n`).join("");
}

function isCurrent(file: string, text: string): boolean {
  try {
    return readFileSync(file, "utf8") === text;
  } catch {
    return false; // there is none
  }
}
