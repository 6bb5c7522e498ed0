/** All settings of the server: the name in the file, from which flag and variable are derived, and the help text. */

export interface Setting {
  /** The value in the help text; in square brackets where the flag alone means true. */
  value: string;
  about: string;
  /** As it would be written after the flag. */
  default?: string;
}

export const settings = {
  controlPlane: {
    value: '<kubeconfig>',
    about: "an API server that holds the fleet's own objects; without it they are kept in the data directory",
  },
  controlPlaneContext: { value: '<context>', about: 'context of that kubeconfig, if not its current one' },
  listen: { value: '<address>', about: 'address and port to listen on', default: '127.0.0.1:8443' },
  agentListen: {
    value: '<address>',
    about: 'address and port for agents alone, beside the port of all requests, which takes them too',
  },
  dataDir: {
    value: '<folder>',
    about: "where the CA, certificates, the admin kubeconfig and the fleet's own objects are kept",
    default: './fleet-data',
  },
  historyMaxsize: {
    value: '<mebibytes>',
    about: 'how much history (earlier versions of objects) is kept for watches that resume; 0: limited by time only',
    default: '512',
  },
  serverName: { value: '<name...>', about: 'further names and addresses for the serving certificate' },
  tlsCertFile: {
    value: '<file>',
    about: 'serving certificate (PEM, with its chain) instead of one of the own CA; read again when it changes',
  },
  tlsPrivateKeyFile: { value: '<file>', about: 'its private key' },
  clientCaFile: {
    value: '<file>',
    about: "CAs whose client certificates are accepted beside the own and the control plane's",
  },
  tokenAuthFile: {
    value: '<file>',
    about: 'tokens: lines of token,user,uid,"group1,group2"; read again when it changes',
  },
  anonymousAuth: {
    value: '<boolean>',
    about: 'accept requests without a credential, as system:anonymous',
    default: 'true',
  },
  authorizationAlwaysAllowPaths: {
    value: '<path...>',
    about: 'paths of the server itself that need no authorisation, exactly as written',
    default: '/healthz,/livez,/readyz',
  },
  clusterSecretNamespaces: {
    value: '<name...>',
    about: "further namespaces in which Clusters' Secrets may be, beside karmada-cluster",
  },
  allowedLinkLocal: {
    value: '<cidr...>',
    about: 'link-local addresses at which members and their proxies may be, such as 169.254.10.0/24',
  },
  kubesphereEndpoint: {
    value: '<url>',
    about: 'ks-apiserver of the host, http or https, which answers paths below /kapis that name no cluster',
  },
  kubesphereToken: {
    value: '<boolean>',
    about: "pass the client's own Authorization on to it, by which it knows users",
    default: 'false',
  },
  partialLists: {
    value: '<when>',
    about: 'which lists may leave out unreachable members, with a warning: tables, always, never',
    default: 'tables',
  },
  requireClusterForWrites: {
    value: '<boolean>',
    about:
      'refuse writes, exec and the like by a plain name over many clusters, instead of looking up the member that has the object',
    default: 'false',
  },
  maxRequestsInflight: {
    value: '<number>',
    about: 'how many reads may be in flight at once, without watches and streams; 0: no limit',
    default: '400',
  },
  maxMutatingRequestsInflight: { value: '<number>', about: 'the same for writes', default: '200' },
  maxMemberRequestsInflight: {
    value: '<number>',
    about: 'how many requests may be in flight to one member at once, without watches and streams; 0: no limit',
    default: '200',
  },
  maxMemberObjectSize: {
    value: '<mebibytes>',
    about: 'the largest object, watch event or other answer of a member that is held in memory',
    default: '16',
  },
  sandboxProxies: {
    value: '<boolean>',
    about: 'let browsers run pages of pods, services and nodes, reached through proxies, only in a sandbox',
    default: 'true',
  },
  cacheMemory: {
    value: '<mebibytes>',
    about:
      'how much memory the objects that ResourceRegistries register may take; what does not fit is read from the members',
    default: '1024',
  },
  cachedViews: {
    value: '<which>',
    about: 'what is answered from that cache: all merged views, or the aggregation endpoint alone (all, aggregation)',
    default: 'all',
  },
  federation: {
    value: '[boolean]',
    about: "take resource templates and policies with Karmada's names, and propagate them to the members",
    default: 'false',
  },
  federationEmptyWorkloads: {
    value: '[boolean]',
    about: 'keep the object of a workload that is scaled to 0 in its clusters, at 0, instead of deleting it there',
    default: 'false',
  },
  federationServices: {
    value: '<service=place...>',
    about:
      'the addresses of Services that webhook configurations name: namespace/name[:port]=https://HOST[:PORT], or =MEMBER',
  },
  maxMemberWatches: {
    value: '<number>',
    about:
      'how many watches over many clusters one member serves at once; equal watches of one user count once, those from the cache do not count; 0: no limit',
    default: '1000',
  },
  maxUserWatches: {
    value: '<number>',
    about: 'how many different watches over many clusters one user may have at once; 0: no limit',
    default: '300',
  },
  shutdownDelay: {
    value: '<duration>',
    about:
      'how long requests are served as before after SIGTERM while /readyz fails: time for load balancers to notice',
    default: '0s',
  },
  shutdownGrace: {
    value: '<duration>',
    about: 'how long requests may take to finish at shutdown, such as 500ms, 10s, 1m30s',
    default: '10s',
  },
  auditLog: {
    value: '<file>',
    about:
      'one JSON line per request with user, request, clusters and result; - for standard output; reopened on SIGHUP',
  },
  auditLogMaxsize: {
    value: '<mebibytes>',
    about: 'size at which the audit log is renamed with the time, and a new one is begun; 0: never',
    default: '100',
  },
  auditLogMaxbackup: {
    value: '<number>',
    about: 'how many renamed audit logs are kept; 0: all',
    default: '10',
  },
  logLevel: { value: '<level>', about: 'how much to log: debug, info, warn, error', default: 'info' },
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export const settingNames = Object.keys(settings) as SettingName[];

const words = (name: string): string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());

export const flagOf = (name: string): string => `--${words(name).join('-')}`;

export const variableOf = (name: string): string => `FLEET_${words(name).join('_').toUpperCase()}`;
