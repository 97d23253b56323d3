// Setup of all test files: a warning that a test waits for is not printed. Node's own printing is off (--no-warnings).
const MARK = Symbol.for("moonpack.test.warnings");

if (!process.listeners("warning").some((listener) => MARK in listener)) {
  const print = (warning) => {
    // This listener is one; a test that expects warnings has another.
    if (process.listenerCount("warning") === 1) console.error(warning);
  };
  process.on("warning", Object.assign(print, { [MARK]: true }));
}
