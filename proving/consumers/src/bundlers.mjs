// How each bundler builds the programs of a site, with the settings of a new application. Each writes `out/NAME.mjs` for
// every entry, and shared modules beside them.

export const bundlers = { esbuild, vite, webpack, rollup };

async function esbuild({ folder, entries, out }) {
  const { build } = await import("esbuild");
  await build({
    entryPoints: entries,
    absWorkingDir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    logLevel: "silent",
    outdir: out,
    outExtension: { ".js": ".mjs" },
  });
}

async function vite({ folder, entries, out }) {
  const { build } = await import("vite");
  await build({
    root: folder,
    configFile: false,
    envFile: false,
    logLevel: "error",
    build: {
      outDir: out,
      modulePreload: false,
      rolldownOptions: {
        input: entries,
        output: { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
      },
    },
  });
}

async function webpack({ folder, entries, out }) {
  const { default: pack } = await import("webpack");
  const stats = await new Promise((resolve, reject) =>
    pack(
      {
        mode: "production",
        target: "web",
        context: folder,
        entry: entries,
        experiments: { outputModule: true },
        performance: { hints: false },
        optimization: { splitChunks: { chunks: "all" } },
        output: { path: out, filename: "[name].mjs", module: true },
      },
      (error, result) => (error === null || error === undefined ? resolve(result) : reject(error)),
    ),
  );
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString({ colors: false }));
}

async function rollup({ folder, entries, out }) {
  const [{ rollup: open }, { nodeResolve }, { default: commonjs }] = await Promise.all([
    import("rollup"),
    import("@rollup/plugin-node-resolve"),
    import("@rollup/plugin-commonjs"),
  ]);
  const bundle = await open({
    input: entries,
    // Negotiation in @moonpack/http stands on CommonJS modules.
    plugins: [nodeResolve({ browser: true, rootDir: folder }), commonjs()],
    onLog(_level, { code, message }) {
      // Modules of MessagePack's writer call each other at run time, but none at import.
      if (code !== "CIRCULAR_DEPENDENCY") throw new Error(message);
    },
  });
  await bundle.write({ dir: out, format: "es", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await bundle.close();
}
