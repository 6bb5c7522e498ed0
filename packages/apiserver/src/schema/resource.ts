/** A resource in discovery, with its Table columns. */

export interface Resource {
  group: string;
  version: string;
  /** Plural, as in the URL. */
  name: string;
  singular: string;
  kind: string;
  namespaced: boolean;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  subresources?: Subresource[];
  /** The columns of its Tables; absent for resources without list. */
  columns?: Column[];
}

export interface Subresource {
  name: string;
  /** A kind of its own, such as Scale, or the resource's. */
  kind: string;
  /** If it differs from the resource's. */
  group?: string;
  version?: string;
  verbs: string[];
}

export interface Column {
  name: string;
  type: string;
  format?: string;
  /** Above zero it is shown in wide output only. */
  priority?: number;
}
