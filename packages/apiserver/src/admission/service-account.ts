/** The plugin ServiceAccount: every pod runs as a ServiceAccount, with its token in a volume. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Container, PodSpec, Volume } from '../kinds/pods/pod-spec.ts';
import { generatedName } from '../registry/generate-name.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { type Account, refuseOtherSecrets } from './mountable-secrets.ts';
import { type Admitted, notAdmitted, type Plugin } from './plugin.ts';
import { storedObject } from './stored-objects.ts';

const defaultName = 'default';
const volumePrefix = 'kube-api-access-';
const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** An hour, plus the time that a kubelet may be late. */
const tokenSeconds = 3_607;
const mirror = 'kubernetes.io/config.mirror';

export const serviceAccount: Plugin = {
  resources: ['pods'],
  async admit(write, store) {
    const { object, old, subresource } = write;
    if (subresource === 'ephemeralcontainers' && old) {
      await admitEphemeral(write, store);
      return;
    }
    if (old || subresource) return;
    if (object.metadata.annotations?.[mirror] !== undefined) refuseMirror(write);
    else await admitNew(write, store);
  },
};

async function admitNew(write: Admitted, store: ObjectStore): Promise<void> {
  const spec = { ...(write.object['spec'] as PodSpec | undefined) };
  const name = spec.serviceAccountName || defaultName;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
  const account = await accountOf(write, name, store);
  if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) mountToken(spec);
  const { imagePullSecrets = [] } = account;
  if (!spec.imagePullSecrets?.length && imagePullSecrets.length > 0)
    spec.imagePullSecrets = imagePullSecrets.map((secret) => ({ name: secret.name ?? '' }));
  write.object['spec'] = spec;
  refuseOtherSecrets(write, account, spec);
}

async function admitEphemeral(write: Admitted, store: ObjectStore): Promise<void> {
  const spec = (write.object['spec'] ?? {}) as PodSpec;
  const { namespace, object } = write;
  if (!spec.serviceAccountName)
    throw notAdmitted(write, `no service account specified for pod ${namespace}/${object.metadata.name}`);
  refuseOtherSecrets(write, await accountOf(write, spec.serviceAccountName, store), spec, true);
}

/** The default account is created shortly after its namespace. */
const attempts = 10;
const pauseMillis = 150;

async function accountOf(write: Admitted, name: string, store: ObjectStore): Promise<Account> {
  const key = `/registry/serviceaccounts/${write.namespace}/${name}`;
  for (let attempt = 1; ; attempt += 1) {
    const found = await storedObject(store, key);
    if (found) return found as Account;
    if (name !== defaultName || attempt === attempts) break;
    await delay(pauseMillis);
  }
  const why = `error looking up service account ${write.namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`;
  throw notAdmitted(write, why);
}

function mountToken(spec: PodSpec): void {
  const { volumes = [] } = spec;
  const standing = volumes.find(({ name }) => name.startsWith(volumePrefix))?.name;
  const name = standing ?? generatedName(volumePrefix);
  let isNeeded = false;
  const mounted = (container: Container): Container => {
    const { volumeMounts = [] } = container;
    if (volumeMounts.some(({ mountPath }) => mountPath === tokenPath)) return container;
    isNeeded = true;
    return { ...container, volumeMounts: [...volumeMounts, { name, readOnly: true, mountPath: tokenPath }] };
  };
  if (spec.initContainers) spec.initContainers = spec.initContainers.map(mounted);
  if (spec.containers) spec.containers = spec.containers.map(mounted);
  if (!standing && isNeeded) spec.volumes = [...volumes, tokenVolume(name)];
}

const tokenVolume = (name: string): Volume => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 0o644,
  },
});

/** A mirror pod, which a kubelet creates for a static pod, uses no objects of the cluster. */
function refuseMirror(write: Admitted): void {
  const spec = (write.object['spec'] ?? {}) as PodSpec;
  if (spec.serviceAccountName) throw notAdmitted(write, 'a mirror pod may not reference service accounts');
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const hasSecrets =
    (spec.imagePullSecrets ?? []).length > 0 ||
    (spec.volumes ?? []).some((volume) => volume.secret) ||
    containers.some(
      ({ env = [], envFrom = [] }) =>
        env.some(({ valueFrom }) => valueFrom?.secretKeyRef) || envFrom.some(({ secretRef }) => secretRef),
    );
  if (hasSecrets) throw notAdmitted(write, 'a mirror pod may not reference secrets');
  const hasToken = (spec.volumes ?? []).some(({ projected }) =>
    projected?.sources?.some((source) => source.serviceAccountToken),
  );
  if (hasToken) throw notAdmitted(write, 'a mirror pod may not use ServiceAccountToken volume projections');
}
