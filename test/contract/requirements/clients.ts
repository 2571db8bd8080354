/** Whole clients, as they come from their registries. */
import { must, type Requirement } from '../requirement';

export const clients: readonly Requirement[] = [
  must('clients', 'anthropic-compat §18', 'SDKs of both generations, Python, AI SDK and LangChain work unchanged.'),
  must('claude-code', 'anthropic-compat §15', 'What Claude Code sends is answered, with and without a stream.'),
  must('dated-by-client', 'anthropic-compat §16', 'The AI SDK’s own tool types reach the model with their schemas.'),
  must('document-after-tools', 'anthropic-compat §17', 'A wanted document may come after calls of the caller’s tools.'),
];
