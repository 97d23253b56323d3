// Loaded before a bundle for browsers: takes away what only Node has, so that the bundle can't live on it.
for (const name of ["Buffer", "process", "global", "setImmediate", "clearImmediate"]) delete globalThis[name];
