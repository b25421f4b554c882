import DocumentValues

/// Parses the lines of `view`.
struct ViewLine {
    let line: ParsedLine

    private static let verbs = ["list", "save", "rm"]
    /// Commands that only look at records.
    private static let kept: [CommandName] = [.list, .sites, .find]

    func view() throws(UsageError) -> ViewAction {
        let (verb, rest) = (line.argument(0), line.arguments.dropFirst())
        switch verb {
        case "list" where rest.isEmpty: return .list
        case "rm" where rest.count == 1: return .remove(name: line.argument(1))
        case "save" where rest.count > 1: return try save(as: line.argument(1), terms: Array(rest.dropFirst()))
        case "list", "rm", "save": throw UsageError("'view \(verb)' takes other arguments.", hint: Self.usage)
        default:
            guard rest.isEmpty else { throw UsageError("'view' takes the name of one view.", hint: Self.usage) }
            return .show(name: verb)
        }
    }

    private static var usage: String { CommandCatalogue.specification(of: .view).usageLine }

    private func save(as name: String, terms: [String]) throws(UsageError) -> ViewAction {
        let isName = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
        }
        guard isName, !name.isEmpty, name.utf8.count <= ViewAction.longestName, !Self.verbs.contains(name) else {
            throw UsageError(
                "'\(name)' is no name for a view.", hint: "A name has small letters, digits and '-': late-returns")
        }
        let options = line.ordered.flatMap { [$0.option, $0.value] }
        let flags = line.flags.sorted().filter { flag in !CommandCatalogue.common.contains { $0.name == flag } }
        let tokens = terms + options + flags
        guard try CommandParser.parse(tokens: tokens, in: .shell).command.listing != nil else {
            throw UsageError(
                "A view keeps a list, and '\(terms[0])' shows none.",
                hint: "Use: view save \(name) " + Self.kept.map(\.rawValue).joined(separator: "|") + " …")
        }
        return .save(name: name, tokens: tokens.map { Name($0) })
    }
}

extension ShellCommand {
    /// The command itself, where it lists records and changes nothing.
    var listing: ShellCommand? {
        switch self {
        case .list, .listDeleted, .listChanged, .find: self
        default: nil
        }
    }
}
