// The published packages: what TypeScript has compiled into `build` is bundled into `dist`, an ES module and a CommonJS module
// for each entry, a few shared chunks, and their types. `bundle.json` of a package lists its entries, by the names of their
// files in dist; `variants`, the files that stand for a `#name`; `leaves`, the variants that contain all they use, except each other;
// `programs`, ES modules that are started; `chunks`, the files of shared code; `bundles`, that packages which are not a dependency are
// bundled; `lib`, what its types need of TypeScript's libraries beyond the target. Without names, all packages: MOONPACK_ONLY=pck,protobuf
// builds two.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "tsdown";

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
const { MOONPACK_ONLY: only, MOONPACK_PASS: pass } = process.env;
const names = only?.split(",") ?? readdirSync(join(import.meta.dirname, "packages"));

const COMMON = {
  target: "es2022",
  sourcemap: false,
  hash: false,
  clean: false,
  dts: false,
  tsconfig: false,
  logLevel: "warn",
  checks: { pluginTimings: false },
  // Without the comment that names the source of each part: 17 KB of moonpack.
  inputOptions: { experimental: { attachDebugInfo: "none" } },
};
/** Names of packages, of Node and of the package's own imports: everything but paths. */
const NAMES = /^[^./]/;

const files = (entries, extension) =>
  Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, `./build/${path}${extension}`]));

/** Shared code in named chunks, so that what one entry loads is a few files. Helpers of CommonJS must not be in an entry. */
const groups = (chunks) =>
  Object.entries({ helpers: "^\0rolldown", ...chunks }).map(([name, test], i, all) => ({
    name,
    test: new RegExp(test),
    priority: all.length - i,
  }));

/** Both module systems, and programs that are started by their place, such as threads. Comments are in the types. */
function code({ folder, manifest, entries, variants, programs, chunks, bundles = false }) {
  const formats = manifest.exports === undefined ? ["esm"] : ["esm", "cjs"];
  return formats.map((format) => {
    const extension = format === "cjs" ? ".cjs" : ".js";
    return defineConfig({
      ...COMMON,
      cwd: folder,
      entry: files({ ...entries, ...variants, ...(format === "esm" ? programs : {}) }, ".js"),
      format,
      // For `import.meta.url` in CommonJS; nothing of Node is bundled.
      platform: "node",
      plugins: [EXPORTS],
      // Programs may contain what they use and do not list as a dependency: see tools/src/third-party.mjs.
      deps: { neverBundle: bundles ? undefined : NAMES, onlyBundle: false },
      outExtensions: () => ({ js: extension }),
      outputOptions: (options) => ({
        ...options,
        exports: "named",
        externalLiveBindings: false,
        comments: { jsdoc: false },
        chunkFileNames: `shared/[name]${extension}`,
        codeSplitting: { groups: groups(chunks) },
      }),
    });
  });
}

/**
 * A file for each leaf and module system that package.json names: a process loads one file instead of one and a chunk of what leaves
 * share. A leaf that imports another one imports its file.
 */
function leavesOf({ folder, manifest, leaves = {} }) {
  const named = pathsIn(manifest.imports ?? {});
  const others = (extension) => (id) => {
    const leaf = Object.keys(leaves).find((name) => id.endsWith(`/${leaves[name].split("/").at(-1)}.js`));
    return leaf && { id: `./${leaf}${extension}`, external: true };
  };
  return Object.keys(leaves).flatMap((name) =>
    Object.entries({ esm: ".js", cjs: ".cjs" })
      .filter(([, extension]) => named.includes(`./dist/${name}${extension}`))
      .map(([format, extension]) =>
        defineConfig({
          ...COMMON,
          cwd: folder,
          entry: files({ [name]: leaves[name] }, ".js"),
          format,
          platform: "node",
          plugins: [
            {
              name: "leaves",
              resolveId: { order: "pre", handler: (id, importer) => importer && others(extension)(id) },
            },
            EXPORTS,
          ],
          deps: { neverBundle: NAMES, onlyBundle: false },
          outExtensions: () => ({ js: extension }),
          outputOptions: (options) => ({
            ...options,
            exports: "named",
            externalLiveBindings: false,
            comments: { jsdoc: false },
          }),
        }),
      ),
  );
}

/**
 * How chunks export in CommonJS: by assignment, which is a fifth of the code and takes a start less time than a getter for each name;
 * only a variable may change later. What else defines exports inherits nothing, so that a polluted Object.prototype breaks no module.
 */
