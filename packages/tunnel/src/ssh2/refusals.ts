/** What an agent is not allowed to ask the server for, each refused and reported (AGENT-4). */

import type { Channel, ServerClient, Session } from 'ssh2';

/** SSH_OPEN_ADMINISTRATIVELY_PROHIBITED */
const prohibited = 1;

type Refused = (what: string) => void;

/** Anything but a session: direct-tcpip, streamlocal, X11, agent forwarding, and whatever else may be invented. */
export function refuseChannels(client: ServerClient, refused: Refused): void {
  const handlers = client._protocol._handlers;
  const open = handlers.CHANNEL_OPEN;
  handlers.CHANNEL_OPEN = (protocol, info) => {
    if (client.authenticated && info.type === 'session') return open(protocol, info);
    protocol.channelOpenFail(info.sender, prohibited, '');
    refused(client.authenticated ? `channel ${info.type.slice(0, 64)}` : 'channel before the login');
  };
}

/** Those that clients are known to send, and that change nothing. */
const harmless = /^(keepalive@|no-more-sessions@openssh\.com$|hostkeys-prove-00@openssh\.com$)/;
/** What an agent registers with, and asks for with ssh -R: answered by whoever knows the targets. */
const forwarding = /^(cancel-)?(tcpip-forward|streamlocal-forward@openssh\.com)$/;

/** What ssh2 drops without a word: requests that it does not know, and data for channels that there are not. */
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

/** Of sessions one, and of what it can be for the subsystem only. ssh2 never forgets one that is closed before it was for anything. */
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
