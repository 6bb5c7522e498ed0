/** The serving certificate, and the CAs of client certificates. Both may change while the server runs (AUTHN-3). */

import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { KeyPair } from '@fleet/apiserver/pki/certificates.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Logger } from 'pino';
import { parseTokenFile, type StaticToken } from './authn/static-tokens.ts';
import type { Config } from './config/config.ts';
import { certificatesIn, readClientCas, readClientCasIfAllowed } from './control-plane/client-ca.ts';
import { type Followed, type FollowOptions, follow, readFiles } from './pki/follow.ts';

export interface Trust extends Disposable {
  serving(): KeyPair;
  /** The CAs besides the product's own. The same array until they change. */
  clientCas(): readonly string[];
  /** Called when the certificate or the CAs have changed. */
  onChange: () => void;
}

type TrustConfig = Pick<Config, 'tlsCertFile' | 'tlsPrivateKeyFile' | 'clientCaFile'>;

const filesEvery = 2_000;
const controlPlaneEvery = 30_000;

/** `made`: the serving certificate of the data directory, used if no other is configured. */
export async function openTrust(config: TrustConfig, made: KeyPair, client: KubeClient, log: Logger): Promise<Trust> {
  using opening = new DisposableStack();
  let cas: readonly string[] = [];
  const gather = () => {
    cas = [...(fromFile?.value ?? []), ...fromControlPlane.value];
  };
  const onChange = () => {
    gather();
    trust.onChange();
  };
  const common = { every: filesEvery, onChange, log };
  const { tlsCertFile: cert, tlsPrivateKeyFile: key, clientCaFile } = config;
  const given =
    cert && key
      ? opening.use(
          await followFiles({
            ...common,
            what: `--tls-cert-file ${cert} with --tls-private-key-file ${key}`,
            read: readFiles([cert, key]),
            understand: pairOf,
          }),
        )
      : undefined;
  const fromFile = clientCaFile
    ? opening.use(
        await followFiles({
          ...common,
          what: `--client-ca-file ${clientCaFile}`,
          read: readFiles([clientCaFile]),
          understand: ([pem = '']) => someCertificatesOf(certificatesIn(pem)),
        }),
      )
    : undefined;
  let read = () => readClientCasIfAllowed(client, log);
  const fromControlPlane = opening.use(
    await follow({
      ...common,
      what: "the control plane's client CA",
      read: () => {
        const reading = read();
        // Files that were read once and cannot be read now keep their last content.
        read = () => readClientCas(client);
        return reading;
      },
      understand: (pems) => certificatesOf(pems),
      every: controlPlaneEvery,
    }),
  );
  gather();
  const open = opening.move();
  const trust: Trust = {
    serving: () => given?.value ?? made,
    clientCas: () => cas,
    onChange: () => {},
    [Symbol.dispose]: () => open.dispose(),
  };
  return trust;
}

/** Throws if the certificate and the key do not belong together, as while only one of them has been replaced. */
function pairOf([cert = '', key = '']: string[]): KeyPair {
  createSecureContext({ cert, key });
  return { cert, key };
}

function someCertificatesOf(pems: string[]): string[] {
  if (pems.length === 0) throw new Error('there is no certificate in it');
  return certificatesOf(pems);
}

function certificatesOf(pems: string[]): string[] {
  for (const pem of pems) new X509Certificate(pem);
  return pems;
}

export const followTokens = (path: string, log: Logger): Promise<Followed<StaticToken[]>> =>
  followFiles({
    what: `--token-auth-file ${path}`,
    read: readFiles([path]),
    understand: ([text = '']) => parseTokenFile(text),
    every: filesEvery,
    log,
  });

/** An error at the start names the flag: a reason such as EISDIR alone does not. */
const followFiles = <T>(options: FollowOptions<T>): Promise<Followed<T>> =>
  follow(options).catch((cause: Error) => {
    throw new Error(`${options.what}: ${cause.message}`, { cause });
  });
