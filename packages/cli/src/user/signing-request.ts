/** Gets a client certificate with a CertificateSigningRequest in the control plane: creates, approves, waits, deletes. */

import { randomBytes } from 'node:crypto';
import { isStatus, type KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { type NewUser, requestUser } from '@fleet/server/pki/user-certificate.ts';
import { HintedError } from '../errors.ts';
import { managed } from '../labels.ts';
import { poll } from '../poll.ts';

interface SigningRequest extends KubeObject {
  status?: {
    certificate?: string;
    conditions?: { type: string; reason?: string; message?: string }[];
  };
}

export interface SigningParts {
  controlPlane: KubeClient;
  signal: AbortSignal;
  /** How long to wait for the certificate, in milliseconds. */
  within?: number;
}

const collection = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const signedWithin = 30_000;

export async function signByControlPlane(
  user: NewUser,
  { controlPlane, signal, within = signedWithin }: SigningParts,
): Promise<{ cert: string; key: string }> {
  const { request, key } = await requestUser(user);
  const name = `fleet-user-${randomBytes(5).toString('hex')}`;
  const path = `${collection}/${name}`;
  const created = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name, labels: managed },
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      expirationSeconds: Math.round(user.validFor / 1000),
      usages: ['digital signature', 'client auth'],
    },
  };
  try {
    await controlPlane.create(collection, created, signal);
    const approved = { type: 'Approved', status: 'True', reason: 'FleetCreateUser', message: 'by fleet create user' };
    await controlPlane.patch(`${path}/approval`, 'merge', { status: { conditions: [approved] } }, signal);
    const cert = await poll(async () => certificateOf(await controlPlane.get<SigningRequest>(path, signal)), {
      deadline: within,
      signal,
      late: () => withoutSigner(),
    });
    return { cert, key };
  } catch (error) {
    throw isStatus(error, 404) ? withoutSigner(error) : error;
  } finally {
    // Whatever has ended this: nobody asks for the certificate a second time.
    await controlPlane.delete(path).catch((error: unknown) => {
      if (!isStatus(error, 404)) throw error;
    });
  }
}

function certificateOf({ status }: SigningRequest): string | undefined {
  const refused = status?.conditions?.find(({ type }) => type === 'Failed' || type === 'Denied');
  if (refused) throw new Error(`the control plane did not sign the request: ${refused.message ?? refused.type}`);
  return status?.certificate ? Buffer.from(status.certificate, 'base64').toString() : undefined;
}

/** As the embedded control plane. */
const withoutSigner = (cause?: unknown): HintedError =>
  new HintedError(
    'the control plane signs no certificates',
    'Run this where "fleet serve" runs, and name its data directory with --data-dir: the CA of the fleet signs, too',
    { cause },
  );
