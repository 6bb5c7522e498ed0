/** Where two values differ, as short as possible. */
export interface Delta {
  /** `status`, `header content-type`, `body .metadata.name`, `event 3 .type`. */
  readonly where: string;
  readonly left: string;
  readonly right: string;
}

const enough = 20;

export function deltas(where: string, left: unknown, right: unknown, found: Delta[] = []): Delta[] {
  if (found.length >= enough || Object.is(left, right)) return found;
  if (isContainer(left) && isContainer(right) && Array.isArray(left) === Array.isArray(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    for (const key of keys) deltas(`${where}.${key}`, left[key], right[key], found);
    return found;
  }
  found.push({ where, left: show(left), right: show(right) });
  return found;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  return value === undefined ? '(none)' : JSON.stringify(value);
}

/** For texts: what surrounds the first place where they part. */
export function textDelta(where: string, left: string, right: string): Delta[] {
  if (left === right) return [];
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 80));
  return [{ where: `${where} at ${at}`, left: around(left), right: around(right) }];
}
