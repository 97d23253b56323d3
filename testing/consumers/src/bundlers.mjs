// How each bundler builds programs for a page or for Node (`target`), with the settings of a new application. Each writes
// `out/NAME.mjs` for every entry, and shared modules beside them.

export const bundlers = { esbuild, vite, webpack, rspack, rollup };

/** Modules that bundles of servers leave out: native code, and clients that load optional packages. */
const EXTERNAL = [
  "@nxtedition/rocksdb",
  "classic-level",
  "hazelcast-client",
  "ioredis",
  "redis",
  "express-session",
  "ws",
];

/** esbuild: the beginning of ES modules for Node that hold CommonJS modules, which require what Node has. */
export const REQUIRE = {
  js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
};

async function esbuild({ folder, entries, out, target }) {
  const { build } = await import("esbuild");
  await build({
    entryPoints: entries,
    absWorkingDir: folder,
    bundle: true,
    splitting: true,
    minify: target === "browser", // for Node, names of classes and functions are kept, as is usual
    platform: target,
    format: "esm",
    target: "es2022",
    logLevel: "silent",
    outdir: out,
    outExtension: { ".js": ".mjs" },
    ...(target === "node" ? { external: EXTERNAL, banner: REQUIRE } : {}),
  });
}

async function vite({ folder, entries, out, target }) {
  const { build } = await import("vite");
  const isForNode = target === "node";
  await build({
    root: folder,
    configFile: false,
    envFile: false,
    logLevel: "error",
    ...(isForNode ? { ssr: { noExternal: true, external: EXTERNAL } } : {}),
    build: {
      ssr: isForNode,
      outDir: out,
      modulePreload: false,
      rolldownOptions: {
        input: entries,
        output: { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
      },
    },
  });
}

async function webpack(project) {
  const { default: pack } = await import("webpack");
  await packed(pack, project);
}

async function rspack(project) {
  const { rspack: pack } = await import("@rspack/core");
  await packed(pack, project);
}

/** webpack and rspack have the same options. */
async function packed(pack, { folder, entries, out, target }) {
  const stats = await new Promise((resolve, reject) =>
    pack(
      {
        mode: "production",
        target: target === "node" ? "node20" : "web",
        context: folder,
        entry: entries,
        experiments: { outputModule: true },
        performance: { hints: false },
        optimization: { splitChunks: { chunks: "all" }, minimize: target === "browser" },
        output: { path: out, filename: "[name].mjs", module: true },
        ...(target === "node" ? { externals: EXTERNAL } : {}),
      },
      (error, result) => (error === null || error === undefined ? resolve(result) : reject(error)),
    ),
  );
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString({ colors: false }));
}

async function rollup({ folder, entries, out, target }) {
  const [{ rollup: open }, { nodeResolve }, { default: commonjs }] = await Promise.all([
    import("rollup"),
    import("@rollup/plugin-node-resolve"),
    import("@rollup/plugin-commonjs"),
  ]);
  const found = target === "node" ? { exportConditions: ["node"], preferBuiltins: true } : { browser: true };
  const bundle = await open({
    input: entries,
    external: target === "node" ? EXTERNAL : [],
    // Negotiation in @moonpack/http stands on CommonJS modules.
    plugins: [nodeResolve({ ...found, rootDir: folder }), commonjs()],
    onLog(_level, { code, message }) {
      // Modules of MessagePack's writer call each other at run time, but none at import.
      if (code !== "CIRCULAR_DEPENDENCY") throw new Error(message);
    },
  });
  await bundle.write({ dir: out, format: "es", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await bundle.close();
}
