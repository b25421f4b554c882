import DocumentValues
import FieldModels
import FieldRecords

/// Makes the command of a line whose tokens have been sorted.
struct CommandBuilder {
    let line: ParsedLine
    let name: CommandName

    func command() throws(UsageError) -> ShellCommand {
        switch name {
        case .initialize: return .initialize(usesKeyFile: flag("--key-file"))
        case .login: return .login(try login())
        case .passphrase:
            let change = try passphrase()
            return flag("--forgotten") ? .passphraseForgotten(change) : .passphrase(change)
        case .today: return .today
        case .start: return .start(assignment: argument(0))
        case .sites: return .list(sites())
        case .list: return try listing()
        case .find:
            return .find(FindRequest(text: rest(from: 0), since: option("--since"), until: option("--until")))
        case .log: return .log(record: argument(0))
        case .undo: return .undo(record: line.arguments.first)
        case .show: return .show(record: argument(0))
        case .new: return .new(try new())
        case .edit: return .edit(record: argument(0), values: try values(from: 1))
        case .attach: return .attach(record: argument(0), file: argument(1), caption: option("--caption"))
        case .photo: return .photo(try photo())
        case .submit: return .submit(record: argument(0))
        case .approve: return .approve(record: argument(0))
        case .sendBack: return .sendBack(record: argument(0), reason: try reason())
        case .delete: return try delete()
        case .sync:
            return .sync(
                SyncOptions(
                    isContinuous: flag("--continuous"), resets: flag("--reset"),
                    passwordFile: option("--password-file")))
        case .service: return .service(try service())
        case .status: return .status
        case .outbox: return .outbox(try outbox())
        case .conflicts: return .conflicts(try conflicts())
        case .quarantine: return .quarantine(try quarantine())
        case .importFiles: return .importFiles(try importFiles())
        case .export: return .export(folder: argument(0), format: try format())
        case .shell: return .shell(replay: option("--replay"))
        case .more: return .more
        case .help: return .help(try topic())
        case .quit: return .quit
        }
    }

    // MARK: Parts

    private func argument(_ index: Int) -> String { line.arguments[index] }
    private func rest(from index: Int) -> String { line.arguments[index...].joined(separator: " ") }
    private func text(from index: Int) -> String { line.text(from: index) }
    private func flag(_ name: String) -> Bool { line.flags.contains(name) }
    private func option(_ name: String) -> String? { line.options[name]?.last }

    private func login() throws(UsageError) -> LoginRequest {
        if flag("--self-signed"), option("--pinned-cert") != nil {
            throw UsageError("Use --self-signed or --pinned-cert, not both.")
        }
        return LoginRequest(
            gateway: line.arguments.first, user: line.arguments.dropFirst().first,
            passwordFile: option("--password-file"), isSelfSigned: flag("--self-signed"),
            pinnedCertificate: option("--pinned-cert"), isOffline: flag("--offline"))
    }

    private func passphrase() throws(UsageError) -> PassphraseChange {
        switch (flag("--key-file"), option("--new-passphrase-file")) {
        case (true, nil): return .keyFile
        case (false, let file?): return .file(file)
        case (false, nil): return .asked
        case (true, .some): throw UsageError("Use --key-file or --new-passphrase-file, not both.")
        }
    }

    private func reason() throws(UsageError) -> String? {
        guard line.arguments.count > 1 else { return nil }
        guard let reason = ReturnReason(text(from: 1)) else { throw ReturnReason.isMissing }
        return reason.text
    }

    private func delete() throws(UsageError) -> ShellCommand {
        if line.arguments.count == 1 { return .delete(record: argument(0)) }
        guard line.arguments.count == 5, argument(0) == "findings", argument(1) == "of", argument(3) == "by" else {
            throw UsageError(
                "'delete' takes one record, or what one person has found at an inspection.",
                hint: "Use: delete findings of INSPECTION by NAME")
        }
        return .deleteFindings(inspection: argument(2), user: argument(4))
    }

