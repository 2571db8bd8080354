/**
 * The second wall of SQLite: the program that it has made of a statement, before it runs (SEC-51). Whatever the text
 * looked like, this is what would happen.
 */
import { words } from '../grammar/dialect';
import { Refused } from '../grammar/refused';
import { FUNCTIONS } from './words';

/** A row of EXPLAIN. */
export interface Instruction {
  readonly opcode: string;
  readonly p2: number;
  readonly p3: number;
  readonly p4: string;
}

/** Those that read, compute, and write into tables of the statement's own that go with it. */
const READING: ReadonlySet<string> = words(`
  Add AddImm Affinity AggFinal AggInverse AggStep AggStep1 AggValue And BeginSubrtn BitAnd BitNot BitOr Blob Cast
  ClrSubtype Close CollSeq Column ColumnsUsed Compare Concat Copy Count CursorHint CursorLock CursorUnlock DecrJumpZero
  DeferredSeek Delete Divide ElseEq EndCoroutine Eq Explain Filter FilterAdd FinishSeek Found Function Ge GetSubtype
  Gosub Goto Gt Halt HaltIfNull IdxDelete IdxGE IdxGT IdxInsert IdxLE IdxLT IdxRowid If IfEmpty IfNoHope IfNot IfNotOpen
  IfNotZero IfNullRow IfPos IfSizeBetween Init InitCoroutine Insert Int64 IntCopy Integer IsNull IsTrue IsType Jump Last
  Le Lt MakeRecord MemMax Move Multiply MustBeInt Ne NewRowid Next NoConflict Noop Not NotExists NotFound NotNull Null
  NullRow Offset OffsetLimit Once OpenAutoindex OpenDup OpenEphemeral OpenPseudo OpenRead Or Permutation Prev PureFunc
  Real RealAffinity ReleaseReg Remainder ReopenIdx ResetSorter ResultRow Return Rewind RowCell RowData Rowid RowSetAdd
  RowSetRead RowSetTest SCopy SeekEnd SeekGE SeekGT SeekHit SeekLE SeekLT SeekRowid SeekScan Sequence SequenceTest
  SetSubtype ShiftLeft ShiftRight SoftNull Sort SorterCompare SorterData SorterInsert SorterNext SorterOpen SorterSort
  String String8 Subtract TableLock Trace Transaction TypeCheck VColumn VFilter VInitIn VNext VOpen Yield ZeroOrNull
`);

const CALLING: ReadonlySet<string> = words('Function PureFunc AggStep AggStep1 AggInverse AggFinal AggValue');
/** Of the engine's own making: `->` and LIKE are functions to it. */
const OPERATORS: ReadonlySet<string> = new Set(['->', '->>', 'MATCH', 'SUBTYPE']);
/** Where the catalog lies. */
const SCHEMA_PAGE = 1;

/** @throws Refused */
export function checkProgram(program: readonly Instruction[]): void {
  if (!program.some(({ opcode }) => opcode === 'ResultRow')) throw new Refused('', 'only a SELECT is run');
  for (const { opcode, p2, p3, p4 } of program) {
    if (!READING.has(opcode)) throw new Refused(opcode, 'the statement would do more than read');
    if (opcode === 'Transaction' && p2 !== 0) throw new Refused(opcode, 'the statement would write');
    if ((opcode === 'OpenRead' || opcode === 'ReopenIdx') && (p2 === SCHEMA_PAGE || p3 !== 0)) {
      throw new Refused('sqlite_schema', 'the catalog may not be read');
    }
    const name = CALLING.has(opcode) ? p4.replace(/\(-?\d+\)$/, '').toUpperCase() : '';
    if (name !== '' && !FUNCTIONS.has(name) && !OPERATORS.has(name)) {
      throw new Refused(name.toLowerCase(), 'this function is not allowed');
    }
  }
}
