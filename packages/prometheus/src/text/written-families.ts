/** The families that a format writes for a family: their names, types and the names of their samples. */
import { describe, invalidArgument, ownOptions } from "moonpack/bytes";
import { type MetricFamily, type MetricSample, type MetricType, SUFFIXES, type TextFormat } from "./types.js";

/** A family as it is written. */
export interface WrittenFamily {
  readonly name: string;
  /** The type, by its name in the format. */
  readonly type: string;
  readonly help: string | undefined;
  readonly unit: string | undefined;
  /** The samples with their names in the format. */
  readonly samples: (readonly [string, MetricSample])[];
}

/** Types that Prometheus' own format writes as others. */
const WRITTEN_AS: ReadonlyMap<MetricType, string> = /* @__PURE__ */ new Map<MetricType, string>([
  ["unknown", "untyped"],
  ["info", "gauge"],
  ["stateset", "gauge"],
  ["gaugehistogram", "histogram"],
]);
/** Samples that are families of gauges in Prometheus' own format. */
const ASIDE = ["_created", "_gsum", "_gcount"];

/** Returns the families that are written for a family. Throws `ERR_INVALID_ARGUMENT`. */
export function writtenFamilies(family: MetricFamily, format: TextFormat): readonly WrittenFamily[] {
  const given = ownOptions(family, "a family");
  const { name, type = "unknown", samples } = given;
  if (typeof name !== "string" || name === "") throw invalidArgument("the name of a family must be a text");
  if (!SUFFIXES.has(type)) throw invalidArgument(`${JSON.stringify(name)}: ${describe(type)} is not a type of metrics`);
  if (!Array.isArray(samples)) throw invalidArgument(`${JSON.stringify(name)}: samples must be an array`);
  return format === "openmetrics" ? [openFamily(given, type)] : plainFamilies(given, type);
}

function openFamily({ name, help, unit, samples }: MetricFamily, type: MetricType): WrittenFamily {
  const ending = type === "counter" ? "_total" : type === "info" ? "_info" : "";
  // A name that is only the ending stays: no family has an empty name.
  const hasEnding = ending !== "" && name.length > ending.length && name.endsWith(ending);
  const base = hasEnding ? name.slice(0, -ending.length) : name;
  if (unit && !base.endsWith(`_${unit}`))
    throw invalidArgument(`${JSON.stringify(name)} must end in _ and its unit ${JSON.stringify(unit)}`);
  const written: WrittenFamily["samples"] = [];
  for (const sample of samples) {
    const suffix = suffixOf(sample, name, base, type);
    written.push([base + (suffix === "" ? ending : suffix), sample]);
  }
  return { name: base, type, help, unit, samples: written };
}

/** Families of which each has the name of its samples, as Prometheus' own format needs it. */
function plainFamilies({ name, help, samples }: MetricFamily, type: MetricType): readonly WrittenFamily[] {
  const families = new Map<string, WrittenFamily>();
  const add = (familyName: string, familyType: string): WrittenFamily => {
    let family = families.get(familyName);
    family ??= { name: familyName, type: familyType, help, unit: undefined, samples: [] };
    families.set(familyName, family);
    return family;
  };
  const hasOwnNames = type === "counter" || type === "info";
  if (!hasOwnNames || samples.length === 0) add(name, WRITTEN_AS.get(type) ?? type);
  for (const sample of samples) {
    const suffix = suffixOf(sample, name, name, type);
    const isAside = ASIDE.includes(suffix);
    const family =
      isAside || hasOwnNames ? add(sample.name, isAside ? "gauge" : (WRITTEN_AS.get(type) ?? type)) : add(name, "");
    family.samples.push([sample.name, sample]);
  }
  return [...families.values()];
}

/** Returns the rest of a sample's name after the name of its family. */
function suffixOf(sample: MetricSample, name: string, base: string, type: MetricType): string {
  if (typeof sample !== "object" || sample === null) throw invalidArgument(`a sample is not ${describe(sample)}`);
  const text = String(sample.name);
  const start = [name, base].find((each) => text.startsWith(each));
  const found = start === undefined ? undefined : text.slice(start.length);
  if (found === "" || (found !== undefined && SUFFIXES.get(type)!.includes(found))) return found;
  throw invalidArgument(`a sample ${JSON.stringify(sample.name)} does not belong to a ${type} ${JSON.stringify(name)}`);
}
