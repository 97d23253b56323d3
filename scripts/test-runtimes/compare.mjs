// What a runtime's report says, and where it differs from another's: every runtime has the same suites with the same tests.

/** How many suites and passed tests, and what failed, in words. */
export function summaryOf(report) {
  const suites = report?.suites ?? [];
  const failures = suites.flatMap(({ suite, failures }) =>
    failures.map(({ name, error }) => `${suite}: ${name}\n${error}`),
  );
  const tests = suites.reduce((sum, suite) => sum + suite.tests.length, 0);
  return { suites: suites.length, passed: tests - failures.length, failures };
}

/** Suites that are wanted and not there or the other way round, and tests that another runtime has and this one has not. */
export function differences(wanted, other, report) {
  const found = [];
  const suitesOf = ({ suites }) => new Map(suites.map(({ suite, tests }) => [suite, tests]));
  const mine = suitesOf(report);
  found.push(...only(wanted, [...mine.keys()], "suite"));
  for (const [suite, tests] of suitesOf(other)) found.push(...only(tests, mine.get(suite) ?? [], `${suite}: test`));
  return found;
}

function only(wanted, present, what) {
  const missing = wanted.filter((name) => !present.includes(name));
  const more = present.filter((name) => !wanted.includes(name));
  const counts = wanted.length === present.length ? [] : [`${what}s: ${present.length}, not ${wanted.length}`];
  return [
    ...missing.map((name) => `${what} missing: ${name}`),
    ...more.map((name) => `${what} of this runtime alone: ${name}`),
    ...(missing.length + more.length === 0 ? counts : []),
  ];
}
