/** Content blocks, in and out. */
import { gap, must, should, type Requirement } from '../requirement';

export const blocks: readonly Requirement[] = [
  must('block-text', 'messages-api §4.2', 'Text, with citations that are null, a list or absent.'),
  must('block-image', 'messages-api §4.2', 'Images as base64, in the older and the newer form, reach the model.'),
  must('block-image-mime', 'messages-api §4.2', 'An image of an unknown type is sent on as PNG.'),
  must('block-image-refused', 'messages-api §9', 'Images for a model that cannot see are 400 by their code.'),
  must('block-audio-refused', 'messages-api §9', 'Audio is 400 by its code.'),
  must('block-image-count', 'messages-api §9', 'More images than a request may hold are 400 by their code.'),
  must('block-image-in-result', 'anthropic-compat §5', 'An image in a result reaches the model, or a note does.'),
  gap(
    should('block-image-url', 'anthropic-compat §5', 'An image by URL reaches the model.'),
    'The server fetches no images; one by URL is refused in words.',
  ),
  must('block-blob-size', 'messages-api §4.2', 'A blob of more than 25 MiB is 400.'),
  must('block-blob-base64', 'messages-api §4.2', 'Data that is not base64 is 400 at its place.'),
  must('block-search-result', 'anthropic-compat §5', 'Search results of the caller reach the model.'),
  must('block-thinking', 'messages-api §4.2', 'Thinking comes back with a signature, an empty one or none.'),
  must('block-redacted-thinking', 'messages-api §4.2', 'Redacted thinking is taken back.'),
  must('block-tool-use', 'messages-api §4.2', 'A call may lack its input, and carry a caller.'),
  must('block-tool-result', 'anthropic-compat §5', 'A result may be absent, empty, a text, or blocks of any kind.'),
  must('block-server-tools', 'messages-api §4.4', 'Calls and results of server tools are taken as history.'),
  should('block-beta', 'anthropic-compat §5', 'Blocks of betas are taken as history.'),
  must('block-mid-conv-system', 'messages-api §4.2', 'mid_conv_system reaches the model.'),
  must('block-resources', 'messages-api §4.2', 'Resources leave a note where the user sent them.'),
  must('block-extended-in', 'messages-api §4.3', 'source, binary and tldr are always taken in.'),
  must('block-unknown', 'anthropic-compat §5', 'A block of an unknown type is 400 that names its place.'),
  must('block-metadata-alias', 'messages-api §1.1', 'Blocks may carry _meta or metadata.'),

  must('extended-out', 'messages-api §4.3', 'Extended blocks are shown to those who asked for them, natively.'),
  must('extended-stripped', 'messages-api §4.3', 'To all others none is shown, inside of results neither.'),
  must('no-nulls-in-blocks', 'anthropic-compat §7', 'Optional fields of emitted blocks are left out, never null.'),
  must('no-empty-text-out', 'anthropic-compat §4.7', 'No empty text block is emitted.'),
  must('timestamps', 'messages-api §1.1', 'Blocks carry times in ISO 8601, UTC, with microseconds.'),
  must('ids', 'messages-api §1.2', 'Ids have the prefixes and letters of the contract.'),
];
