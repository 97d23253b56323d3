/** The store of express-session. */
import type { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import type { IMap } from "hazelcast-client";
import { countOption, invalidArgument, optionsObject, ownOption } from "moonpack/bytes";
import { textOption } from "../options.js";
import { type SessionRecord, Sessions } from "./sessions.js";

/** Options of {@link sessionStore}. */
export interface SessionStoreOptions {
  /** Milliseconds that a session lives whose cookie has no date of expiry. Default: a day. */
  readonly ttlMillis?: number;
  /** Text in front of the session's id in keys. Default: none. */
  readonly prefix?: string;
}

/** A `Store` of express-session. `regenerate`, `load` and `createSession` are express-session's own, and called by it. */
export interface SessionStore extends EventEmitter {
  get(id: string, callback: (error: unknown, session?: never) => void): void;
  set(id: string, session: SessionRecord, callback?: (error?: unknown) => void): void;
  destroy(id: string, callback?: (error?: unknown) => void): void;
  touch(id: string, session: SessionRecord, callback?: (error?: unknown) => void): void;
  all(callback: (error: unknown, sessions?: never) => void): void;
  length(callback: (error: unknown, length?: number) => void): void;
  clear(callback?: (error?: unknown) => void): void;
  regenerate(request: never, callback: (error?: unknown) => void): void;
  load(id: string, callback: (error: unknown, session?: never) => void): void;
  createSession(request: never, session: never): never;
}

const DAY = 86_400_000;

/**
 * Returns a store of express-session whose sessions are entries of a map. A session lives as long as its cookie. With our
 * serialization it is MessagePack, which keeps dates, Maps and bytes. Needs the package express-session.
 *
 * @throws MoonpackError `ERR_INVALID_ARGUMENT` for an invalid option, or if express-session is not installed
 * @example
 * app.use(session({ store: sessionStore(await client.getMap("sessions")), secret, resave: false, saveUninitialized: false }));
 */
export function sessionStore(map: IMap<string, unknown>, options?: SessionStoreOptions): SessionStore {
  const given = optionsObject(options);
  const ttl = countOption("ttlMillis", ownOption(given, "ttlMillis"), DAY, 1, Number.MAX_SAFE_INTEGER);
  const sessions = new Sessions(map, ttl, textOption("prefix", ownOption(given, "prefix"), ""));
  const Store = expressStore();
  const store = new Store();
  return Object.assign(store, {
    get: (id: string, callback: Answer) => answer(sessions.get(id), callback),
    set: (id: string, session: SessionRecord, callback?: Answer) => answer(sessions.set(id, session), callback),
    destroy: (id: string, callback?: Answer) => answer(sessions.destroy(id), callback),
    touch: (id: string, session: SessionRecord, callback?: Answer) => answer(sessions.touch(id, session), callback),
    all: (callback: Answer) => answer(sessions.all(), callback),
    length: (callback: Answer) => answer(sessions.count(), callback),
    clear: (callback?: Answer) => answer(sessions.clear(), callback),
  });
}

type Answer = (error: unknown, result?: never) => void;

/** What express-session's base class has; sessionStore adds the rest. */
type BaseStore = new () => EventEmitter & Pick<SessionStore, "regenerate" | "load" | "createSession">;

/** Loaded at the first store: who has no sessions need not install it. */
function expressStore(): BaseStore {
  try {
    return (createRequire(import.meta.url)("express-session") as { Store: BaseStore }).Store;
  } catch (error) {
    throw invalidArgument("sessionStore needs the package express-session", error);
  }
}

/** Calls back in a turn of its own: what the callback throws is no failure of the map. */
function answer(work: Promise<unknown>, callback: Answer = () => undefined): void {
  work.then(
    (result) => setImmediate(callback, null, result as never),
    (error: unknown) => setImmediate(callback, error),
  );
}
