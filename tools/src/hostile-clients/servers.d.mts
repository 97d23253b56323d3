import type { Example } from "../pages.mjs";

export function serversInPages(runtime: "node" | "hazelcast" | "redis"): Example[];
export function request(line: string, type?: string, body?: string): Buffer;
export function handshake(target: string): Buffer;
export function packetsFor(code: string, encode: (packet: unknown) => Uint8Array): Uint8Array[][];
