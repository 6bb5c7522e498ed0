/** Validates a written Cluster of the face beyond its schema. */

import { type FieldError, forbiddenField, invalidValue, invalidWithout } from '@fleet/apiserver/errors/field-error.ts';
import { parseToken } from '@fleet/tunnel/token.ts';
import { isHttpUrl } from '../members/kubesphere.ts';
import { fieldOfAnnotation } from './face-annotations.ts';
import { KubeconfigError, type MemberAccess, readKubeconfig } from './kubeconfig.ts';
import type { KubeSphereCluster } from './kubesphere-cluster.ts';

export interface Credentials {
  access: MemberAccess | undefined;
  /** The secret that the agent sends as its password. */
  token: string | undefined;
}

/** Returns the written credentials and the errors. `isNew`: a create, for which no field counts as changed. */
export function readFace(
  { metadata, spec = {} }: KubeSphereCluster,
  isNew: boolean,
): { credentials: Credentials; errors: FieldError[] } {
  const { connection = {} } = spec;
  const errors = Object.keys(metadata.annotations ?? {}).flatMap((key) => {
    const field = fieldOfAnnotation[key];
    return field ? [forbiddenField(`metadata.annotations.${key}`, `it is written as ${field}`)] : [];
  });
  if (isNew) {
    for (const [name, released] of [
      ['federated', 'joinFederation'],
      ['active', 'enable'],
    ] as const) {
      const [one, other] = [spec[name], spec[released]];
      if (one !== undefined && other !== undefined && one !== other)
        errors.push(invalidValue(`spec.${released}`, other, `is another name of spec.${name}, which is ${one}`));
    }
  }
  const { kubesphereAPIEndpoint: endpoint, kubeconfig } = connection;
  if (endpoint && !isHttpUrl(endpoint))
    errors.push(invalidValue('spec.connection.kubesphereAPIEndpoint', endpoint, 'must be an http or https URL'));
  let access: MemberAccess | undefined;
  try {
    access = kubeconfig ? readKubeconfig(kubeconfig) : undefined;
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    // Without its value, which is a credential.
    errors.push(invalidWithout('spec.connection.kubeconfig', error.message));
  }
  const token = connection.token ? readToken(connection.token.trim(), metadata.name) : undefined;
  if (token && 'wrong' in token) errors.push(invalidWithout('spec.connection.token', token.wrong));
  return { credentials: { access, token: token && 'secret' in token ? token.secret : undefined }, errors };
}

/** In characters. It is the password of a public port, and stored as a fast hash, so it must not be guessable. */
const shortestToken = 32;

/** The line that `fleet` printed, or a secret of the user's own. Errors do not quote it. */
function readToken(text: string, cluster: string): { secret: string } | { wrong: string } {
  if (text.includes(':')) {
    try {
      const token = parseToken(text);
      if (token.cluster === cluster) return { secret: token.secret };
      return { wrong: 'is the token of another cluster' };
    } catch {
      return { wrong: 'is neither a token made by fleet nor a secret without colons' };
    }
  }
  if (text.length >= shortestToken) return { secret: text };
  return { wrong: `must be a token made by fleet, or at least ${shortestToken} random characters` };
}
