import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Json } from "./select.js";

const { resolve } = createRequire(import.meta.url);

/** The folder of an installed package. Its `exports` don't matter: files of documents are rarely among them. */
export function packageFolder(name: string): string {
  const folders = (resolve.paths(name) ?? []).map((folder) => join(folder, name));
  const found = folders.find((folder) => existsSync(join(folder, "package.json")));
  if (found === undefined) {
    throw new Error(`the package ${name} is not installed: run npm ci. It is a devDependency of testing/bench`);
  }
  return found;
}

/** Reads JSON files of packages. Each file is parsed once as long as the reader is kept. */
export class PackageFiles {
  readonly #parsed = new Map<string, Json>();

  /** Reads a document from a file of a package. Throws if the file is missing or not JSON. */
  read(name: string, file: string): Json {
    const path = join(packageFolder(name), file);
    let document = this.#parsed.get(path);
    if (document === undefined) {
      document = parse(name, file, path);
      this.#parsed.set(path, document);
    }
    return document;
  }
}

function parse(name: string, file: string, path: string): Json {
  if (!existsSync(path)) {
    throw new Error(`${name} has no file ${file}: its version differs from that in testing/bench/package.json`);
  }
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Json;
  } catch (error) {
    throw new Error(`${name}/${file} is not JSON`, { cause: error });
  }
}
