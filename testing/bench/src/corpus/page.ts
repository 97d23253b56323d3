import { markdownTable } from "markdown-table";
import { countShapes, meanBytes } from "./figures.js";
import { CLASSES, type Kind } from "./kind.js";
import { sources } from "./sources.js";

const INTRODUCTION = `# Real documents

Documents of the kinds that a service handles, cut from npm packages that are devDependencies of \`testing/bench\`. None is
generated: samples, for example of AWS's events and OpenRPC's services, are copied from their publishers. \`loadCorpus\` in
\`load.ts\` always returns the same documents.

A kind is a line of data in \`kinds/\`: package, files, a path in them (\`select.ts\`), and how the found items are divided. It has
at most 40 documents, unless it says otherwise, and each has at most 64 KB of JSON. To add one, add a line, and the package to
\`sources.ts\`. Never rename a kind: seeds and result files refer to it.

Timestamps in milliseconds and some identifiers of GitHub are integers beyond 32 bits. By default, msgpackr returns these as
bigint. Identifiers of tweets are beyond 53 bits, so they are floats in MessagePack.

The tables are rendered by \`test/corpus/corpus.test.ts\`. Run it with \`-u\` after a change.
`;

/** Returns this folder's README: classes and sources in tables. `versions` come from package.json. */
export function corpusPage(kinds: readonly Kind[], versions: Readonly<Record<string, string>>): string {
  const classes = CLASSES.map((name) => ({ name, kinds: kinds.filter((kind) => kind.class === name) }));
  const rows = [...classes, { name: "all", kinds }].map((group) => [group.name, ...figures(group.kinds)]);
  const head = ["class", "kinds", "documents", "shapes", "mean of JSON, bytes"];
  const align = ["l", "r", "r", "r", "r"];
  return [
    INTRODUCTION,
    markdownTable([head, ...rows], { align }),
    "",
    "A shape is an ordered list of keys. Every document of a dictionary or a table has its own. Means are over kinds.",
    "",
    "## Sources",
    "",
    sourceTable(versions),
    "",
  ].join("\n");
}

function figures(kinds: readonly Kind[]): string[] {
  const documents = kinds.reduce((sum, kind) => sum + kind.documents.length, 0);
  return [kinds.length, documents, countShapes(kinds), Math.round(meanBytes(kinds))].map(String);
}

function sourceTable(versions: Readonly<Record<string, string>>): string {
  const rows = sources.map((source) => [
    source.package,
    versions[source.package] ?? "missing",
    source.licence,
    source.taken,
    source.data ?? "",
  ]);
  return markdownTable([["package", "version", "licence", "taken", "terms of the data, if others"], ...rows]);
}
