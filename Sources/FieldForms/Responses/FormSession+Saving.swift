import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FormEntry
import FormLogic
import Foundation

extension FormSession {
    /// What became of a finalisation.
    package enum Finalisation {
        /// The record's name.
        case done(name: String)
        /// The record stays a draft.
        case failures([FillProblem])
    }

    /// Saves an answer with all that follows from it; it is on the disk when this returns.
    ///
    /// - Throws: `FormFillingError` where the record was changed since it was opened; `StoreError` where the disk is full.
    package func save(_ state: FormState, marks: FormMarks) throws {
        self.state = state
        self.marks = marks
        var next = updated(state)
        next.state = .draft
        if isEdit { next.deprecatedID = response.instanceID }
        log([.save], in: &next)
        try store(next)
    }

    /// Sets the ends, drops or keeps surplus instances, looks at all answers, and finalises the record if none is wrong.
    package func finalise(_ state: FormState, marks: FormMarks, droppingSurplus: Bool) throws -> Finalisation {
        var last = state
        _ = last.finalise(droppingSurplus: droppingSurplus, now: setting.now())
        let failures = last.failures()
        guard failures.isEmpty else {
            return .failures(FillMessages(state: last, language: texts).problems(failures, besides: []))
        }
        self.state = last
        self.marks = marks
        var next = updated(last, isFinal: true)
        next.state = .final
        next.finalisedBy = setting.author.name
        if isEdit {
            next.deprecatedID = response.instanceID
            next.instanceID = Self.newInstanceID()
            next.edits = (response.edits ?? 0) + 1
        } else if next.deprecatedID == nil {
            next.entities = FormEntities.all(of: loaded.form, in: last)
        }
        next.add(step(.finalised, of: next.instanceID))
        log([.finalize, .exit], in: &next)
        try field.database.inBatch {
            try store(next)
            try field.assignedWork.close(response, by: setting.author)
        }
        return .done(name: next.instanceName ?? next.form)
    }

    /// Takes a record back to a draft, to be changed.
    ///
    /// - Parameter reason: of a change of a record that was sent; `nil` where nothing was.
    /// - Throws: as `save`.
    package func reopen(because reason: String?) throws {
        var next = updated(state)
        next.state = .draft
        if isEdit { next.deprecatedID = response.instanceID }
        next.add(step(.reopened, of: response.instanceID, because: reason))
        log([.reason], because: reason, in: &next)
        try store(next)
    }

    /// Notes in the record's log the answers since it was saved last, and then these events.
    private func log(_ events: [FormAudit.Event], because reason: String? = nil, in next: inout Response) {
        guard let audit = FormAudit(loaded.form) else { return }
        let (now, user) = (setting.now(), setting.author.name)
        if !isOpeningLogged {
            let opening: FormAudit.Event = response.audit.isEmpty ? .start : .resume
            next.log([audit.entry(opening, from: loggedUntil, by: user)])
        }
        next.log(
            audit.changes(
                from: isStored ? response.answers : [:], to: next.answers, since: loggedUntil, until: now, by: user)
                + events.map { audit.entry($0, from: now, by: user, because: reason) })
        (isOpeningLogged, loggedUntil) = (true, now)
    }

    private func step(
        _ action: ResponseStep.Action, of instanceID: String, because reason: String? = nil
    ) -> ResponseStep {
        ResponseStep(
            action, by: setting.author.name, at: Self.timestamp(setting.now()), device: setting.author.device,
            of: instanceID, because: reason)
    }

    /// All that keeps a record from being finalised of which answers were refused; nothing is finalised or saved.
    ///
    /// - Parameter refused: the problems of those answers.
    package func problems(
        of state: FormState, droppingSurplus: Bool, besides refused: [FillProblem]
    ) -> [FillProblem] {
        var last = state
        _ = last.finalise(droppingSurplus: droppingSurplus, now: setting.now())
        let failures = last.failures()
        return FillMessages(state: last, language: texts).problems(failures, besides: refused)
    }

    /// The record with the present answers; nothing is saved.
    package func updated(_ state: FormState, isFinal: Bool = false) -> Response {
        updated(state, marks: marks, isFinal: isFinal)
    }

    /// - Parameter marks: with the numbers of nodes of that state.
    func updated(_ state: FormState, marks: FormMarks, isFinal: Bool = false) -> Response {
        var (state, next) = (state, response)
        next.answers = MetaAnswers.without(state.record.answers(isFinal: isFinal))
        next.instanceName = state.instanceName() ?? standardName
        next.endedAt = Self.timestamp(setting.now())
        let record = state.record
        next.skipped = marks.skipped.map { record.keyedPath(of: $0) }.sorted { $0.isExactlyBefore($1) }
        next.remarks = Self.texts(marks.notes, of: record)
        next.begun = isFinal ? [] : Self.texts(marks.begun, of: record)
        next.reports = Self.reports(state)
        next.seeds = Self.seeds(of: state)
        return next
    }