    private func service() throws(UsageError) -> ServiceRequest {
        let text = try CommandParser.choose(
            argument(0), among: ServiceRequest.Action.allCases.map(\.rawValue), what: "action")
        return ServiceRequest(
            action: ServiceRequest.Action(rawValue: text) ?? .status, passwordFile: option("--password-file"),
            startsNothing: flag("--no-start"))
    }

    private func sites() -> ListRequest {
        var request = ListRequest(.site)
        request.terms = line.arguments
        request.district = option("--district")
        return request
    }

    private func list() throws(UsageError) -> ListRequest {
        var request = ListRequest(
            try line.arguments.first.map { text throws(UsageError) in try kind(text) } ?? .inspection)
        request.status = option("--status")
        request.site = option("--site")
        request.district = option("--district")
        request.mineOnly = flag("--mine")
        (request.since, request.until) = (option("--since"), option("--until"))
        if let status = request.status {
            let known = try statuses(of: request.kind)
            request.status = try CommandParser.choose(
                status, among: known, what: "status", hint: known.joined(separator: ", "))
        }
        return request
    }

    private func listing() throws(UsageError) -> ShellCommand {
        switch (flag("--deleted"), flag("--changed")) {
        case (false, false): return .list(try list())
        case (true, false): return .listDeleted(try deletedKind())
        case (_, true):
            guard !flag("--deleted"), !isNarrowed, line.arguments.isEmpty else {
                throw UsageError("--changed takes no kind and no other option.", hint: "Use: list --changed")
            }
            return .listChanged
        }
    }

    private var isNarrowed: Bool {
        flag("--mine") || ["--status", "--site", "--district", "--since", "--until"].contains { option($0) != nil }
    }

    private func deletedKind() throws(UsageError) -> RecordKind? {
        guard !isNarrowed else {
            throw UsageError("--deleted takes a kind and no other option.", hint: "Use: list sites --deleted")
        }
        return try line.arguments.first.map { text throws(UsageError) in try kind(text) }
    }

    private func photo() throws(UsageError) -> PhotoRequest {
        let actions = PhotoRequest.Action.allCases.map(\.rawValue)
        let text = try CommandParser.choose(
            argument(0), among: actions, what: "action", hint: actions.joined(separator: ", "))
        var request = PhotoRequest(action: PhotoRequest.Action(rawValue: text) ?? .list, record: argument(1))
        let rest = Array(line.arguments.dropFirst(2))
        switch request.action {
        case .list, .open, .remove:
            guard rest.count <= 1 else {
                throw UsageError("'photo \(text)' takes fewer arguments.", hint: Self.quotationAdvice)
            }
            request.photo = rest.first
        case .save:
            guard rest.count <= 2 else {
                throw UsageError("'photo save' takes fewer arguments.", hint: Self.quotationAdvice)
            }
            (request.photo, request.target) = (rest.first, rest.dropFirst().first)
        case .caption:
            guard let text = rest.last else {
                throw UsageError("Say the caption: photo caption RECORD [PHOTO] TEXT.")
            }
            (request.photo, request.target) =
                rest.count > 1 ? (rest[0], self.text(from: 3)) : (nil, text)
        case .rename:
            guard rest.count <= 2 else {
                throw UsageError("'photo rename' takes fewer arguments.", hint: Self.quotationAdvice)
            }
            // With one argument less it is the only photo that is meant.
            guard let target = rest.last else {
                throw UsageError("Say the new name: photo rename RECORD [PHOTO] NAME.")
            }
            (request.photo, request.target) = (rest.count > 1 ? rest[0] : nil, target)
        }
        return request
    }

    private static let quotationAdvice = "Put a name with spaces in quotation marks."

    private func statuses(of kind: RecordKind) throws(UsageError) -> [String] {
        switch kind {
        case .inspection: return Inspection.Status.allCases.map(\.rawValue)
        case .assignment: return Assignment.Status.allCases.map(\.rawValue)
        case .site, .finding, .form: throw UsageError("A \(kind.rawValue) has no status.")
        }
    }

