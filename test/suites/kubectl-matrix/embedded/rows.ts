/** What is run on the embedded control plane: all rows but those that need what only nodes and controllers do. */

import { type Row, shownCommand } from '../row.ts';
import { creates } from '../rows/create.ts';
import { ends } from '../rows/end.ts';
import { reads } from '../rows/read.ts';
import { writes } from '../rows/write.ts';
import { customs } from './custom-rows.ts';

/** Commands on pods that run, and those that wait for what controllers do. */
const needsMore = /^kubectl (top|rollout (status|history|undo)|wait --for=condition=Available|cluster-info dump|debug)/;

const isPossible = (row: Row): boolean => !row.run && !needsMore.test(shownCommand(row));

export const groups: Readonly<Record<string, readonly Row[]>> = {
  Reading: reads.filter(isPossible),
  'Changing what is there': writes.filter(isPossible),
  Creating: creates.filter(isPossible),
  'Custom resources': customs,
  'Deleting, and nodes': ends.filter(isPossible),
};

const withoutToken = 'Pods get no token of a ServiceAccount, as in karmada-apiserver: nothing runs them.';
const ownAddress = 'Services have addresses of their own, and that of the API server is not there.';
const unexplained = 'Built-in kinds are explained without prose.';
const ownKinds = 'The product’s own kind Cluster is there; `componentstatuses` is not served.';
const unapproved = '`certificatesigningrequests/approval` is not served, as nothing signs certificates.';
const unenforced = 'A `Warning:` reports that quotas are stored and not enforced.';
const ownUser = 'The user is the product’s administrator.';

/** What is printed otherwise than by kube-apiserver, by command, and why. */
export const differences: Readonly<Record<string, string>> = {
  'kubectl get pod POD -o json': withoutToken,
  'kubectl get pod POD -o yaml': withoutToken,
  'kubectl get all -l cell=x': ownAddress,
  'kubectl describe pod POD': withoutToken,
  'kubectl describe service SVC': ownAddress,
  'kubectl explain deployment.spec.replicas': unexplained,
  'kubectl api-resources': ownKinds,
  'kubectl api-versions': ownKinds,
  'kubectl auth whoami': ownUser,
  'kubectl create quota QUOTA --hard=services=1000': unenforced,
  'kubectl certificate approve CSR': unapproved,
  'kubectl certificate deny OTHER': unapproved,
};