    /// In the order of their paths.
    private static func texts(_ texts: [Record.ID: String], of record: Record) -> [JSONObject] {
        texts.map { node, text in (record.keyedPath(of: node), text) }
            .sorted { $0.0.isExactlyBefore($1.0) }
            .map { ["question": .string($0.0), "text": .string($0.1)] }
    }

    /// `Water point survey · 2026-03-04`, in the form's own language.
    private var standardName: String {
        let title = texts.pick(loaded.form.title)?.text ?? loaded.form.id.text
        return [title, response.startedAt?.day.description].compactMap(\.self).joined(separator: " · ")
    }

    private static func reports(_ state: FormState) -> [JSONObject] {
        let lines = state.allReports.map { report -> (key: Name, object: JSONObject) in
            let question = state.record.keyedPath(of: report.node)
            let code = report.report.code.rawValue
            let object: JSONObject = [
                "question": .string(question), "code": .string(code), "expression": .string(report.rule.rawValue),
            ]
            return (Name("\(question) \(report.rule.rawValue) \(code)"), object)
        }
        return lines.sorted { $0.key < $1.key }.map(\.object)
    }

    /// - Throws: `FormFillingError` where the stored record is not the one that was opened.
    func store(_ next: Response) throws {
        guard next.answers.bytes.count <= FormLimits.record else {
            throw FormFillingError(.tooLarge, subject: next.id)
        }
        guard isStored else {
            response = try field.responses.add(next, by: setting.author)
            isStored = true
            savedAt = setting.now()
            return
        }
        let known = response
        response = try field.responses.update(next.id, by: setting.author) { present in
            guard present.answers == known.answers, present.state == known.state else {
                throw FormFillingError(.changedElsewhere, subject: next.id)
            }
            // Those of the envelope are the repository's, site and district may have been corrected, and a reviewer may have
            // commented once more.
            let (envelope, site) = (present.envelope, present.site)
            let history = present.history + next.history.filter { !known.history.contains($0) }
            present = next
            (present.envelope, present.site, present.history) = (envelope, site, history)
        }
        savedAt = setting.now()
    }

    func readMarks() {
        let texts = response.remarks + response.begun
        let paths = response.skipped + texts.compactMap { $0["question"]?.stringValue }
        let nodes = state.record.nodes(atKeyedPaths: paths)
        marks.skipped = Set(response.skipped.compactMap { nodes[Name($0)] })
        for remark in response.remarks {
            if let node = remark["question"]?.stringValue.flatMap({ nodes[Name($0)] }) {
                marks.notes[node] = remark["text"]?.stringValue
            }
        }
        for text in response.begun {
            if let node = text["question"]?.stringValue.flatMap({ nodes[Name($0)] }) {
                marks.begun[node] = text["text"]?.stringValue
            }
        }
    }

    // MARK: Random orders

    /// The numbers that decide the order of choices, by the nodes of a record.
    static func seeds(_ seeds: JSONObject, of record: Record) -> [Record.ID: Int64] {
        let nodes = record.nodes(atKeyedPaths: seeds.keys)
        var found: [Record.ID: Int64] = [:]
        for member in seeds.members {
            guard let node = nodes[Name(member.key)], let seed = member.value.integerValue else { continue }
            found[node] = Int64(exactly: seed)
        }
        return found
    }

    private static func seeds(of state: FormState) -> JSONObject {
        let members = state.evaluator.seeds.map { node, seed in
            JSONObject.Member(key: state.record.keyedPath(of: node), value: .int(seed))
        }
        return JSONObject(members: members.sorted { $0.key.isExactlyBefore($1.key) })
    }

    // MARK: Files

    /// Copies a file into the sealed storage.
    ///
    /// - Parameter type: of the question that it answers; one for pictures takes nothing else.
    /// - Returns: the answer; two files of one record never have the same name.
    /// - Throws: `FormFillingError` or `RecordActionError` where it cannot be added.
    package func attach(path: String, for type: QuestionType?, in state: FormState) throws -> AnsweredFile {
        let file = URL(fileURLWithPath: HomeFolder.expanding(path))
        // A file that is not there, or is empty, has its own refusal below.
        if type == .plain(.image), let content = try? FileType.contentType(of: file), !content.hasExactPrefix("image/"),
            (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) != 0
        {
            throw FormFillingError(.noPicture, subject: file.lastPathComponent)
        }
        let present = ResponseFiles.of(state.record.answers())
        let photo = try field.photos.stored(
            path, besides: present, by: setting.author, for: RecordReference(.response, id: response.id))
        return AnsweredFile(name: Name(photo.name), blob: .object(photo.blob.object))
    }
}
