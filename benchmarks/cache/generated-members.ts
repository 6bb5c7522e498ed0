/** Generated members, some of them in one process of their own. */

import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answerParent } from '../scale/child-process.ts';
import { GeneratedMember } from './generated-member.ts';

export interface StartAsk {
  names: readonly string[];
  /** Of each. */
  pods: number;
  /** The numbers of the first pod of each member; pods of the same number have the same name. */
  first?: readonly number[];
  cert: string;
  key: string;
}

export interface GeneratedServer {
  name: string;
  url: string;
}

export interface ChangeAsk {
  /** Of all members together. */
  perSecond: number;
  seconds: number;
}

const members: GeneratedMember[] = [];
/** In milliseconds. */
const tick = 5;
const mostAtOnce = 100;

const commands = {
  async start({ names, pods, first = [], cert, key }: StartAsk): Promise<GeneratedServer[]> {
    return Promise.all(
      names.map(async (name, index) => {
        const member = new GeneratedMember(members.length, pods, first[index]);
        members.push(member);
        const server = createServer({ cert, key }, (request, response) => member.answer(request, response));
        // What the product opens stays open.
        server.keepAliveTimeout = 0;
        server.on('tlsClientError', () => {});
        const listening = Promise.withResolvers<void>();
        server.listen(0, '127.0.0.1', () => listening.resolve());
        await listening.promise;
        return { name, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
      }),
    );
  },

  /** Changes pods at a steady rate, or more slowly if those who watch do not keep up. Returns how many were changed. */
  async change({ perSecond, seconds }: ChangeAsk): Promise<number> {
    const begun = performance.now();
    let changed = 0;
    for (let now = begun; now - begun < seconds * 1_000; now = performance.now()) {
      const due = Math.floor(((now - begun) / 1_000) * perSecond) - changed;
      const each = Math.floor(due / members.length);
      for (const member of members) if (member.isKeptUpWith) changed += member.change(Math.min(each, mostAtOnce));
      await pause(tick);
    }
    return changed;
  },

  /** One more pod in each, by which it shows that everything before it has been read. */
  async add(): Promise<void> {
    for (const member of members) member.add();
  },
};

export type MembersCommands = typeof commands;

if (process.send && import.meta.main) answerParent(commands);
