import type * as Protobuf from "protobufjs";

export const protobuf: typeof Protobuf;
export const minimal: typeof Protobuf;
export const Long: typeof import("long").default;
export function generate(file: string): string;
export function load(code: string): { [name: string]: unknown };
export function descriptorOf(source: string, name: string): Uint8Array;
