/** Packages of the documents, with their licences. */
export interface Source {
  readonly package: string;
  /** As in its package.json. The test compares both. */
  readonly licence: string;
  /** The part that is taken. */
  readonly taken: string;
  /** Terms of the data, if they differ from the package's licence. */
  readonly data?: string;
}

/** Licences that allow any use of the documents. These are read from packages, not copied into ours. */
export const ALLOWED_LICENCES: readonly string[] = [
  "MIT",
  "ISC",
  "BSD-3-Clause",
  "Apache-2.0",
  "Unicode-3.0",
  "CC0-1.0",
];

/** Every package that the kinds are cut from. Versions are in package.json. */
export const sources: readonly Source[] = [
  {
    package: "@mdn/browser-compat-data",
    licence: "CC0-1.0",
    taken: "statements of support, statuses, and releases of browsers",
  },
  {
    package: "@metamask/api-specs",
    licence: "Apache-2.0",
    taken: "methods and schemas of Ethereum's JSON-RPC, example calls with their results",
  },
  {
    package: "@octokit/fixtures",
    licence: "MIT",
    taken: "recorded exchanges with the API of GitHub, raw and normalized, and their responses",
  },
  {
    package: "@octokit/webhooks-examples",
    licence: "MIT",
    taken: "webhooks of GitHub, and the resources in them",
  },
  { package: "@open-rpc/examples", licence: "Apache-2.0", taken: "descriptions of services, and their methods" },
  { package: "@serverless/event-mocks", licence: "Apache-2.0", taken: "the sample event of each service of AWS" },
  {
    package: "cldr-core",
    licence: "Unicode-3.0",
    taken: "Unicode's tables of languages, territories, units and scripts",
  },
  {
    package: "devtools-protocol",
    licence: "BSD-3-Clause",
    taken: "commands, events and types of Chrome's protocol",
  },
  { package: "i18n-iso-countries", licence: "MIT", taken: "names of countries in 66 languages, and their codes" },
  {
    package: "language-subtag-registry",
    licence: "CC0-1.0",
    taken: "IANA's registry of languages, regions and variants, and its indexes",
  },
  { package: "mime-db", licence: "MIT", taken: "media types" },
  {
    package: "simdjson",
    licence: "Apache-2.0",
    taken:
      "the documents that JSON parsers are measured with: tweets, GitHub's timeline, concerts, plugins and jobs of " +
      "Jenkins, projects of Google's Summer of Code, instruments, models, Canada's borders, a distance matrix. " +
      "Of these, random.json, numbers.json and the adversarial files are made up and not taken",
    data: "of their publishers; collected as benchmarks, only read",
  },
  { package: "unicode-emoji-json", licence: "MIT", taken: "emoji" },
  {
    package: "vega-datasets",
    licence: "BSD-3-Clause",
    taken: "earthquakes, maps, rows of statistics, and the manifests of its data sets",
    data: "for each file in its datapackage.json: public domain, CC0, CC BY 4.0, ISC, or Open Government Licence",
  },
];
