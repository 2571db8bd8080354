export * from './access.module';
export * from './access.service';
export * from './caller';
export type { CredentialHeaders } from './credentials';
export * from './entities';
export * from './keys/key.service';
