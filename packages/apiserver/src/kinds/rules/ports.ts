/** Validates numbers and names of ports (apimachinery's `util/validation`). */

export const portNumberFaults = (port: number): string[] =>
  port >= 1 && port <= 65_535 ? [] : ['must be between 1 and 65535, inclusive'];

export function portNameFaults(name: string): string[] {
  const faults: string[] = [];
  if (Buffer.byteLength(name) > 15) faults.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name)) faults.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) faults.push('must contain at least one letter (a-z)');
  if (name.includes('--')) faults.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) faults.push('must not begin or end with a hyphen');
  return faults;
}
