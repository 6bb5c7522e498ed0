/** `fleet agent` and the commands below it, their flags and their help. */

import { credentialsFolder } from '@fleet/agent/pod.ts';
import type { Command } from 'commander';
import { clientVersion } from './client-version.ts';
import { examples, fleetKubeconfig } from './command-options.ts';
import type { AgentFlags } from './commands/agent.ts';
import type { ManifestFlags } from './commands/agent-manifest.ts';
import type { SshCommandFlags } from './commands/agent-ssh-command.ts';
import type { TokenRotateFlags } from './commands/agent-token-rotate.ts';

const transport = [
  '--transport <transport>',
  'auto, ssh or websocket; auto: SSH, and a WebSocket if SSH is blocked',
] as const;
const server = ['--server <url>', "address of the fleet for agents, if not that of the fleet's kubeconfig"] as const;
const proxy = ['--proxy <url>', 'http, https or socks5 proxy on the way to the fleet'] as const;
const noBindAdmins = [
  '--no-bind-admins',
  "do not make the fleet's administrators (group fleet:admins) cluster-admin in the member",
] as const;
const cacheKinds = [
  '--cache-kinds <kinds>',
  'resources that the cache is allowed to list and watch in the member, as in fleet join',
] as const;
const federationKinds = [
  '--federation-kinds <kinds>',
  'resources that federation is allowed to read and write in the member, as in fleet join',
] as const;

export function addAgent(program: Command): void {
  const agent = program
    .command('agent')
    .description(
      'Run beside a member that the fleet cannot reach: dials the fleet, which reaches the member through it.',
    )
    .enablePositionalOptions()
    .usage('[options]\n       fleet agent [command]')
    .option('--server <url>', 'address of the fleet, as in https://host:port')
    .option('--token-file <file>', 'file with the token, which "fleet join --agent" wrote')
    .option('--name <name>', 'name of the member in the fleet; it must be that of the token')
    .option('--kubeconfig <file>', 'kubeconfig of the member, with cluster-admin there; not needed in a pod')
    .option('--context <context>', 'context of that kubeconfig, if not its current one')
    .option(...noBindAdmins)
    .option(...cacheKinds)
    .option(...federationKinds)
    .option(
      '--credentials <folder>',
      'in a pod: where the Secrets of the two ServiceAccounts are mounted',
      credentialsFolder,
    )
    .option('--kubesphere-address <address>', "host and port of the member's ks-apiserver, to serve it, too")
    .option(...transport, 'auto')
    .option(proxy[0], `${proxy[1]}; else HTTPS_PROXY, except for what NO_PROXY names`)
    .option('--certificate-authority <file>', "CAs to trust for the WebSocket, beside the machine's")
    .option(
      '--insecure-skip-tls-verify',
      'do not verify the certificate of the WebSocket; the token pins the SSH host key of the fleet',
      false,
    )
    .option('--metrics-listen <address>', 'serve /metrics, /healthz and /readyz there, as in 127.0.0.1:9090')
    .option('--log-level <level>', 'debug, info, warn or error', 'info')
    .addHelpText(
      'after',
      examples(
        '# with a kubeconfig of the member, where both can be reached',
        '$ fleet agent --server https://fleet.example.com:8443 --token-file gondor.token --kubeconfig gondor.kubeconfig',
        '# in the member: one YAML',
        '$ fleet agent manifest gondor --token-file gondor.token | kubectl --kubeconfig gondor.kubeconfig apply -f -',
        '# through a proxy, where only HTTP passes',
        '$ fleet agent --server https://fleet.example.com --token-file gondor.token --kubeconfig gondor.kubeconfig --proxy http://proxy:3128 --transport websocket',
      ),
    )
    .action(async (flags: AgentFlags) => (await import('./commands/agent.ts')).runAgentCommand(flags));
  addManifest(agent);
  addSshCommand(agent);
  const token = agent.command('token').description("The tokens that a cluster's agents log in with.");
  addTokenRotate(token);
}

function addManifest(agent: Command): void {
  agent
    .command('manifest')
    .argument('<name>', 'name of the member, joined with "fleet join --agent"')
    .description('Print one YAML to apply in the member: accounts, permissions, token, and the agent as a Deployment.')
    .option('--token-file <file>', 'use the token in this file; without it a new one is made')
    .option('--image <image>', 'image of the agent', `localhost/fleet:${clientVersion}`)
    .option(...server)
    .option(...transport, 'auto')
    .option(...proxy)
    .option('--certificate-authority <file>', "CAs to trust for the WebSocket, instead of the fleet's own")
    .option(...noBindAdmins)
    .option(...cacheKinds)
    .option(...federationKinds)
    .option('--accounts-only', 'without the agent and its token: for a stock ssh', false)
    .option('--output <file>', 'write it to this file, which only its owner can read (mode 0600)')
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet agent manifest gondor --token-file gondor.token --image registry.example.com/fleet:v0.1.0 --server https://fleet.example.com:8443 --output gondor.yaml',
        '$ kubectl --kubeconfig gondor.kubeconfig apply -f gondor.yaml',
      ),
    )
    .action(async (name: string, flags: ManifestFlags) =>
      (await import('./commands/agent-manifest.ts')).runAgentManifest(name, flags),
    );
}

function addSshCommand(agent: Command): void {
  agent
    .command('ssh-command')
    .argument('<name>', 'name of the member, joined with "fleet join --agent"')
    .description('Print how to use a stock ssh as the agent: its command, known_hosts, its key, and the credentials.')
    .option('--identity-file <file>', 'private key of the agent; {name}.key without it')
    .option('--target <address>', 'host and port of the API server, as ssh reaches it', 'kubernetes.default.svc:443')
    .option(...server)
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet agent ssh-command gondor --identity-file ~/.ssh/gondor --target 10.0.0.5:6443 --server https://fleet.example.com:8443',
      ),
    )
    .action(async (name: string, flags: SshCommandFlags) =>
      (await import('./commands/agent-ssh-command.ts')).runAgentSshCommand(name, flags),
    );
}

function addTokenRotate(token: Command): void {
  token
    .command('rotate')
    .argument('<name>', 'name of the member')
    .description('Make another token and write it to a file. --revoke-others revokes all other tokens.')
    .option(
      '--token-file <file>',
      'required: the file to write; with --revoke-others also the token to keep, if the file exists',
    )
    .option('--revoke-others', 'revoke all others', false)
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet agent token rotate gondor --token-file new.token',
        '# when the agents have it',
        '$ fleet agent token rotate gondor --token-file new.token --revoke-others',
        '# one was stolen: at once, whatever that interrupts',
        '$ fleet agent token rotate gondor --token-file new.token --revoke-others',
      ),
    )
    .action(async (name: string, flags: TokenRotateFlags) =>
      (await import('./commands/agent-token-rotate.ts')).runAgentTokenRotate(name, flags),
    );
}
