import { CreateAccess1796061600000 } from './1796061600000-create-access';
import { CreateArtifactsAndChunks1796061660000 } from './1796061660000-create-artifacts-and-chunks';

/** Every migration, oldest first. They are only ever added to. */
export const MIGRATIONS = [CreateAccess1796061600000, CreateArtifactsAndChunks1796061660000];
