import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type AnySchema, type Bundle, schema } from "@moonpack/pck";
import { type EmittedFile, type EmittedPicks, emit, emitGo, type OlderSchemas } from "@moonpack/pck/emit";
import { type Command, Option } from "commander";
import { MoonpackError } from "moonpack/bytes";
import { addLanguageOptions, goOptions, type LanguageOptions, scriptOptions } from "../pck/emit-options.js";
import { GoNames } from "../pck/go-names.js";
import { loadOlderSchemas, type OlderSchemaFile, olderSchemaFiles } from "../pck/older-schemas.js";
import { isSpecial, refuseOverwrites } from "../pck/overwrites.js";
import { emittedPicks } from "../pck/picks.js";
import { regionFiles, regionTarget } from "../pck/region-file.js";
import { loadSchemas } from "../pck/schema-file.js";
import { SCHEMA_FILES } from "../pck/schema-help.js";
import { watching } from "../pck/watch.js";
import { DataError, describeError, UsageError } from "../shared/failure.js";
import { makeFolder } from "../shared/folders.js";
import { summarize } from "../shared/messages.js";
import { Output } from "../shared/output.js";
import { userPath } from "../shared/paths.js";
import { printable } from "../shared/printable.js";

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
  readonly older?: readonly string[];
  readonly pick?: readonly string[];
  readonly watch: boolean;
}

/** Adds `moonpack emit` to the program. */
export function addEmit(program: Command): void {
  const command = program
    .command("emit")
    .description(
      "Generates code that encodes and decodes the messages of a PCK schema without the schema at run time. The same schema " +
        "always gives the same files, so that they can be committed and checked.",
    )
    .argument("<schema>", "file of the schema")
    .addOption(new Option("-t, --target <language>", "language of the code").choices(["ts", "js", "go"]))
    .option("--region <file>", "rewrite only the marked regions of an existing file")
    .option("-o, --out <folder>", "output folder; created if it is missing", ".")
    .option("-e, --export <name>", "name of the schema's export, in a module")
    .option("--name <name>", "file name without its extension (default: the root struct's name)")
    .option("--package <name>", "go: name of the package")
    .option("--names <file>", "go: a JSON file with names of your choice")
    .option("--runtime <where>", '"beside" (write the runtime to its own file), or a module to import it from');
  addLanguageOptions(command)
    .option("--check", "write nothing; exit with code 1 if a file is not up to date", false)
    .option("--older <schema>", "also read bytes of an older schema: FILE or NAME=FILE; may be repeated", collected)
    .option("--pick <pick>", "also decode only some fields: NAME=SCHEMA{PATHS}; may be repeated", collected)
    .option("--watch", "write again whenever a file of the schema changes", false)
    .addHelpText("after", HELP)
    .action(async (file: string, options: EmitOptions) => {
      const { region, names } = options;
      const olderFiles = olderSchemaFiles(options.older ?? []);
      const picks = emittedPicks(options.pick ?? []);
      checkUsage(options, olderFiles);
      const sources = [file, ...olderFiles.map((one) => one.file)];
      if (options.watch) return watching(names === undefined ? sources : [...sources, names]);
      const schemas = await loadSchemas(file, options.export);
      const older = await loadOlderSchemas(olderFiles, options.export);
      const chosen = names === undefined ? undefined : await GoNames.read(names);
      const files =
        region === undefined
          ? wholeFiles(file, schemas, { older, picks }, chosen, options)
          : await regionFiles(schemas, { ...options, region });
      const folder = region === undefined ? options.out : dirname(region);
      refuseOverwrites(files, sources, { folder, region: region === undefined ? undefined : basename(region) });
      if (options.check) {
        const output = Output.open("-");
        output.writeText(check(files, folder));
        await output.finish();
      } else summarize(await write(files, folder));
    });
}

