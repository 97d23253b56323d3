// Loads TypeScript of the tests: the models of formats that write vectors share nothing with the library, but are written
// in the tests' language.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** The exports of a TypeScript file, by its path from this folder; all that it imports is bundled. */
export async function loadTypeScript(path) {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-vectors-"));
  const outfile = join(folder, "model.mjs");
  try {
    await build({
      entryPoints: [fileURLToPath(new URL(path, import.meta.url))],
      bundle: true,
      format: "esm",
      platform: "node",
      outfile,
      logLevel: "warning",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
