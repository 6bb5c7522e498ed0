/** Changes to objects of all members while they are listed page by page. */

import { randomUUID } from 'node:crypto';
import type { Member } from '@fleet/bed/member.ts';

interface ChurnedObjects {
  /** The path of their collection. */
  objects: string;
  objectOf(name: string): object;
  make(member: Member, name: string): Promise<unknown>;
}

/** Makes, changes and deletes objects all over the names until it is disposed of. */
export function churn(members: readonly Member[], { objects, objectOf, make }: ChurnedObjects): AsyncDisposable {
  let over = false;
  const work = members.map(async (member) => {
    for (let round = 0; !over; round++) {
      const name = `o-${String((round * 37) % 3_000).padStart(5, '0')}`;
      await make(member, `${name}-new-${randomUUID().slice(0, 8)}`);
      const patch = { method: 'PUT', body: { ...objectOf(name), metadata: { name, labels: { round: `r${round}` } } } };
      if (objects.endsWith('/configmaps')) await member.api.ask(`${objects}/${name}`, patch);
      await member.api.ask(`${objects}/${name.slice(0, -1)}9`, { method: 'DELETE' });
    }
  });
  return {
    async [Symbol.asyncDispose]() {
      over = true;
      await Promise.all(work);
    },
  };
}
