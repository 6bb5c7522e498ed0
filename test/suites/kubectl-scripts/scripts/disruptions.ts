/** Disruption budgets, and nodes that are cordoned, drained and tainted. */

import { apply, kubectl, type Script, type Step } from '../script.ts';
import { daemonSet, deployment, statefulSet } from './objects.ts';

const evict = (namespace: string, name: string): Step => ({
  args: ['create', '--raw', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, '-f', '-'],
  stdin: JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }),
});

export const budgets: Script = {
  name: 'budgets',
  steps: (random, namespace) => [
    apply(statefulSet('db', { replicas: 3, podManagementPolicy: 'Parallel' })),
    kubectl(`create pdb db --selector=app=db --min-available=${1 + random.below(2)}`),
    kubectl('get pdb'),
    evict(namespace, 'db-0'),
    kubectl('patch pdb db -p {"spec":{"minAvailable":3}}'),
    evict(namespace, 'db-1'),
    kubectl('get pdb'),
    kubectl('scale statefulset db --replicas=4'),
    evict(namespace, 'db-1'),
    kubectl('patch pdb db -p {"spec":{"minAvailable":null,"maxUnavailable":"50%"}}'),
    evict(namespace, 'db-2'),
    kubectl('create pdb none --selector=app=none --max-unavailable=1'),
    kubectl('run stray --image=nginx --labels=app=none'),
    kubectl('get pdb'),
    kubectl('scale statefulset db --replicas=0'),
    kubectl('delete pdb --all'),
  ],
};

export const pool = ['scripts-node-3', 'scripts-node-4'] as const;
const [one, other] = pool;
const onPool = {
  nodeSelector: { pool: 'own' },
  tolerations: [{ key: 'pool', operator: 'Exists', effect: 'NoSchedule' }],
};

/** Or its controller and the one of taints would delete its pods, whichever comes first. */
const staying = { ...onPool, tolerations: [...onPool.tolerations, { operator: 'Exists', effect: 'NoExecute' }] };

/** Nodes that no other script's pods are on. */
export const nodes: Script = {
  name: 'nodes',
  nodes: pool,
  steps: () => [
    kubectl(`cordon ${other}`),
    apply(deployment('web', { replicas: 2 }, { pod: onPool }), daemonSet('agent', {}, { pod: staying })),
    kubectl('get pods -o wide'),
    kubectl(`cordon ${one}`),
    kubectl('scale deployment/web --replicas=3', { stuck: /web/ }),
    kubectl('get pods -o wide', { stuck: /web/ }),
    kubectl(`uncordon ${other}`),
    kubectl(`drain ${one}`),
    kubectl(`drain ${one} --ignore-daemonsets`),
    kubectl('get pods -o wide'),
    kubectl(`uncordon ${one}`),
    kubectl('create pdb web --selector=app=web --min-available=3'),
    kubectl(`drain ${other} --ignore-daemonsets --timeout=1s`),
    kubectl('delete pdb web'),
    kubectl(`drain ${other} --ignore-daemonsets --timeout=30s`),
    kubectl(`uncordon ${other}`),
    kubectl(`taint node ${one} maintenance=now:NoExecute`),
    kubectl('get pods -o wide'),
    kubectl(`taint node ${other} maintenance=now:NoSchedule`),
    kubectl('scale deployment/web --replicas=4', { stuck: /web/ }),
    kubectl(`taint node ${other} maintenance-`),
    kubectl(`taint node ${one} maintenance:NoExecute-`),
    kubectl('run lonely --image=nginx --overrides={"spec":{"nodeSelector":{"pool":"missing"}}}', { stuck: /lonely/ }),
    kubectl('get pods lonely', { stuck: /lonely/ }),
    kubectl('delete pod lonely'),
    kubectl('delete deployment,daemonset --all --cascade=foreground'),
  ],
};
