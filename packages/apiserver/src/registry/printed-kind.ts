/** The columns that a kind has in Tables between its name and its age. */

import type { KubeObject } from './kube-object.ts';
import type { ResourceKind } from './resource-kind.ts';

export interface Column {
  name: string;
  type: 'string' | 'integer';
  format?: string;
  description: string;
  /** Above 0: only in wide output. */
  priority?: number;
  cell(object: KubeObject): string | number;
}

export interface PrintedKind extends ResourceKind {
  columns?: readonly Column[];
}
