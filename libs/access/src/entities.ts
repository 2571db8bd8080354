import { AuditedToolCall } from './audit/tool-call.entity';
import { ApiKey } from './keys/api-key.entity';
import { Organisation } from './organisations/organisation.entity';

/** For `openDatabase`. */
export const ACCESS_ENTITIES = [Organisation, ApiKey, AuditedToolCall];
