/** Builds the Table columns of a built-in kind: names and descriptions are data, cells are code. */

import { ageColumn, type Column, createdColumn, nameColumn } from '../../registry/printed-kind.ts';
import type { ResourceKind } from '../../registry/resource-kind.ts';
import { builtInResources } from '../../schema/built-in.ts';
import { admissionCells } from './admission.ts';
import type { CellsOf } from './cells.ts';
import { clusterCells } from './cluster.ts';
import { networkCells } from './network.ts';
import { storageCells } from './storage.ts';
import { workloadCells } from './workloads.ts';

const kindCells = new Map([...workloadCells, ...networkCells, ...storageCells, ...admissionCells, ...clusterCells]);

/** Objects stored by an earlier version may lack fields. */
type Printed<T> = { [Field in keyof T]?: T[Field] };

const usual = [nameColumn, ageColumn, createdColumn];

/** `own`: the cells of a kind with a folder of its own. */
export function printedColumns<Of extends object>(
  group: string,
  version: string,
  resource: string,
  own?: CellsOf<Of>,
): readonly Column[] {
  const { columns = [] } =
    builtInResources().find((one) => one.group === group && one.version === version && one.name === resource) ?? {};
  const cells = (own as CellsOf<object> | undefined) ?? kindCells.get(`${group}/${resource}`) ?? {};
  return columns.map((column) => {
    const known = usual.find(({ name }) => name === column.name);
    const cell = cells[column.name] ?? known?.cell;
    if (!cell) throw new TypeError(`the column ${column.name} of ${resource} has no cells`);
    return { description: '', ...known, ...column, cell };
  });
}

/** For a kind that has its cells beside its rules. */
export const kindColumns = <T extends object>(
  { group, version, resource }: Pick<ResourceKind, 'group' | 'version' | 'resource'>,
  cells: CellsOf<Printed<T>>,
): readonly Column[] => printedColumns(group, version, resource, cells);