    private func new() throws(UsageError) -> NewRequest {
        guard let text = line.arguments.first else { return NewRequest(.inspection) }
        var request = NewRequest(try kind(text))
        if request.kind == .form { throw UsageError("Forms are imported, not typed.", hint: "Use: import forms.jsonl") }
        try checkNamesOne(request.kind)
        var first = 1
        if line.arguments.count > 1, FieldValue(parsing: line.arguments[1]) == nil {
            request.owner = line.arguments[1]
            first = 2
        }
        request.values = try values(from: first)
        request.findings = line.options["--finding"] ?? []
        if !request.findings.isEmpty, request.kind != .inspection {
            throw UsageError("Only an inspection takes --finding.")
        }
        return request
    }

    /// `new inspection old mill`: where the marks belong depends on what is made.
    private func checkNamesOne(_ kind: RecordKind) throws(UsageError) {
        let names = Array(line.arguments.dropFirst().prefix { FieldValue(parsing: $0) == nil })
        guard names.count > 1 else { return }
        let text = names.dropFirst(kind == .finding ? 1 : 0).joined(separator: " ")
        let way = kind == .finding ? "\(names[0]) text=\"\(text)\"" : "\"\(text)\""
        throw UsageError(
            "'\(names[1])' is no FIELD=VALUE.",
            hint: "Put text with spaces in quotation marks: new \(kind.rawValue) \(way)")
    }

    private func values(from index: Int) throws(UsageError) -> [FieldValue] {
        var values: [FieldValue] = []
        for text in line.arguments.dropFirst(index) {
            guard let value = FieldValue(parsing: text) else {
                throw UsageError(
                    "'\(text)' is no FIELD=VALUE.", hint: "Put text with spaces in quotation marks: notes=\"two doors\""
                )
            }
            values.append(value)
        }
        return values
    }

    private func outbox() throws(UsageError) -> OutboxAction {
        guard let text = line.arguments.first else { return .list }
        let action: OutboxVerb = try action(text)
        if action == .list { return .list }
        guard let record = line.arguments.dropFirst().first else {
            throw UsageError("Say which: outbox \(action.rawValue) NUMBER.", hint: "The numbers: outbox")
        }
        guard line.arguments.count < 3 || (action == .retry && record == "of") else {
            throw UsageError("'outbox \(action.rawValue)' takes one record.", hint: "The numbers: outbox")
        }
        switch action {
        case .list: return .list
        case .show: return .show(record)
        case .retry where record == "of":
            guard line.arguments.count > 2 else {
                throw UsageError("Say whose laptop is lost: outbox retry of NAME.", hint: "Who is waited for: outbox")
            }
            return .retryOf(user: line.arguments[2])
        case .retry: return .retry(record == "all" ? nil : record)
        case .keep: return .keep(record == "all" ? nil : record)
        case .discard: return .discard(record == "all" ? nil : record)
        }
    }

    private func action<Verb: CaseIterable & RawRepresentable<String>>(_ typed: String) throws(UsageError) -> Verb {
        let verbs = Verb.allCases.map(\.rawValue)
        let chosen = try CommandParser.choose(
            typed, among: verbs, what: "action", hint: verbs.joined(separator: ", "))
        guard let verb = Verb(rawValue: chosen) else { throw UsageError("There is no action '\(typed)'.") }
        return verb
    }

    private func quarantine() throws(UsageError) -> QuarantineAction {
        guard let text = line.arguments.first else { return .list }
        let action: QuarantineVerb = try action(text)
        if action == .list { return .list }
        guard let record = line.arguments.dropFirst().first else {
            throw UsageError("Say which: quarantine \(action.rawValue) NUMBER.", hint: "The numbers: quarantine")
        }
        switch action {
        case .list: return .list
        case .show: return .show(record)
        case .restore: return .restore(record)
        case .discard: return .discard(record)
        }
    }

