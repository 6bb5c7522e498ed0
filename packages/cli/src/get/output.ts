/** The interface of output formats of `fleet get`: they get one page, object or event after the other. */

import type { ResourceType } from './resource-types.ts';

export interface Item {
  apiVersion?: string;
  kind?: string;
  metadata?: { name?: string; namespace?: string; creationTimestamp?: string; resourceVersion?: string };
}

/** An answer of a server: an object, a list or a Table. */
export interface Printed extends Item {
  metadata?: Item['metadata'] & { continue?: string };
  items?: Item[] | null;
  rows?: unknown[] | null;
}

export interface Output {
  /** What is asked for: of one object, of a list. */
  accept: { object: string; list: string };
  /** Further parameters of the request. */
  query?: Readonly<Record<string, string>>;
  /** Whether nothing has been printed yet. */
  isEmpty: boolean;
  print(printed: Printed, type: ResourceType): void;
  /** Behind the last one. */
  end(): void;
}

/** The objects in an answer. Items of lists have no kind and apiVersion; kubectl prints them, so they are added. */
export function itemsOf(printed: Printed, type: ResourceType): Item[] {
  if (printed.metadata?.name !== undefined) return [printed];
  const apiVersion = type.group ? `${type.group}/${type.version}` : type.version;
  return (printed.items ?? []).map((item) => ({ ...item, apiVersion, kind: type.kind }));
}
