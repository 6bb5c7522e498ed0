/**
 * The tables of the FleetAPIServer proposal, row by row. The vanilla ones have each row twice, without and with federation, which
 * differ in the words of lists alone.
 */

export const vanillaDeployments = `
| get | GET /apis/apps/v1/namespaces/{namespace}/deployments/name | read the specified Deployment in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| list | GET /apis/apps/v1/namespaces/{namespace}/deployments | list or watch objects of kind Deployment in all clusters |
| list | GET /apis/apps/v1/deployments | list or watch objects of kind Deployment in all clusters |
| create | POST /apis/apps/v1/namespaces/{namespace}/deployments | create a Deployment in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| update | PUT /apis/apps/v1/namespaces/{namespace}/deployments/name | replace the specified Deployment in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| patch | PATCH /apis/apps/v1/namespaces/{namespace}/deployments/name | partially update the specified Deployment in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| delete | DELETE /apis/apps/v1/namespaces/{namespace}/deployments/name | delete a Deployment in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| deletecollection | DELETE /apis/apps/v1/namespaces/{namespace}/deployments | not support |
`;

export const vanillaClusterRoles = `
| get | GET /apis/rbac.authorization.k8s.io/v1/clusterroles/name | read the specified ClusterRole in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| list | GET /apis/rbac.authorization.k8s.io/v1/clusterroles | list or watch objects of kind ClusterRole in all clusters |
| create | POST /apis/rbac.authorization.k8s.io/v1/clusterroles | create a ClusterRole in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| update | PUT /apis/rbac.authorization.k8s.io/v1/clusterroles/name | replace the specified ClusterRole in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| patch | PATCH /apis/rbac.authorization.k8s.io/v1/clusterroles/name | partially update the specified ClusterRole in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| delete | DELETE /apis/rbac.authorization.k8s.io/v1/clusterroles/name | delete a ClusterRole in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| deletecollection | DELETE /apis/rbac.authorization.k8s.io/v1/clusterroles | not support |
`;

export const fleetDeployments = `
| get | GET /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments/name | foo | read the specified Deployment in cluster foo |
| get | GET /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments/name | karmada | read the specified Deployment in Karmada control plane |
| get | GET /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments/name | all | read the specified Deployment in cluster foo with input parameter name that meets the format xx.clusterspace.yy |
| list | GET /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments | foo | list or watch objects of kind Deployment in cluster foo |
| list | GET /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments | karmada | list or watch objects of kind Deployment in Karmada control plane |
| list | GET /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments | all | list or watch objects of kind Deployment in all clusters |
| list | GET /apis/apps/v1/clusterspaces/{clusterspace}/deployments | foo | list or watch objects of kind Deployment in cluster foo |
| list | GET /apis/apps/v1/clusterspaces/{clusterspace}/deployments | karmada | list or watch objects of kind Deployment in Karmada control plane |
| list | GET /apis/apps/v1/clusterspaces/{clusterspace}/deployments | all | list or watch objects of kind Deployment in all clusters |
| create | POST /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments | foo | create a Deployment in cluster foo |
| create | POST /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments | karmada | create a Deployment in Karmada control plane |
| create | POST /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments | all | create a Deployment in cluster yy, where the metadata.name in body is formatted as xx.clusterspace.yy |
| update | PUT /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments/name | foo | replace the specified Deployment in cluster foo |
| update | PUT /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments/name | karmada | replace the specified Deployment in Karmada control plane |
| update | PUT /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments/name | all | replace the specified Deployment in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| patch | PATCH /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments/name | foo | partially update the specified Deployment in cluster foo |
| patch | PATCH /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments/name | karmada | partially update the specified Deployment in Karmada control plane |
| patch | PATCH /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments/name | all | partially update the specified Deployment in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| delete | DELETE /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments/name | foo | delete a Deployment in cluster foo |
| delete | DELETE /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments/name | karmada | delete a Deployment in Karmada control plane |
| delete | DELETE /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments/name | all | delete a Deployment in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| deletecollection | DELETE /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments | foo | delete collection of Deployment in cluster foo |
| deletecollection | DELETE /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments | karmada | delete collection of Deployment in Karmada control plane |
| deletecollection | DELETE /apis/apps/v1/namespaces/{namespace}/clusterspaces/{clusterspace}/deployments | all | not support |
`;

export const fleetClusterRoles = `
| get | GET /apis/rbac.authorization.k8s.io/v1/clusterroles/name | foo | read the specified ClusterRole in cluster foo |
| get | GET /apis/rbac.authorization.k8s.io/v1/clusterroles/name | karmada | read the specified ClusterRole in Karmada control plane |
| get | GET /apis/rbac.authorization.k8s.io/v1/clusterroles/name | all | read the specified ClusterRole in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| list | GET /apis/rbac.authorization.k8s.io/v1/clusterroles | foo | list or watch objects of kind ClusterRole in cluster foo |
| list | GET /apis/rbac.authorization.k8s.io/v1/clusterroles | karmada | list or watch objects of kind ClusterRole in Karmada control plane |
| list | GET /apis/rbac.authorization.k8s.io/v1/clusterroles | all | list or watch objects of kind ClusterRole in all clusters (including Karmada control plane) |
| create | POST /apis/rbac.authorization.k8s.io/v1/clusterroles | foo | create a ClusterRole in cluster foo |
| create | POST /apis/rbac.authorization.k8s.io/v1/clusterroles | karmada | create a ClusterRole in Karmada control plane |
| create | POST /apis/rbac.authorization.k8s.io/v1/clusterroles | all | create a ClusterRole in cluster yy, where the metadata.name in body is formatted as xx.clusterspace.yy |
| update | PUT /apis/rbac.authorization.k8s.io/v1/clusterroles/name | foo | replace the specified ClusterRole in cluster foo |
| update | PUT /apis/rbac.authorization.k8s.io/v1/clusterroles/name | karmada | replace the specified ClusterRole in Karmada control plane |
| update | PUT /apis/rbac.authorization.k8s.io/v1/clusterroles/name | all | replace the specified ClusterRole in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| patch | PATCH /apis/rbac.authorization.k8s.io/v1/clusterroles/name | foo | partially update the specified ClusterRole in cluster foo |
| patch | PATCH /apis/rbac.authorization.k8s.io/v1/clusterroles/name | karmada | partially update the specified ClusterRole in Karmada control plane |
| patch | PATCH /apis/rbac.authorization.k8s.io/v1/clusterroles/name | all | partially update the specified ClusterRole in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| delete | DELETE /apis/rbac.authorization.k8s.io/v1/clusterroles/name | foo | delete a ClusterRole in cluster foo |
| delete | DELETE /apis/rbac.authorization.k8s.io/v1/clusterroles/name | karmada | delete a ClusterRole in Karmada control plane |
| delete | DELETE /apis/rbac.authorization.k8s.io/v1/clusterroles/name | all | delete a ClusterRole in cluster yy with input parameter name that meets the format xx.clusterspace.yy |
| deletecollection | DELETE /apis/rbac.authorization.k8s.io/v1/clusterroles | foo | delete collection of ClusterRole in cluster foo |
| deletecollection | DELETE /apis/rbac.authorization.k8s.io/v1/clusterroles | karmada | delete collection of ClusterRole in Karmada control plane |
| deletecollection | DELETE /apis/rbac.authorization.k8s.io/v1/clusterroles | all | not support |
`;

/** The rows of a vanilla table where federation is enabled. */
export const federated = (table: string): string =>
  table.replaceAll(/(in all clusters) \|$/gm, '$1 (including Karmada) |');
