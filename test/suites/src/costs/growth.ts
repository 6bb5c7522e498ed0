/** How the CPU time of reading a text grows with its length. */

export type Read = (text: string) => unknown;

/** Of this thread's own work, in milliseconds: others may keep the machine busy meanwhile. */
async function milliseconds(read: Read, text: string): Promise<number> {
  const begun = process.threadCpuUsage();
  try {
    await read(text);
  } catch {
    // Refused: that it was, and at what cost, is all that counts here.
  }
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}

/** The clock of a thread's CPU time may tick every few milliseconds only: what is short is read until it has ticked often. */
const ticks = 30;

async function average(read: Read, text: string): Promise<number> {
  let spent = 0;
  let times = 0;
  for (; spent < ticks; times++) spent += await milliseconds(read, text);
  return spent / times;
}

/** What takes less for the longest text is not worth measuring: a square of its length would take far more. */
const unnoticed = 20;
/** Four times as much text takes four times as long; a square of it sixteen times. */
const mostGrowth = 9;
const attempts = 3;

/** `make(n)` is a text of about n bytes. Undefined if its time grows with its length; else how it grows, over n, 2n and 4n. */
export async function growthOf(
  read: Read,
  make: (length: number) => string,
  length: number,
): Promise<string | undefined> {
  const texts = [1, 2, 4].map((times) => make(length * times));
  if ((await milliseconds(read, texts[2]!)) < unnoticed) return undefined;
  let described = '';
  // Again if it is much: compiling and collecting garbage fall on one of them by chance.
  for (let attempt = 0; attempt < attempts; attempt++) {
    const taken: number[] = [];
    for (const text of texts) taken.push(await average(read, text));
    if (taken[2]! < unnoticed || taken[2]! / taken[0]! < mostGrowth) return undefined;
    described = taken.map((ms) => `${ms.toFixed(1)} ms`).join(', ');
  }
  return described;
}

/** Until code is compiled, and while another process has the core's caches, the same work takes several times as long. */
const attemptsForLeast = 10;

/** The least of some attempts, in milliseconds; one that is short enough settles it. */
export async function leastTime(
  read: Read,
  text: string,
  enough: number,
  attempts = attemptsForLeast,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && least > enough; attempt++) {
    least = Math.min(least, await milliseconds(read, text));
  }
  return least;
}
