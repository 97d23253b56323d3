import { createRequire } from "node:module";
import { extname } from "node:path";
import * as pck from "@moonpack/pck";
import {
  type AnySchema,
  type Bundle,
  ContainerReader,
  fingerprint,
  fromDocument,
  Schema,
  type SchemaDocument,
} from "@moonpack/pck";
import { MoonpackError } from "moonpack/bytes";
import { parseWholeJson } from "../convert/whole-json.js";
import { DataError, describeError, Failure, UsageError } from "../shared/failure.js";
import { ByteWindow, readWhole } from "../shared/input.js";
import { userPath } from "../shared/paths.js";
import { ownModules, withModules } from "./own-modules.js";

const MODULES = new Set([".ts", ".js", ".mts", ".mjs", ".cts", ".cjs"]);

/** Loads a valid schema from a file. `name` chooses an export, in modules. */
export function loadSchema(file: string, name: string | undefined): Promise<AnySchema> {
  return loaded(file, name, (path) => fromModule(path, name));
}

/**
 * Loads the schema of a file; from a module its bundle, or all schemas that it exports. `name` chooses one export. If it does not
 * exist, this throws only when it `isNeeded`.
 */
export function loadSchemas(file: string, name: string | undefined, isNeeded = true): Promise<AnySchema | Bundle> {
  const isIgnored = !isNeeded && !MODULES.has(extname(file).toLowerCase());
  return loaded(file, isIgnored ? undefined : name, (path) => allFromModule(path, name, isNeeded));
}

async function loaded<Found extends AnySchema | Bundle>(
  file: string,
  name: string | undefined,
  fromModule: (path: string) => Promise<Found>,
): Promise<Found | AnySchema> {
  const extension = extname(file).toLowerCase();
  const isModule = MODULES.has(extension);
  if (!isModule && extension !== ".json" && extension !== ".pck")
    throw new UsageError(`${file} is not a schema: expected a .json, .ts, .js or .pck file`);
  if (name !== undefined && !isModule) throw new UsageError(`--export needs a module, but ${file} is not one`);
  const path = userPath(file);
  try {
    if (isModule) return checked(await fromModule(path));
    return extension === ".json" ? await fromJsonFile(path) : await fromContainer(path);
  } catch (error) {
    if (error instanceof MoonpackError) throw await withTypes(await DataError.of(path, extension === ".json", error));
    throw error;
  }
}

/** Adds the types of a document to the error about a type that does not exist. */
async function withTypes(error: DataError): Promise<DataError> {
  if (!/: unknown type "[^"]*"$/.test(error.message)) return error;
  const named = Object.values(pck).flatMap((one) => {
    const { kind } = Object(one) as { readonly kind?: unknown };
    return typeof kind === "string" ? [kind] : [];
  });
  const whole = [...named, "bytes", "ascii"].sort().join(", ");
  return new DataError("", `${error.message}: expected ${whole}, or an object such as {"array": "u8"}`, error.cause);
}

async function fromJsonFile(path: string): Promise<AnySchema> {
  return checked(fromDocument(parseWholeJson(await readWhole(path)) as SchemaDocument));
}

/** Reads only the head of the container. */
async function fromContainer(path: string): Promise<AnySchema> {
  const window = await ByteWindow.open(path);
  const reader = new ContainerReader();
  try {
    while (reader.head === null && (await window.more())) {
      reader.push(window.view());
      window.consume(window.size);
    }
    if (reader.head === null) reader.end();
    return reader.head!.schema;
  } finally {
    await window.close();
  }
}

async function fromModule(path: string, name: string | undefined): Promise<AnySchema> {
  const exported = await load(path);
  const fallback = exported.get("default");
  if (name !== undefined) {
    // The default export may be a bundle, or another object of schemas.
    const inside = typeof fallback === "object" && fallback !== null ? new Map(Object.entries(fallback)) : undefined;
    return schemaOf(exported.get(name) ?? inside?.get(name)) ?? missing(path, `exports no schema ${name}`, exported);
  }
  const alone = schemaOf(fallback);
  if (alone !== undefined) return alone;
  const schemas = [...exported.values()].filter((value) => value instanceof Schema);
  if (schemas.length === 1) return schemas[0] as AnySchema;
  return missing(path, schemas.length > 1 ? "exports several schemas" : "exports no schema", exported);
}

