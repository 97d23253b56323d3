// Reads the report of a runtime and compares it with another's: every runtime must have the same suites and tests.

/** The number of suites and passed tests, and the failures as text. */
export function summaryOf(report) {
  const suites = report?.suites ?? [];
  const failures = suites.flatMap(({ suite, failures }) =>
    failures.map(({ name, error }) => `${suite}: ${name}\n${error}`),
  );
  const tests = suites.reduce((sum, suite) => sum + suite.tests.length, 0);
  return { suites: suites.length, passed: tests - failures.length, failures };
}

/** Missing and additional suites, and tests of the wanted suites that only one of the two runtimes has. */
export function differences(wanted, other, report) {
  const found = [];
  const suitesOf = ({ suites }) => new Map(suites.map(({ suite, tests }) => [suite, tests]));
  const mine = suitesOf(report);
  found.push(...only(wanted, [...mine.keys()], "suite"));
  for (const [suite, tests] of suitesOf(other))
    if (wanted.includes(suite)) found.push(...only(tests, mine.get(suite) ?? [], `${suite}: test`));
  return found;
}

function only(wanted, present, what) {
  const missing = wanted.filter((name) => !present.includes(name));
  const more = present.filter((name) => !wanted.includes(name));
  const counts = wanted.length === present.length ? [] : [`${what}s: ${present.length}, not ${wanted.length}`];
  return [
    ...missing.map((name) => `${what} missing: ${name}`),
    ...more.map((name) => `${what} only in this runtime: ${name}`),
    ...(missing.length + more.length === 0 ? counts : []),
  ];
}
