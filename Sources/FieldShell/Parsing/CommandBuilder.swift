import DocumentValues
import FieldModels
import FieldRecords

/// Makes the command of a line whose tokens have been sorted.
struct CommandBuilder {
    let line: ParsedLine
    let name: CommandName

    func command() throws(UsageError) -> ShellCommand {
        switch name {
        case .initialize: return .initialize(usesKeyFile: line.flag("--key-file"))
        case .login: return .login(try SignInLine(line: line).login())
        case .passphrase:
            let change = try SignInLine(line: line).passphrase()
            return line.flag("--forgotten") ? .passphraseForgotten(change) : .passphrase(change)
        case .today: return .today
        case .start: return .start(assignment: line.argument(0))
        case .sites: return .list(ListLine(line: line).sites())
        case .list: return try ListLine(line: line).listing()
        case .find: return .find(find())
        case .log: return .log(record: line.argument(0))
        case .diff: return .diff(record: line.argument(0), versions: Array(line.arguments.dropFirst()))
        case .view: return .view(try ViewLine(line: line).view())
        case .undo: return .undo(record: line.arguments.first)
        case .show: return .show(record: line.argument(0), language: line.option("--lang"))
        case .new: return .new(try NewLine(line: line).new())
        case .edit: return .edit(record: line.argument(0), values: try line.values(from: 1))
        case .attach:
            return .attach(record: line.argument(0), file: line.argument(1), caption: line.option("--caption"))
        case .photo: return .photo(try PhotoLine(line: line).photo())
        case .submit: return .submit(record: line.argument(0))
        case .approve: return .approve(record: line.argument(0))
        case .sendBack:
            return .sendBack(record: line.argument(0), reason: try reason(), question: line.option("--at"))
        case .delete: return try delete()
        case .sync: return .sync(try sync())
        case .service: return .service(try service())
        case .status: return .status
        case .outbox: return .outbox(try DecisionLine(line: line).outbox())
        case .conflicts: return .conflicts(try DecisionLine(line: line).conflicts())
        case .quarantine: return .quarantine(try DecisionLine(line: line).quarantine())
        case .importFiles: return .importFiles(try ImportLine(line: line).importFiles())
        case .export: return try ExportLine(line: line).export()
        case .form: return .form(try FormLine(line: line).form())
        case .fill: return .fill(try FillLine(line: line).fill(line.argument(0)))
        case .shell: return .shell(replay: line.option("--replay"))
        case .more: return .more
        case .help: return .help(try topic())
        case .quit: return .quit
        }
    }

    private func sync() throws(UsageError) -> SyncOptions {
        SyncOptions(
            isContinuous: line.flag("--continuous"), resets: line.flag("--reset"), photos: try photoPolicy(),
            passwordFile: line.option("--password-file"))
    }

    private func find() -> FindRequest {
        FindRequest(text: line.rest(from: 0), since: line.option("--since"), until: line.option("--until"))
    }

    private func reason() throws(UsageError) -> String? {
        guard line.arguments.count > 1 else { return nil }
        guard let reason = ReturnReason(line.text(from: 1)) else { throw ReturnReason.isMissing }
        return reason.text
    }

    private func photoPolicy() throws(UsageError) -> PhotoPolicy? {
        guard let text = line.option("--photos") else { return nil }
        let names = PhotoPolicy.allCases.map(\.rawValue)
        let name = try CommandParser.choose(
            text, among: names, what: "time for photos", hint: names.joined(separator: ", "))
        return PhotoPolicy(rawValue: name)
    }

    private func delete() throws(UsageError) -> ShellCommand {
        if line.arguments.count == 1 { return .delete(record: line.argument(0)) }
        guard line.arguments.count == 5, line.argument(0) == "findings", line.argument(1) == "of",
            line.argument(3) == "by"
        else {
            throw UsageError(
                "'delete' takes one record, or what one person has found at an inspection.",
                hint: "Use: delete findings of INSPECTION by NAME")
        }
        return .deleteFindings(inspection: line.argument(2), user: line.argument(4))
    }

    private func service() throws(UsageError) -> ServiceRequest {
        ServiceRequest(
            action: try line.action(line.argument(0)), passwordFile: line.option("--password-file"),
            startsNothing: line.flag("--no-start"))
    }

    private func topic() throws(UsageError) -> CommandName? {
        guard let text = line.arguments.first else { return nil }
        return CommandName(
            rawValue: try CommandParser.choose(text, among: CommandName.allCases.map(\.rawValue), what: "command"))
    }
}
