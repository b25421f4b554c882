import DocumentValues
import FieldModels
import FieldRecords
import Foundation

/// Completes the word before the cursor by where it is: a command, then what this command takes there.
public struct Completer: Sendable {
    /// Short ids of the last list.
    private let listing: [String]
    private let folder: String
    /// What a question offers; `nil` where a command is typed.
    private let answers: [String]?

    public init(listing: [String] = [], folder: String = FileManager.default.currentDirectoryPath) {
        self.listing = listing
        self.folder = folder
        answers = nil
    }

    /// Completes answers to a question: the whole line, in small or capital letters, with or without accents.
    init(answers: [String]) {
        self.answers = answers
        (listing, folder) = ([], "")
    }

    var completesLines: Bool { answers != nil }

    /// - Parameter line: up to the cursor, with the word.
    func completions(of word: String, behind line: String) -> [String] {
        if let answers {
            let beginning = word.searchable
            return answers.filter { $0.searchable.hasPrefix(beginning) }
        }
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        // The word itself may still be empty.
        let before = line.last?.isWhitespace ?? true ? words : words.dropLast()
        guard let command = before.first else { return Self.matches(word, words: Self.commands) }
        guard let name = Self.name(command) else { return [] }
        if word.hasPrefix("--") { return Self.matches(word, words: Self.options(of: name)) }
        let place = before.dropFirst().filter { !$0.hasPrefix("--") }.count
        return candidates(name, place: place, word: word)
    }

    private func candidates(_ name: CommandName, place: Int, word: String) -> [String] {
        switch name {
        case .new where place == 0:
            return Self.matches(word, words: RecordKind.allCases.filter { $0 != .form }.map(\.rawValue))
        case .list where place == 0: return Self.matches(word, words: RecordKind.allCases.map(\.plural))
        case .service where place == 0:
            return Self.matches(word, words: ServiceRequest.Action.allCases.map(\.rawValue))
        case .help where place == 0: return Self.matches(word, words: Self.commands)
        case .outbox where place == 0:
            return Self.matches(word, words: OutboxWord.allCases.filter { $0 != .list }.map(\.rawValue))
        case .conflicts where place == 0:
            return Self.matches(word, words: ConflictWord.allCases.filter { $0 != .list }.map(\.rawValue))
        case .conflicts where place > 1:
            return Self.matches(word, words: ["mine", "theirs", "current", "other", "keep", "delete"])
        case .quarantine where place == 0:
            return Self.matches(word, words: QuarantineWord.allCases.filter { $0 != .list }.map(\.rawValue))
        case .photo where place == 0: return Self.matches(word, words: PhotoRequest.Action.allCases.map(\.rawValue))
        case .photo where place > 1: return files(word)
        case .attach where place > 0: return files(word)
        case .importFiles, .export: return files(word)
        case .new, .list, .help, .quarantine, .attach, .edit, .show, .submit, .approve, .sendBack, .delete, .outbox,
            .log, .photo,
            .start:
            return Self.matches(word, words: listing)
        case .initialize, .login, .passphrase, .sites, .sync, .service, .status, .conflicts, .shell, .quit, .today,
            .find,
            .undo, .more:
            return []
        }
    }

    private static var commands: [String] {
        CommandCatalogue.all.filter { $0.isAvailable(in: .shell) }.map(\.name.rawValue)
    }

    private static func name(_ word: String) -> CommandName? {
        guard case .found(let name) = WordChoice.find(word, among: commands) else { return nil }
        return CommandName(rawValue: name)
    }

    private static func options(of name: CommandName) -> [String] {
        (CommandCatalogue.specification(of: name).options + CommandCatalogue.common).map(\.name)
    }

    private static func matches(_ word: String, words: [String]) -> [String] {
        words.filter { $0.hasExactPrefix(word) }
    }

    /// Spaces as they must be typed.
    private static func typed(_ name: String) -> String {
        name.split(atByte: " ", omittingEmptySubsequences: false).joined(separator: "\\ ")
    }

    /// Names in a folder; folders with a slash, spaces as they must be typed.
    private func files(_ word: String) -> [String] {
        // Among the bytes: an accent behind a slash does not hide it.
        let slash = word.utf8.lastIndex(of: UInt8(ascii: "/")).map { word.utf8.index(after: $0) } ?? word.startIndex
        let (given, beginning) = (String(word[..<slash]), String(word[slash...]))
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
                return given + Self.typed(name) + (isFolder.boolValue ? "/" : "")
            }
    }
}
