import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FormEntry
import FormLogic

/// Fills a form: a script without a question, a person in a conversation.
struct FillCommand {
    let session: ShellSession

    func run(_ request: FillRequest) throws -> FormOutput {
        guard request.isScripted else {
            return FormOutput(lines: [try FormFilling(session: session).run(try opened(request))], objects: [])
        }
        let form = try opened(request)
        var lines: [String] = []
        if request.upgrades { lines += try form.upgrade() }
        let filler = try filled(form, request: request)
        return try outcome(of: filler, in: form, request: request, lines: lines)
    }

    // MARK: Opening

    /// A form by its name, or a record that is to go on.
    private func opened(_ request: FillRequest) throws -> FormSession {
        let field = try session.field()
        let setting = try session.formSetting(language: request.language)
        if let record = try record(request.subject) {
            guard request.site == nil else {
                let short = RecordReference.short(record, kind: .response)
                throw UsageError("The record has its site already.", hint: "Change it: edit \(short) site=SITE")
            }
            return try open(record, setting: setting, isScripted: request.isScripted)
        }
        guard !request.upgrades else {
            throw UsageError("--upgrade is for a draft.", hint: "Name one: list responses --status draft")
        }
        let loaded = try FormLibrary(in: field).load(try FormNaming(session: session).name(request.subject))
        let site = try request.site.map { try self.site($0) }
        if !request.isScripted {
            let offer = DraftOffer(session: session, setting: setting)
            if let draft = try offer.accepted(of: loaded, site: site?.id) { return draft }
        }
        return try FormSession.begin(loaded, in: field, setting: setting, site: site)
    }

    /// Goes on with a record. Of one that was returned a person reads the comments first.
    private func open(_ id: String, setting: FormSetting, isScripted: Bool) throws -> FormSession {
        let field = try session.field()
        let isOfOther = try session.settings().user.map { user in
            try field.responses.findReadable(id).map { !$0.isToBeDone(by: user) } ?? false
                && field.store.supervisorRole(of: user) != .unlikely
        }
        let record = try FormSession.open(id, in: field, setting: setting, byReviewer: isOfOther ?? false)
        let comments = record.response.openComments
        if !isScripted, !comments.isEmpty {
            session.dialogue.show("It was returned:")
            ReviewComments(clock: session.environment.clock, record: record).lines(comments)
                .forEach { session.dialogue.show("  \($0)") }
        }
        return record
    }

    /// The id of a filled form that a text names; `nil` where it is a form's name.
    private func record(_ text: String) throws -> String? {
        if RowNumber(text) != nil, session.isShell {
            let found = try RecordFinder(session: session).find(text, among: [.form, .response])
            return found.kind == .response ? found.id : nil
        }
        do {
            _ = try FormLibrary(in: session.field()).find(text)
            return nil
        } catch let error as FormLibraryError {
            // The name of a form goes first: forms are filled more often than records go on.
            do { return try RecordFinder(session: session).find(text, among: [.response]).id } catch is NotFoundError {
                throw error
            }
        }
    }

    private func site(_ text: String) throws -> Site {
        let found = try RecordFinder(session: session).find(text, among: [.site])
        guard let site = try session.field().sites.find(found.id) else {
            throw RecordActionError(.notFound, kind: .site, id: found.id)
        }
        return site
    }

    // MARK: Answering

    private func filled(_ form: FormSession, request: FillRequest) throws -> FormFiller {
        var filler = FormFiller(form.state, language: form.texts, now: session.now) { path, node in
            try form.attach(path: path, for: node.type, in: form.state)
        }
        let input = FillInput(session: session)
        if let file = request.file { filler.fill(try input.answers(file)) }
        let steps = try request.steps + (request.readsLines ? FillSteps.read(input.lines()) : [])
        FillSteps(session: session, language: form.texts.chosen).take(steps, by: &filler)
        (form.notices + filler.notices).forEach(session.dialogue.show)
        return filler
    }

    // MARK: The end

    /// The accepted answers stay in the draft.
    private func outcome(
        of filler: FormFiller, in form: FormSession, request: FillRequest, lines: [String]
    ) throws -> FormOutput {
        var problems = filler.problems
        let isNews = filler.accepted > 0 || (filler.problems.isEmpty && form.savedAt == nil)
        if isNews {
            if form.progress != .open { try form.reopen(because: reason(for: form, request)) }
            try form.save(filler.state, marks: form.marks)
        }
        if request.finalises {
            problems = try finalise(filler, in: form, droppingSurplus: request.surplus == .drop)
        }
        let isStored = form.savedAt != nil
        let warning = try UnknownDistrict(session: session).warning(about: form.response, isStored: isStored)
        return FillReport(session: session, response: form.response, isStored: isStored)
            .output(problems: problems, lines: lines + [warning].compactMap(\.self))
    }

    /// - Throws: `UsageError` where a record that was sent would be changed without one.
    private func reason(for form: FormSession, _ request: FillRequest) throws -> String? {
        let reason = request.reason.flatMap { ReturnReason($0)?.text }
        guard form.progress == .sent, reason == nil else { return reason }
        let short = RecordReference.short(form.response.id, kind: .response)
        throw UsageError("This record was sent, so say why it is changed.", hint: "Use: fill \(short) … --reason TEXT")
    }

    /// A record with a refused answer stays a draft; all that is wrong with it is named at once.
    private func finalise(
        _ filler: FormFiller, in form: FormSession, droppingSurplus: Bool
    ) throws -> [FillProblem] {
        guard filler.problems.isEmpty else {
            return form.problems(of: filler.state, droppingSurplus: droppingSurplus, besides: filler.problems)
        }
        guard form.progress == .open else {
            throw UsageError("This record is final already.", hint: "Change an answer of it: --set NAME=VALUE")
        }
        switch try form.finalise(form.state, marks: form.marks, droppingSurplus: droppingSurplus) {
        case .done: return []
        case .failures(let failures): return failures
        }
    }
}

extension ShellSession {
    /// Milliseconds since 1970.
    var now: Int64 { environment.now().secondsSince1970 * 1000 }
}
