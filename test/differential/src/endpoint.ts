/** One of the two servers: where it is, and how to be let in. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';

export interface Endpoint {
  /** May have a path: `https://127.0.0.1:8443/apis/cluster.karmada.io/v1alpha1/clusters/member1/proxy`. */
  readonly url: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

interface Kubeconfig {
  'current-context': string;
  contexts: { name: string; context: { cluster: string; user: string } }[];
  clusters: { name: string; cluster: Record<string, string> }[];
  users: { name: string; user: Record<string, string> }[];
}

/** The current context of a kubeconfig; `prefix` is put after the server's address. */
export async function endpointOfKubeconfig(path: string, prefix = ''): Promise<Endpoint> {
  const config = parse(await readFile(path, 'utf8')) as Kubeconfig;
  const named = <T extends { name: string }>(list: T[], name: string): T => {
    const found = list.find((entry) => entry.name === name);
    if (!found) throw new Error(`${path} has no entry "${name}"`);
    return found;
  };
  const { context } = named(config.contexts, config['current-context']);
  const { cluster } = named(config.clusters, context.cluster);
  const { user } = named(config.users, context.user);
  const pem = async (from: Record<string, string>, key: string): Promise<string | undefined> => {
    const data = from[`${key}-data`];
    if (data !== undefined) return Buffer.from(data, 'base64').toString();
    const file = from[key];
    return file === undefined ? undefined : readFile(resolve(dirname(path), file), 'utf8');
  };
  const ca = await pem(cluster, 'certificate-authority');
  const cert = await pem(user, 'client-certificate');
  const key = await pem(user, 'client-key');
  return {
    url: `${cluster['server']?.replace(/\/$/, '')}${prefix.replace(/\/$/, '')}`,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(user['token'] === undefined ? {} : { token: user['token'] }),
  };
}
