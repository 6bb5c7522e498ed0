/** Options that several commands share. */

import { Option } from 'commander';

export const fleetKubeconfig = () =>
  new Option(
    '--fleet-kubeconfig <file>',
    'kubeconfig of the fleet; else FLEET_KUBECONFIG, KUBECONFIG or ./fleet-data/admin.kubeconfig',
  );

export const output = (formats: string) => new Option('-o, --output <format>', `output format: ${formats}`);

export const examples = (...lines: string[]) => `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
