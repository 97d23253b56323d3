/** The corpus is as large and as varied as the benchmark says, allowed, and always the same. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countShapes, jsonBytes, meanBytes } from "../../src/corpus/figures.ts";
import { CLASSES, LARGEST_DOCUMENT } from "../../src/corpus/kind.ts";
import { cuts } from "../../src/corpus/kinds/index.ts";
import { loadCorpus } from "../../src/corpus/load.ts";
import { PackageFiles, packageFolder } from "../../src/corpus/packages.ts";
import { corpusPage } from "../../src/corpus/page.ts";
import { ALLOWED_LICENCES, sources } from "../../src/corpus/sources.ts";

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface DataPackage {
  readonly resources: readonly { readonly path: string; readonly licenses?: readonly DataLicence[] }[];
}

/** One of these says what it is. */
interface DataLicence {
  readonly title?: string;
  readonly name?: string;
  readonly path?: string;
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

const kinds = loadCorpus();
const documents = kinds.flatMap((kind) => kind.documents);
const versions = manifest(join(import.meta.dirname, "../..")).devDependencies;

describe("the documents", () => {
  test("are of at least 150 kinds, each with unique names, and at least three in each class", () => {
    expect(kinds.length).toBeGreaterThanOrEqual(150);
    expect(new Set(kinds.map((kind) => kind.name)).size).toBe(kinds.length);
    for (const name of CLASSES) {
      expect(kinds.filter((kind) => kind.class === name).length, name).toBeGreaterThanOrEqual(3);
    }
  });

  test("have at least 600 shapes, also without those whose keys are data", () => {
    const maps = ["dictionaries", "tables"];
    expect(countShapes(kinds.filter((kind) => !maps.includes(kind.class)))).toBeGreaterThanOrEqual(600);
  });

  test("survive JSON as UTF-8 unchanged", () => {
    for (const document of documents) {
      expect(JSON.parse(Buffer.from(JSON.stringify(document)).toString())).toStrictEqual(document);
    }
  });

  test("are all different, among all kinds", () => {
    const owners = new Map<string, string>();
    for (const kind of kinds) {
      for (const document of kind.documents) {
        const text = JSON.stringify(document);
        expect(owners.get(text), `also in ${kind.name}`).toBeUndefined();
        owners.set(text, kind.name);
      }
    }
  });

  test("are neither empty nor too large, and small ones are frequent", () => {
    const sizes = documents.map(jsonBytes);
    expect(Math.min(...sizes)).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LARGEST_DOCUMENT);
    expect(meanBytes(kinds)).toBeGreaterThan(2000);
    expect(meanBytes(kinds)).toBeLessThan(2800);
    expect(kinds.filter((kind) => meanBytes([kind]) < 1024).length).toBeGreaterThan(kinds.length / 3);
  });

  test("are the same whenever they are loaded", () => {
    expect(JSON.stringify(loadCorpus())).toBe(JSON.stringify(kinds));
  });
});

describe("their sources", () => {
  test("are exactly the packages that are listed", () => {
    const used = new Set(cuts.map((cut) => cut.package));
    expect([...used].sort()).toEqual(sources.map((source) => source.package));
  });

  test("are installed in the exact versions, and have permissive licences", () => {
    for (const source of sources) {
      const { license, version } = manifest(packageFolder(source.package));
      expect(version).toBe(versions[source.package]);
      expect(license, source.package).toBe(source.licence);
      expect(ALLOWED_LICENCES).toContain(license);
    }
  });

  test("vega-datasets: each used file has its own licence, which allows it", () => {
    const { resources } = new PackageFiles().read("vega-datasets", "datapackage.json") as unknown as DataPackage;
    const files = cuts.filter((cut) => cut.package === "vega-datasets").flatMap((cut) => cut.files);
    const titles = new Map(
      resources.map(({ path, licenses }) => [
        path,
        (licenses ?? []).map((licence) => licence.title ?? licence.name ?? licence.path ?? ""),
      ]),
    );
    for (const file of new Set(files.filter((name) => name.startsWith("data/")))) {
      const found = titles.get(file.slice("data/".length)) ?? [];
      expect(found.length, file).toBeGreaterThan(0);
      for (const title of found) {
        expect(title, file).toMatch(
          /Public Domain|U\.S\. Government|Creative Commons (?:Zero|Attribution 4)|CC0|ISC|Open Government|openfootball/,
        );
      }
    }
  });

  test("a missing package or file is named", () => {
    const files = new PackageFiles();
    expect(() => files.read("moonpack-has-no-such-source", "a.json")).toThrow(/not installed: run npm ci/);
    expect(() => files.read("mime-db", "none.json")).toThrow(/mime-db has no file none\.json/);
    expect(() => files.read("mime-db", "LICENSE")).toThrow(/mime-db\/LICENSE is not JSON/);
  });

  test("the README shows them", async () => {
    await expect(corpusPage(kinds, versions)).toMatchFileSnapshot("../../src/corpus/README.md");
  });
});
