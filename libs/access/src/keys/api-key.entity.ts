import { Column, CreateDateColumn, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Scope } from '../caller';
import { Organisation } from '../organisations/organisation.entity';

@Entity('api_keys')
export class ApiKey {
  /** The eight characters between `zgk_` and the secret. */
  @PrimaryColumn('text')
  id!: string;

  @Column('uuid', { name: 'organisation_id' })
  organisationId!: string;

  @ManyToOne(() => Organisation)
  @JoinColumn({ name: 'organisation_id' })
  organisation!: Organisation;

  /** For people: what the key is used for. */
  @Column('text')
  name!: string;

  /** SHA-256 of the whole key. The key itself is stored nowhere (SEC-110). */
  @Column('bytea')
  hash!: Buffer;

  @Column('text', { array: true })
  scopes!: Scope[];

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
