/** The Table columns of Endpoints. */

import { type CellsOf, none, someOf } from '../printing/cells.ts';
import { printedColumns } from '../printing/printed-columns.ts';

interface Endpoints {
  subsets?: { addresses?: { ip?: string }[]; ports?: { port?: number }[] }[];
}

const hostPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

const cells: CellsOf<Endpoints> = {
  Endpoints: ({ subsets = [] }) => {
    if (subsets.length === 0) return none;
    const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
      ports.length === 0
        ? addresses.map(({ ip = '' }) => ip)
        : ports.flatMap(({ port = 0 }) => addresses.map(({ ip = '' }) => hostPort(ip, port))),
    );
    return someOf(all, 3);
  },
};

export const endpointsColumns = printedColumns('', 'v1', 'endpoints', cells);
