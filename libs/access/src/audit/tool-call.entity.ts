import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** What became of a call: it ran, a rule stopped it, it came to nothing, or its caller had left. */
export type Verdict = 'allowed' | 'refused' | 'failed' | 'cancelled';

/** One call of a tool that this server runs (SEC-140). It holds nothing that a caller, a model or a page has written. */
@Entity('tool_call_audit')
export class AuditedToolCall {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** When it was over. */
  @Column('timestamptz')
  at!: Date;

  @Column('uuid', { name: 'organisation_id' })
  organisationId!: string;

  @Column('text', { name: 'key_id', nullable: true })
  keyId!: string | null;

  /** Its canonical name, whatever the caller named it; of a tool that was not offered, nothing. */
  @Column('text')
  tool!: string;

  /** What kind of thing it reaches: `collection`, `database`, `web`, `none`. */
  @Column('text')
  target!: string;

  @Column('text')
  verdict!: Verdict;

  /** The token of the refusal (`egress_denied`), where it has one. */
  @Column('text', { nullable: true })
  token!: string | null;

  /** Of the result. */
  @Column('bigint')
  bytes!: string;

  @Column('int')
  ms!: number;
}
