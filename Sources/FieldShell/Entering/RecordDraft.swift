import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// A record that is being asked about. It is on the disk as soon as its mandatory fields have values, and again with
/// each further answer. So the typed answers survive a failure of the laptop.
final class RecordDraft<Record: EditableRecord> {
    private enum State {
        /// No disk has the record. These texts of it are in files of their own.
        case new([WrittenText])
        case stored
        /// Something was saved here.
        case changed
    }

    private(set) var record: Record
    private var state: State
    private var unsaved: WrittenText?
    let form: FormDefinition?
    private let records: RecordRepository<Record>
    private let session: ShellSession
    private let check: (Record) throws -> Void
    private let adapt: (inout Record) throws -> Void
    private let verify: (Record, Record) throws -> Void
    private let follow: (Record, Record) throws -> Void

    /// - Parameters:
    ///   - isSaved: it is a record that exists.
    ///   - check: throws where the record may no longer be changed; asked before each change.
    ///   - adapt: adds the consequences of a change of the existing record.
    ///   - verify: throws where it may not become so; asked with the record before and after each change.
    ///   - follow: changes other records with the one that exists, in one transaction: called with it before and after.
    init(
        _ record: Record, in records: RecordRepository<Record>, session: ShellSession, form: FormDefinition? = nil,
        isSaved: Bool = false, check: @escaping (Record) throws -> Void = { _ in },
        adapt: @escaping (inout Record) throws -> Void = { _ in },
        verify: @escaping (Record, Record) throws -> Void = { _, _ in },
        follow: @escaping (Record, Record) throws -> Void = { _, _ in }
    ) {
        self.record = record
        self.records = records
        self.session = session
        self.form = form
        state = isSaved ? .stored : .new([])
        self.check = check
        self.adapt = adapt
        self.verify = verify
        self.follow = follow
    }

    var isSaved: Bool {
        switch state {
        case .new: false
        case .stored, .changed: true
        }
    }

    /// Whether anything was saved here.
    var isChanged: Bool {
        switch state {
        case .new, .stored: false
        case .changed: true
        }
    }

    /// - Throws: `RecordError` if the changed record is not valid; it is then unchanged. `ChangedMeanwhile` if the
    ///   change would overwrite values that were never shown; the record is then the stored one, to be shown.
    func change(_ change: (inout Record) throws -> Void) throws {
        guard isSaved else {
            var changed = record
            try check(record)
            try change(&changed)
            try verify(record, changed)
            record = changed
            // A finding without its text is no finding yet.
            if record.problems().isEmpty { try save() }
            return
        }
        let seen = record
        var stored = record
        var changed = record
        do {
            try session.field().database.inBatch {
                changed = try records.update(seen.id, by: session.author()) { record in
                    try check(record)
                    stored = record
                    try change(&record)
                    try adapt(&record)
                    try verify(stored, record)
                    let unseen = ChangedMeanwhile(seen: seen, stored: stored, changed: record, form: form)
                    if let unseen { throw unseen }
                }
                try follow(stored, changed)
            }
            if changed != stored { state = .changed }
            record = changed
        } catch let error as ChangedMeanwhile {
            record = stored
            throw error
        }
    }

    /// Throws the errors of a change of a saved record, without making it.
    func tryOut(_ change: (inout Record) throws -> Void) throws {
        guard let stored = try records.find(record.id) else {
            throw RecordActionError(.notFound, kind: Record.kind, id: record.id)
        }
        var changed = stored
        try check(stored)
        try change(&changed)
        try verify(stored, changed)
        if let unseen = ChangedMeanwhile(seen: record, stored: stored, changed: changed, form: form) {
            record = stored
            throw unseen
        }
        try changed.validate(over: stored)
    }

    /// The typed or written text is kept, whatever error is thrown.
    ///
    /// - Throws: where the record was handed in, deleted or taken away while the question was open, `GoneMeanwhile`.
    func change(_ field: EditableField<Record>, to given: GivenAnswer) throws {
        let today = session.environment.today()
        do {
            try change { try $0.apply([(field.question.name, given.text)], form: form, today: today) }
            if let written = given.written { take(written) }
        } catch let error where isAsked(field, after: error) {
            unsaved = given.written
            throw error
        } catch let error as RecordActionError {
            session.questions.giveBack(given)
            throw try GoneMeanwhile(error, isNew: !isSaved, session: session) ?? error
        } catch {
            session.questions.giveBack(given)
            throw error
        }
    }

    /// A text that the record has by now.
    private func take(_ written: WrittenText) {
        switch state {
        case .new(let texts): state = .new(texts + [written])
        case .stored, .changed: session.dialogue.discard(written)
        }
    }

    /// A text that could not be saved: `:edit` opens it when the question is asked again.
    func takeUnsaved() -> WrittenText? {
        defer { unsaved = nil }
        return unsaved
    }

    /// Another answer, even one that a sync brought, may have closed the question.
    private func isAsked(_ field: EditableField<Record>, after error: any Error) -> Bool {
        (error is RecordError || error is ChangedMeanwhile)
            && record.editableFields(form: form).contains {
                $0.name == field.name && $0.isChangedByNameOnly == field.isChangedByNameOnly
            }
    }

    /// - Throws: `RecordError` naming the missing values.
    func save() throws {
        guard case .new(let texts) = state else { return }
        record = try records.add(record, by: session.author())
        state = .changed
        texts.forEach(session.dialogue.discard)
    }
}
