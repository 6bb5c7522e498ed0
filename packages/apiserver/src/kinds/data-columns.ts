/** Columns as Kubernetes' data says them, with cells of our own. */

import { ageColumn, type Column, nameColumn } from '../registry/printed-kind.ts';
import { builtInResources } from '../schema/built-in.ts';

type Cell = Column['cell'];

/** All columns of a built-in kind; those of name and age are the same everywhere. */
export function columnsOf(group: string, resource: string, cells: Readonly<Record<string, Cell>>): Column[] {
  const { columns = [] } = builtInResources().find((one) => one.group === group && one.name === resource)!;
  return columns.map(({ name, ...rest }): Column => {
    if (name === 'Name') return nameColumn;
    if (name === 'Age') return ageColumn;
    const cell = cells[name];
    if (!cell) throw new TypeError(`nothing is known of the column ${name} of ${resource}`);
    return { name, ...rest, description: '', cell };
  });
}

interface Container {
  name: string;
  image?: string;
}

export interface Template {
  metadata?: { labels?: Record<string, string> };
  spec?: { containers?: Container[]; nodeSelector?: Record<string, string> };
}

export const containerNames = (template: Template | undefined): string =>
  (template?.spec?.containers ?? []).map(({ name }) => name).join(',');

export const images = (template: Template | undefined): string =>
  (template?.spec?.containers ?? []).map(({ image = '' }) => image).join(',');

/** As kubectl shows labels. */
export const labelsText = (labels: Readonly<Record<string, string>> = {}): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',') || '<none>';
