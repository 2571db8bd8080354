/** Databases of requests: what they are named by, and what comes back. */
import { must, type Requirement } from '../requirement';

export const databases: readonly Requirement[] = [
  must(
    'database-direct',
    'messages-api §15.2',
    'The tool runs without a conversation; a failing one is 200 and says so.',
  ),
  must('database-none-given', 'messages-api §15.2', 'Without a database it fails in its own words.'),
  must(
    'database-result',
    'messages-api §6.3',
    'The SQL and the count, warnings, a CSV file, the rows as CSV, in this order.',
  ),
  must('database-empty', 'messages-api §6.3', 'A result without rows says so in its own words.'),
  must('database-cut', 'messages-api §6.3', 'Results are limited, with a warning; of a long one there is a sample.'),
  must('database-failure', 'messages-api §6.3', 'A failure is marked as one, and begins with its own words.'),
  must('database-reads', 'messages-api §6.3', 'Nothing but reading is run, whatever the model writes.'),
  must('database-schemas', 'messages-api §5.3', 'schema and schemas are one list, and nothing else is read.'),
  must('database-shown', 'messages-api §5.3', 'The model is told what the flags allow, and the description.'),
  must('database-several', 'messages-api §5.3', 'Several databases are asked the same, and their answers combined.'),
  must('database-ssl', 'messages-api §5.3', 'ssl means verified TLS or no connection.'),
];
