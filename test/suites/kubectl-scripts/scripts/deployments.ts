/** Rollouts, strategies and scaling of Deployments, ReplicaSets and ReplicationControllers. */

import { apply, create, kubectl, type Script } from '../script.ts';
import { deployment, replicationController } from './objects.ts';

const lastLine = true;

export const rollouts: Script = {
  name: 'rollouts',
  steps(random) {
    // A quarter of so few is less than one: a rollout goes on one pod at a time, in the same steps everywhere.
    const replicas = 2 + random.below(2);
    const [first, second, third] = ['1.26', '1.27', '1.28'].map((tag) => `nginx:${tag}.${random.below(9)}`);
    return [
      kubectl(`create deployment web --image=${first} --replicas=${replicas} --port=8080`),
      kubectl('rollout status deployment/web', { lastLine }),
      kubectl('annotate deployment web kubernetes.io/change-cause=first'),
      kubectl('get deployments,replicasets,pods -o wide'),
      kubectl(`set image deployment/web nginx=${second}`),
      kubectl('rollout status deployment/web', { lastLine }),
      kubectl('annotate deployment web kubernetes.io/change-cause=second --overwrite'),
      kubectl('rollout history deployment/web'),
      kubectl('rollout history deployment/web --revision=2'),
      kubectl(`scale deployment/web --replicas=${replicas + 2}`),
      kubectl('rollout pause deployment/web'),
      kubectl(`set image deployment/web nginx=${third}`),
      kubectl('set env deployment/web COLOUR=blue'),
      kubectl(`scale deployment/web --replicas=${replicas}`),
      kubectl('get deployments,replicasets -o wide'),
      kubectl('rollout resume deployment/web'),
      kubectl('rollout status deployment/web', { lastLine }),
      kubectl('rollout undo deployment/web'),
      kubectl('rollout undo deployment/web --to-revision=1'),
      kubectl('rollout undo deployment/web --to-revision=77'),
      kubectl('rollout history deployment/web'),
      kubectl('scale deployment/web --replicas=0'),
      kubectl('get deployments,replicasets,pods'),
      kubectl('scale deployment/web --replicas=1 --current-replicas=5'),
      kubectl('delete deployment web'),
    ];
  },
};

export const strategies: Script = {
  name: 'strategies',
  steps(random) {
    const image = `nginx:1.28.${random.below(9)}`;
    return [
      apply(deployment('again', { replicas: 2, strategy: { type: 'Recreate' } })),
      kubectl(`set image deployment/again main=${image}`),
      apply(
        deployment('quick', {
          replicas: 4,
          revisionHistoryLimit: 1,
          strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
        }),
      ),
      kubectl(`set image deployment/quick main=${image}`),
      kubectl('set image deployment/quick main=nginx:1.29'),
      kubectl('get replicasets -o wide'),
      kubectl('rollout history deployment/quick'),
      kubectl('rollout restart deployment/quick'),
      kubectl('rollout status deployment/quick', { lastLine }),
      kubectl('autoscale deployment quick --min=1 --max=5 --cpu=80%'),
      kubectl('get horizontalpodautoscalers'),
      kubectl('delete horizontalpodautoscalers --all'),
      kubectl('set image deployment/quick main=nginx:1.30 other=nginx:1.30'),
      kubectl('delete deployments --all'),
    ];
  },
};

/** A ReplicaSet without a Deployment, pods that leave and join it, a ReplicationController. */
export const replicas: Script = {
  name: 'replicas',
  steps: (random) => [
    apply(deployment('web', { replicas: 2 })),
    kubectl('delete deployment web --cascade=orphan'),
    kubectl('get replicasets,pods'),
    kubectl(`scale replicaset -l app=web --replicas=${3 + random.below(3)}`),
    kubectl('label pods -l app=web app=former --overwrite'),
    kubectl('get pods --show-labels'),
    kubectl('delete pods -l app=former'),
    apply(deployment('web', { replicas: 3 })),
    kubectl('get deployments,replicasets'),
    kubectl('delete deployment web --cascade=foreground'),
    create('create', [replicationController('old', 2)]),
    kubectl('scale rc old --replicas=4'),
    kubectl('scale rc old --replicas=1'),
    kubectl('get rc -o wide'),
    kubectl('delete rc old --cascade=orphan'),
    kubectl('delete pods --all'),
    kubectl('create deployment one --image=nginx --replicas=2'),
    kubectl('create deployment two --image=nginx'),
    kubectl('delete deployments --all --cascade=background'),
  ],
};
