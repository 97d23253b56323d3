import type { Cut, KindClass } from "../kind.js";

/** A table of rows, cut into single rows and into lists of rows: the records and the pages of one service. */
function table(name: string, packageName: string, file: string, path: string, lists: number): Cut[] {
  const one = { package: packageName, files: [file], path };
  return [
    { ...one, name: `${name}-record`, class: "records" },
    { ...one, name: `${name}-rows`, class: "rows", lists },
  ];
}

function vega(name: string, file: string, lists: number): Cut[] {
  return table(name, "vega-datasets", `data/${file}.json`, "*", lists);
}

function language(type: string, lists: number): Cut[] {
  return table(`subtag-${type}`, "language-subtag-registry", "data/json/registry.json", `Type=${type}`, lists);
}

function ticketing(name: string, kindClass: KindClass, path: string, rest: Partial<Cut> = {}): Cut {
  const file = "jsonexamples/citm_catalog.json";
  return { name: `concert-${name}`, class: kindClass, package: "simdjson", files: [file], path, ...rest };
}

const CONCERTS: readonly Cut[] = [
  ticketing("event", "records", "events/*"),
  ticketing("performance", "resources", "performances/*"),
  ticketing("performances", "pages", "performances/*", { lists: 3 }),
  ticketing("prices", "rows", "performances/*/prices"),
  ticketing("seats", "rows", "performances/*/seatCategories"),
];

/** Rows of tables, with numbers, text of many scripts, or both. */
export const rows: readonly Cut[] = [
  ...vega("unemployment", "unemployment-across-industries", 20),
  ...vega("penguin", "penguins", 15),
  ...vega("match", "football", 20),
  ...vega("capital", "us-state-capitals", 10),
  ...vega("contribution", "political-contributions", 4),
  ...vega("fertility", "countries", 10),
  ...vega("population", "gapminder", 20),
  ...vega("forecast", "budgets", 40),
  ...vega("obesity", "obesity", 10),
  ...vega("budget", "budget", 2),
  ...table("project", "simdjson", "jsonexamples/gsoc-2018.json", "*", 2),
  ...table("job", "simdjson", "jsonexamples/apache_builds.json", "jobs/*", 20),
  ...table("instrument", "simdjson", "jsonexamples/instruments.json", "instruments/*", 3),
  ...table("sample", "simdjson", "jsonexamples/instruments.json", "samples/*", 10),
  ...table("pattern", "simdjson", "jsonexamples/instruments.json", "patterns/*", 10),
  ...language("language", 20),
  ...language("region", 20),
  ...language("variant", 8),
  ...language("extlang", 10),
  ...table("emoji", "unicode-emoji-json", "data-by-group.json", "*/emojis/*", 12),
  ...table("time-zone", "cldr-core", "supplemental/windowsZones.json", "supplemental/windowsZones/mapTimezones/*", 15),
  ...table("country-code", "i18n-iso-countries", "codes.json", "*", 30),
  ...CONCERTS,
];
