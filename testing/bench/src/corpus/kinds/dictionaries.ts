import type { Cut, KindClass } from "../kind.js";

// Names of countries, by the bytes that a character of the language mostly needs in UTF-8.
const LANGUAGES: Readonly<Record<string, string>> = {
  latin: "af br ca cs cy da de en es et eu fi fr ga gl hr hu id is it lt lv nl nb pl pt ro sk sl sv tr vi",
  cyrillic: "be bg kk ky mk mn ru sr tg tt uk",
  greek: "el hy he",
  arabic: "ar fa ku ps sd ug ur",
  indic: "bn hi ml mr ta ka th km dv am",
  cjk: "ja ko zh",
};

function countries(script: string): Cut {
  return {
    name: `countries-${script}`,
    class: "dictionaries",
    package: "i18n-iso-countries",
    files: LANGUAGES[script]!.split(" ").map((language) => `langs/${language}.json`),
    path: "countries",
  };
}

function cldr(name: string, kindClass: KindClass, file: string, path: string, rest: Partial<Cut> = {}): Cut {
  return { name: `cldr-${name}`, class: kindClass, package: "cldr-core", files: [file], path, ...rest };
}

function data(name: string, kindClass: KindClass, file: string, path: string, size: number): Cut {
  return cldr(name, kindClass, `supplemental/${file}.json`, `supplemental/${path}`, { slices: size });
}

function venue(name: string): Cut {
  return {
    name: `concert-${name}`,
    class: "dictionaries",
    package: "simdjson",
    files: ["jsonexamples/citm_catalog.json"],
    path: name,
  };
}

/** Maps whose keys are data: hundreds of names with text (dictionaries) or with small records (tables). */
export const dictionaries: readonly Cut[] = [
  ...Object.keys(LANGUAGES).map(countries),
  data("likely-subtags", "dictionaries", "likelySubtags", "likelySubtags", 100),
  data("language-groups", "dictionaries", "languageGroups", "languageGroups", 20),
  data("parent-locales", "dictionaries", "parentLocales", "parentLocales/parentLocale", 50),
  data("first-days", "dictionaries", "weekData", "weekData/firstDay", 50),
  cldr("coverage", "dictionaries", "coverageLevels.json", "effectiveCoverageLevels", { slices: 60 }),
  venue("areaNames"),
  venue("seatCategoryNames"),
  venue("subTopicNames"),
  data("aliases", "tables", "aliases", "metadata/alias/territoryAlias", 20),
  data("codes", "tables", "codeMappings", "codeMappings", 25),
  data("territories", "tables", "territoryInfo", "territoryInfo", 4),
  data("territory", "records", "territoryInfo", "territoryInfo/*", 100),
  data("conversions", "tables", "units", "convertUnits", 15),
  data("numbering", "tables", "numberingSystems", "numberingSystems", 20),
  data("plurals", "tables", "plurals", "plurals-type-cardinal", 6),
  data("ordinals", "tables", "ordinals", "plurals-type-ordinal", 10),
  data("currencies", "tables", "currencyData", "currencyData/region", 15),
  data("day-periods", "tables", "dayPeriods", "dayPeriodRuleSet", 4),
  data("references", "tables", "references", "references", 10),
  data("hours", "tables", "timeData", "timeData", 20),
  cldr("script", "records", "scriptMetadata.json", "scriptMetadata/*"),
  { name: "media-types", class: "tables", package: "mime-db", files: ["db.json"], slices: 40 },
  { name: "media-type", class: "records", package: "mime-db", files: ["db.json"], path: "*", take: 100 },
  { name: "emoji-table", class: "tables", package: "unicode-emoji-json", files: ["data-by-emoji.json"], slices: 15 },
  {
    name: "subtag-index",
    class: "tables",
    package: "language-subtag-registry",
    files: ["data/json/index.json"],
    slices: 80,
  },
  {
    name: "language-index",
    class: "dictionaries",
    package: "language-subtag-registry",
    files: ["data/json/language.json"],
    slices: 150,
  },
];
