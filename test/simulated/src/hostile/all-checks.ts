/** All checks of the tunnel under attack, in an order in which none spoils the next. */

import type { Check } from './check.ts';
import { floodChecks } from './flood-checks.ts';
import { middleChecks } from './middle-checks.ts';
import { refusalChecks } from './refusal-checks.ts';

const { otherMember, ...refusals } = refusalChecks;
const { credentialFlood, unreadAnswers, flicker, overrun, nameFlood, channelFlood, requestFlood, ...floods } =
  floodChecks;
const { changedLaterToServer, changedLaterToAgent, stolenHostKey, ...middle } = middleChecks;

/** With every change. */
export const shortChecks: Record<string, Check> = { ...refusals, ...floods, ...middle, otherMember };

/** Those that take longer. The last leaves mordor with other credentials. */
export const longChecks: Record<string, Check> = {
  ...{ overrun, nameFlood, channelFlood, requestFlood, unreadAnswers, flicker },
  ...{ changedLaterToServer, changedLaterToAgent, stolenHostKey, credentialFlood },
};
