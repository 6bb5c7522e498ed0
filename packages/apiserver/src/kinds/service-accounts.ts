/** The kind ServiceAccount. */

import { dnsSubdomainFaults } from '../names/name-rules.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { ageColumn, nameColumn, type PrintedKind } from '../registry/printed-kind.ts';
import { finalizerErrors } from './core.ts';
import { served } from './served.ts';

const mountableAnnotation = 'kubernetes.io/enforce-mountable-secrets';

export const serviceAccounts: PrintedKind = {
  ...served('', 'serviceaccounts'),
  nameFaults: dnsSubdomainFaults,
  checksAgain: 'all',
  strategy: {
    prepareForCreate: keepNamesOfSecrets,
    prepareForUpdate: keepNamesOfSecrets,
    validate: finalizerErrors,
    validateUpdate: finalizerErrors,
    warnings: ({ metadata }, old) =>
      metadata.annotations?.[mountableAnnotation] === undefined || old?.metadata.annotations?.[mountableAnnotation]
        ? []
        : [
            `metadata.annotations[${mountableAnnotation}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
          ],
  },
  columns: [nameColumn, ageColumn],
};

/** Only the name of such a reference has a meaning. */
function keepNamesOfSecrets(object: KubeObject): void {
  const secrets = object['secrets'] as { name?: string }[] | undefined;
  if (secrets) object['secrets'] = secrets.map(({ name }) => (name ? { name } : {}));
}
