/** A column of a resource's Table: much smaller than its objects. */

import type { Api } from '@fleet/bed/api.ts';

interface Table {
  columnDefinitions: { name: string }[];
  rows: { cells: unknown[] }[];
}

export async function tableColumn(
  api: Api,
  path: string,
  column: string,
  query = 'includeObject=None',
): Promise<unknown[]> {
  const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
  const { code, body } = await api.ask(`${path}?${query}`, { accept, timeout: 120_000 });
  if (code !== 200) throw new Error(`${path}: ${code} ${body}`);
  const { columnDefinitions, rows } = JSON.parse(body) as Table;
  const index = columnDefinitions.findIndex(({ name }) => name === column);
  if (index < 0) throw new Error(`${path} has no column ${column}`);
  return (rows ?? []).map(({ cells }) => cells[index]);
}
