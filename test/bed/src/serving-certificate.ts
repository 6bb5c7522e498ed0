import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { apiserverSubject } from './credentials.ts';
import { type Authority, createAuthority, type Pair } from './pki.ts';
import { until } from './until.ts';

export type ServingCertificate = 'good' | 'expired' | 'untrusted';

export interface ServingPlace {
  folder: string;
  port: number;
  authority: Authority;
}

/** Gives an API server that runs another certificate; new connections are shown it when this returns. */
export async function showCertificate(place: ServingPlace, which: ServingCertificate): Promise<void> {
  const { cert, key } = await issue(place.authority, which);
  // it takes a pair that fits together and keeps the old one meanwhile
  await writeFile(join(place.folder, 'pki', 'apiserver.key'), key, { mode: 0o600 });
  await writeFile(join(place.folder, 'pki', 'apiserver.crt'), cert);
  const { fingerprint256 } = new X509Certificate(cert);
  // where it cannot watch the files it looks once a minute
  const isShown = async () => (await shown(place.port)) === fingerprint256;
  await until(`the ${which} certificate is shown`, isShown, { timeout: 90_000 });
}

async function issue(authority: Authority, which: ServingCertificate): Promise<Pair> {
  switch (which) {
    case 'good':
      return authority.issue(apiserverSubject);
    case 'expired': {
      const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
      return authority.issue(apiserverSubject, { notBefore: hoursAgo(48), notAfter: hoursAgo(24) });
    }
    case 'untrusted':
      return (await createAuthority('somebody-else')).issue(apiserverSubject);
    default:
      return which satisfies never;
  }
}

async function shown(port: number): Promise<string | undefined> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerX509Certificate()?.fingerprint256;
  } finally {
    socket.destroy();
  }
}
