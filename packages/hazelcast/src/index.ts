/**
 * MessagePack and PCK as the serialization of the official Hazelcast client for Node.
 *
 * @module
 */
export type { MoonpackSerialization, MsgpackOptions, SerializationOptions } from "./api.js";
export type { Attached, AttachOptions } from "./attach/attach.js";
export type { SchemaProblem } from "./attach/learner.js";
export { Packed } from "./packed.js";
export { moonpackSerialization } from "./serialization.js";
export type { SessionRecord } from "./sessions/sessions.js";
export { type SessionStore, type SessionStoreOptions, sessionStore } from "./sessions/store.js";
export type { OldSchema, StoredInstances, StoredOptions } from "./stored/definition.js";
export { type StoredBase, type StoredClass, stored } from "./stored/stored.js";
export { UndecodableError, Undecoded } from "./undecoded.js";
