/** Sessions as entries of a map. */
import { type IMap, type Predicate, Predicates } from "hazelcast-client";
import { invalidArgument, recordOf as ownRecord } from "moonpack/bytes";
import { Undecoded } from "../undecoded.js";

/** A session as express-session gives it, and as it is read again. */
export interface SessionRecord {
  readonly cookie: object;
}

/** Members count times to live in whole seconds, from a start that they round down: an entry may end a second early. */
const SECOND_MS = 1000;

/** Reads and writes sessions. Entries live as long as their cookies. */
export class Sessions {
  readonly #map: IMap<string, unknown>;
  readonly #ttlMillis: number;
  readonly #prefix: string;
  /** What `get` has returned: requests change their sessions. */
  readonly #given = new WeakSet<object>();

  constructor(map: IMap<string, unknown>, ttlMillis: number, prefix: string) {
    this.#map = map;
    this.#ttlMillis = ttlMillis;
    this.#prefix = prefix;
  }

  async get(id: string): Promise<SessionRecord | null> {
    const record = recordOf(await this.#map.get(this.#prefix + id));
    if (record === null || isOver(record)) return null;
    if (this.#given.has(record))
      throw invalidArgument("requests would share a session: the near cache of its map must hold bytes (BINARY)");
    this.#given.add(record);
    return current(record);
  }

  async set(id: string, session: SessionRecord): Promise<void> {
    const ttl = this.#ttlOf(session);
    if (ttl === null) await this.destroy(id);
    else await this.#map.set(this.#prefix + id, plain(session), ttl);
  }

  /** Prolongs a session's life by what its cookie says. */
  async touch(id: string, session: SessionRecord): Promise<void> {
    const ttl = this.#ttlOf(session);
    if (ttl === null) await this.destroy(id);
    else await this.#map.setTtl(this.#prefix + id, ttl);
  }

  async destroy(id: string): Promise<void> {
    await this.#map.delete(this.#prefix + id);
  }

  async all(): Promise<{ [id: string]: SessionRecord }> {
    const entries = await this.#map.entrySetWithPredicate(this.#ours());
    const records = entries.map(([key, value]) => [key.slice(this.#prefix.length), recordOf(value)] as const);
    return ownRecord(
      records.flatMap(([id, record]) => (record === null || isOver(record) ? [] : [[id, current(record)] as const])),
    );
  }

  async count(): Promise<number> {
    if (this.#prefix === "") return this.#map.size();
    return (await this.#map.keySetWithPredicate(this.#ours())).length;
  }

  async clear(): Promise<void> {
    if (this.#prefix === "") await this.#map.clear();
    else await this.#map.removeAll(this.#ours());
  }

  /** The keys that begin with the prefix. */
  #ours(): Predicate {
    if (this.#prefix === "") return Predicates.alwaysTrue();
    // Not `like`, which has no escape for a backslash. `(?s)`: ids may have line breaks.
    return Predicates.regex("__key", `(?s)${this.#prefix.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}.*`);
  }

  /** Milliseconds that the entry of a session has to live, which is 1 to 2 s more than its own; null if it has expired. */
  #ttlOf({ cookie }: SessionRecord): number | null {
    if (typeof cookie !== "object" || cookie === null) throw invalidArgument("a session needs a cookie");
    const until = endOf(cookie);
    const ttl = Number.isNaN(until) ? this.#ttlMillis : until - Date.now();
    return ttl <= 0 ? null : (Math.ceil(ttl / SECOND_MS) + 1) * SECOND_MS;
  }
}

/** A session, as it is stored; null for none. The texts of errors do not name its id, which is a secret. */
function recordOf(value: unknown): SessionRecord | null {
  if (value instanceof Undecoded) throw value.error;
  if (value === null || value === undefined) return null;
  const { cookie } = value as { readonly cookie?: unknown };
  if (typeof cookie === "object" && cookie !== null) return value as SessionRecord;
  throw invalidArgument("an entry of the map is no session: it has no cookie");
}

/**
 * A session whose cookie has not ended. `touch` prolongs the life of an entry, not the date in it, since writing the session again
 * could undo another request's write. So the date of an entry that is still there may be over, and express-session's `save` would
 * write it again as a session that has expired.
 */
function current(session: SessionRecord): SessionRecord {
  const { cookie } = session;
  const { originalMaxAge } = cookie as { readonly originalMaxAge?: unknown };
  if (typeof originalMaxAge !== "number" || !(originalMaxAge > 0) || !(endOf(cookie) <= Date.now())) return session;
  return { ...session, cookie: { ...cookie, expires: new Date(Date.now() + originalMaxAge) } };
}

/** True for a session whose date is over, unless `touch` may have moved its end. Its entry lives up to 2 s longer. */
function isOver({ cookie }: SessionRecord): boolean {
  const { originalMaxAge } = cookie as { readonly originalMaxAge?: unknown };
  return typeof originalMaxAge !== "number" && endOf(cookie) <= Date.now();
}

/** When a cookie ends, in milliseconds; NaN if it has no date. */
function endOf(cookie: object): number {
  const { expires } = cookie as { readonly expires?: unknown };
  return expires instanceof Date ? expires.getTime() : typeof expires === "string" ? Date.parse(expires) : Number.NaN;
}

/** Session and cookie are instances of classes: their own properties, and what the cookie has as JSON. */
function plain(session: SessionRecord): object {
  const { cookie } = session as { readonly cookie: { toJSON?(): object } };
  return { ...session, cookie: typeof cookie.toJSON === "function" ? cookie.toJSON() : { ...cookie } };
}
