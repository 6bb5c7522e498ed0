/** For each check a bug that it has to notice (0007). */

import type { Mutant } from '@fleet/bed/mutant.ts';

const tunnel = 'packages/tunnel/src';
const agents = 'packages/server/src/agents';
const never = 'if (!this)';

export const mutants: Record<string, Mutant[]> = {
  channels: [
    // Whatever an agent opens is opened.
    {
      file: `${tunnel}/ssh2/refusals.ts`,
      from: "protocol.channelOpenFail(info.sender, prohibited, '');",
      to: '(protocol as any).channelOpenConfirm(info.sender, 9, 65536, 32768);',
    },
    { file: `${agents}/agent-tunnels.ts`, from: "this.#failed({ event: 'AgentRefused', ...refusal })", to: '{}' },
  ],
  sessions: [
    {
      file: `${tunnel}/ssh2/refusals.ts`,
      from: 'refuse?.();\n        refused(`session',
      to: '_accept?.();\n        refused(`session',
    },
    { file: `${tunnel}/ssh2/refusals.ts`, from: 'name === subsystem ? acceptIt()', to: 'name ? acceptIt()' },
    { file: `${tunnel}/ssh2/refusals.ts`, from: 'if (isTaken) {', to: 'if (!client) {' },
  ],
  names: [
    { file: `${tunnel}/agent-connection.ts`, from: 'if (!target) return false;', to: 'if (!target) return true;' },
    { file: `${tunnel}/ssh2/refusals.ts`, from: 'if (!isKnown) refused(', to: 'if (!client) refused(' },
  ],
  otherCluster: [
    {
      file: `${agents}/agent-logins.ts`,
      from: 'matchesSecret(login.token, this.#hashesOf(login.name))',
      to: "matchesSecret(login.token, [login.name, 'mordor'].flatMap((name) => this.#hashesOf(name)))",
    },
    {
      file: `${agents}/agent-logins.ts`,
      from: '.some((key) => key.equals(login.publicKey))',
      to: '.every((key) => key.equals(login.publicKey))',
    },
    {
      file: `${agents}/agent-tunnels.ts`,
      from: "this.#failed({ event: 'AgentLoginFailed', cluster: name, address, what: by })",
      to: '{}',
    },
    { file: `${tunnel}/tunnel-server.ts`, from: "refused('no login');", to: '{}' },
  ],
  replay: [
    {
      file: `${agents}/agent-logins.ts`,
      from: 'return matchesSecret(login.token, this.#hashesOf(login.name)) && isOpen;',
      to: `{
          const once = ((globalThis as any).once ??= new Set());
          if (matchesSecret(login.token, this.#hashesOf(login.name))) once.add(login.token);
          return once.has(login.token) && isOpen;
        }`,
    },
    {
      file: `${agents}/agent-tunnels.ts`,
      from: "(this.#logins.isValid(name, proof) ? undefined : 'its token or key is no longer valid')",
      to: 'undefined',
    },
  ],
  otherMember: [
    { file: `${agents}/member-identity.ts`, from: 'if (cluster.spec.id === uid) return true;', to: 'return true;' },
    {
      file: `${agents}/agent-tunnels.ts`,
      from: "this.#failed({ event: 'AgentRefused', cluster, address, what: 'member' });",
      to: '',
    },
  ],
  overrun: [
    {
      file: `${tunnel}/ssh2/channel-stream.ts`,
      from: 'if (this.#channel.incoming.window < 1) violated',
      to: `${never} violated`,
    },
  ],
  overrunOfAFullWindow: [{ file: `${tunnel}/ssh2/channel-stream.ts`, from: 'channel.incoming.window++;', to: '' }],
  smallPackets: [
    {
      file: `${tunnel}/ssh2/channel-stream.ts`,
      from: 'channel.outgoing.packetSize < smallestPacket',
      to: 'channel.outgoing.packetSize < 1',
    },
  ],
  sessionFlood: [
    { file: `${tunnel}/ssh2/server-connection.ts`, from: 'if (++this.#refusals > this.#limits.refusals)', to: never },
  ],
  requestFlood: [{ file: `${tunnel}/ssh2/refusals.ts`, from: 'if (!isKnown) refused(', to: 'if (!client) refused(' }],
  dataFlood: [
    {
      file: `${tunnel}/ssh2/refusals.ts`,
      from: "=== undefined) refused('data for no channel');",
      to: '=== undefined) return;',
    },
  ],
  unreadAnswers: [
    { file: `${tunnel}/ssh2/transport-guard.ts`, from: 'if (socket.writableLength > limits.unsentCut)', to: never },
  ],
  malformed: [
    {
      file: `${tunnel}/agent-connection.ts`,
      from: '(error) => this.#ssh.breaks(error),',
      to: '(error) => this.#ssh.close(error),',
    },
    { file: `${tunnel}/control-channel.ts`, from: '        fail(asError(error));', to: '        void asError(error);' },
  ],
  flicker: [
    {
      file: 'packages/server/src/controllers/health.ts',
      from: 'const mostEarly = 5;',
      to: 'const mostEarly = Infinity;',
    },
  ],
  connections: [
    {
      file: `${tunnel}/tunnel-server.ts`,
      from: 'if (this.agents.of(cluster).length >= this.#limits.connections)',
      to: never,
    },
  ],
  silence: [
    { file: `${tunnel}/login-gate.ts`, from: "() => login.end('login took too long')", to: '() => {}' },
    {
      file: `${tunnel}/login-gate.ts`,
      from: 'this.#logins.size >= this.#limits.loginsAtOnce && !this.#replaceOldest(source)',
      to: '!this',
    },
  ],
  rate: [{ file: `${tunnel}/login-rate.ts`, from: 'slots.length < this.#perSecond;', to: 'slots.length >= 0;' }],
  credentialFlood: [
    {
      file: `${tunnel}/agent-connection.ts`,
      from: 'const replaced = this.#nextCredentials;',
      to: 'const replaced = undefined as typeof message | undefined; this.#isStoring = false;',
    },
  ],
  // That these lead to no login is ssh2's work, on either end; that somebody hears of it is not.
  changedToServer: [{ file: `${tunnel}/tunnel-server.ts`, from: "refused('no login');", to: '{}' }],
  changedToAgent: [{ file: `${tunnel}/tunnel-server.ts`, from: "refused('no login');", to: '{}' }],
  // Tags that nobody compares.
  changedLaterToServer: [
    {
      file: 'node_modules/ssh2/lib/protocol/crypto.js',
      from: 'this._decipherInstance.setAuthTag(this._tag);\n\n        const decrypted = this._decipherInstance.final();',
      to: 'const decrypted = Buffer.alloc(0);',
    },
  ],
  otherHostKey: [
    {
      file: `${tunnel}/ssh2/client-connection.ts`,
      from: 'fingerprints.includes(fingerprintOf(key))',
      to: 'fingerprintOf(key) !== fingerprints.join()',
    },
  ],
  // ssh2 compares with what was registered, and so does the agent's own code: the mutant deceives both.
  stolenHostKey: [
    {
      file: 'node_modules/ssh2/lib/client.js',
      from: `const val = self._forwarding[\`\${data.destIP}:\${data.destPort}\`];`,
      to: "const val = 443; Object.assign(data, { destIP: 'kubernetes', destPort: 443 });",
    },
  ],
};
