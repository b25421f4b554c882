/// How much the shell shows, remembers and waits for.
public enum ShellLimits {
    /// Bytes of answers that a script hands to a form: some more than the record may have.
    static let answers = 16 << 20
    /// Bytes of them that are read at once.
    static let answersAtOnce = 64 << 10
    /// Cells that are left for an answer behind a question, before the question is broken: a number or `y`.
    static let answerRoom = 10
    /// Cells that a prompt leaves for the line: enough for most commands. `status` has what the prompt then leaves out.
    static let lineRoom = 24
    /// Letters of a table's cell before it is fitted to the screen: more are on no screen.
    static let cell = 1_000
    /// An editor that has changed nothing within this time was no editor, but the launcher of one.
    static let shortestEdit = Duration.milliseconds(500)
    /// Choices of a list that the outline of a form names.
    static let formChoices = 12
    /// Choices offered by number: one digit each.
    static let choices = 9
    /// Rows of a list whose records are read and written at once.
    static let rowsAtOnce = 500
    /// Ids that are read at once where one that begins so is looked for.
    static let idsAtOnce = 500
    /// Districts that are named if the user asks for a missing one.
    static let districts = 20
    /// Characters of a digest that name a photo whose name cannot be typed there: enough for a record's photos.
    static let photoMark = 10
    /// Names listed when a reference fits several records.
    static let candidates = 5
    /// Records that others have changed, and those that they have deleted, that the day's work lists: a colleague may have
    /// corrected a whole register.
    static let newsOfTheDay = 10
    /// Cells of a value that a sync reports among the contested ones.
    static let reportedValue = 40
    /// Cells of an answer at its question and in a list of all answers: two lines of most screens. `show` has all of it.
    static let answerShown = 160
    /// Changed fields that one answer names.
    static let shownChanges = 20
    /// Bytes of a text that people type again from memory; longer ones are not taken away without a question.
    static let textOfMemory = 60
    /// Cells of the reason for which an inspection was returned, where a sync or a status names it; `show` has all of it.
    static let reportedReason = 200
    /// Lines of history kept.
    static let history = 1_000
    /// Bytes of a history file from which on it is cut to those lines when a shell opens.
    static let historyBytes = 256 * 1024
    /// Columns of a terminal that does not say how many it has.
    static let columns = 80
    /// Lines of a terminal that does not say how many it has.
    static let rows = 24
    /// How often the line editor is given Enter for a line that was called off: keys that wait for others take some.
    static let entersOfCutOff = 8
    /// Letters that one edited line takes: twice as many as the longest answer has.
    static let editedLetters = 20_000
    /// Bytes that a disk takes before an editor is opened on it: an answer of letters of four bytes each.
    static let editorRoom = 40_000
    /// Letters that are kept behind those of a line: as many as a gateway takes of a record.
    static let lettersBesideLine = 1_000_000
    /// Rows in which the line editor draws: more than those letters take on 40 columns with two cells each.
    static let editedRows = 2_000
    /// Odd rows of one kind that an import prints; all are in its report.
    static let notesShown = 3
    /// Wrong passphrases after which the way out is named; more can be tried.
    static let passphraseTries = 3
    /// Seconds between the first two plain lines of progress where there is no terminal; doubled from line to line.
    static let progressSeconds = 2.0
    static let progressSecondsAtMost = 30.0
    /// Bytes of a passphrase or password file.
    static let secretFile = 4_096
    /// Seconds in which a program that is to show a photo has read it: a command's copy of it stays that long at least.
    static let startOfViewer = 60.0
    /// The exit status of a program that Ctrl-C ended, as shells have it.
    static let interruptedStatus: Int32 = 130
    /// Seconds that a message to systemd may wait.
    static let systemdMessage = 2
}