const EXPORTS = {
  name: "exports",
  renderChunk: (code) =>
    code
      .replaceAll(
        /Object\.defineProperty\(exports, ["'](\w+)["'], \{\s+enumerable: true,\s+get: function ?\(\) \{\s+return ([\w.]+);\s+\}\s+\}\);/g,
        (getter, name, value) =>
          new RegExp(`^let ${value}\\b`, "m").test(code) ? getter : `exports.${name} = ${value};`,
      )
      .replaceAll(/((?:__defProp|Object\.defineProperty)\((?:target|exports), [^,]+, \{)/g, "$1 __proto__: null,")
      .replace(/Object\.defineProperties\(exports, \{.*?\}\);/s, (all) =>
        all.replaceAll("{ value", "{ __proto__: null, value"),
      )
      .replaceAll("for (var name in all)", "for (var name of Object.keys(all))"),
};

/**
 * The types of the entries, rolled up from the declarations that TypeScript wrote. Those of ES modules export the types of CommonJS:
 * a class then has one declaration, so a value of one form is accepted by the types of the other. A default export of CommonJS means
 * another thing in ES modules, so packages that have one are rolled up twice. So are packages whose types may name types of other
 * libraries, which differ between the two module systems.
 */
function types({ folder, manifest, entries, variants = {}, leaves = {}, typesChunks = {}, lib }) {
  if (manifest.exports === undefined) return [];
  const shown = Object.values(manifest.exports).flatMap(pathsIn);
  const entry = Object.fromEntries(Object.entries(entries).filter(([name]) => shown.includes(`./dist/${name}.d.ts`)));
  // Types are the same in every runtime: a `#name` stands for the file of runtimes that are not listed.
  const alias = Object.fromEntries(
    Object.entries(manifest.imports ?? {})
      .filter(([, target]) => target.default !== undefined)
      .map(([name, target]) => [
        name,
        join(folder, "build", `${sourceOf(pathsIn(target.default)[0], { ...variants, ...leaves })}.d.ts`),
      ]),
  );
  const isAliased = (id) => Object.hasOwn(alias, id);
  const isTwice = usesOthers(manifest) || Object.values(entry).some((path) => hasDefault(folder, path));
  const extensions = isTwice ? [".d.ts", ".d.cts"] : [".d.cts"];
  return extensions.map((extension) =>
    defineConfig({
      ...COMMON,
      cwd: folder,
      entry: files(entry, ".d.ts"),
      format: "esm",
      platform: "neutral",
      plugins: [{ name: "imports", resolveId: { order: "pre", handler: (id) => alias[id] } }],
      deps: { neverBundle: (id) => NAMES.test(id) && !isAliased(id) },
      dts: { emitDtsOnly: true, dtsInput: true, tsconfig: false },
      hooks: isTwice ? {} : { "build:done": () => writeModuleTypes(folder, Object.keys(entry)) },
      outputOptions: (options) => ({
        ...options,
        // A directive in a source is lost here.
        banner: lib === undefined ? "" : `/// <reference lib="${lib}" />`,
        entryFileNames: `[name]${extension}`,
        chunkFileNames: `shared/[name]${extension}`,
        codeSplitting: {
          groups: Object.entries(typesChunks).map(([name, test]) => ({ name, test: new RegExp(test) })),
        },
      }),
    }),
  );
}

const sourceOf = (file, sources) => sources[file.replace(/^\.\/dist\/|\.c?js$/g, "")];
const pathsIn = (target) => (typeof target === "string" ? [target] : Object.values(target).flatMap(pathsIn));

const usesOthers = ({ dependencies, peerDependencies }) =>
  Object.keys({ ...dependencies, ...peerDependencies }).some((name) => !/^(?:@moonpack\/|moonpack$)/.test(name));

const hasDefault = (folder, path) =>
  /^export default /m.test(readFileSync(join(folder, "build", `${path}.d.ts`), "utf8"));

function writeModuleTypes(folder, names) {
  for (const name of names) writeFileSync(join(folder, `dist/${name}.d.ts`), `export * from "./${name}.cjs";\n`);
}

/** dist/browser, for pages and workers without a bundler: ES modules in which every name is resolved, as browsers load it. */
function pages({ folder, manifest, pages: shown }) {
  if (shown === undefined) return [];
  const fileInDist = (id) => {
    const target = manifest.imports?.[id];
    if (target !== undefined) return join(folder, (target.browser ?? target.default).import);
    return /^(?:@moonpack\/|moonpack(?:\/|$))/.test(id) ? fileURLToPath(import.meta.resolve(id)) : undefined;
  };
  const isOurs = (id) => id.startsWith("#") || id.startsWith("moonpack/") || id.startsWith(`${manifest.name}/`);
  return [
    defineConfig({
      ...COMMON,
      cwd: folder,
      entry: Object.fromEntries(shown.map((name) => [name, `./dist/${name}.js`])),
      format: "esm",
      platform: "browser",
      outDir: "dist/browser",
      // Not by the paths of tsconfig.packages.json, which lead to declarations.
      plugins: [{ name: "imports", resolveId: { order: "pre", handler: fileInDist } }],
      // Pages load these files as they are.
      minify: true,
      deps: { neverBundle: (id) => NAMES.test(id) && !isOurs(id), alwaysBundle: isOurs, onlyBundle: false },
      outExtensions: () => ({ js: ".js" }),
      outputOptions: (options) => ({
        ...options,
        chunkFileNames: "shared/[name].js",
        // Most entries need the same: one file instead of several that wait for each other.
        codeSplitting: { groups: [{ name: "main", test: /\/shared\/(?!streams)/ }] },
      }),
    }),
  ];
}

export default names.flatMap((name) => {
  const folder = join(import.meta.dirname, "packages", name);
  if (!existsSync(join(folder, "bundle.json"))) return [];
  const about = { folder, manifest: readJson(join(folder, "package.json")), ...readJson(join(folder, "bundle.json")) };
  return pass === "pages" ? pages(about) : [...code(about), ...leavesOf(about), ...types(about)];
});
