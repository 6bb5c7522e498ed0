/** Names of time zones, as Go finds them in the files of the system: in this spelling only. */

let listed: ReadonlyMap<string, string> | undefined;

/** Made once, when the first CronJob names a zone. */
function zones(): ReadonlyMap<string, string> {
  listed ??= new Map(Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone]));
  return listed;
}

/** Names that are only another name are in no list; all of them begin with capitals. */
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
