/** The columns of a built-in kind: what they are called is data, what is in them is code. */

import { ageColumn, type Column, createdColumn, nameColumn } from '../../registry/printed-kind.ts';
import { builtInResources } from '../../schema/built-in.ts';
import { admissionCells } from './admission.ts';
import { autoscalerCells } from './autoscaling.ts';
import type { CellsOf } from './cells.ts';
import { clusterCells } from './cluster.ts';
import { networkCells } from './network.ts';
import { storageCells } from './storage.ts';
import { workloadCells } from './workloads.ts';

const kindCells = new Map([
  autoscalerCells,
  ...workloadCells,
  ...networkCells,
  ...storageCells,
  ...admissionCells,
  ...clusterCells,
]);

const usual = [nameColumn, ageColumn, createdColumn];

/** `own`: of a kind that has a folder of its own. */
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
    if (!cell) throw new TypeError(`nothing says what is in the column ${column.name} of ${resource}`);
    return { description: '', ...known, ...column, cell };
  });
}
