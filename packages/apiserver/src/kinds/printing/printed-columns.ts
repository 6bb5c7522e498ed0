/** The columns of a built-in kind: what they are called is data, what is in them is code. */

import { ageColumn, type Column, createdColumn, nameColumn } from '../../registry/printed-kind.ts';
import type { ResourceKind } from '../../registry/resource-kind.ts';
import { builtInResources } from '../../schema/built-in.ts';
import { admissionCells } from './admission.ts';
import type { CellsOf } from './cells.ts';
import { clusterCells } from './cluster.ts';
import { networkCells } from './network.ts';
import { podCells } from './pods.ts';
import { storageCells } from './storage.ts';
import { workloadCells } from './workloads.ts';

const kindCells = new Map([
  podCells,
  ...workloadCells,
  ...networkCells,
  ...storageCells,
  ...admissionCells,
  ...clusterCells,
]);

/** What was stored long ago may lack what is there now. */
type Printed<T> = { [Field in keyof T]?: T[Field] };

const usual = [nameColumn, ageColumn, createdColumn];

export function printedColumns(group: string, version: string, resource: string): readonly Column[] {
  return kindColumns({ group, version, resource }, kindCells.get(`${group}/${resource}`) ?? {});
}

/** Of a kind that has its cells beside its rules. */
export function kindColumns<T extends object>(
  { group, version, resource }: Pick<ResourceKind, 'group' | 'version' | 'resource'>,
  cells: CellsOf<Printed<T>>,
): readonly Column[] {
  const { columns = [] } =
    builtInResources().find((one) => one.group === group && one.version === version && one.name === resource) ?? {};
  return columns.map((column) => {
    const known = usual.find(({ name }) => name === column.name);
    const cell = (cells as CellsOf<object>)[column.name] ?? known?.cell;
    if (!cell) throw new TypeError(`nothing says what is in the column ${column.name} of ${resource}`);
    return { description: '', ...known, ...column, cell };
  });
}
