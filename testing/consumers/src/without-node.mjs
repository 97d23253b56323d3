// Loaded before a bundle for browsers: removes Node's globals, so that the bundle cannot use them.
for (const name of ["Buffer", "process", "global", "setImmediate", "clearImmediate"]) delete globalThis[name];