const HELP = `
${SCHEMA_FILES}

A bundle is emitted as a whole. Without a default export, all schemas are.

--older adds functions that decode bytes of an older schema to values of this
one: decodePlayerFromV1 or UnmarshalBinaryFromV1 for --older V1=FILE. Without
NAME, the file's name is used: player-v1.ts gives PlayerV1. If the files have
several schemas, those with the same names are paired.

--pick adds functions that decode only some fields and skip the others:
decodeOrderRoute for --pick 'OrderRoute=Order{id,tenant:header.tenant}'. A path
is the names of fields, joined by dots; * is every element of a list.

--names FILE chooses names that Go does not allow, or that collide. The file is
a JSON object, for example {"Player.size": "Bytes", "enumeration Player.mood":
"Mood"}; docs/pck-go.md describes the keys.

--watch runs until Ctrl-C. It watches the files of the schemas and the files
that they import by a relative path (./point.js), but no packages.

TypeScript and JavaScript import @moonpack/pck/runtime unless --runtime is
"beside". For Go, the runtime is a file beside the code unless --runtime is an
import path.

An existing file is overwritten if its first comment says that moonpack has
generated it. Any other existing file is an error, and nothing is written.

--region FILE rewrites only the text between "// pck:emit(..)" and "// pck:end";
docs/pck.md lists the regions. The file's extension sets the language.
With --runtime beside, the runtime is written beside it. If a region is invalid,
nothing is written.

Exit codes: 0 done; 1 an invalid schema, names that the language does not allow,
a file that is out of date (--check), cannot be written or was not generated by
moonpack, an invalid region; 2 bad usage.

Examples:
  moonpack emit player.ts --target ts --out generated
  moonpack emit player.ts --target js --runtime beside
  moonpack emit player.json --target go --package game --out game
  moonpack emit player.ts --target go --package game --out game --strings view
  moonpack emit player.ts --target go --package game --names names.json
  moonpack emit player.ts --target ts --out generated --check    # in CI
  moonpack emit player.ts --target ts --out generated --older V1=player-v1.ts
  moonpack emit order.ts --target ts --pick 'Route=Order{id,skus:items.*.sku}'
  moonpack emit player.ts --target ts --out generated --watch
  moonpack emit player.ts --region src/classes.ts
`;

/** Collects the values of an option that may be repeated. */
function collected(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/**
 * Refuses options that are wrong with any schema. This comes first: a schema may fail to load, and be repaired while
 * --watch runs.
 */
function checkUsage(options: EmitOptions, older: readonly OlderSchemaFile[]): void {
  const { region, target, name, names, package: goPackage } = options;
  if (options.watch && options.check)
    throw new UsageError("--check and --watch cannot be combined: --check looks once");
  if (region !== undefined) {
    if (older.length > 0) throw new UsageError("--older writes whole files and cannot be combined with --region");
    if (options.pick !== undefined)
      throw new UsageError("--pick writes whole files and cannot be combined with --region");
    if (names !== undefined)
      throw new UsageError('--names writes whole files; in a region, use pck:assign({"names": ..})');
    const language = regionTarget({ ...options, region });
    wholeFiles("", EMPTY, NO_MORE, undefined, { ...options, target: language, package: "pck" });
    return;
  }
  if (target === undefined) throw new UsageError("the language is missing: add --target ts, js or go");
  if (target === "go" && goPackage === undefined) throw new UsageError("--target go also needs --package NAME");
  if (target !== "go" && goPackage !== undefined) throw new UsageError("--package needs --target go");
  if (target !== "go" && names !== undefined) throw new UsageError("--names needs --target go");
  if (name !== undefined && !FILE_NAME.test(name))
    throw new UsageError(`--name must be a plain name, not ${name}; --out sets the folder`);
  wholeFiles("", EMPTY, NO_MORE, undefined, options);
}

/** Decoders that are emitted in addition to the schemas' own. */
interface MoreDecoders {
  readonly older: OlderSchemas;
  readonly picks: EmittedPicks;
}

const NO_MORE: MoreDecoders = { older: {}, picks: {} };
/** A schema that is always valid: emitting it shows whether the options are. */
const EMPTY = schema("Empty");
/** True for a name without a folder: files are never written outside the folder of `--out`. */
const FILE_NAME = /^[\w@-][\w@.-]*$/;

function wholeFiles(
  file: string,
  schemas: AnySchema | Bundle,
  { older, picks }: MoreDecoders,
  names: GoNames | undefined,
  options: EmitOptions,
): readonly EmittedFile[] {
  const { name, runtime } = options;
  const target = options.target!;
  const given = { ...(runtime === undefined ? {} : { runtime }), older, picks };
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
  const lines: string[] = [];
  for (const { path, text } of files) {
    const file = join(userPath(folder), path);
    if (isCurrent(file, text)) {
      lines.push(`${printable(join(folder, path))} is unchanged\n`);
      continue;
    }
    makeFolder(dirname(file));
    const output = Output.open(file);
    output.writeText(text);
    await output.finish();
    lines.push(`${printable(join(folder, path))} written\n`);
  }
  return lines.join("");
}

function check(files: readonly EmittedFile[], folder: string): string {
  const stale = files.filter(({ path, text }) => !isCurrent(join(userPath(folder), path), text));
  if (stale.length === 0) return "every file is up to date\n";
  process.exitCode = 1;
  return stale
    .map(({ path }) => `${printable(join(folder, path))} is out of date: run again without --check\n`)
    .join("");
}

function isCurrent(file: string, text: string): boolean {
  try {
    return !isSpecial(file) && readFileSync(file, "utf8") === text;
  } catch {
    return false; // it does not exist
  }
}
