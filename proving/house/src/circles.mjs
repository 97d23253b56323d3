// No import circles: among files as they are loaded, and among the children of each folder by imports of any kind.
//
// In a circle of files that load each other, one runs before what it imports is there. An `import()` in a function finds
// all files loaded, and a type needs none, so neither counts among files. Folders are for the reader: who wants to
// understand one should not need the other first, whatever the kind of import. So among folders all imports count.
import { arrowsOf, circlesOf, roomsOf } from "./imports.mjs";

/** Returns what is wrong in one source tree, as lines that say where and what to do. */
export function circleFaults(paths, root) {
  return [...fileCircles(paths, root), ...roomCircles(paths, root)];
}

function fileCircles(paths, root) {
  return circlesOf(arrowsOf(paths, root, { load: true })).map(
    (circle) =>
      `${circle[0]}: files load each other in a circle: ${circle.join(" -> ")}. ` +
      "Move what both need into a file that imports neither. (Types, and import() in a function, do not count.)",
  );
}

function roomCircles(paths, root) {
  const faults = [];
  for (const inside of roomsOf(arrowsOf(paths, root, { load: false })).values()) {
    const arrows = new Map([...inside].map(([child, others]) => [child, [...others.keys()]]));
    for (const circle of circlesOf(arrows)) {
      const steps = circle.slice(1).map((other, i) => inside.get(circle[i]).get(other));
      faults.push(
        `${circle[0]}: folders use each other in a circle (types and every import() count): ${steps.join("; ")}. ` +
          "Move what both need into a file or folder that uses neither.",
      );
    }
  }
  return faults;
}
