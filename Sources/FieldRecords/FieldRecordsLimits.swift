/// In which portions records are read, written and reported.
public enum FieldRecordsLimits {
    /// Records that are looked up at once by their ids.
    static let recordsAtOnce = 500
    /// Records written in one transaction of an import: enough that the import does not wait for the disk, few enough
    /// that another process gets its turn within a second.
    static let importBatch = 2_000
    /// Bytes of an id of a register that are repeated in the ids of its records.
    static let plainRegisterID = 64
    /// Seconds after which a write of a small file that has not ended never will: its program has crashed.
    static let interruptedWrite = 3_600.0
    /// Bytes of a file that may be imported; it is held in memory while it is read.
    static let importFile = 512 * 1024 * 1024
    /// Bytes of it that are read at once.
    static let importPortion = 1024 * 1024
    /// Bytes of the table that names the attachments of an export, all of whose rows are held in memory: some 300,000.
    static let attachmentIndex = 64 * 1024 * 1024
    /// Bytes at a file's beginning that show whether it is text.
    static let textProbe = 4_096
    /// Names in the path of a contested value: those of this version have up to three, a photo's caption; a newer one
    /// may go a little deeper.
    static let pathDepth = 6
    /// Seconds after which the findings of a deleted inspection are deleted, too: 30 days, within which every laptop that
    /// may have edited the inspection has synced.
    static let deletedInspection: Int64 = 30 * 86_400
    /// Days ahead of today whose assignments are listed with its own.
    static let daysToCome = 14
    /// Days after its due day in which the user is still asked about an assignment that another user has closed.
    static let daysOfClosedWork = 30
    /// Changes of a laptop that its journal remembers: the changes that a person may still want to take back or look
    /// up.
    static let journal = 300
    /// Findings deleted at once that the journal remembers one by one, and that can be brought back.
    public static let notedDeletions = 100
    /// Records that others have deleted and that can be brought back: as many as changes by the user. Of the records that the
    /// person has made or worked on, at least as many.
    public static let deletedElsewhere = 300
    /// Bytes of deleted records that the person has made or worked on: more than ten thousand records. All of them are
    /// read with each portion of deletions that a sync brings.
    static let ownDeletedElsewhereBytes = 16 * 1024 * 1024
    /// Records of others, changed by others, whose former versions are kept. They only name the person.
    static let changedByOthers = 300
    /// How many more there may be until the oldest are looked for, which takes reading all of them.
    static let changedByOthersSlack = 30
    /// Bytes of the former versions that are kept of records of others, and of changes that the person has looked at: a
    /// colleague can fill each record. The person's own records with changes that they have not looked at are never dropped
    /// for others.
    static let changedByOthersBytes = 64 * 1024 * 1024
    /// Photos that a change has added or removed and that are named; of more it is said how many there are.
    static let namedPhotos = 10
    /// Bytes up to which a value that others gave is kept whole, and the bytes that are kept of the beginning of a
    /// longer one.
    static let leftValue = 1_024
    static let leftBeginning = 900
    /// Choices that are named where an answer is none of them.
    static let offeredChoices = 9
    /// Fields of one record that `log` names.
    static let shownFields = 20
    /// Days in which changes by others in the user's records are listed, unless the user has looked at them.
    static let daysOfChangesByOthers = 30
    /// Limits for changes by others: fields and people that one line names, letters of a value that it shows, and moments in
    /// the log of a record.
    static let namedFields = 6
    static let namedPeople = 3
    static let shownChange = 200
    static let changeLines = 50
    /// Conflicts whose shown values are noted: more than a person decides about at once.
    static let shownConflicts = 200
    /// Returned inspections for which is noted that a sync has named them: more than one person has at once.
    static let reportedReturns = 1000
    /// Findings that an approval lists one by one: more than one inspection has, and few beside the 20,000 values that a
    /// record may have at the gateway.
    static let notedFindings = 1_000
    /// Records of each file that a preview shows, and rows that the refusal of an import names.
    static let previewed = 3
    /// Characters of a value that a report quotes.
    static let quotedValue = 60
    /// Letters of a text by which records are sorted.
    static let sortedText = 300
    /// Bytes of a file's or a folder's name in an export. File systems take 255; a day before it and a number behind it
    /// have to fit, too.
    static let exportedName = 200
    /// Bytes of an attachment that a person may add: what a gateway takes. A larger one could never be sent.
    public static let attachment: UInt64 = 20 * 1024 * 1024
    /// Bytes of an attachment that are copied at once.
    package static let attachmentPortion = 256 * 1024
    /// Bytes of an exported file that are written, and read, at once.
    static let filePortion = 256 * 1024
    /// Bytes of a photo in which the time it was taken is looked for: the Exif block has at most 64 KiB and is first
    /// or behind one other block.
    static let exifBytes = 160 * 1024
    /// Tags of an Exif directory that are looked at; cameras write some dozens.
    static let exifTags = 512
}
