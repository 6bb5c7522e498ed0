/** Names of time zones in their exact spelling, as Go finds them in the system's files. */

let listed: ReadonlyMap<string, string> | undefined;

/** Built once, when the first CronJob has a time zone. */
function zones(): ReadonlyMap<string, string> {
  listed ??= new Map(Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone]));
  return listed;
}

/** Aliases are in no list; all of them begin with capitals. */
const isCapital = (zone: string): boolean => zone.split('/').every((part) => /^[A-Z]/.test(part));

export function isTimeZone(zone: string): boolean {
  if (zone === '' || zone === 'UTC' || zone === 'Local') return true;
  const known = zones().get(zone.toLowerCase());
  if (known !== undefined) return known === zone;
  return isCapital(zone) && isKnownToIntl(zone);
}

function isKnownToIntl(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
