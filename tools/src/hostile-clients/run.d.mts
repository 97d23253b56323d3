/** The result of a program. */
export interface Done {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The bytes that each connection of the program's own clients has sent. */
  readonly sent: readonly Buffer[];
}

/** How a program runs. */
export interface How {
  readonly cwd: string;
  readonly delaysClients: boolean;
  /** Called with the port of each server, and with the function that lets its clients continue. */
  readonly listening: (port: number, release: (port: number) => void) => void | Promise<void>;
}

export function start(args: readonly string[], how: How): { kill(): void; ended: Promise<Done> };
export function runWithHostileClients(
  args: readonly string[],
  options: { readonly cwd: string; readonly frames?: readonly Uint8Array[][]; readonly patience?: number },
): Promise<Done & { readonly servers: number; readonly visits: number }>;
