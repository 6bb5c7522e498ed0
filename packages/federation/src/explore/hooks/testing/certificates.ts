/** Certificates for servers in tests, written in DER by hand: Node reads them but makes none. */

import { generateKeyPairSync, sign } from 'node:crypto';

export interface ServerCertificate {
  cert: string;
  key: string;
}

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
};

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));
const utcTime = (time: Date): Buffer => {
  const digits = time.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
};

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const commonName = '550403';
const subjectAltName = '551d11';
const day = 24 * 60 * 60 * 1000;

/** Signed by itself, so it is its own CA. Names are DNS names, or addresses of IPv4. */
export function selfSigned(names: readonly string[], validDays = 1): ServerCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(oid(commonName), utf8('a hook of a test'))));
  const alternatives = sequence(...names.map(alternative));
  const extensions = der(0xa3, sequence(sequence(oid(subjectAltName), der(0x04, alternatives))));
  const now = Date.now();
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(utcTime(new Date(now - 2 * day)), utcTime(new Date(now + validDays * day))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = sign('sha256', toSign, privateKey);
  const certificate = sequence(toSign, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g)!;
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

const alternative = (name: string): Buffer =>
  /^[\d.]+$/.test(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name));
