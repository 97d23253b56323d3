import type { ResultHead } from "../results.js";

/** A page's title, origin and versions. */
export function pageHead(title: string, result: ResultHead, origin: readonly string[]): string {
  const { environment, versions } = result;
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `# ${title}`,
    "",
    `<!-- Rendered from testing/bench/results/${result.suite}.json by \`npm run bench -- --render\`: do not edit. -->`,
    "",
    ...(result.quick ? ["**From a quick run: the figures are imprecise.**", ""] : []),
    [
      `Node ${environment.node} (V8 ${environment.v8}), ${environment.platform}, ${environment.cpus} cores, ${result.date.slice(0, 10)}.`,
      ...origin,
    ].join(" "),
    ...(packages.length > 0 ? ["", `Versions: ${packages.join(", ")}.`] : []),
    "",
  ].join("\n");
}
