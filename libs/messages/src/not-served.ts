import { InvalidRequestError, type MessagesRequest } from '@app/contract';

/**
 * Refuses fields that would be lost in silence: all else that is unknown is read over (architecture §6).
 *
 * @throws InvalidRequestError by its code.
 */
export function refuseWhatIsNotServed({ thread, mcp_servers }: MessagesRequest): void {
  if (thread != null) {
    throw new InvalidRequestError('Message threads are not supported: send the whole conversation.', {
      errorCode: 'thread_unsupported_request',
    });
  }
  if (mcp_servers?.length) {
    throw new InvalidRequestError('mcp_servers are not enabled on this server: leave the field out.', {
      code: 'INVALID_REQUEST_INVALID_MCP_ERROR',
    });
  }
}
