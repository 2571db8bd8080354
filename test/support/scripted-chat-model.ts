import { ChatModel, type ChatModelInfo, type ChatPart, type ChatRequest } from '../../libs/models/src/chat/chat-model';

/** A chat model in this process, whose answers the test writes; it keeps what it was asked. */
export class ScriptedChatModel extends ChatModel {
  readonly info: ChatModelInfo = {
    id: 'scripted',
    displayName: 'scripted',
    contextTokens: 32_768,
    maxOutputTokens: 4096,
    images: false,
    thinking: false,
    structuredOutput: false,
  };
  readonly requests: ChatRequest[] = [];
  private readonly answers: string[];

  constructor(...answers: string[]) {
    super();
    this.answers = answers;
  }

  override async *stream(request: ChatRequest): AsyncGenerator<ChatPart> {
    this.requests.push({ ...request, messages: [...request.messages] });
    const answer = this.answers.shift();
    if (answer === undefined) throw new Error('The test wrote no further answer');
    yield { type: 'started' };
    yield { type: 'text', text: answer };
    yield { type: 'finish', reason: 'stop', usage: { inputTokens: 100, outputTokens: 10 } };
  }
}
