/** Which structs contain themselves, and an order in which each struct follows those that it refers to. */
import { edgesDown, reachable, reversed, structsIn, topological } from "../../generate/struct-graph.js";
import type { Model, Struct } from "../../model/model.js";

/** Returns the structs in the order of their declaration: each after those that it refers to, where that is possible. */
export function declarationOrder({ structs }: Model): readonly Struct[] {
  const order: Struct[] = [];
  const seen = new Set<Struct>();
  for (const first of structs) {
    if (seen.has(first)) continue;
    seen.add(first);
    // Without recursion: structs may be nested thousands deep.
    const open = [{ struct: first, next: lastFirst(first) }];
    while (open.length > 0) {
      const { struct, next } = open.at(-1)!;
      const target = next.pop();
      if (target === undefined) {
        order.push(struct);
        open.pop();
      } else if (!seen.has(target)) {
        seen.add(target);
        open.push({ struct: target, next: lastFirst(target) });
      }
    }
  }
  return order;
}

/** Returns the structs that contain themselves, directly or through others. TypeScript cannot infer their types. */
export function recursiveStructs({ structs }: Model): ReadonlySet<Struct> {
  const edges = edgesDown(structs);
  // Most structs lead into no cycle: only the others need a search each.
  const acyclic = new Set(topological(structs, edges, reversed(structs, edges)));
  const edgesFrom = (struct: Struct) => edges.get(struct)!;
  const suspects = structs.filter((struct) => !acyclic.has(struct));
  return new Set(suspects.filter((struct) => reachable(targetsOf(struct), edgesFrom).has(struct)));
}

function targetsOf(struct: Struct): readonly Struct[] {
  return struct.members.flatMap(({ type }) => structsIn(type));
}

function lastFirst(struct: Struct): Struct[] {
  return [...targetsOf(struct)].reverse();
}
