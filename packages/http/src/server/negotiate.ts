/** Chooses the format of an answer by the header Accept. */
import Negotiator from "negotiator";
import { RequestError } from "../errors.js";
import type { PckFormat } from "../formats/pck-format.js";
import { JSON_TYPE, MSGPACK_ALIASES, MSGPACK_TYPE, NDJSON_TYPE, pckType } from "../media-types.js";
import type { Settings } from "./settings.js";

/** A format that is accepted. */
export interface Offer {
  readonly kind: "msgpack" | "pck" | "json";
  /** Its Content-Type. */
  readonly type: string;
}

/** A charset in Accept. The formats have none, or UTF-8: as a parameter that they lack, it would refuse them. */
const CHARSET = /;\s*charset\s*=\s*(?:"[^"]*"|[^;,]*)/gi;

/**
 * Returns the formats that the client accepts, the preferred one first. PCK is offered only to those who name it: whoever accepts
 * anything may not have the schema. Throws a {@link RequestError} with status 406 if there is none.
 */
export function accepted(
  header: string | undefined,
  { isJsonFirst, json }: Settings,
  pck: Pick<PckFormat, "fingerprint"> | undefined,
  isStream: boolean,
): readonly Offer[] {
  // An empty header says nothing.
  const accept = header?.replace(CHARSET, "").trim() || "*/*";
  // Older names only for those who use them: a client that refuses MessagePack refuses it by any name.
  const aliases = MSGPACK_ALIASES.filter((type) => accept.toLowerCase().includes(type));
  const msgpack: Offer[] = [MSGPACK_TYPE, ...aliases].map((type) => ({ kind: "msgpack", type }));
  const jsonType = isStream ? NDJSON_TYPE : `${JSON_TYPE}; charset=utf-8`;
  const jsons: Offer[] = json ? [{ kind: "json", type: jsonType }] : [];
  const offers = isJsonFirst ? [...jsons, ...msgpack] : [...msgpack, ...jsons];
  if (pck !== undefined && /vnd\.moonpack\.pck/i.test(accept))
    offers.push({ kind: "pck", type: pckType(pck.fingerprint, isStream) });
  const byType = new Map(offers.map((offer) => [offer.type, offer]));
  const chosen = new Negotiator({ headers: { accept } })
    .mediaTypes([...byType.keys()])
    .map((type) => byType.get(type)!);
  if (chosen.length > 0) return chosen;
  const types = [MSGPACK_TYPE, ...(json ? [jsonType] : []), ...(pck ? [pckType(pck.fingerprint, isStream)] : [])];
  throw new RequestError(406, "ERR_HTTP_NOT_ACCEPTABLE", `the answer can be ${types.join(" or ")}`);
}
