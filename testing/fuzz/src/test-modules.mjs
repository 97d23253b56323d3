// Models of formats: TypeScript of the packages' tests, as modules.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "@moonpack/tools/setup";
import { build } from "esbuild";

/** The library is loaded once, by the models and by this package: errors are recognized by their class. */
const external = {
  name: "external",
  setup({ onResolve }) {
    // Shared modules of tests are TypeScript too.
    onResolve({ filter: /^@moonpack\/harness\// }, ({ path }) => ({
      path: join(root, "testing/harness/src", path.slice("@moonpack/harness/".length)),
    }));
    onResolve({ filter: /\/dist\// }, ({ path, resolveDir }) => ({
      path: pathToFileURL(join(resolveDir, path)).href,
      external: true,
    }));
  },
};

/** Loads modules of a folder, named by its path in the repository, as one. */
export async function loadTestModules(folder, modules) {
  const cache = join(root, "node_modules/.cache/moonpack");
  mkdirSync(cache, { recursive: true });
  const place = mkdtempSync(join(cache, "fuzz-"));
  const outfile = join(place, "modules.mjs");
  try {
    await build({
      stdin: {
        contents: modules.map((name) => `export * from "./${name}.ts";`).join("\n"),
        resolveDir: join(root, folder),
      },
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
    rmSync(place, { recursive: true, force: true });
  }
}
