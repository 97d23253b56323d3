// The reference model of PCK and what compares engines with it: the harness of the tests, which is TypeScript, as a module.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "../setup.mjs";

const FOLDER = join(root, "packages/moonpack/test/harness/pck");

/** What lies beside it is loaded once, by the harness and by us: errors are told by their class. */
const external = {
  name: "external",
  setup({ onResolve }) {
    onResolve({ filter: /\/dist\// }, ({ path, resolveDir }) => ({
      path: pathToFileURL(join(resolveDir, path)).href,
      external: true,
    }));
  },
};

/** Loads these modules of it, as one. */
export async function loadHarness(...modules) {
  const cache = join(root, "node_modules/.cache/moonpack");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "fuzz-"));
  const outfile = join(folder, "harness.mjs");
  try {
    await build({
      stdin: { contents: modules.map((name) => `export * from "./${name}.ts";`).join("\n"), resolveDir: FOLDER },
      plugins: [external],
      packages: "external",
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
