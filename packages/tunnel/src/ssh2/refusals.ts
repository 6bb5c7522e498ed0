/** Refuses and reports what an agent is not allowed to request from the server (AGENT-4). */

import type { Channel, ServerClient, Session } from 'ssh2';

/** SSH_OPEN_ADMINISTRATIVELY_PROHIBITED */
const prohibited = 1;

type Refused = (what: string) => void;

/** Every channel type but a session: direct-tcpip, streamlocal, X11, agent forwarding, and unknown ones. */
export function refuseChannels(client: ServerClient, refused: Refused): void {
  const handlers = client._protocol._handlers;
  const open = handlers.CHANNEL_OPEN;
  handlers.CHANNEL_OPEN = (protocol, info) => {
    if (client.authenticated && info.type === 'session') return open(protocol, info);
    protocol.channelOpenFail(info.sender, prohibited, '');
    refused(client.authenticated ? `channel ${info.type.slice(0, 64)}` : 'channel before the login');
  };
}

/** Requests that clients are known to send, and that change nothing. */
const harmless = /^(keepalive@|no-more-sessions@openssh\.com$|hostkeys-prove-00@openssh\.com$)/;
/** Requests with which an agent registers targets, as `ssh -R` does; answered by the code that knows the targets. */
const forwarding = /^(cancel-)?(tcpip-forward|streamlocal-forward@openssh\.com)$/;

/** Reports what ssh2 drops silently: unknown requests, and data for channels that do not exist. */
export function reportDropped(client: ServerClient, refused: Refused): void {
  const handlers = client._protocol._handlers;
  const { GLOBAL_REQUEST: request, CHANNEL_DATA: data } = handlers;
  handlers.GLOBAL_REQUEST = (protocol, name, wantReply, details) => {
    request(protocol, name, wantReply, details);
    const isKnown = harmless.test(name) || (client.authenticated && forwarding.test(name));
    if (!isKnown) refused(`request ${name.slice(0, 64)}`);
  };
  handlers.CHANNEL_DATA = (protocol, recipient, bytes) => {
    if (client._chanMgr.get(recipient) === undefined) refused('data for no channel');
    else data(protocol, recipient, bytes);
  };
}

type Answer = (() => unknown) | undefined;

/** Accepts one session, for the subsystem only. ssh2 never frees a session that is closed before it has a purpose. */
export function sessionsOf(
  client: ServerClient,
  subsystem: string,
  opened: (channel: Channel) => void,
  refused: Refused,
): void {
  let isTaken = false;
  client.on('session', (accept: () => Session, reject: () => void) => {
    if (isTaken) {
      refused('second session');
      return reject();
    }
    isTaken = true;
    const session = accept();
    for (const request of ['pty', 'x11', 'auth-agent', 'shell', 'exec', 'env', 'signal'])
      session.on(request, (_accept: Answer, refuse: Answer) => {
        refuse?.();
        refused(`session ${request}`);
      });
    session.on('subsystem', (acceptIt: () => Channel | undefined, refuse: Answer, { name }: { name: string }) => {
      const channel = name === subsystem ? acceptIt() : undefined;
      if (channel) return opened(channel);
      refuse?.();
      refused(`subsystem ${name.slice(0, 64)}`);
    });
  });
}
