/** The exit codes that shells use for these signals: 128 plus the signal's number. */
export const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;
