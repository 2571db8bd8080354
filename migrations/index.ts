import { CreateAccess1796061600000 } from './1796061600000-create-access';
import { CreateArtifactsAndChunks1796061660000 } from './1796061660000-create-artifacts-and-chunks';
import { AsyncMessages1796061720000 } from './1796061720000-async-messages';
import { CreateArtifactTables1796061780000 } from './1796061780000-create-artifact-tables';
import { AsyncMessageReaders1796061840000 } from './1796061840000-async-message-readers';
import { RememberWhereArtifactsCameFrom1796061990000 } from './1796061990000-remember-where-artifacts-came-from';
import { CreateToolCallAudit1796062110000 } from './1796062110000-create-tool-call-audit';

/** Every migration, oldest first. They are only ever added to. */
export const MIGRATIONS = [
  CreateAccess1796061600000,
  CreateArtifactsAndChunks1796061660000,
  AsyncMessages1796061720000,
  CreateArtifactTables1796061780000,
  AsyncMessageReaders1796061840000,
  RememberWhereArtifactsCameFrom1796061990000,
  CreateToolCallAudit1796062110000,
];
