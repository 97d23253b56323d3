// The reference model of PCK and the comparison of engines: the harness of the tests, which is in TypeScript, as a
// module.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "@moonpack/tools/setup";
import { build } from "esbuild";

const FOLDER = join(root, "packages/moonpack/test/harness/pck");

/** The library is loaded once, by the harness and by this package: errors are recognized by their class. */
const external = {
  name: "external",
  setup({ onResolve }) {
    onResolve({ filter: /\/dist\// }, ({ path, resolveDir }) => ({
      path: pathToFileURL(join(resolveDir, path)).href,
      external: true,
    }));
  },
};

/** Loads these modules of the harness as one. */
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