    private func conflicts() throws(UsageError) -> ConflictAction {
        guard let text = line.arguments.first else { return .list }
        let action: ConflictVerb = try action(text)
        if action == .list { return .list }
        guard line.arguments.count > 1 else {
            throw UsageError(
                "Say which: conflicts \(action.rawValue) NUMBER.",
                hint: "The numbers, or the ids outside the shell: conflicts")
        }
        if action == .show { return .show(argument(1)) }
        let choices = line.arguments.dropFirst(2)
        if argument(1) == "all" {
            // Values are decided by somebody who has looked at them.
            guard choices.count == 1, choices.first.flatMap({ DeletionVerb(typed: $0) }) == .keep else {
                throw UsageError(
                    "Only that deleted records stay is decided of all at once.", hint: "Use: conflicts take all keep")
            }
            return .keepAll
        }
        let sides = choices.filter { FieldValue(parsing: $0) == nil }
        guard sides.count <= 1 else {
            // What becomes of a deleted record, and of its values, is decided one after the other.
            if sides.prefix(2).contains(where: { ["keep", "delete"].containsExactly($0.lowercased()) }) {
                throw UsageError(
                    "One decision at a time.", hint: "First: conflicts take 1 keep. Then: conflicts take 1 mine")
            }
            throw UsageError("'\(sides[1])' is no FIELD=VALUE.", hint: "Use: conflicts take 1 mine score=80")
        }
        return .take(argument(1), side: sides.first, values: choices.compactMap { FieldValue(parsing: $0) })
    }

    private func importFiles() throws(UsageError) -> ImportRequest {
        var request = ImportRequest(paths: line.arguments, report: option("--report"))
        request.options.isPreview = flag("--preview")
        request.options.isStrict = flag("--strict")
        if let text = option("--as") {
            let names = ImportTable.allCases.map(\.name)
            let name = try CommandParser.choose(
                text, among: names, what: "kind of table", hint: names.joined(separator: ", "))
            request.options.table = ImportTable.allCases.first { $0.name.isExactly(name) }
        }
        for text in line.options["--map"] ?? [] {
            guard let choice = FieldValue(parsing: text) else {
                throw UsageError("'\(text)' is no FIELD=COLUMN.", hint: "Use: --map address=\"Street and number\"")
            }
            request.options.columns.append(ColumnChoice(field: choice.field, column: choice.text))
        }
        return request
    }

    private func format() throws(UsageError) -> RecordExport.Format {
        guard let text = option("--format") else { return .both }
        let name = try CommandParser.choose(text, among: RecordExport.Format.allCases.map(\.rawValue), what: "format")
        return RecordExport.Format(rawValue: name) ?? .both
    }

    private func topic() throws(UsageError) -> CommandName? {
        guard let text = line.arguments.first else { return nil }
        return CommandName(
            rawValue: try CommandParser.choose(text, among: CommandName.allCases.map(\.rawValue), what: "command"))
    }

    private func kind(_ text: String) throws(UsageError) -> RecordKind {
        let names = RecordKind.allCases.map(\.plural)
        let name = try CommandParser.choose(
            text, among: names, what: "kind of record", hint: names.joined(separator: ", "))
        return RecordKind.allCases.first { $0.plural == name } ?? .inspection
    }
}

extension FieldValue {
    /// `score=88`: a name of letters, digits, `.`, `-` and `_`, then the value, which may be empty.
    init?(parsing text: String) {
        // By scalars: an accent at the beginning of the value does not hide the sign in front of it.
        let scalars = text.unicodeScalars
        guard let separator = scalars.firstIndex(of: "="), separator > scalars.startIndex else { return nil }
        let field = scalars[..<separator]
        guard let first = field.first, !first.properties.isGraphemeExtend, field.allSatisfy(Self.mayName) else {
            return nil
        }
        self.init(String(field), text: String(scalars[scalars.index(after: separator)...]))
    }

    private static func mayName(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isAlphabetic || properties.numericType != nil || properties.isGraphemeExtend
            || "._-".unicodeScalars.contains(scalar)
    }
}
