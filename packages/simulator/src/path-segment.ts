/** A name as it stands in a path. Names that a user writes into a spec or a status are not checked as those of objects are. */

/** Half a surrogate pair cannot be encoded; no object has it in its name. */
export const pathSegment = (name: string): string => encodeURIComponent(name.toWellFormed());
