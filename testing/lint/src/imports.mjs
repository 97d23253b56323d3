// The imports of a source tree, as arrows between its files.
import { sourceFile, sourceOf, specifiersOf, targetsOf } from "./specifiers.mjs";

/**
 * The arrows of these files: for each path the paths that it imports. `load`: only what is evaluated when the file is
 * loaded; otherwise types and `import()` in functions too. Paths are relative to the repository's root.
 */
export function arrowsOf(paths, root, { load }) {
  const known = new Set(paths);
  return new Map(paths.map((path) => [path, importsOf(path, root, known, load)]));
}

function importsOf(path, root, known, load) {
  const found = new Set();
  for (const { name, when } of specifiersOf(sourceOf(path, root))) {
    if (name === null || (load && when !== "load")) continue;
    for (const target of targetsOf(path, name, root)?.files ?? []) {
      // TypeScript's imports name the file that will be built.
      const to = [sourceFile(target), target.replace(/\.([cm]?)js(x?)$/, ".$1ts$2")].find((file) => known.has(file));
      if (to !== undefined) found.add(to);
    }
  }
  return [...found];
}

/** The circles among nodes: for each group of nodes that reach each other, the shortest that goes through its first node. */
export function circlesOf(arrows) {
  return groupsOf(arrows).map((group) => shortestCircle(arrows, new Set(group)));
}

/** The groups of nodes that reach each other: strongly connected components of more than one node (Tarjan 1972). */
export function groupsOf(arrows) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const groups = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const to of arrows.get(node) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(node, Math.min(low.get(node), low.get(to)));
    }
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) groups.push(group);
  };
  for (const node of arrows.keys()) if (!index.has(node)) visit(node);
  return groups;
}

function shortestCircle(arrows, within) {
  const [first] = within;
  const before = new Map();
  const queue = [first];
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    for (const to of arrows.get(node) ?? []) {
      if (!within.has(to)) continue;
      if (to === first) {
        const circle = [node];
        while (circle[0] !== first) circle.unshift(before.get(circle[0]));
        return [...circle, first];
      }
      if (!before.has(to)) {
        before.set(to, node);
        queue.push(to);
      }
    }
  }
  throw new Error(`no circle through ${first}`);
}

/**
 * The arrows between the children of each folder, files and folders alike: a folder stands for all that is in it. So a
 * folder's own files may use a folder inside, which then may not use them, and the other way round.
 */
export function roomsOf(arrows) {
  const rooms = new Map();
  for (const [from, list] of arrows) {
    for (const to of list) {
      const a = from.split("/");
      const b = to.split("/");
      let depth = 0;
      while (a[depth] === b[depth]) depth++;
      // Two files of one folder: circles between them are the business of the files.
      if (depth === a.length - 1 && depth === b.length - 1) continue;
      const room = a.slice(0, depth).join("/");
      const inside = rooms.get(room) ?? new Map();
      rooms.set(room, inside);
      const [child, other] = [a.slice(0, depth + 1).join("/"), b.slice(0, depth + 1).join("/")];
      const known = inside.get(child) ?? new Map();
      inside.set(child, known);
      if (!known.has(other)) known.set(other, `${from} -> ${to}`);
    }
  }
  return rooms;
}