async function allFromModule(path: string, name: string | undefined, isNeeded: boolean): Promise<AnySchema | Bundle> {
  const exported = await load(path);
  const fallback = exported.get("default");
  const whole = schemaOf(fallback) ?? bundleOf(fallback);
  if (name !== undefined) {
    const found = exported.get(name) ?? (bundleOf(fallback) as Bundle | undefined)?.[name];
    const named = schemaOf(found) ?? bundleOf(found);
    if (named !== undefined) return named;
    if (isNeeded) return missing(path, `exports no schema ${name}`, exported);
  }
  if (whole !== undefined) return whole;
  const bundles = [...exported.values()].map(bundleOf).filter((bundle) => bundle !== undefined);
  if (bundles.length === 1) return bundles[0]!;
  if (bundles.length > 1) return missing(path, "exports several bundles", exported);
  const schemas = [...exported].filter((entry): entry is [string, AnySchema] => entry[1] instanceof Schema);
  if (schemas.length === 0) return missing(path, "exports no schema", exported);
  return schemas.length === 1 ? schemas[0]![1] : Object.fromEntries(schemas);
}

/** Schemas by name, as `bundle` takes them. */
function bundleOf(value: unknown): Bundle | undefined {
  if (typeof value !== "object" || value === null || value instanceof Schema) return undefined;
  const schemas = Object.values(value);
  return schemas.length > 0 && schemas.every((one) => one instanceof Schema) ? (value as Bundle) : undefined;
}

function missing(path: string, what: string, exported: ReadonlyMap<string, unknown>): never {
  const isSome = (value: unknown) => value instanceof Schema || bundleOf(value) !== undefined;
  const names = [...exported].filter(([, value]) => isSome(value)).map(([name]) => name);
  const hint = names.length === 0 ? "" : `: choose one with ${names.map((one) => `--export ${one}`).join(" or ")}`;
  throw new Failure(`${path} ${what}${hint}`);
}

/** Loads a module. Returns what it exports. */
async function load(path: string): Promise<ReadonlyMap<string, unknown>> {
  const alias = ownModules();
  const { createJiti } = await import("jiti");
  const jiti = createJiti(import.meta.url, { fsCache: false, alias });
  // A module that requires this one gets the same instance only if it was required before it is imported.
  createRequire(import.meta.url)("@moonpack/pck");
  // A file that cannot be read has the same error text in every command.
  await (await ByteWindow.open(path)).close();
  try {
    const module = await withModules(alias, () => jiti.import<{ readonly default?: unknown }>(path));
    const exported = new Map<string, unknown>(Object.entries(module));
    // For `module.exports = schema`, the schema's own properties are listed; the schema is the default export.
    const isAlone = module.default instanceof Schema && !exported.has("default");
    return isAlone ? new Map([["default", module.default]]) : exported;
  } catch (error) {
    if (error instanceof MoonpackError) throw error;
    const lines = describeError(error)
      .split("\n")
      .map((line) => line.trim());
    throw new Failure(`cannot load ${path}: ${lines.filter((line) => line !== "").join(", ")}`);
  }
}

/** Returns the schema if the value is one, or a document of one. */
function schemaOf(value: unknown): AnySchema | undefined {
  if (value instanceof Schema) return value as AnySchema;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "pck")) return undefined;
  return fromDocument(value as SchemaDocument);
}

/** Validates a schema that a module exports: modules create schemas unchecked. */
function checked<Found extends AnySchema | Bundle>(found: Found): Found {
  for (const schema of found instanceof Schema ? [found as AnySchema] : Object.values(found)) fingerprint(schema);
  return found;
}
