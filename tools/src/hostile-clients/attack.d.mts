/** How a client leaves. `stay` waits until the server ends the connection, or for a while. */
export type Leave = "end" | "reset" | "answered" | "reset-answered" | "stay";

export function attack(port: number, seeds: readonly Buffer[], frames?: readonly Uint8Array[][]): Promise<number>;
export function visit(port: number, parts: readonly Uint8Array[], leave: Leave, patience?: number): Promise<Buffer>;
