/** The sweep as a process of its own, for bugs that are planted in what it loads: `killed:1,2,3`, `answer lost:1` or `again:3`. */

import type { Fault } from './gate.ts';
import { again, playedThrough, playsAt, sweep } from './sweep.ts';

const seed = 'a planted bug';
const [fault, list = ''] = process.argv[2]!.split(':');
const at = list.split(',').map(Number);
const plays = fault === 'again' ? again(at) : playsAt(fault as Fault, at);
try {
  const { failures } = await sweep(await playedThrough(seed), plays, seed);
  for (const failure of failures) console.log(failure);
  process.exitCode = Math.min(failures.length, 1);
} catch (error) {
  console.log((error as Error).message);
  process.exitCode = 1;
}
