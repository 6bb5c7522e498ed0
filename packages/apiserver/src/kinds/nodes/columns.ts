/** The Table columns of Nodes. */

import { type CellsOf, type Condition, none, unknown } from '../printing/cells.ts';
import { printedColumns } from '../printing/printed-columns.ts';

interface Node {
  spec?: { unschedulable?: boolean };
  status?: {
    conditions?: Condition[];
    addresses?: { type?: string; address?: string }[];
    nodeInfo?: {
      kubeletVersion?: string;
      osImage?: string;
      kernelVersion?: string;
      architecture?: string;
      containerRuntimeVersion?: string;
    };
  };
}

const rolePrefix = 'node-role.kubernetes.io/';

const rolesOf = (labels: Record<string, string>): string[] => [
  ...new Set(
    Object.entries(labels).flatMap(([key, value]) => {
      if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length) || [];
      return key === 'kubernetes.io/role' ? value || [] : [];
    }),
  ),
];

const addressOf = ({ status }: Node, type: string): string =>
  status?.addresses?.find((address) => address.type === type)?.address ?? none;

const cells: CellsOf<Node> = {
  Status: ({ spec, status }) => {
    // If there are several, the last one counts.
    const ready = status?.conditions?.findLast(({ type }) => type === 'Ready')?.status;
    const state = ready === undefined ? 'Unknown' : ready === 'True' ? 'Ready' : 'NotReady';
    return spec?.unschedulable ? `${state},SchedulingDisabled` : state;
  },
  Roles: ({ metadata }) =>
    rolesOf(metadata.labels ?? {})
      .sort()
      .join(',') || none,
  Version: ({ status }) => status?.nodeInfo?.kubeletVersion ?? '',
  'Internal-IP': (node) => addressOf(node, 'InternalIP'),
  'External-IP': (node) => addressOf(node, 'ExternalIP'),
  'OS-Image': ({ status }) => status?.nodeInfo?.osImage || unknown,
  'Kernel-Version': ({ status }) => {
    const { kernelVersion, architecture } = status?.nodeInfo ?? {};
    return `${kernelVersion || unknown}${architecture ? ` (${architecture})` : ''}`;
  },
  'Container-Runtime': ({ status }) => status?.nodeInfo?.containerRuntimeVersion || unknown,
};

export const nodeColumns = printedColumns('', 'v1', 'nodes', cells);
