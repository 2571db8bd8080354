export * from './access.module';
export * from './access.service';
export { AuditTrail, type ToolCallRecord } from './audit/audit-trail';
export type { Verdict } from './audit/tool-call.entity';
export * from './caller';
export type { CredentialHeaders } from './credentials';
export * from './entities';
export * from './keys/key.service';
