// What readers type into the search, where it is not the page's own word, and how much each page counts.

/** Words, and the sections that they lead to. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["csp", "msgpack.html#generated-code"],
  ["eval", "msgpack.html#generated-code"],
  ["express", "http.html#http"],
  ["fastify", "http.html#http"],
  ["koa", "http.html#http"],
  ["hono", "http.html#http"],
  ["bigint", "msgpack.html#types"],
  ["int64", "msgpack.html#types"],
  ["date", "msgpack.html#types"],
  ["go", "pck-go.html#pck-in-go"],
  ["golang", "pck-go.html#pck-in-go"],
  ["size", "benchmarks/size.html#bundle-sizes"],
  ["install", "start.html#install"],
  ["benchmark", "benchmarks/service.html#a-service-hundreds-of-kinds-of-messages-in-one-process"],
  ["benchmarks", "benchmarks/service.html#a-service-hundreds-of-kinds-of-messages-in-one-process"],
  ["speed", "benchmarks/service.html#a-service-hundreds-of-kinds-of-messages-in-one-process"],
  ["schema", "pck.html#pck"],
  ["evolution", "pck-evolution.html#changing-a-pck-schema"],
  ["error codes", "errors.html#errors"],
  ["bullmq", "redis.html#redis-and-bullmq"],
  ["migrate", "upgrading.html#upgrading-from-another-library"],
  ["deno", "runtimes.html#in-each-runtime"],
  ["bun", "runtimes.html#in-each-runtime"],
  ["browser", "runtimes.html#in-each-runtime"],
  ["playground", "playground.html#playground"],
  ["hex", "playground.html#playground"],
  ["explain bytes", "playground.html#playground"],
  ["go service", "examples/pck-go.html#a-go-service-on-the-same-schema"],
  ["express browser", "examples/http-express.html#express-and-a-page-in-messagepack-and-pck"],
  ["schema from json", "pck.html#a-schema-from-your-data"],
  ["generate types", "pck.html#a-schema-from-your-data"],
  ["last hour", "series.html#windows"],
]);

/** How much a section counts that an alias leads to: where the alias is the query, and where it is one of its words. */
const NAMED = 1000;
const MENTIONED = 2;
/** Pages that explain come before entries of the reference, tables of figures, and notes for those who change the code. */
const LATER = 0.15;
const LATER_PAGES =
  /\/(?:api|benchmarks)\/|\/(?:changelog|contributing|vectors|performance-notes|msgpack-reader-state)\.html/;
/** Examples and the list of errors come after guides. */
const LISTS = 0.5;
const LIST_PAGES = /\/(?:examples\/|errors\.html)/;

/** The words that lead to a section of a page at a place, such as `http.md`; "" for none. */
export function wordsFor(place: string, anchor: string): string {
  const section = `${place.replace(/\.md$/, ".html")}#${anchor}`;
  return [...ALIASES].flatMap(([word, target]) => (target === section ? [word] : [])).join(" ");
}

/** JavaScript of a function that returns how much a section with an id counts for a word. `query` is JavaScript of the whole query. */
export function boostSource(query: string): string {
  const aliases = JSON.stringify([...ALIASES]);
  return `((aliases, query) => (id, word) => {
    const leads = (name) => aliases.has(name) && id.endsWith("/" + aliases.get(name));
    if (leads(query)) return ${NAMED};
    if (leads(word)) return ${MENTIONED};
    return ${LATER_PAGES}.test(id) ? ${LATER} : ${LIST_PAGES}.test(id) ? ${LISTS} : 1;
  })(new Map(${aliases}), ${query}.trim().toLowerCase())`;
}
