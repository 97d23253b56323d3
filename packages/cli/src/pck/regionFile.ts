import { basename, extname } from "node:path";
import { MoonpackError } from "moonpack/bytes";
import { type AnySchema, type Bundle, schema } from "moonpack/pck";
import { type EmittedFile, emit, emitGo, emitRegions } from "moonpack/pck/emit";
import { DataError, describeError, Failure, UsageError } from "../shared/failure.js";
import { readWhole } from "../shared/input.js";
import { userPath } from "../shared/paths.js";
import { goOptions, type LanguageOptions, scriptOptions } from "./emitOptions.js";

/** A language that is emitted. */
type Target = "ts" | "js" | "go";

/** Options of `moonpack emit` that matter to `--region`. */
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

/** The package of a Go file, which begins with that clause but for comments. */
function packageOf(text: string): string | undefined {
  return /^\s*package\s+([\p{L}\p{Nd}_]+)/u.exec(text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, " "))?.[1];
}

/** The language of the file; options that are for other files are bad usage. */
export function regionTarget({ region, target, out, name, package: goPackage }: RegionFileOptions): Target {
  const found = target ?? TARGETS.get(extname(region).toLowerCase());
  if (found === undefined) throw new UsageError(`${region} is in no language by its name: --target ts, js or go`);
  if (out !== "." || name !== undefined || goPackage !== undefined)
    throw new UsageError("--out, --name and --package are for whole files, and --region is in one of yours");
  return found;
}

/**
 * The file of `--region` with its regions written anew and, with `--runtime beside`, the runtime that belongs beside it. Nothing
 * is written here: a file with a region that is broken stays as it was.
 */
export async function regionFiles(
  schemas: AnySchema | Bundle,
  options: RegionFileOptions,
): Promise<readonly EmittedFile[]> {
  const { region, runtime } = options;
  const target = regionTarget(options);
  const text = await textOf(region);
  if (target === "go" && packageOf(text) === undefined)
    throw new Failure(`${region}: a Go file begins with its package`);
  try {
    const given = { ...(runtime === undefined ? {} : { runtime }) };
    const module = extname(region).toLowerCase() === ".cjs" ? "commonjs" : "esm";
    const written = emitRegions(
      text,
      schemas,
      target === "go"
        ? { target, ...given, ...goOptions(options) }
        : { target, module, ...given, ...scriptOptions(options) },
    );
    return [{ path: basename(region), text: written }, ...(runtime === "beside" ? runtimeFor(target, text) : [])];
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    if (isOption(error)) throw new UsageError(describeError(error));
    throw new DataError(region, describeError(error), error);
  }
}

/** Is it an option that makes no sense? What is wrong with a region is told with its line. */
function isOption({ code, message }: MoonpackError): boolean {
  return code === "ERR_INVALID_ARGUMENT" && !/^line \d+: /.test(message);
}

/** The text of a file that has regions, byte for byte: what is no text is not made one. */
async function textOf(file: string): Promise<string> {
  const bytes = await readWhole(userPath(file));
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Failure(`${file} is no text in UTF-8`);
  }
  if (/pck:emit/.test(text)) return text;
  throw new Failure(`${file} has no region: // pck:emit("class") .. // pck:end`);
}

/** The files of the runtime: all but the code of a whole file. They are the same for every schema, and this one needs no names. */
function runtimeFor(target: Target, text: string): readonly EmittedFile[] {
  const empty = schema("Empty");
  if (target !== "go")
    return emit(empty, { target, runtime: "beside" }).filter(({ path }) => /^pck-runtime\./.test(path));
  return emitGo(empty, { package: packageOf(text)! }).slice(1);
}
