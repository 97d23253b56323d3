import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build, type Plugin, preview } from "vite";
import { scratchFile } from "../../results.js";

const ROOT = fileURLToPath(new URL("../../../page/", import.meta.url));

/** With these headers the page is isolated, so that its clock counts microseconds instead of milliseconds. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** A page of `testing/bench/page`. */
export interface PageChoice {
  /** Its name without `.html`. */
  readonly page?: string;
  /** A folder of files that are served beside it. */
  readonly files?: string;
  readonly host?: string;
}

/** The served page. */
export interface ServedPage {
  readonly url: string;
  close(): Promise<void>;
}

/** Builds a page as any application is built, minified, and serves it. */
export async function servePage({ page = "index", files, host = "127.0.0.1" }: PageChoice = {}): Promise<ServedPage> {
  const outDir = scratchFile(`page-${page}`);
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    base: "./",
    publicDir: files ?? false,
    plugins: [withoutFiles()],
    resolve: { alias: polyfills() },
    worker: { format: "es", plugins: () => [withoutFiles()] },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2022",
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { input: `${ROOT}${page}.html` },
    },
  });
  const server = await preview({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    build: { outDir },
    preview: { host, port: 0, headers: ISOLATED },
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === "string") throw new Error("the page has no port");
  const path = page === "index" ? "" : `${page}.html`;
  return { url: `http://${host}:${address.port}/${path}`, close: () => server.close() };
}

/** pbf's compiler reads its version from a file, for a comment. */
function withoutFiles(): Plugin {
  const stub = "\0moonpack-fs";
  return {
    name: "moonpack-without-files",
    enforce: "pre",
    resolveId: (id, importer) => (id === "fs" && importer?.includes("/pbf/") ? stub : undefined),
    load: (id) => (id === stub ? `export const readFileSync = () => '{"version":""}';` : undefined),
  };
}

/** Replacements for Node's modules, as users of bundlers configure them for avsc. */
function polyfills() {
  const require = createRequire(import.meta.url);
  return [
    { find: /^buffer$/, replacement: require.resolve("buffer/") },
    { find: /^util$/, replacement: require.resolve("util/") },
  ];
}
