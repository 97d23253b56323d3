import { basename, extname } from "node:path";
import { type AnySchema, type Bundle, schema } from "@moonpack/pck";
import { type EmittedFile, emit, emitGo, emitRegions, type RegionOptions } from "@moonpack/pck/emit";
import { MoonpackError } from "moonpack/bytes";
import { DataError, describeError, Failure, UsageError } from "../shared/failure.js";
import { readWhole } from "../shared/input.js";
import { userPath } from "../shared/paths.js";
import { goOptions, type LanguageOptions, scriptOptions } from "./emit-options.js";

/** A target language. */
type Target = "ts" | "js" | "go";

/** Options of `moonpack emit` that apply to `--region`. */
export interface RegionFileOptions extends LanguageOptions {
  readonly region: string;
  readonly target?: Target;
  readonly out: string;
  readonly name?: string;
  readonly package?: string;
  readonly runtime?: string;
}

const TARGETS: ReadonlyMap<string, Target> = new Map<string, Target>([
  [".ts", "ts"],
  [".mts", "ts"],
  [".cts", "ts"],
  [".tsx", "ts"],
  [".js", "js"],
  [".mjs", "js"],
  [".cjs", "js"],
  [".jsx", "js"],
  [".go", "go"],
]);

/** Returns the package clause of a Go file, after its comments. A comment without an end is scanned only once. */
function packageOf(text: string): string | undefined {
  return /^\s*package\s+([\p{L}\p{Nd}_]+)/u.exec(text.replace(/\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/g, " "))?.[1];
}

/** Returns the language of the file. Throws for options that apply to other files. */
export function regionTarget({ region, target, out, name, package: goPackage }: RegionFileOptions): Target {
  const found = target ?? TARGETS.get(extname(region).toLowerCase());
  if (found === undefined) throw new UsageError(`the language of ${region} is unknown: add --target ts, js or go`);
  if (out !== "." || name !== undefined || goPackage !== undefined)
    throw new UsageError(
      "--out, --name and --package cannot be combined with --region, which rewrites an existing file",
    );
  return found;
}

/**
 * Returns the file of `--region` with its regions rewritten and, with `--runtime beside`, the runtime files. Writes nothing, so
 * a file with an invalid region stays unchanged.
 */
export async function regionFiles(
  schemas: AnySchema | Bundle,
  options: RegionFileOptions,
): Promise<readonly EmittedFile[]> {
  const { region, runtime } = options;
  const target = regionTarget(options);
  const text = await textOf(region);
  if (target === "go" && packageOf(text) === undefined)
    throw new Failure(`${region}: a Go file must begin with its package clause`);
  try {
    const given = { ...(runtime === undefined ? {} : { runtime }) };
    const module = extname(region).toLowerCase() === ".cjs" ? "commonjs" : "esm";
    const emitted: RegionOptions =
      target === "go"
        ? { target, ...given, ...goOptions(options) }
        : { target, module, ...given, ...scriptOptions(options) };
    checkOptions(emitted);
    const written = emitRegions(text, schemas, emitted);
    return [{ path: basename(region), text: written }, ...(runtime === "beside" ? runtimeFor(target, text) : [])];
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    throw new DataError(region, describeError(error), error);
  }
}

/** Throws a usage error for an invalid option. The file has no regions, so the options are all that can be invalid. */
function checkOptions(options: RegionOptions): void {
  try {
    emitRegions("package p\n", schema("Empty"), options);
  } catch (error) {
    throw error instanceof MoonpackError ? new UsageError(describeError(error)) : error;
  }
}

/** Reads the text of a file with regions. Throws when it is not valid UTF-8. */
async function textOf(file: string): Promise<string> {
  const bytes = await readWhole(userPath(file));
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Failure(`${file} is not valid UTF-8`);
  }
  if (/pck:emit/.test(text)) return text;
  throw new Failure(`${file} has no region; add one: // pck:emit("class") .. // pck:end`);
}

/** Returns the runtime files. They are the same for every schema, so they are taken from this one. */
function runtimeFor(target: Target, text: string): readonly EmittedFile[] {
  const empty = schema("Empty");
  if (target !== "go")
    return emit(empty, { target, runtime: "beside" }).filter(({ path }) => /^pck-runtime\./.test(path));
  return emitGo(empty, { package: packageOf(text)! }).slice(1);
}
