/** Encodes a name for a path. Names in a spec or a status are not validated like those of objects. */

/** A lone surrogate cannot be encoded; no object has one in its name. */
export const pathSegment = (name: string): string => encodeURIComponent(name.toWellFormed());
