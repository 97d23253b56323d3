// Bundles as a page would load them.
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/**
 * Bundles an entry module with all its imports for browsers: one ES module, minified. `folder`: where imports are resolved from.
 * Returns the code, its size in bytes, and its size after gzip at level 9.
 */
export async function bundleForBrowsers(source, folder) {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "error",
  });
  const [{ contents, text }] = outputFiles;
  return { text, minified: contents.length, gzip: gzipSync(contents, { level: 9 }).length };
}

/** The same for Node, without Node's modules and packages with native code. */
export async function bundleForNode(source, folder, external) {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external,
    write: false,
    logLevel: "error",
  });
  const [{ contents, text }] = outputFiles;
  return { text, minified: contents.length, gzip: gzipSync(contents, { level: 9 }).length };
}
