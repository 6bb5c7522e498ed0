/** StatefulSets and DaemonSets. */

import { apply, kubectl, type Script } from '../script.ts';
import { daemonSet, service, statefulSet } from './objects.ts';

const lastLine = true;

export const statefulSets: Script = {
  name: 'statefulsets',
  steps(random) {
    const replicas = 2 + random.below(2);
    const headless = service('db', { clusterIP: 'None', selector: { app: 'db' }, ports: [{ port: 5432 }] });
    return [
      apply(headless, statefulSet('db', { replicas })),
      kubectl('rollout status statefulset/db', { lastLine }),
      kubectl('get statefulsets,pods,services,controllerrevisions -o wide'),
      kubectl(`scale statefulset db --replicas=${replicas + 2}`),
      kubectl(`scale statefulset db --replicas=${replicas}`),
      kubectl('set image statefulset/db main=postgres:18'),
      kubectl('rollout status statefulset/db', { lastLine }),
      kubectl('rollout history statefulset/db'),
      kubectl('rollout undo statefulset/db'),
      kubectl('get controllerrevisions'),
      kubectl('rollout restart statefulset/db'),
      kubectl('patch statefulset db -p {"spec":{"updateStrategy":{"rollingUpdate":{"partition":1}}}}'),
      kubectl('set image statefulset/db main=postgres:17'),
      kubectl('rollout status statefulset/db', { lastLine }),
      kubectl('delete pod db-0'),
      kubectl('delete statefulset db --cascade=orphan'),
      kubectl('get pods'),
      apply(statefulSet('db', { replicas: 1 }, { image: 'postgres:17' })),
      kubectl('delete statefulset db'),
      apply(statefulSet('par', { replicas: 3, podManagementPolicy: 'Parallel' })),
      kubectl('delete statefulsets --all --cascade=foreground'),
    ];
  },
};

export const daemonSets: Script = {
  name: 'daemonsets',
  steps: (random) => [
    apply(daemonSet('agent', {})),
    kubectl('rollout status daemonset/agent', { lastLine }),
    kubectl('get daemonsets,controllerrevisions -o wide'),
    kubectl(`set image daemonset/agent main=agent:${2 + random.below(8)}`),
    kubectl('rollout status daemonset/agent', { lastLine }),
    kubectl('rollout history daemonset/agent'),
    kubectl('rollout undo daemonset/agent'),
    kubectl('rollout restart daemonset/agent'),
    kubectl('delete pods -l app=agent'),
    kubectl('patch daemonset agent -p {"spec":{"updateStrategy":{"type":"OnDelete"}}}'),
    kubectl('set image daemonset/agent main=agent:11'),
    kubectl('get daemonsets'),
    kubectl('patch daemonset agent -p {"spec":{"template":{"spec":{"nodeSelector":{"pool":"none"}}}}}'),
    kubectl('get daemonsets,pods'),
    kubectl('delete daemonset agent --cascade=orphan'),
    kubectl('delete controllerrevisions --all'),
  ],
};
