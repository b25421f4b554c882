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
            return try FormSession.open(record, in: field, setting: setting)
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
        if isNews { try form.save(filler.state, marks: form.marks) }
        if request.finalises {
            problems = try finalise(filler, in: form, droppingSurplus: request.surplus == .drop)
        }
        let isStored = form.savedAt != nil
        let warning = try UnknownDistrict(session: session).warning(about: form.response, isStored: isStored)
        return FillReport(session: session, response: form.response, isStored: isStored)
            .output(problems: problems, lines: lines + [warning].compactMap(\.self))
    }

    /// A record with a refused answer stays a draft; all that is wrong with it is named at once.
    private func finalise(
        _ filler: FormFiller, in form: FormSession, droppingSurplus: Bool
    ) throws -> [FillProblem] {
        guard filler.problems.isEmpty else {
            return form.problems(of: filler.state, droppingSurplus: droppingSurplus, besides: filler.problems)
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
