/** Chooses the format of an answer by the header Accept. */
import { parse } from "content-type";
import Negotiator from "negotiator";
import { RequestError } from "../errors.js";
import type { PckFormat } from "../formats/pck-format.js";
import { isMsgpack, JSON_TYPE, MSGPACK_ALIASES, MSGPACK_TYPE, NDJSON_TYPE, pckType } from "../media-types.js";
import type { Settings } from "./settings.js";

/** A format that is accepted. */
export interface Offer {
  readonly kind: "msgpack" | "pck" | "json";
  /** Its Content-Type. */
  readonly type: string;
}

/** A charset in Accept. It is ignored: as a parameter, it would exclude the formats, which have no charset or UTF-8. */
const CHARSET = /;\s*charset\s*=\s*(?:"[^"]*"|[^;,]*)/gi;

/** A weight (RFC 9110, 12.4.2), with any number of digits. */
const WEIGHT = /^(?:0?\.\d+|0\.?|1(?:\.0*)?)$/;

/** A media range of the header. */
interface Range {
  /** Its name without parameters, in lower case. */
  readonly essence: string;
  /** The range as the client wrote it. */
  readonly text: string;
  readonly weight: number;
  /** True if it has parameters beside its weight, so it matches only some types with its name. */
  readonly isNarrow: boolean;
}

/**
 * Returns the formats that the client accepts, the preferred one first. PCK is offered only to clients that name it: a client that
 * accepts any type may not have the schema. Throws a {@link RequestError} with status 406 if there is none.
 */
export function accepted(
  header: string | undefined,
  { isJsonFirst, json }: Settings,
  pck: Pick<PckFormat, "fingerprint"> | undefined,
  isStream: boolean,
): readonly Offer[] {
  const ranges = rangesOf(header?.replace(CHARSET, "") ?? "");
  const isNamed = (type: string): boolean => {
    const naming = ranges.filter(({ essence }) => type === essence || type.startsWith(`${essence};`));
    return naming.length > 0 && matching(naming, [type]).length > 0;
  };
  // Older names only for clients that use them.
  const names = refusesMsgpack(ranges) ? [] : [MSGPACK_TYPE, ...MSGPACK_ALIASES.filter(isNamed)];
  const msgpack: Offer[] = names.map((type) => ({ kind: "msgpack", type }));
  const jsonType = isStream ? NDJSON_TYPE : `${JSON_TYPE}; charset=utf-8`;
  const jsons: Offer[] = json ? [{ kind: "json", type: jsonType }] : [];
  const offers = isJsonFirst ? [...jsons, ...msgpack] : [...msgpack, ...jsons];
  const pckName = pck && pckType(pck.fingerprint, isStream);
  if (pckName !== undefined && isNamed(pckName)) offers.push({ kind: "pck", type: pckName });
  const byType = new Map(offers.map((offer) => [offer.type, offer]));
  const chosen = matching(ranges, [...byType.keys()]).map((type) => byType.get(type)!);
  if (chosen.length > 0) return chosen;
  const types = [MSGPACK_TYPE, ...(json ? [jsonType] : []), ...(pckName === undefined ? [] : [pckName])];
  throw new RequestError(406, "ERR_HTTP_NOT_ACCEPTABLE", `the answer can be ${types.join(" or ")}`);
}

/**
 * Returns the ranges of a header. An empty header, or one with only empty elements, counts as a range for all types. A range with an
 * invalid weight is left out.
 */
function rangesOf(header: string): readonly Range[] {
  const ranges: Range[] = [];
  let isEmpty = true;
  for (let at = 0; at < header.length; ) {
    const { type: essence, parameters, index } = parse(header, { comma: true, start: at });
    const text = header.slice(at, index);
    at = index + 1;
    if (text.trim() === "") continue;
    isEmpty = false;
    const { q = "1", ...others } = parameters;
    if (WEIGHT.test(q)) ranges.push({ essence, text, weight: Number(q), isNarrow: Object.keys(others).length > 0 });
  }
  return isEmpty ? rangesOf("*/*") : ranges;
}

/** True for a client that excludes MessagePack by one of its names and accepts it by none: then all names are excluded. */
function refusesMsgpack(ranges: readonly Range[]): boolean {
  const naming = ranges.filter(({ essence }) => isMsgpack(essence));
  return naming.some(({ weight, isNarrow }) => weight === 0 && !isNarrow) && naming.every(({ weight }) => weight === 0);
}

/** Returns the types that the ranges accept, the preferred one first. */
function matching(ranges: readonly Range[], types: string[]): string[] {
  return new Negotiator({ headers: { accept: ranges.map(({ text }) => text).join(",") } }).mediaTypes(types);
}
