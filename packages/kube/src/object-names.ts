/** Where the names stand in an object's bytes: what a suffixed view changes. */

import { eachElement, eachMember, isArray, isObject, type Span, spanIs, stop, stringSpan } from './json-bytes.ts';

export interface ObjectNames {
  name: Span | undefined;
  namespace: Span | undefined;
  resourceVersion: Span | undefined;
  /** `metadata.ownerReferences[].name` */
  owners: Span[];
  /** An Event's `involvedObject.name` or `regarding.name`. */
  involved: Span[];
}

const involvedKeys = ['involvedObject', 'regarding'];

/** Relies on no order of keys: built-in objects have the order of a Go struct, custom ones are sorted. */
export function findObjectNames(bytes: Uint8Array, at: number, isEvent = false): ObjectNames {
  const names: ObjectNames = {
    name: undefined,
    namespace: undefined,
    resourceVersion: undefined,
    owners: [],
    involved: [],
  };
  eachMember(bytes, at, (key, value) => {
    if (!isObject(bytes, value)) return undefined;
    if (spanIs(bytes, key, 'metadata')) {
      const after = readMetadata(bytes, value, names);
      // Spec and status hold no name that a view changes: most of an object is never looked at.
      return isEvent ? after : stop;
    }
    if (isEvent && involvedKeys.some((involved) => spanIs(bytes, key, involved))) {
      const name = nameOf(bytes, value);
      if (name) names.involved.push(name);
    }
    return undefined;
  });
  return names;
}

function readMetadata(bytes: Uint8Array, at: number, names: ObjectNames): number {
  return eachMember(bytes, at, (key, value) => {
    if (spanIs(bytes, key, 'name')) names.name = stringSpan(bytes, value);
    else if (spanIs(bytes, key, 'namespace')) names.namespace = stringSpan(bytes, value);
    else if (spanIs(bytes, key, 'resourceVersion')) names.resourceVersion = stringSpan(bytes, value);
    else if (spanIs(bytes, key, 'ownerReferences') && isArray(bytes, value)) {
      eachElement(bytes, value, (owner) => {
        const name = isObject(bytes, owner) ? nameOf(bytes, owner) : undefined;
        if (name) names.owners.push(name);
      });
    }
    return undefined;
  });
}

function nameOf(bytes: Uint8Array, at: number): Span | undefined {
  let name: Span | undefined;
  eachMember(bytes, at, (key, value) => {
    if (!spanIs(bytes, key, 'name')) return undefined;
    name = stringSpan(bytes, value);
    return stop;
  });
  return name;
}
