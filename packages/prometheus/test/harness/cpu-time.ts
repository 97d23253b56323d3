/** The processor time of this process in milliseconds. Other processes do not count, so it may decide a test. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
