import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import { PemConverter, Pkcs10CertificateRequest } from '@peculiar/x509';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCa, createSigningRequest, issueClient, type KeyPair } from './certificates.ts';

/** Names that a parser of distinguished names would misread; the first two are DER in hex of well-known groups. */
const names = [
  '#0c0e73797374656d3a6d617374657273',
  '#0c0c666c6565743a61646d696e73',
  '#',
  '#no hex',
  'x\\2c',
  'x\\0aO=system:masters',
  'a "system:masters" b',
  '"system:masters"',
  'a, O=system:masters',
  'a+O=system:masters',
  ' padded ',
  'jörg ☃',
];

let ca: KeyPair;
beforeAll(async () => {
  ca = await createCa('ca');
});

const subjectOf = (cert: string) => new X509Certificate(cert).toLegacyObject().subject;

describe('AUTHN-1: the certificate has exactly the text that was asked for', () => {
  it.each(names)('%j as user and as group', async (name) => {
    const { cert } = await issueClient(ca, name, [name]);
    expect(subjectOf(cert)).toEqual({ CN: name, O: name });
  });

  it('all groups in their order', async () => {
    const { cert } = await issueClient(ca, 'alice', names);
    expect(subjectOf(cert)).toEqual({ CN: 'alice', O: names });
  });

  it.each(names)('%j in a signing request', async (name) => {
    const { request } = await createSigningRequest(name, [name, 'other']);
    const { subjectName } = new Pkcs10CertificateRequest(PemConverter.decodeFirst(request));
    expect(subjectName.getField('CN')).toEqual([name]);
    expect(subjectName.getField('O')).toEqual([name, 'other']);
  });
});
