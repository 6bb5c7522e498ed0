/** Places of the bed on the stage of the routing tables, with their own audit logs as witnesses. */

import type { Member } from '@fleet/bed/member.ts';
import { watchMember } from '../seen.ts';
import type { Places, Staged } from './stage.ts';

const witnessed = (member: Member): Staged => ({
  api: member.api,
  seesBodies: true,
  watch: async () => {
    const entries = await watchMember(member);
    return async () =>
      (await entries()).map(({ impersonatedUser: user, verb, objectRef }) => ({
        user,
        verb,
        resource: objectRef?.resource,
        name: objectRef?.name,
      }));
  },
});

export const stagedAs = (places: Readonly<Record<string, Member>>): Places =>
  Object.fromEntries(Object.entries(places).map(([name, member]) => [name, witnessed(member)]));
