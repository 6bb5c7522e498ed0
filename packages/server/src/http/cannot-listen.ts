/** The error message if a port cannot be listened on. */

const whyNot: Partial<Record<string, string>> = {
  EADDRINUSE: 'the port is taken',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'this user is not allowed to use that port',
};

export function cannotListen({ host, port }: { host: string; port: number }, cause: NodeJS.ErrnoException): Error {
  const shown = host.includes(':') ? `[${host}]` : host;
  return new Error(`cannot listen on ${shown}:${port}: ${whyNot[cause.code ?? ''] ?? cause.message}`, { cause });
}
