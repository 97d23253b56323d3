import { fileURLToPath } from "node:url";
import { defaultExclude, defineConfig } from "vitest/config";

/** The share of the random cases that is tried (testing/harness/src/share.ts). */
const MOONPACK_SHARE = process.env.MOONPACK_SHARE ?? "1";
const fromRoot = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const shared = fromRoot("testing/harness/src/fast-check.ts");

const TESTS = "{packages,testing}/*/test/**/*.test.ts";
/** The portable suites (tools/src/portable/bundle.mjs), which also run in one program in every other runtime. */
const PORTABLE = [
  "packages/moonpack/test/{bytes,msgpack,pick,stream}/!(*.node).test.ts",
  "packages/{compat,protobuf,pck}/test/!(*.node).test.ts",
  "packages/compat/test/msgpackr/!(*.node).test.ts",
];

/**
 * The test files that need a process of their own. All others share one process for each worker: to start one and to load
 * the library for each file takes longer than most files. tools/src/vitest/left-behind.mjs finds files that disturb others.
 */
const ALONE = [
  // Count the blocks of the library that run: of code that is not compiled before, and in a process that optimizes nothing.
  "packages/*/test/**/complexity.node.test.ts",
  // Ask V8 for the shapes of objects, which other objects with the same keys would have chosen.
  "packages/*/test/**/{hidden-classes,new-keys}.node.test.ts",
  // Count what the library's own instances, which a whole process shares, have learned and done.
  "packages/protobuf/test/linear.node.test.ts",
  "packages/compat/test/msgpack-nodejs-tuning.test.ts",
  // Measure the memory of their own process.
  "packages/protobuf/test/memory.node.test.ts",
  "packages/trace/test/{context,ids}.node.test.ts",
  // Adds properties to Object.prototype while others' code may run.
  "packages/trace/test/polluted.node.test.ts",
  // Change protobuf.js for its whole process.
  "packages/protobuf/test/{install,installed-*,differences-*}.node.test.ts",
  "testing/bench/test/suites/schemas/schemas.test.ts",
  // Loads msgpackr without its native part: no other file, such as one with BullMQ, may have loaded it before.
  "testing/bench/test/suites/service/service.test.ts",
];

/** What a share leaves out: each takes long for one thing, which other files or parts of `npm test` try too. */
const IN_WHOLE_RUNS = [
  // Each starts a benchmark to see that it runs.
  "testing/bench/test/suites/**/*.test.ts",
  // What `npm run lint` asks, of made-up repositories.
  "testing/lint/test/lint.test.ts",
  // Compile Go programs, or TypeScript; the part Go compiles others.
  "packages/pck/test/{emit-unused,regions-go}.node.test.ts",
  "packages/protobuf/test/ts-proto.node.test.ts",
  "packages/prometheus/test/parse/oracle.node.test.ts",
  "testing/tutorial/test/tutorial.node.test.ts",
  // Start browsers; other tests run the same code in Node.
  "packages/websocket/test/browser.node.test.ts",
  "packages/moonpack/test/node/workers-pages.node.test.ts",
  "packages/http/test/swr.node.test.ts",
  // Two members of Hazelcast, killed and joined again; one member stores the same values in a share, too.
  "packages/hazelcast/test/{series,two-members}.node.test.ts",
  // Full and broken disks, killed processes, backups under load; the drivers' suite and the random model are in a share.
  "packages/{series,series-kv}/test/{backup,crash-kill,crash-points,driver-failures,errors-disk,files-full,files-kill,power-loss,pressure,smoke}.node.test.ts",
  // Many readers and writers at once, and long files.
  "packages/{series,series-kv}/test/{closing,concurrency,driver-rocksdb,files-concurrency,page-hours}.node.test.ts",
  // Every framework, each in several versions; node:http and fetch, which they all stand on, are in a share.
  "packages/{http,trace}/test/frameworks.node.test.ts",
  "packages/http/test/hostile.node.test.ts",
  // Other people's agents and other lines of Node.
  "packages/trace/test/{cls-rtracer,connections,nodes,opentelemetry}.node.test.ts",
  "packages/redis/test/examples.node.test.ts",
  // What is kept in memory after long runs.
  "packages/{http,trace}/test/memory.node.test.ts",
  "packages/moonpack/test/{amplification,msgpack/hostile-memory,stream/backlog,stream/byte-streams}.node.test.ts",
  // The command with files of many megabytes, files that change while they are read, signals, benchmarks, and every kind of store.
  "packages/cli/test/{backlog,emit-watch,files,inspect,large,load-interrupt,outputs,series,signals}.node.test.ts",
  // Draws millions of keys.
  "packages/load/test/workload.test.ts",
];
const LEFT_OUT = Number(MOONPACK_SHARE) < 1 ? IN_WHOLE_RUNS : [];

const WARNINGS = fromRoot("tools/src/vitest/warnings.mjs");
const SHARED = { isolate: false, setupFiles: [WARNINGS, fromRoot("tools/src/vitest/left-behind.mjs")] };

export default defineConfig({
  // Properties try a share of their cases, too.
  plugins: [
    {
      name: "share-of-fast-check",
      enforce: "pre",
      resolveId: (id, importer) =>
        id === "fast-check" && importer !== shared && Number(MOONPACK_SHARE) < 1 ? shared : undefined,
    },
  ],
  // The model of series, by which drivers in other packages are tested.
  resolve: {
    alias: {
      "@moonpack/series/test": fromRoot("packages/series/test"),
      "@moonpack/series-kv/test": fromRoot("packages/series-kv/test"),
    },
  },
  // JSON.parse keeps what an object literal would not: a key named __proto__.
  json: { stringify: true },
  test: {
    // On two cores: many tests wait, for timers, sockets, disks and programs.
    maxWorkers: 3,
    env: { MOONPACK_SHARE },
    projects: [
      {
        extends: true,
        test: {
          name: "alone",
          include: ALONE,
          exclude: [...defaultExclude, ...LEFT_OUT],
          setupFiles: [WARNINGS],
        },
      },
      {
        extends: true,
        test: {
          name: "together",
          include: [TESTS],
          exclude: [...defaultExclude, ...PORTABLE, ...ALONE, ...LEFT_OUT],
          ...SHARED,
        },
      },
      { extends: true, test: { name: "portable", include: PORTABLE, ...SHARED } },
    ],
    globalSetup: [fromRoot("tools/src/vitest/scratch.mjs")],
    // Processes, not threads: tests look at memory, change flags of V8 and send signals.
    pool: "forks",
    execArgv: ["--allow-natives-syntax", "--expose-gc", "--no-warnings"],
    // The longest tests take 60 s on a machine of their own and 140 s beside the others. More may be at work (six minutes were too
    // little with four busy loops and browsers beside them): time must not decide.
    testTimeout: 900_000,
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
    // Our own packages as Node itself loads them, by their exports and imports: what users get, at its real speed.
    server: { deps: { external: [/\/(?:packages|testing)\/[^/]+\/(?:dist|build)\//] } },
  },
});
