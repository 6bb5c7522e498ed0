/** Creates the Service `default/kubernetes`, as kube-apiserver does: `pkg/controlplane/controller/kubernetesservice`. */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';

const path = '/api/v1/namespaces/default/services';

/** The first address of the Service CIDR. */
const address = '10.96.0.1';

/** An existing one is not changed. It has no endpoints: those of an API server on loopback would be invalid. */
export async function createKubernetesService(client: KubeClient, port: number): Promise<void> {
  const body = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      type: 'ClusterIP',
      clusterIP: address,
      ipFamilyPolicy: 'SingleStack',
      sessionAffinity: 'None',
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
    },
  };
  try {
    await client.get(`${path}/kubernetes`);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    await client.create(path, body);
  }
}
