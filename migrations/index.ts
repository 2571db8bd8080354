import { CreateAccess1796061600000 } from './1796061600000-create-access';

/** Every migration, oldest first. They are only ever added to. */
export const MIGRATIONS = [CreateAccess1796061600000];
