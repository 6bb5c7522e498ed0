/** Enforces `kubernetes.io/enforce-mountable-secrets`: pods of such a ServiceAccount use only its own Secrets. */

import type { Container, PodSpec } from '../kinds/pods/pod-spec.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { type Admitted, notAdmitted } from './plugin.ts';

export interface Account extends KubeObject {
  automountServiceAccountToken?: boolean;
  imagePullSecrets?: { name?: string }[];
  secrets?: { name?: string }[];
}

const enforced = 'kubernetes.io/enforce-mountable-secrets';
const isTrue = ['1', 't', 'T', 'true', 'TRUE', 'True'];

/** With `isEphemeral`, only the added ephemeral containers are checked. */
export function refuseOtherSecrets(write: Admitted, account: Account, spec: PodSpec, isEphemeral = false): void {
  if (!isTrue.includes(account.metadata.annotations?.[enforced] ?? '')) return;
  for (const fault of isEphemeral ? ephemeralFaults(account, spec) : faultsOf(account, spec))
    throw notAdmitted(
      write,
      `${fault} is not allowed because service account ${account.metadata.name} does not reference that ${fault.startsWith('imagePullSecrets') ? 'imagePullSecret' : 'secret'}`,
    );
}

const namesIn = (list: readonly { name?: string }[] = []): string[] => list.map(({ name = '' }) => name);

const ephemeralFaults = ({ secrets }: Account, { ephemeralContainers = [] }: PodSpec): string[] =>
  ephemeralContainers.flatMap((container) => containerFaults('ephemeral container', container, namesIn(secrets)));

function faultsOf({ secrets, imagePullSecrets }: Account, spec: PodSpec): string[] {
  const [own, pulling] = [namesIn(secrets), namesIn(imagePullSecrets)];
  return [
    ...(spec.volumes ?? []).flatMap(({ secret }) =>
      secret && !own.includes(secret.secretName ?? '') ? [`volume with secret.secretName="${secret.secretName}"`] : [],
    ),
    ...(spec.initContainers ?? []).flatMap((container) => containerFaults('init container', container, own)),
    ...(spec.containers ?? []).flatMap((container) => containerFaults('container', container, own)),
    ...(spec.imagePullSecrets ?? []).flatMap(({ name = '' }, index) =>
      pulling.includes(name) ? [] : [`imagePullSecrets[${index}].name="${name}"`],
    ),
  ];
}

const containerFaults = (
  what: string,
  { name, env = [], envFrom = [] }: Container,
  own: readonly string[],
): string[] => [
  ...env.flatMap((variable) => {
    const secret = variable.valueFrom?.secretKeyRef?.name;
    return secret === undefined || own.includes(secret)
      ? []
      : [`${what} ${name} with envVar ${variable.name} referencing secret.secretName="${secret}"`];
  }),
  ...envFrom.flatMap(({ secretRef }) =>
    secretRef && !own.includes(secretRef.name ?? '')
      ? [`${what} ${name} with envFrom referencing secret.secretName="${secretRef.name}"`]
      : [],
  ),
];
