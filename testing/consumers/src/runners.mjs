// A user's tests of the installed packages in the usual test runners: Jest 29 and 30 without flags, with the conditions of
// browsers, as ES modules and by ts-jest, Vitest with the packages external and inlined, Mocha, Node's own.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "@moonpack/tools/setup";
import { runNode } from "./run.mjs";

const TESTS = fileURLToPath(new URL("../tests/", import.meta.url));
const modules = join(root, "node_modules");

/** The tests in `values.cjs` and in `values.mjs`, and the shorter list in `values.ts`. */
const COUNT = 5;
const COUNT_TS = 4;

export async function checkRunners({ folder }) {
  const home = join(folder, "runners");
  addTests(home);
  const faults = [];
  for (const [name, { args, cwd = home, passed }] of Object.entries(runsIn(home))) {
    const { status, stdout, stderr } = await runNode(args, { cwd, env: { ...process.env, NO_COLOR: "1" } });
    const output = `${stdout}${stderr}`;
    if (status !== 0 || !passed.test(output)) faults.push(`${name}: exit ${status}\n${output}`);
  }
  return faults;
}

function addTests(home) {
  const kinds = { cjs: ["values.cjs", "js"], esm: ["values.mjs", "js"], ts: ["values.ts", "ts"] };
  for (const [kind, [file, ending]] of Object.entries(kinds)) {
    mkdirSync(join(home, kind), { recursive: true });
    const type = kind === "esm" ? "module" : "commonjs";
    writeFileSync(join(home, kind, "package.json"), JSON.stringify({ name: kind, private: true, type }));
    cpSync(join(TESTS, file), join(home, kind, `values.test.${ending}`));
  }
  writeFileSync(join(home, "vitest.config.mjs"), `export default ${JSON.stringify(VITEST)};\n`);
}

/** Vite loads an external package as Node does, and transforms an inlined one. */
const VITEST = {
  test: {
    projects: ["external", "inlined"].map((name) => ({
      test: {
        name,
        globals: true,
        include: ["{esm,ts}/*.test.{js,ts}"],
        server: { deps: { inline: name === "inlined" ? ["moonpack", "@moonpack/pck", "@moonpack/trace"] : [] } },
      },
    })),
  },
};

function runsIn(home) {
  const [cjs, esm, ts] = ["cjs", "esm", "ts"].map((kind) => join(home, kind));
  return {
    ...Object.fromEntries(
      ["jest29", "jest"].flatMap((runner) => [
        [`${runner}, CommonJS without flags`, jest(runner, cjs)],
        [`${runner}, CommonJS with the conditions of browsers`, jest(runner, cjs, { testEnvironmentOptions: BROWSER })],
        [`${runner}, ES modules`, jest(runner, esm, { transform: {} }, ["--experimental-vm-modules", "--no-warnings"])],
        [`${runner}, TypeScript by ts-jest`, jest(runner, ts, { transform: TS_JEST }, [], COUNT_TS)],
      ]),
    ),
    vitest: {
      args: [join(modules, "vitest/vitest.mjs"), "run", "--root", home],
      passed: passes(`Tests +${2 * (COUNT + COUNT_TS)} passed \\(`),
    },
    mocha: { args: [join(modules, "mocha/bin/mocha.js"), ...files(home)], passed: passes(`${2 * COUNT} passing`) },
    "node --test": { args: ["--test", ...files(home)], passed: passes(`# pass ${2 * COUNT}$`) },
  };
}

const files = (home) => ["cjs", "esm"].map((kind) => join(home, kind, "values.test.js"));
const passes = (line) => new RegExp(line, "m");

/** As jest-environment-jsdom sets them. */
const BROWSER = { customExportConditions: ["browser"] };
const TS_JEST = {
  "\\.ts$": [
    join(modules, "ts-jest"),
    {
      // The project has TypeScript 7, which tRPC brings and ts-jest cannot use.
      compiler: join(modules, "typescript"),
      tsconfig: {
        target: "es2022",
        lib: ["es2022", "dom"],
        module: "commonjs",
        moduleResolution: "node10",
        strict: true,
        types: [],
      },
    },
  ],
};

function jest(runner, cwd, config = {}, flags = [], count = COUNT) {
  const cacheDirectory = join(cwd, "../cache", runner);
  return {
    args: [
      ...flags,
      join(modules, runner, "bin/jest.js"),
      "--config",
      JSON.stringify({ rootDir: cwd, cacheDirectory, ...config }),
      "--ci",
      "--runInBand",
      "--watchman=false",
    ],
    cwd,
    passed: passes(`^Tests: +${count} passed, ${count} total$`),
  };
}
