// Finds the examples in the hand-written pages, and the output that they promise. Used by scripts/examples.mjs and, for
// Node's
// examples, by packages/moonpack/test/readme.node.test.ts; pages.d.mts has the types for that.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const pages = [
  "README.md",
  "UPGRADING.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "packages/moonpack/README.md",
  "packages/compat/README.md",
  "packages/protobuf/README.md",
  "packages/pck/README.md",
  "packages/series/README.md",
  "packages/series-kv/README.md",
  "packages/prometheus/README.md",
  "packages/trace/README.md",
  "packages/load/README.md",
  "packages/hazelcast/README.md",
  "packages/socket.io-parser/README.md",
  "packages/websocket/README.md",
  "packages/http/README.md",
  "packages/redis/README.md",
  "packages/trpc/README.md",
];

/**
 * The fences of examples by runtime: `js` alone is for Node, `js commonjs` for CommonJS in Node, `js everywhere` for every runtime,
 * `js hazelcast` for Node with a member of Hazelcast, `js redis` for Node with a Redis server.
 */
const fences = {
  node: ["js", "js everywhere"],
  commonjs: ["js commonjs"],
  deno: ["js deno", "js everywhere"],
  bun: ["js bun", "js everywhere"],
  page: ["html", "js everywhere"],
  edge: ["js edge"],
  hazelcast: ["js hazelcast"],
  redis: ["js redis"],
};
const known = new Set(Object.values(fences).flat());

/** The examples for one runtime: page, line, fence and code. */
export function examplesFor(runtime) {
  const inDocs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const paths = [...pages, ...inDocs.sort().map((name) => `docs/${name}`)];
  return paths.flatMap((page) =>
    fencesOf(page, readFileSync(join(root, page), "utf8")).filter(({ fence }) => fences[runtime].includes(fence)),
  );
}

function fencesOf(page, text) {
  return [...text.matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, fence, code] = match;
    const line = text.slice(0, match.index).split("\n").length;
    // An unknown fence would be an example that is never run.
    // A fence with a file name is a step of a tutorial, which scripts/tutorial.mjs follows.
    if (/^(js|html)\b/.test(fence) && !known.has(fence) && !/^\S+ \S+\.\S+$/.test(fence)) {
      throw new Error(
        `${page}:${line}: fenced as "${fence}", which is unknown; known fences are ${[...known].join(", ")}`,
      );
    }
    return { page, line, fence, code };
  });
}

/**
 * The output that the comments promise, line by line: `// text` after a console.log, and the comment lines right below it. Null
 * if the example promises none.
 */
export function promised(code) {
  const expected = [];
  let isBelow = false;
  for (const line of code.split("\n")) {
    const [, call, behind] = /^(.*\bconsole\.log\(.*\);)(?: +\/\/ (.*))?$/.exec(line) ?? [];
    const below = isBelow ? /^ *\/\/ (.*)$/.exec(line)?.[1] : undefined;
    const promise = behind ?? below;
    if (promise !== undefined) expected.push(promise);
    isBelow = call !== undefined || below !== undefined;
  }
  return expected.length > 0 ? expected : null;
}
