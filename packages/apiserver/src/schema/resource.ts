/** What discovery and Tables say of a resource. */

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
  /** Of its Tables; those without a list have none. */
  columns?: Column[];
}

export interface Subresource {
  name: string;
  /** Its own kind, such as Scale, or the resource's. */
  kind: string;
  /** If they are not the resource's. */
  group?: string;
  version?: string;
  verbs: string[];
}

export interface Column {
  name: string;
  type: string;
  format?: string;
  /** Above zero only in wide output. */
  priority?: number;
}
