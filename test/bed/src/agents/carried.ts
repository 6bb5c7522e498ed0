/** What agents of a suite carried between products and members, and what went past them. */

export interface Carried {
  /** Connections to the member's API server. */
  streams: number;
  /** On the agent's connections to the fleet. */
  bytes: number;
}

const streams = /^fleet_agent_streams_total\{target="kubernetes"\} (\d+)$/m;
const bytes = /^fleet_agent_bytes_total\{direction="\w+"\} (\d+)$/gm;

/** `metrics`: as an agent serves them. */
export const carriedIn = (metrics: string): Carried => ({
  streams: Number(streams.exec(metrics)?.[1] ?? 0),
  bytes: [...metrics.matchAll(bytes)].reduce((sum, [, count]) => sum + Number(count), 0),
});

export interface Tally {
  /** The last of each agent, by the member's name. */
  agents: readonly { member: string; carried: Carried }[];
  /** Connections of a product to a member that its agent does not carry. */
  direct: readonly string[];
}

/** What is wrong with it; nothing if all went through agents. */
export function faultsIn({ agents, direct }: Tally): string[] {
  const members = [...new Set(agents.map(({ member }) => member))];
  const unused = members.filter((name) =>
    agents.every(({ member, carried }) => member !== name || carried.streams === 0),
  );
  return [
    ...(agents.length === 0 ? ['no member was reached through an agent'] : []),
    ...unused.map((name) => `no agent of ${name} carried anything`),
    ...direct,
  ];
}
