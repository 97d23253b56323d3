import { mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Command, Option } from "commander";
import { MoonpackError } from "moonpack/bytes";
import { type AnySchema, type Bundle, schema } from "moonpack/pck";
import { type EmittedFile, emit, emitGo, type OlderSchemas } from "moonpack/pck/emit";
import { addLanguageOptions, goOptions, type LanguageOptions, scriptOptions } from "../pck/emitOptions.js";
import { GoNames } from "../pck/goNames.js";
import { refuseLosses } from "../pck/kept.js";
import { loadOlder, type Older, olderOf } from "../pck/older.js";
import { regionFiles, regionTarget } from "../pck/regionFile.js";
import { loadSchemas, SCHEMA_FILES } from "../pck/schemaFile.js";
import { watching } from "../pck/watch.js";
import { DataError, describeError, Failure, UsageError } from "../shared/failure.js";
import { Output } from "../shared/output.js";
import { userPath } from "../shared/paths.js";

/** Options of `moonpack emit`, as the command line gives them. */
interface EmitOptions extends LanguageOptions {
  readonly target?: "ts" | "js" | "go";
  readonly out: string;
  readonly region?: string;
  readonly export?: string;
  readonly name?: string;
  readonly package?: string;
  readonly names?: string;
  readonly runtime?: string;
  readonly check: boolean;
  readonly from?: readonly string[];
  readonly watch: boolean;
}

/** Adds `moonpack emit` to the program. */
export function addEmit(program: Command): void {
  const command = program
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
    .option("--names <file>", "go: a JSON file of names that are chosen")
    .option("--runtime <where>", "beside: in a file beside the code; or what to import");
  addLanguageOptions(command)
    .option("--check", "write nothing; exit code 1 when a file is not as it would be written", false)
    .option("--from <older>", "also read the bytes of an older schema: FILE, or NAME=FILE; again for others", collected)
    .option("--watch", "write anew whenever the schema's files change", false)
    .addHelpText("after", HELP)
    .action(async (file: string, options: EmitOptions) => {
      const { region, names } = options;
      const older = olderOf(options.from ?? []);
      checkUsage(options, older);
      const sources = [file, ...older.map((one) => one.file)];
      if (options.watch) return watching(names === undefined ? sources : [...sources, names]);
      const schemas = await loadSchemas(file, options.export);
      const from = await loadOlder(older, options.export);
      const chosen = names === undefined ? undefined : await GoNames.read(names);
      const files =
        region === undefined
          ? wholeFiles(file, schemas, from, chosen, options)
          : await regionFiles(schemas, { ...options, region });
      const folder = region === undefined ? options.out : dirname(region);
      refuseLosses(files, sources, { folder, region: region === undefined ? undefined : basename(region) });
      const output = Output.open("-");
      output.writeText(options.check ? check(files, folder) : await write(files, folder));
      await output.finish();
    });
}

const HELP = `
${SCHEMA_FILES}

A bundle is emitted whole; of several schemas without a default export, all are.

--from adds decoders of an older schema's bytes for the values of this one, as
resolve does: decodePlayerFromV1, UnmarshalBinaryFromV1 for --from V1=FILE. A
FILE alone gives its own name: player-v1.ts is PlayerV1. Of several schemas,
those are read that have the same names in both.

--names FILE is for names that Go cannot have, or that collide: a JSON object,
{"Player.size": "Bytes", "enumeration Player.mood": "Mood"}; docs/pck-go.md has
its keys.

--watch goes on until Ctrl-C: it looks at the schemas' files and at those that
they import by a path (./point.js), not at packages.

TypeScript and JavaScript import moonpack/bytes unless --runtime says "beside";
Go has its runtime beside it unless --runtime says an import path.

A file that is there is written anew when moonpack made it, as its head says.
Any other is kept: then it is an error, and nothing is written.

A --region FILE keeps all but what lies between "// pck:emit(..)" and
"// pck:end" (docs/pck.md says what there is to emit); its language is told by
its name, and with --runtime beside the runtime is put beside it. A region that
is broken or unknown is an error, and the file stays as it was.

Exit codes: 0 done; 1 no schema, names that the language cannot have, a file
that is stale (--check), cannot be written or is not moonpack's, a broken
region; 2 bad usage.

Examples:
  moonpack emit player.ts --target ts --out generated
  moonpack emit player.ts --target js --runtime beside
  moonpack emit player.json --target go --package game --out game
  moonpack emit player.ts --target go --package game --out game --strings view
  moonpack emit player.ts --target go --package game --names names.json
  moonpack emit player.ts --target ts --out generated --check    # in CI
  moonpack emit player.ts --target ts --out generated --from V1=player-v1.ts
  moonpack emit player.ts --target ts --out generated --watch
  moonpack emit player.ts --region src/classes.ts
`;

/** An option that may be given more than once. */
function collected(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Refuses what makes no sense whatever the schema is: before that is loaded, which may fail, and be mended while we watch. */
function checkUsage(options: EmitOptions, older: readonly Older[]): void {
  const { region, target, name, names, package: goPackage } = options;
  if (options.watch && options.check) throw new UsageError("--check looks once, --watch goes on: choose one");
  if (region !== undefined) {
    if (older.length > 0) throw new UsageError("--from is for whole files: --region has none");
    if (names !== undefined) throw new UsageError('--names is for whole files: --region has pck:assign({"names": ..})');
    const language = regionTarget({ ...options, region });
    wholeFiles("", EMPTY, {}, undefined, { ...options, target: language, package: "pck" });
    return;
  }
  if (target === undefined) throw new UsageError("which language? --target ts, js or go");
  if (target === "go" && goPackage === undefined) throw new UsageError("--target go needs --package NAME");
  if (target !== "go" && goPackage !== undefined) throw new UsageError("--package is for --target go");
  if (target !== "go" && names !== undefined) throw new UsageError("--names is for --target go");
  if (name !== undefined && !FILE_NAME.test(name))
    throw new UsageError(`--name must be a name, and --out says the folder: not ${name}`);
  wholeFiles("", EMPTY, {}, undefined, options);
}

/** A schema that is always right: emitted, it shows whether the options are. */
const EMPTY = schema("Empty");
/** No folder: a file is never written outside that of `--out`. */
const FILE_NAME = /^[\w@-][\w@.-]*$/;

function wholeFiles(
  file: string,
  schemas: AnySchema | Bundle,
  from: OlderSchemas,
  names: GoNames | undefined,
  options: EmitOptions,
): readonly EmittedFile[] {
  const { name, runtime } = options;
  const target = options.target!;
  const given = { ...(runtime === undefined ? {} : { runtime }), from };
  const named = name === undefined ? {} : target === "go" ? { file: `${name}.go` } : { name };
  const chosen = names === undefined ? {} : { names: names.choose };
  try {
    if (target !== "go") return emit(schemas, { target, ...given, ...named, ...scriptOptions(options) });
    const files = emitGo(schemas, { package: options.package!, ...given, ...named, ...chosen, ...goOptions(options) });
    names?.finish();
    return files;
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
