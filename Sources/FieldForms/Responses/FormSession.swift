import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FormEntry
import FormLogic

/// A form that is being filled, with its record in the folder: opened, saved after each answer, finalised.
///
/// A class, because a conversation and the shell around it speak of one session; it belongs to one thread.
package final class FormSession {
    package internal(set) var loaded: LoadedForm
    package internal(set) var state: FormState
    package internal(set) var marks = FormMarks()
    /// As it was last saved; of a new record as it would be.
    package internal(set) var response: Response
    /// Milliseconds since 1970; `nil` until a new record was saved.
    package internal(set) var savedAt: Int64?

    /// What the opening has changed, a line each: choices that the form no longer offers.
    package internal(set) var notices: [String] = []

    let field: FieldDatabase
    let setting: FormSetting
    /// Whether the record is in the folder.
    var isStored: Bool
    /// Whether a sent record is being edited.
    let isEdit: Bool
    /// When it was opened, or saved last, in milliseconds since 1970.
    var loggedUntil: Int64
    /// Whether its log has this opening.
    var isOpeningLogged = false

    init(
        loaded: LoadedForm, state: FormState, response: Response, in field: FieldDatabase, setting: FormSetting,
        isStored: Bool, isEdit: Bool
    ) {
        self.loaded = loaded
        self.state = state
        self.response = response
        self.field = field
        self.setting = setting
        self.isStored = isStored
        self.isEdit = isEdit
        loggedUntil = setting.now()
    }

    /// The version that new records take, where that is another one than the record's.
    package var newerVersion: String? {
        loaded.current.isExactly(loaded.form.version) ? nil : loaded.current
    }

    /// How far a record has come before its answers are changed.
    package enum Progress: Sendable, Hashable {
        /// A new one, a draft, or one that was returned to its author.
        case open
        /// It goes with the next sync.
        case final
        case sent
    }

    package var progress: Progress {
        if response.state.isOpen { return .open }
        return isEdit ? .sent : .final
    }

    package var texts: FormTextLanguage { setting.texts(of: loaded.form) }

    // MARK: Opening

    /// Begins a new record. It is in the folder with the first `save`.
    ///
    /// - Parameters:
    ///   - site: `nil` for a record about no site.
    ///   - assignment: the id of the one that it is for; handing it in closes that.
    /// - Throws: `FormFillingError` where the form takes no new records; `FormFileError` for a table that cannot be read.
    package static func begin(
        _ loaded: LoadedForm, in field: FieldDatabase, setting: FormSetting, site: Site? = nil,
        assignment: String? = nil
    ) throws -> FormSession {
        guard loaded.state == .open else { throw FormFillingError(.closed, subject: loaded.form.id.text) }
        let last = try LastResponse(field: field, setting: setting).answers(of: loaded.form)
        let evaluator = try setting.evaluator(for: loaded, lastSaved: last)
        let state = FormState.new(evaluator: evaluator, graph: FormGraph(evaluator.program)).state
        var random = SystemRandomNumberGenerator()
        let instanceID = MetaAnswers.text("instanceID", in: state.record) ?? newInstanceID()
        var response = Response(
            id: RecordIDs.make(.response, using: &random), form: loaded.form.id.text, version: loaded.form.version,
            instanceID: instanceID, district: try district(of: site, in: field, user: setting.author.name))
        response.formDigest = loaded.digest
        response.site = site?.id
        response.assignment = assignment
        response.startedAt = timestamp(setting.now())
        let session = FormSession(
            loaded: loaded, state: state, response: response, in: field, setting: setting, isStored: false,
            isEdit: false)
        session.response = session.updated(session.state)
        return session
    }

    /// Opens a draft, a finalised record that was not sent yet, or a sent one that may be edited: its form says so, or a
    /// reviewer does it.
    ///
    /// - Throws: `FormFillingError`, or `FormLibraryError` where its version of the form is not here.
    package static func open(
        _ id: String, in field: FieldDatabase, setting: FormSetting, byReviewer: Bool = false
    ) throws -> FormSession {
        guard let response = try field.responses.find(id) else { throw FormFillingError(.notFound, subject: id) }
        let loaded = try FormLibrary(in: field).load(form: Name(response.form), version: response.formVersion)
        let isSent = try field.collection(of: .response).exchange(of: id)?.isSent ?? false
        // The draft of an edit notes the id that it is to replace.
        let isEdit = isSent || response.deprecatedID.isExactly(response.instanceID)
        let mayEdit =
            response.state.isOpen || byReviewer || (loaded.form.settings.clientEditable && response.state != .approved)
        guard !isSent || mayEdit else {
            throw FormFillingError(.handedIn(state: response.state.rawValue), subject: id)
        }
        return try reading(response, of: loaded, in: field, setting: setting, isEdit: isEdit)
    }

    /// A record with its marks, whatever its state.
    static func reading(
        _ response: Response, of loaded: LoadedForm, in field: FieldDatabase, setting: FormSetting, isEdit: Bool = false
    ) throws -> FormSession {
        let (state, changes) = try state(of: response, loaded: loaded, setting: setting)
        let session = FormSession(
            loaded: loaded, state: state, response: response, in: field, setting: setting, isStored: true,
            isEdit: isEdit)
        session.notices = DroppedChoices.of(changes, in: state.record).map(\.line)
        session.savedAt = response.endedAt.map { $0.secondsSince1970 * 1000 }
        session.readMarks()
        return session
    }

    private static func state(
        of response: Response, loaded: LoadedForm, setting: FormSetting
    ) throws -> (state: FormState, changes: [FormChange]) {
        var evaluator = try setting.evaluator(for: loaded)
        let answers = MetaAnswers.with(instanceID: response.instanceID, in: response.answers)
        evaluator.record = record(answers, evaluator: &evaluator)
        evaluator.seeds = seeds(response.seeds, of: evaluator.record)
        return FormState.draft(evaluator: evaluator, graph: FormGraph(evaluator.program))
    }

    static func record(_ answers: JSONObject, evaluator: inout FormEvaluator) -> Record {
        var random = evaluator.state.random
        defer { evaluator.state.random = random }
        return Record.read(answers, outline: evaluator.program.outline) {
            Name(String(decoding: RandomUUID.text(from: &random).utf8.prefix(8), as: UTF8.self))
        }.record
    }

    private static func district(of site: Site?, in field: FieldDatabase, user: String?) throws -> District {
        if let district = site?.district { return district }
        return try field.districts.known(for: user).preset ?? .unknown
    }

    static func newInstanceID() -> String {
        var random = FormRandom(seed: UInt64.random(in: .min ... .max))
        return "uuid:" + RandomUUID.text(from: &random)
    }

    static func timestamp(_ milliseconds: Int64) -> Timestamp {
        let second = milliseconds / 1000
        return Timestamp(secondsSince1970: milliseconds % 1000 < 0 ? second - 1 : second)
    }
}
