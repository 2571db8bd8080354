import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { Public } from './http/access.guard';
import { Answers } from './http/answers';

/** Longer than this, the database counts as gone. */
const PATIENCE_MS = 2000;

/** Tells orchestrators whether to restart the server and whether to send it requests, and tells nobody else anything. */
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly answers: Answers,
  ) {}

  /** The process answers. Some clients probe the root before their first call (anthropic-compat §1.8). */
  @Get(['health', 'api/hello', ''])
  alive() {
    return { status: 'ok' };
  }

  /** It can do its work: 503 while the database does not answer, or the server is stopping. */
  @Get('health/ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    if (!this.answers.draining && (await this.databaseAnswers())) return { status: 'ready' };
    reply.status(503);
    return { status: 'not ready' };
  }

  private async databaseAnswers(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS, false)));
    const answered = this.dataSource.query('SELECT 1').then(
      () => true,
      () => false,
    );
    const answers = await Promise.race([answered, late]);
    clearTimeout(timer);
    return answers;
  }
}
