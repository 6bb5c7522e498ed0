import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Authority, createAuthority, createSigningKey, type Pair, type Subject } from './pki.ts';

/** What the processes of a member show each other; each pair is also `pki/<name>.crt` and `.key` in its folder. */
export interface Credentials {
  authority: Authority;
  admin: Pair;
  controllerManager: Pair;
  scheduler: Pair;
  kwok: Pair;
  metricsServer: Pair;
}

const loopback = { dns: ['localhost'], ips: ['127.0.0.1'] };
const masters = ['system:masters'];

export const apiserverSubject: Subject = {
  name: 'kube-apiserver',
  dns: ['localhost', 'kubernetes.default.svc'],
  ips: ['127.0.0.1', '10.0.0.1'],
};

/** Makes and writes all certificates and keys of a member. */
export async function createCredentials(folder: string): Promise<Credentials> {
  const pki = join(folder, 'pki');
  await mkdir(pki, { recursive: true });
  const keep = async (name: string, pair: Pair): Promise<Pair> => {
    await writeFile(join(pki, `${name}.crt`), pair.cert);
    await writeFile(join(pki, `${name}.key`), pair.key, { mode: 0o600 });
    return pair;
  };
  const [authority, frontProxy, signingKey] = await Promise.all([
    createAuthority('bed-ca'),
    createAuthority('bed-front-proxy-ca'),
    createSigningKey(),
  ]);
  await keep('ca', authority);
  await keep('front-proxy-ca', frontProxy);
  await writeFile(join(pki, 'service-accounts.key'), signingKey.private, { mode: 0o600 });
  await writeFile(join(pki, 'service-accounts.pub'), signingKey.public);
  const issue = async (file: string, subject: Subject, by = authority) => keep(file, await by.issue(subject));
  const [admin, controllerManager, scheduler, kwok, metricsServer] = await Promise.all([
    issue('admin', { name: 'admin', groups: masters }),
    // masters: these are the bed's own processes, and their roles are not what is tested
    issue('controller-manager', { name: 'system:kube-controller-manager', groups: masters }),
    issue('scheduler', { name: 'system:kube-scheduler', groups: masters }),
    issue('kwok', { name: 'bed:kwok', groups: masters }),
    // the name by which an API server knows the Service of an API
    issue('metrics-server', { name: 'bed:metrics-server', groups: masters, dns: ['metrics-server.kube-system.svc'] }),
    issue('apiserver', apiserverSubject),
    issue('node-server', { name: 'bed:node-server', groups: masters, ...loopback }),
    // the name the node server lets in
    issue('kubelet-client', { name: 'kube-apiserver-kubelet-client' }),
    issue('front-proxy-client', { name: 'front-proxy-client' }, frontProxy),
  ]);
  return { authority, admin, controllerManager, scheduler, kwok, metricsServer };
}
