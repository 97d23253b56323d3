/** Reads and writes sessions as entries of a map. */
import { type IMap, type Predicate, Predicates } from "hazelcast-client";
import { invalidArgument, recordOf as ownRecord } from "moonpack/bytes";
import { Undecoded } from "../undecoded.js";

/** A session, as express-session passes it and as it is read back. */
export interface SessionRecord {
  /** The cookie of express-session. Its expiry date limits the life of the entry. */
  readonly cookie: object;
}

/** Members count times to live in whole seconds and round the start down: an entry may expire up to a second early. */
const SECOND_MS = 1000;

/** Sessions in a map. An entry expires with its cookie. */
export class Sessions {
  readonly #map: IMap<string, unknown>;
  readonly #ttlMs: number;
  readonly #prefix: string;
  /** The records that `get` has returned. Requests change them, so none may be returned twice. */
  readonly #returned = new WeakSet<object>();

  constructor(map: IMap<string, unknown>, ttlMs: number, prefix: string) {
    this.#map = map;
    this.#ttlMs = ttlMs;
    this.#prefix = prefix;
  }

  async get(id: string): Promise<SessionRecord | null> {
    const record = recordOf(await this.#map.get(this.#prefix + id));
    if (record === null || isExpired(record)) return null;
    if (this.#returned.has(record))
      throw invalidArgument("requests would share one session object: set the near cache of the map to BINARY");
    this.#returned.add(record);
    return withCurrentExpiry(record);
  }

  async set(id: string, session: SessionRecord): Promise<void> {
    const ttl = this.#ttlOf(session);
    if (ttl === null) await this.destroy(id);
    else await this.#map.set(this.#prefix + id, plain(session), ttl);
  }

  /** Renews the time to live of a session from its cookie. */
  async touch(id: string, session: SessionRecord): Promise<void> {
    const ttl = this.#ttlOf(session);
    if (ttl === null) await this.destroy(id);
    else await this.#map.setTtl(this.#prefix + id, ttl);
  }

  async destroy(id: string): Promise<void> {
    await this.#map.delete(this.#prefix + id);
  }

  async all(): Promise<{ [id: string]: SessionRecord }> {
    const entries = await this.#map.entrySetWithPredicate(this.#withPrefix());
    const records = entries.map(([key, value]) => [key.slice(this.#prefix.length), recordOf(value)] as const);
    return ownRecord(
      records.flatMap(([id, record]) =>
        record === null || isExpired(record) ? [] : [[id, withCurrentExpiry(record)] as const],
      ),
    );
  }

  async count(): Promise<number> {
    if (this.#prefix === "") return this.#map.size();
    return (await this.#map.keySetWithPredicate(this.#withPrefix())).length;
  }

  async clear(): Promise<void> {
    if (this.#prefix === "") await this.#map.clear();
    else await this.#map.removeAll(this.#withPrefix());
  }

  /** Returns the predicate for keys that begin with the prefix. */
  #withPrefix(): Predicate {
    if (this.#prefix === "") return Predicates.alwaysTrue();
    // Not `like`, which cannot escape a backslash. `(?s)`: ids may contain line breaks.
    return Predicates.regex("__key", `(?s)${this.#prefix.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}.*`);
  }

  /** Returns the time to live of an entry in ms, 1 to 2 s longer than the session's; null if the session has expired. */
  #ttlOf({ cookie }: SessionRecord): number | null {
    if (typeof cookie !== "object" || cookie === null) throw invalidArgument("a session needs a cookie");
    const until = expiryOf(cookie);
    const ttl = Number.isNaN(until) ? this.#ttlMs : until - Date.now();
    return ttl <= 0 ? null : (Math.ceil(ttl / SECOND_MS) + 1) * SECOND_MS;
  }
}

/** Returns the session in an entry; null for a missing entry. Error texts do not contain the id, which is a secret. */
function recordOf(value: unknown): SessionRecord | null {
  if (value instanceof Undecoded) throw value.error;
  if (value === null || value === undefined) return null;
  const { cookie } = value as { readonly cookie?: unknown };
  if (typeof cookie === "object" && cookie !== null) return value as SessionRecord;
  throw invalidArgument("map entry is not a session: it has no cookie");
}

/**
 * Returns a session with an expiry date in the future. `touch` renews the entry's time to live, but not the stored date: writing the
 * session again could undo another request's write. So a live entry may have a date in the past, and express-session's `save` would
 * write it back as an expired session.
 */
function withCurrentExpiry(session: SessionRecord): SessionRecord {
  const { cookie } = session;
  const { originalMaxAge } = cookie as { readonly originalMaxAge?: unknown };
  if (typeof originalMaxAge !== "number" || !(originalMaxAge > 0) || !(expiryOf(cookie) <= Date.now())) return session;
  return { ...session, cookie: { ...cookie, expires: new Date(Date.now() + originalMaxAge) } };
}

/** True if a session has expired and `touch` cannot have renewed it. Its entry lives up to 2 s longer. */
function isExpired({ cookie }: SessionRecord): boolean {
  const { originalMaxAge } = cookie as { readonly originalMaxAge?: unknown };
  return typeof originalMaxAge !== "number" && expiryOf(cookie) <= Date.now();
}

/** Returns the expiry date of a cookie in milliseconds; NaN if it has no date. */
function expiryOf(cookie: object): number {
  const { expires } = cookie as { readonly expires?: unknown };
  return expires instanceof Date ? expires.getTime() : typeof expires === "string" ? Date.parse(expires) : Number.NaN;
}

/** Returns a plain copy: session and cookie are class instances, and the cookie's data is in its `toJSON`. */
function plain(session: SessionRecord): object {
  const { cookie } = session as { readonly cookie: { toJSON?(): object } };
  return { ...session, cookie: typeof cookie.toJSON === "function" ? cookie.toJSON() : { ...cookie } };
}
