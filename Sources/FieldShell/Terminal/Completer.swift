import DocumentValues
import FieldModels
import FieldRecords
import Foundation

/// Completes the token before the cursor by its position: a command, then an argument of this command.
public struct Completer: Sendable {
    /// Short ids of the last list.
    private let listing: [String]
    private let folder: String
    private enum Subject: Sendable {
        case command
        /// The answers to a question, and lines that steer a conversation: those begin with a colon.
        case answers([String], steering: [String])
        case path(steering: [String])
    }

    private let subject: Subject

    public init(listing: [String] = [], folder: String = FileManager.default.currentDirectoryPath) {
        self.listing = listing
        self.folder = folder
        subject = .command
    }

    /// Completes answers to a question: the whole line, in small or capital letters, with or without accents.
    ///
    /// - Parameter commands: lines that begin with a colon.
    init(answers: [String], commands: [String] = []) {
        subject = .answers(answers, steering: commands)
        (listing, folder) = ([], "")
    }

    /// Completes the path of a file that is the answer.
    init(filesAnd commands: [String], folder: String = FileManager.default.currentDirectoryPath) {
        subject = .path(steering: commands)
        listing = []
        self.folder = folder
    }

    var completesLines: Bool {
        if case .command = subject { false } else { true }
    }

    /// - Parameter line: up to the cursor, with the token.
    func completions(of token: String, behind line: String) -> [String] {
        switch subject {
        case .answers(_, let steering) where token.hasExactPrefix(":"),
            .path(let steering) where token.hasExactPrefix(":"):
            return steering.filter { $0.hasExactPrefix(token) }
        case .answers(let answers, _):
            let beginning = token.searchable
            return answers.filter { $0.searchable.hasPrefix(beginning) }
        case .path: return files(token)
        case .command: break
        }
        return commandCompletions(of: token, behind: line)
    }

    private func commandCompletions(of token: String, behind line: String) -> [String] {
        let tokens = line.split(whereSeparator: \.isWhitespace).map(String.init)
        // The token itself may still be empty.
        let before = line.last?.isWhitespace ?? true ? tokens : tokens.dropLast()
        guard let command = before.first else { return Self.matches(token, choices: Self.commands) }
        guard let name = Self.name(command) else { return [] }
        if token.hasPrefix("--") { return Self.matches(token, choices: Self.options(of: name)) }
        let index = before.dropFirst().filter { !$0.hasPrefix("--") }.count
        return candidates(name, index: index, token: token)
    }

    private func candidates(_ name: CommandName, index: Int, token: String) -> [String] {
        switch name {
        case .new where index == 0:
            let kinds = RecordKind.allCases.filter { $0 != .form && $0 != .response }
            return Self.matches(token, choices: kinds.map(\.rawValue))
        case .list where index == 0: return Self.matches(token, choices: RecordKind.allCases.map(\.plural))
        case .service where index == 0:
            return Self.matches(token, choices: ServiceRequest.Action.allCases.map(\.rawValue))
        case .help where index == 0: return Self.matches(token, choices: Self.commands)
        case .outbox where index == 0:
            return Self.matches(token, choices: OutboxVerb.allCases.filter { $0 != .list }.map(\.rawValue))
        case .conflicts where index == 0:
            return Self.matches(token, choices: ConflictVerb.allCases.filter { $0 != .list }.map(\.rawValue))
        case .conflicts where index == 1: return Self.matches(token, choices: listing)
        case .conflicts where index > 1:
            return Self.matches(
                token, choices: ConflictSide.allCases.map(\.rawValue) + DeletionVerb.allCases.map(\.rawValue))
        case .quarantine where index == 0:
            return Self.matches(token, choices: QuarantineVerb.allCases.filter { $0 != .list }.map(\.rawValue))
        case .photo where index == 0: return Self.matches(token, choices: PhotoRequest.Action.allCases.map(\.rawValue))
        case .photo where index > 1: return files(token)
        case .attach where index > 0: return files(token)
        case .importFiles, .export: return files(token)
        case .form where index == 0: return Self.matches(token, choices: FormVerb.allCases.map(\.rawValue))
        case .form: return Self.matches(token, choices: listing) + files(token)
        case .fill: return Self.matches(token, choices: listing)
        case .new, .list, .help, .quarantine, .attach, .edit, .show, .submit, .approve, .sendBack, .delete, .outbox,
            .log, .diff, .photo, .start, .undo:
            return Self.matches(token, choices: listing)
        case .initialize, .login, .passphrase, .sites, .sync, .service, .status, .conflicts, .shell, .quit, .today,
            .find, .view, .more:
            return []
        }
    }

    private static var commands: [String] {
        CommandCatalogue.all.filter { $0.isAvailable(in: .shell) }.map(\.name.rawValue)
    }

    private static func name(_ token: String) -> CommandName? {
        guard case .found(let name) = ChoiceMatch.find(token, among: commands) else { return nil }
        return CommandName(rawValue: name)
    }

    private static func options(of name: CommandName) -> [String] {
        (CommandCatalogue.specification(of: name).options + CommandCatalogue.common).map(\.name)
    }

    private static func matches(_ token: String, choices: [String]) -> [String] {
        choices.filter { $0.hasExactPrefix(token) }
    }

    /// Names in a folder, as they are; folders with a slash. The line editor writes them as they must be typed.
    private func files(_ token: String) -> [String] {
        // Among the bytes: an accent behind a slash does not hide it.
        let slash = token.utf8.lastIndex(of: UInt8(ascii: "/")).map { token.utf8.index(after: $0) } ?? token.startIndex
        let (given, beginning) = (String(token[..<slash]), String(token[slash...]))
        let expanded = HomeFolder.expanding(given)
        let path = expanded.hasExactPrefix("/") ? expanded : folder + "/" + expanded
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [] }
        let shown = names.filter {
            $0.hasExactPrefix(beginning) && (!$0.hasExactPrefix(".") || beginning.hasExactPrefix("."))
        }
        return shown.sorted { $0.isExactlyBefore($1) }
            .map { name in
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
                return given + name + (isFolder.boolValue ? "/" : "")
            }
    }
}
