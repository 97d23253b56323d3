// No import circles: among files as they are loaded, and among the children of each folder by imports of any kind.
//
// In a circle of files that load each other, one file runs before the file that it imports. An `import()` in a function
// runs after all files are loaded, and a type loads nothing, so neither counts there. With types, up to three files may form a
// circle, as a schema, its fields and their types do: more is code that cannot be read one file at a time. Folders are for readers:
// a folder should make sense without the folders that use it. So among folders all imports count, types included.
import { arrowsOf, circlesOf, groupsOf, roomsOf } from "./imports.mjs";

/** Returns what is wrong in one source tree, as lines that say where and what to do. */
export function circleFaults(paths, root) {
  return [...fileCircles(paths, root), ...typeCircles(paths, root), ...roomCircles(paths, root)];
}

/** Files that need each other to be read: at most this many. */
const MAX_TOGETHER = 3;

function typeCircles(paths, root) {
  return groupsOf(arrowsOf(paths, root, { load: false }))
    .filter((group) => group.length > MAX_TOGETHER)
    .map(
      (group) =>
        `${group[0]}: ${group.length} files import each other in circles, types included: ${group.join(", ")}. ` +
        "Move the types that they share into a file of interfaces.",
    );
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
