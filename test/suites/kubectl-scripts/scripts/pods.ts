/** Pods without a controller, and the endpoints of Services. */

import { apply, kubectl, type Script } from '../script.ts';
import { deployment, service } from './objects.ts';

export const pods: Script = {
  name: 'pods',
  steps: (random) => [
    kubectl(`run web --image=nginx:1.2${random.below(9)} --port=8080 --labels=app=web,tier=front`),
    kubectl('run web --image=nginx'),
    kubectl('expose pod web --port=80 --target-port=8080 --name=front'),
    kubectl('get pods,services,endpointslices --show-labels'),
    kubectl('label pod web tier=back --overwrite'),
    kubectl('label pod web tier-'),
    kubectl('annotate pod web note=first'),
    kubectl('annotate pod web note=second'),
    kubectl('annotate pod web note=second --overwrite'),
    kubectl('run beside --image=nginx --labels=app=web,tier=front'),
    kubectl('label pods --all app=none --overwrite'),
    kubectl('label pods --all app=web tier=front --overwrite'),
    kubectl('delete pod web'),
    kubectl('delete pod web'),
    kubectl('delete pods --all'),
    kubectl('delete services --all'),
  ],
};

export const services: Script = {
  name: 'services',
  steps(random) {
    const ports = [
      { name: 'http', port: 80, targetPort: 'http' },
      { name: 'other', port: 81, targetPort: 9000 + random.below(100) },
    ];
    return [
      apply(deployment('web', { replicas: 2 })),
      kubectl('expose deployment web --port=80 --target-port=8080'),
      kubectl('get services,endpoints,endpointslices -o wide'),
      apply(service('named', { selector: { app: 'web' }, ports })),
      kubectl('scale deployment/web --replicas=4'),
      kubectl('scale deployment/web --replicas=1'),
      kubectl('expose deployment web --port=80 --name=outside --type=NodePort'),
      kubectl('create service clusterip empty --tcp=5432:5432'),
      kubectl('label service web team=a'),
      kubectl('set selector service web app=nothing'),
      kubectl('set selector service web app=web'),
      kubectl('delete deployment web'),
      kubectl('get services,endpointslices'),
      kubectl('delete services --all'),
    ];
  },
};
