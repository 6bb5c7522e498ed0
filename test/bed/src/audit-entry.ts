/** One line of an audit log (`audit.k8s.io/v1` Event), as far as suites ask. */
export interface AuditEntry {
  readonly auditID: string;
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  /** Who was let in. */
  readonly user: string;
  readonly groups: readonly string[];
  /** Whom they acted for. */
  readonly impersonatedUser?: string;
  readonly impersonatedGroups: readonly string[];
  readonly impersonatedExtra: Readonly<Record<string, readonly string[]>>;
  readonly userAgent: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
  };
  /** None while the answer has not begun. */
  readonly code?: number;
  /** From its arrival to this stage. */
  readonly milliseconds: number;
}

interface User {
  username?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

interface Event {
  auditID: string;
  stage: string;
  verb: string;
  requestURI: string;
  user?: User;
  impersonatedUser?: User;
  userAgent?: string;
  objectRef?: NonNullable<AuditEntry['objectRef']>;
  responseStatus?: { code?: number };
  requestReceivedTimestamp?: string;
  stageTimestamp?: string;
}

export function entryOf(line: unknown): AuditEntry {
  const event = line as Event;
  const { auditID, stage, verb, requestURI, user, impersonatedUser, objectRef } = event;
  const code = event.responseStatus?.code;
  return {
    auditID,
    stage,
    verb,
    requestURI,
    user: user?.username ?? '',
    groups: user?.groups ?? [],
    ...(impersonatedUser?.username !== undefined && { impersonatedUser: impersonatedUser.username }),
    impersonatedGroups: impersonatedUser?.groups ?? [],
    impersonatedExtra: impersonatedUser?.extra ?? {},
    userAgent: event.userAgent ?? '',
    ...(objectRef && { objectRef }),
    ...(code !== undefined && { code }),
    milliseconds: Date.parse(event.stageTimestamp ?? '') - Date.parse(event.requestReceivedTimestamp ?? ''),
  };
}

/** The processes a member consists of: they ask all the time, and no suite is about them. */
const ownUsers = /^(system:apiserver|system:kube-|system:serviceaccount:kube-system:|bed:)/;

export function isOwnComponent(entry: AuditEntry): boolean {
  return entry.impersonatedUser === undefined && ownUsers.test(entry.user);
}
