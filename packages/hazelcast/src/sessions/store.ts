/** A session store for express-session. */
import type { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import type { IMap } from "hazelcast-client";
import {
  type Duration,
  durationOption,
  invalidArgument,
  optionsObject,
  ownOption,
  refuseUnknown,
} from "moonpack/bytes";
import { textOption } from "../options.js";
import { type SessionRecord, Sessions } from "./sessions.js";

/** Options of {@link sessionStore}. */
export interface SessionStoreOptions {
  /** Time to live of sessions whose cookie has no expiry date: milliseconds, or a text such as `"2h"`. Default one day. */
  readonly ttl?: Duration;
  /** Prefix of the session's id in keys. Default: empty. */
  readonly prefix?: string;
}

/** A `Store` of express-session. `regenerate`, `load` and `createSession` are inherited, and called by express-session. */
export interface SessionStore extends EventEmitter {
  /** Reads a session. */
  get(id: string, callback: (error: unknown, session?: never) => void): void;
  /** Writes a session, which expires with its cookie. */
  set(id: string, session: SessionRecord, callback?: (error?: unknown) => void): void;
  /** Deletes a session. */
  destroy(id: string, callback?: (error?: unknown) => void): void;
  /** Extends the life of a session. */
  touch(id: string, session: SessionRecord, callback?: (error?: unknown) => void): void;
  /** Reads all sessions. */
  all(callback: (error: unknown, sessions?: never) => void): void;
  /** Counts the sessions. */
  length(callback: (error: unknown, length?: number) => void): void;
  /** Deletes all sessions. */
  clear(callback?: (error?: unknown) => void): void;
  /** Replaces the session of a request by a new one. */
  regenerate(request: never, callback: (error?: unknown) => void): void;
  /** Reads a session and restores its methods. */
  load(id: string, callback: (error: unknown, session?: never) => void): void;
  /** Restores a session of a request from its data. */
  createSession(request: never, session: never): never;
}

const DAY_MS = 86_400_000;
const OPTIONS = ["ttl", "prefix"];

/**
 * Returns a store for express-session that keeps sessions in a map. A session expires with its cookie. With
 * `moonpackSerialization` sessions are MessagePack, which keeps dates, Maps and bytes. Needs the package express-session.
 *
 * @throws MoonpackError `ERR_INVALID_ARGUMENT` for an invalid argument, or if express-session is not installed
 * @example
 * app.use(session({ store: sessionStore(await client.getMap("sessions")), secret, resave: false, saveUninitialized: false }));
 */
export function sessionStore(map: IMap<string, unknown>, options?: SessionStoreOptions): SessionStore {
  if (typeof map?.set !== "function") throw invalidArgument("sessionStore needs a map of hazelcast-client");
  const given = optionsObject(options);
  refuseUnknown(given, OPTIONS);
  const ttl = durationOption("ttl", ownOption(given, "ttl"), DAY_MS, 1, Number.MAX_SAFE_INTEGER);
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

/** Express-session's base class. sessionStore adds the other methods. */
type BaseStore = new () => EventEmitter & Pick<SessionStore, "regenerate" | "load" | "createSession">;

/** Loads express-session on the first call, so that programs without sessions need not install it. */
function expressStore(): BaseStore {
  try {
    return (createRequire(import.meta.url)("express-session") as { Store: BaseStore }).Store;
  } catch (error) {
    throw invalidArgument("sessionStore needs the package express-session", error);
  }
}

/** Calls back in a separate task, so that an exception of the callback is not taken for an error of the map. */
function answer(work: Promise<unknown>, callback: Answer = () => undefined): void {
  work.then(
    (result) => setImmediate(callback, null, result as never),
    (error: unknown) => setImmediate(callback, error),
  );
}
